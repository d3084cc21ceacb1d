import { github } from '../../../src/connectors/providers/github.js';
import { slack } from '../../../src/connectors/providers/slack.js';
import { startGithubFake } from './github-fake.js';
import type { FakedProvider } from './provider-fake.js';
import { fakedRss } from './rss-fake.js';
import { startSlackFake } from './slack-fake.js';
import { fakedWeb } from './web-fake.js';

/** One for each provider: the contract suites run over this list. */
export const FAKED_PROVIDERS: readonly FakedProvider[] = [
  fakedRss,
  fakedWeb,
  { provider: slack, start: startSlackFake, manyObjects: 600 },
  { provider: github, start: startGithubFake, manyObjects: 480 },
];
