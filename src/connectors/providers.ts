import type { Provider } from './provider.js';
import { filesystem } from './providers/filesystem.js';
import { imap } from './providers/imap.js';
import { s3 } from './providers/s3.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS = [imap, s3, filesystem] as readonly unknown[] as readonly Provider[];
