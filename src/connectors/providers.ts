import type { Provider } from './provider.js';
import { linear } from './providers/linear.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS = [linear] as readonly unknown[] as readonly Provider[];
