import type { DiscoveredPage, Session } from '../provider.js';

/** What the sessions of providers have in common that read what is public: no account, and no list of what there is. */
export abstract class PublicSession implements Pick<Session, 'check' | 'discover'> {
  /** There are no credentials to be rejected. */
  check(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return Promise.resolve();
  }

  /** Resources are named by their addresses, and not found here. */
  discover(_page: { cursor: string; limit: number }, signal: AbortSignal): Promise<DiscoveredPage> {
    signal.throwIfAborted();
    return Promise.resolve({ resources: [], nextCursor: null });
  }
}
