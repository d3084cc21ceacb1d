import { confluence } from '../../../src/connectors/providers/confluence.js';
import { jira } from '../../../src/connectors/providers/jira.js';
import { ConfluenceFake } from './confluence-fake.js';
import { JiraFake } from './jira-fake.js';
import type { FakedProvider } from './provider-fake.js';

/** One for each provider: the contract suites run over this list. */
export const FAKED_PROVIDERS = [
  { provider: jira, start: () => JiraFake.start(), manyObjects: 120 },
  { provider: confluence, start: () => ConfluenceFake.start(), manyObjects: 120 },
] as readonly unknown[] as readonly FakedProvider[];
