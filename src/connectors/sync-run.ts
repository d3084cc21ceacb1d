import { UnopenableSecretError } from '../lib/secret-box.js';
import { isStoreUnavailable } from '../postgres/outage.js';
import { ProviderError } from './provider.js';
import type { ProviderSessions } from './provider-sessions.js';
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
/** How long a request goes on of a connector that was paused or deleted. */
const renewEveryMs = 5_000;

/** Syncs one connector for a while: page by page, a step of the resource looked at longest ago each time. */
export class SyncRun {
  constructor(private readonly options: SyncRunOptions) {}

  /** Works until the sync is over, has to wait, is paused or has had its slice. Nothing is lost wherever it ends. */
  async runSlice(lease: SyncLease, jobSignal: AbortSignal): Promise<void> {
    const { queue, logger, wake } = this.options;
    const lost = new AbortController();
    const renewal = setInterval(() => {
      // What a timer learns ends the request that is under way; the next step finds out by itself.
      queue.renew(lease).catch((error: unknown) => error instanceof LeaseLost && lost.abort(error));
    }, renewEveryMs);
    try {
      await this.steps(lease, AbortSignal.any([jobSignal, lost.signal]));
    } catch (error) {
      if (error instanceof LeaseLost || lost.signal.aborted) {
        await queue.letGo(lease);
        // Of a connector that was deleted nothing is removed while a slice may bring more.
        wake('purge-connectors');
      } else if (error instanceof ProviderError) await this.endOrWait(lease, error);
      else if (error instanceof UnopenableSecretError)
        await queue.block(lease, {
          reauth: false,
          message: 'its credentials cannot be opened; enter them again',
        });
      else if (jobSignal.aborted || isStoreUnavailable(error)) await queue.putBack(lease);
      else {
        logger.error({ err: error, connector: lease.connector.id }, 'a sync failed unexpectedly');
        await queue.putBack(lease, this.after(retryMsFirst * 2 ** triesMax));
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
      await queue.putBack(lease);
    } finally {
      await session.close().catch(() => undefined);
    }
  }

  private report({ connector: { id, provider } }: SyncLease, finished: FinishedSync | undefined): void {
    if (finished) this.options.logger.info({ connector: id, provider, ...finished }, 'connector synced');
  }

  /** What concerns the whole account: its credentials, its limits. */
  private async endOrWait(lease: SyncLease, error: ProviderError): Promise<void> {
    const { queue, logger } = this.options;
    const { kind, message, retryAfterSeconds } = error;
    logger.info({ connector: lease.connector.id, kind }, 'a sync cannot go on');
    if (kind === 'credentials' || kind === 'reauth')
      return queue.block(lease, { reauth: kind === 'reauth', message });
    await queue.putOff(lease, this.after((retryAfterSeconds ?? 30) * 1000));
  }

  private after(milliseconds: number): Date {
    return new Date(this.options.clock.now().getTime() + milliseconds);
  }
}
