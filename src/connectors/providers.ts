import type { Provider } from './provider.js';
import { gmail } from './providers/gmail.js';
import { googleDrive } from './providers/google-drive.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS = [googleDrive, gmail] as readonly unknown[] as readonly Provider[];
