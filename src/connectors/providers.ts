import type { Provider } from './provider.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS: readonly Provider[] = [];
