import { linear } from '../../../src/connectors/providers/linear.js';
import { notion } from '../../../src/connectors/providers/notion.js';
import { LinearFake } from './linear-fake.js';
import { NotionFake } from './notion-fake.js';
import type { FakedProvider } from './provider-fake.js';

/** One for each provider: the contract suites run over this list. */
export const FAKED_PROVIDERS = [
  { provider: notion, start: () => NotionFake.start(), manyObjects: 250 },
  { provider: linear, start: () => LinearFake.start(), manyObjects: 120 },
] as readonly unknown[] as readonly FakedProvider[];
