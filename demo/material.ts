import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/lib/package-root.js';

/** The project's own documents: what a stranger who just cloned it may want to ask about. */
export const documents: readonly { id: string; filename: string; bytes: Buffer }[] = [
  'README.md',
  'ARCHITECTURE.md',
  'DECISIONS.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(packageRoot, 'docs')).map((name) => `docs/${name}`),
].map((path) => ({ id: path, filename: path, bytes: readFileSync(join(packageRoot, path)) }));

/** A chat of a team, as pairs of a question and its answer. */
export const chat = {
  id: 'chat-launch',
  title: 'Chat: preparing the launch',
  user_name: 'Mira',
  user_assistant_pairs: [
    {
      user: 'When do we launch the beta?',
      assistant: 'We agreed on the 14th of May, after the load test. Jonas runs the load test on the 7th.',
    },
    {
      user: 'Who signs off the pricing page?',
      assistant: 'Priya from finance has to approve every price before it goes public.',
    },
    {
      user: 'What if the load test fails?',
      assistant: 'Then the launch moves by one week, and we tell the waiting list by e-mail the same day.',
    },
  ],
};

/** What an agent has learned about its user. */
export const memories: readonly { id: string; text: string }[] = [
  { id: 'memory-tea', text: 'Mira drinks green tea and never coffee.' },
  { id: 'memory-meetings', text: 'Mira does not take meetings before ten in the morning.' },
  { id: 'memory-language', text: 'Mira wants code examples in TypeScript, not in Python.' },
  { id: 'memory-decision', text: 'Decision of March: customer data stays in the Frankfurt region.' },
];

/** Questions and which kind of content they are asked of. */
export const questions: readonly { query: string; type: 'knowledge' | 'memory' | 'all' }[] = [
  { query: 'How does a REST call reach the GraphQL resolvers?', type: 'knowledge' },
  { query: 'Which variable chooses a native Postgres?', type: 'knowledge' },
  { query: 'Who must approve the prices?', type: 'memory' },
  { query: 'a hot beverage for the guest', type: 'memory' },
  { query: 'Where is customer data kept?', type: 'all' },
];
