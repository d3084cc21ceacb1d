import type { Provider } from './provider.js';
import { rss } from './providers/rss.js';
import { web } from './providers/web.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS = [rss, web] as readonly unknown[] as readonly Provider[];
