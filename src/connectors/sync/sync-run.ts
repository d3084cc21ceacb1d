import { UnopenableSecretError } from '../../lib/secret-box.js';
import { isStoreUnavailable } from '../../postgres/outage.js';
import { ProviderError } from '../provider.js';
import type { ProviderSessions } from '../provider-sessions.js';
import { retryMsFirst, triesMax } from './sync-progress.js';
import { LeaseLost } from './sync-queue.js';
import type { FinishedSync, SyncLease, SyncQueue } from './sync-queue.js';
import { SyncStep } from './sync-step.js';
import type { SyncStepOptions } from './sync-step.js';

interface SyncRunOptions extends SyncStepOptions {
  readonly sessions: ProviderSessions;
  readonly queue: SyncQueue;
}

const sliceMs = 20_000;
/** So a request for a connector that was paused or deleted lasts no longer than this. */
const renewEveryMs = 5_000;

/** Syncs one connector for a while, page by page; each step takes the resource looked at longest ago. */
export class SyncRun {
  constructor(private readonly options: SyncRunOptions) {}

  /**
   * Works until the sync is over, must wait, is paused, or has used up its slice. Nothing is lost wherever it
   * ends.
   */
  async runSlice(lease: SyncLease, jobSignal: AbortSignal): Promise<void> {
    const { queue, logger, wake } = this.options;
    const lost = new AbortController();
    const renewal = setInterval(() => {
      // If the lease is lost, this ends the request that is under way; the next step would notice by itself.
      queue.renew(lease).catch((error: unknown) => error instanceof LeaseLost && lost.abort(error));
    }, renewEveryMs);
    try {
      await this.steps(lease, AbortSignal.any([jobSignal, lost.signal]));
    } catch (error) {
      if (error instanceof LeaseLost || lost.signal.aborted) {
        await queue.release(lease);
        // What a deleted connector has synced is not removed while a slice may add to it.
        wake('purge-connectors');
      } else if (error instanceof ProviderError) await this.endOrWait(lease, error);
      else if (error instanceof UnopenableSecretError)
        await queue.block(lease, {
          reauth: false,
          message: 'its credentials cannot be opened; enter them again',
        });
      else if (jobSignal.aborted || isStoreUnavailable(error)) await queue.requeue(lease);
      else {
        logger.error({ err: error, connector: lease.connector.id }, 'a sync failed unexpectedly');
        await queue.requeue(lease, this.after(retryMsFirst * 2 ** triesMax));
      }
    } finally {
      clearInterval(renewal);
    }
  }

  private async steps(lease: SyncLease, signal: AbortSignal): Promise<void> {
    const { queue, sessions } = this.options;
    const session = await sessions.openStored(lease.connector.id);
    const asked = new Set<string>();
    const endMs = performance.now() + sliceMs;
    try {
      while (performance.now() < endMs) {
        signal.throwIfAborted();
        await queue.renew(lease);
        const resource = await queue.nextResource(lease);
        if (!resource) return this.report(lease, await queue.settle(lease));
        const step = new SyncStep(this.options, { lease, session, resource, signal });
        await step.run({ asksReaders: !asked.has(resource.resourceId) });
        asked.add(resource.resourceId);
      }
      await queue.requeue(lease);
    } finally {
      await session.close().catch(() => undefined);
    }
  }

  private report({ connector: { id, provider } }: SyncLease, finished: FinishedSync | undefined): void {
    if (finished) this.options.logger.info({ connector: id, provider, ...finished }, 'connector synced');
  }

  /** Handles a failure of the whole account: its credentials or its limits. */
  private async endOrWait(lease: SyncLease, error: ProviderError): Promise<void> {
    const { queue, logger } = this.options;
    const { kind, message, retryAfterSeconds } = error;
    const connector = lease.connector.id;
    const isBlocked = kind === 'credentials' || kind === 'reauth';
    logger[isBlocked ? 'warn' : 'info']({ connector, kind, reason: message }, 'a sync cannot go on');
    if (isBlocked) return queue.block(lease, { reauth: kind === 'reauth', message });
    await queue.deferUntil(lease, this.after((retryAfterSeconds ?? 30) * 1000));
  }

  private after(milliseconds: number): Date {
    return new Date(this.options.clock.now().getTime() + milliseconds);
  }
}
