import type { Provider } from './provider.js';
import { linear } from './providers/linear.js';
import { notion } from './providers/notion.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS = [notion, linear] as readonly unknown[] as readonly Provider[];
