import type { Provider } from './provider.js';
import { slack } from './providers/slack.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS = [slack] as readonly unknown[] as readonly Provider[];
