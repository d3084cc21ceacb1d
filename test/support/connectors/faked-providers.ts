import type { FakedProvider } from './provider-fake.js';
import { fakedRss } from './rss-fake.js';
import { fakedWeb } from './web-fake.js';

/** One for each provider: the contract suites run over this list. */
export const FAKED_PROVIDERS: readonly FakedProvider[] = [fakedRss, fakedWeb];
