import type { Provider } from './provider.js';
import { confluence } from './providers/confluence.js';
import { jira } from './providers/jira.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS = [jira, confluence] as readonly unknown[] as readonly Provider[];
