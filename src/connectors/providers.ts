import type { Provider } from './provider.js';
import { github } from './providers/github.js';
import { rss } from './providers/rss.js';
import { slack } from './providers/slack.js';
import { web } from './providers/web.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS: readonly Provider[] = [rss, web, slack, github];
