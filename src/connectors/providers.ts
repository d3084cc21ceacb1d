import type { Provider } from './provider.js';
import { rss } from './providers/rss.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS = [rss] as readonly unknown[] as readonly Provider[];
