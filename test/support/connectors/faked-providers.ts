import type { Provider } from '../../../src/connectors/provider.js';
import { github } from '../../../src/connectors/providers/github.js';
import { slack } from '../../../src/connectors/providers/slack.js';
import { startGithubFake } from './github-fake.js';
import type { FakedProvider } from './provider-fake.js';
import { startSlackFake } from './slack-fake.js';

/** One for each provider: the contract suites run over this list. */
export const FAKED_PROVIDERS: readonly FakedProvider[] = [
  { provider: slack as unknown as Provider, start: startSlackFake, manyObjects: 600 },
  { provider: github as unknown as Provider, start: startGithubFake, manyObjects: 480 },
];
