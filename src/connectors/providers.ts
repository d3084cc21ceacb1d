import type { Provider } from './provider.js';
import { github } from './providers/github.js';
import { slack } from './providers/slack.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS = [slack, github] as readonly unknown[] as readonly Provider[];
