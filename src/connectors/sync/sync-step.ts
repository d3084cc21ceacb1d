import { isDeepStrictEqual } from 'node:util';
import type { DataSource, EntityManager } from 'typeorm';
import { Database, DatabaseStatus } from '../../databases/database.entity.js';
import { AppError } from '../../errors.js';
import type { Wake } from '../../jobs/define-job.js';
import { untilAborted } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { isStoreUnavailable } from '../../postgres/outage.js';
import { readAcl } from '../../sources/acl.js';
import type { Acl } from '../../sources/acl.js';
import type { ResourceRow } from '../management/connector-rows.js';
import { ProviderError } from '../provider.js';
import type { Page, ResourceScope, Session } from '../provider.js';
import { toProviderError, UnexpectedFailure } from '../provider-failure.js';
import { goneOn } from './page-store.js';
import type { PageStore, StoredPage } from './page-store.js';
import { findForUpdate, saveProgress } from './resource-progress.queries.js';
import {
  afterExpiry,
  afterFailure,
  afterPage,
  endsFullListing,
  isHeld,
  isProgress,
  nextPhase,
  triesMax,
  walkOf,
} from './sync-progress.js';
import type { Phase, Progress, ShownItems } from './sync-progress.js';
import { LeaseLost } from './sync-queue.js';
import type { SyncLease } from './sync-queue.js';
import { countShown, noteUnseen } from './synced-items.queries.js';

export interface SyncStepOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pages: PageStore;
  readonly wake: Wake;
}

const stepMsMax = 10 * 60_000;
const cursorCharactersMax = 1_048_576;

interface StepContext {
  readonly lease: SyncLease;
  readonly session: Session;
  readonly resource: ResourceRow;
  readonly signal: AbortSignal;
}

/** Reads and stores one page of one resource. */
export class SyncStep {
  private readonly now: Date;
  private readonly timeout = AbortSignal.timeout(stepMsMax);
  private readonly signal: AbortSignal;

  constructor(
    private readonly options: SyncStepOptions,
    private readonly context: StepContext,
  ) {
    this.now = options.clock.now();
    this.signal = AbortSignal.any([context.signal, this.timeout]);
  }

  /** @throws ProviderError when it concerns the whole account; LeaseLost; errors of an unavailable store */
  async run({ asksReaders }: { asksReaders: boolean }): Promise<void> {
    try {
      // A provider that ignores the signal is not waited for; whatever it does later finds the lease lost.
      await untilAborted(this.signal, this.work(asksReaders));
    } catch (error) {
      const failure = this.failureOf(error);
      if (failure.kind === 'credentials' || failure.kind === 'reauth' || failure.kind === 'limited')
        throw failure;
      await this.fail(failure);
    }
  }

  private async work(asksReaders: boolean): Promise<void> {
    await this.begin();
    if (asksReaders) await this.askReaders();
    await this.readPage();
  }

  /** Turns an error into a failure of this resource. @throws errors that do not concern the resource */
  private failureOf(error: unknown): ProviderError {
    if (this.context.signal.aborted) throw error;
    if (this.timeout.aborted) return new ProviderError('unavailable', 'a page took longer than 10 minutes');
    if (error instanceof ProviderError) return error;
    if (error instanceof LeaseLost || isStoreUnavailable(error)) throw error;
    // One resource that cannot be read, for whatever reason, does not stop the others.
    if (!(error instanceof AppError)) return new UnexpectedFailure(error);
    const { message, retryAfterSeconds } = error;
    if (error.kind === 'QUEUE_FULL')
      return new ProviderError('limited', message, { retryAfterSeconds, cause: error });
    return new ProviderError(error.status >= 500 ? 'unavailable' : 'refused', message, { cause: error });
  }

  /** Prepares the first step of a sync in this resource. */
  private async begin(): Promise<void> {
    const { resource, lease } = this.context;
    if (resource.stepRun === lease.runId) return;
    await this.save({ attempts: 0, retryAt: null, message: '' }, [
      // Items may have stayed from before the resource was removed and added again.
      `step_run = $1, objects_seen = case when objects_seen > 0 then objects_seen else (
         select count(*) from connector_items i
          where i.connector_id = connector_resources.connector_id and i.resource_id = connector_resources.resource_id) end`,
      lease.runId,
    ]);
  }

  private async askReaders(): Promise<void> {
    const { session, resource } = this.context;
    if (!session.readers) return;
    const list = await this.toldReaders(session.readers(this.scope, this.signal));
    await this.save({}, [
      `acl_pending = acl_pending or provider_acl is distinct from $1::text[], provider_acl = $1::text[]`,
      list,
    ]);
    if (!isDeepStrictEqual(resource.providerAcl, list)) this.options.wake('apply-connector-acls');
    Object.assign(resource, { providerAcl: list });
  }

  /** The provider's list. Where it tells none, but the resource has its own: nobody, should that be taken back. */
  private async toldReaders(asked: ReturnType<NonNullable<Session['readers']>>): Promise<Acl> {
    try {
      const readers = await this.fromProvider(asked);
      return readers ? readPrincipals(readers) : null;
    } catch (error) {
      const isOurs = this.context.resource.acl !== null;
      if (isOurs && error instanceof ProviderError && error.kind === 'refused') return [];
      throw error;
    }
  }

  private async readPage(): Promise<void> {
    const { session, resource, lease } = this.context;
    const next = nextPhase(resource, lease.runId, session.walk !== undefined);
    const cursor = next.phase === 'walk' ? next.cursor : resource.cursor;
    try {
      const page = await this.fromProvider(
        next.phase === 'walk' && session.walk
          ? session.walk(this.scope, cursor, this.signal)
          : session.read(this.scope, cursor, this.signal),
      );
      if (page.cursor.length > cursorCharactersMax)
        throw new ProviderError('unavailable', 'the place where reading goes on takes more than 1 MiB');
      if (page.more && page.cursor === cursor)
        throw new ProviderError('unavailable', 'a page of the provider names itself as the next one');
      await this.store(next.phase, page);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'expired') throw error;
      if (cursor === '') throw new ProviderError('unavailable', error.message, { cause: error });
      const { message } = error;
      await this.save(afterExpiry(resource, { phase: next.phase, message }, this.moment));
    }
  }

  /** @throws ProviderError, whatever the provider threw; the signal's reason */
  private async fromProvider<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return answer.catch((error: unknown) => {
      throw this.signal.aborted ? error : toProviderError(error);
    });
  }

  private async store(phase: Phase, page: Page): Promise<void> {
    const { resource, lease } = this.context;
    const { signal } = this;
    const { database, collection } = await this.target();
    const walk = walkOf(resource, phase, page);
    const isLastTry = resource.attempts >= triesMax - 1;
    const wakes = new Set<string>();
    await this.options.pages.store(
      { lease, resource, database, collection, walk, signal, isLastTry },
      page,
      async (manager, stored) => {
        const removes = endsFullListing(phase, page) && resource.syncMode === 'rescan';
        const count = removes ? await countShown(manager, resource, walk) : { shown: 0, missing: 0 };
        const held = isHeld(resource, count, { walk, now: this.now }) ? count : undefined;
        const goes = count.missing > 0 && !held;
        if (goes) await noteUnseen(manager, resource, walk);
        await this.savePageProgress(manager, { phase, page, walk, stored, held });
        if (goes || stored.movedHere > 0 || goneOn(page, resource).length > 0) wakes.add('remove-gone-items');
        if (stored.readersChanged) wakes.add('apply-connector-acls');
      },
    );
    for (const job of wakes) this.options.wake(job);
  }

  /**
   * Saves the progress in the transaction that notes the page's items; the row is locked while the rule
   * decides.
   */
  private async savePageProgress(
    manager: EntityManager,
    {
      stored,
      ...read
    }: { phase: Phase; page: Page; walk: number; held: ShownItems | undefined; stored: StoredPage },
  ): Promise<void> {
    const { resource, session } = this.context;
    const { problem, readersChanged } = stored;
    const found = await findForUpdate(manager, resource);
    if (!found || !isProgress(read.phase, resource, found)) return;
    const canWalk = session.walk !== undefined;
    const progress = afterPage(found, { ...read, canWalk, problem }, this.moment);
    await this.save(progress, ['acl_pending = acl_pending or $1', readersChanged], manager);
  }

  private async fail(failure: ProviderError): Promise<void> {
    this.log(failure);
    await this.save(afterFailure(this.context.resource, failure, this.moment));
  }

  /** Errors of libraries may contain requests, and with them secrets: only the stack is logged. */
  private log(failure: ProviderError): void {
    const { logger } = this.options;
    const { connectorId: connector, resourceId } = this.context.resource;
    // The query string of a feed may hold a token.
    const resource = resourceId.split('?', 1)[0];
    if (failure instanceof UnexpectedFailure) {
      const stack = failure.cause instanceof Error ? failure.cause.stack : undefined;
      return logger.error({ connector, resource, stack }, 'a resource failed unexpectedly');
    }
    const { kind, message: reason } = failure;
    logger.warn({ connector, resource, kind, reason }, 'a resource could not be read');
  }

  private async save(
    progress: Partial<Progress>,
    also?: readonly [sql: string, value: unknown],
    manager: EntityManager = this.options.postgres.manager,
  ): Promise<void> {
    const { resource, lease } = this.context;
    await saveProgress(manager, { resource, lease, now: this.now }, { progress, also });
  }

  private get moment() {
    return { now: this.now, runId: this.context.lease.runId };
  }

  /** @throws ProviderError when the database does not exist (any more) */
  private async target(): Promise<{ database: Database; collection: string }> {
    const { resource, lease } = this.context;
    const id = resource.databaseId ?? lease.connector.databaseId;
    const database = await this.options.postgres.getRepository(Database).findOneBy({ id });
    if (database?.status !== DatabaseStatus.ready)
      throw new ProviderError('refused', 'the database of this resource is not there any more');
    return { database, collection: resource.collection ?? lease.connector.collection };
  }

  private get scope(): ResourceScope {
    const { resourceId: id, resourceType: type, backfillOldest: oldest } = this.context.resource;
    const filters = { ...this.context.resource.filters };
    // Ours, not the provider's.
    delete filters['may_be_empty'];
    return { id, type, oldest, filters };
  }
}

/** Checks a provider's list of readers like an item's. @throws ProviderError */
function readPrincipals(readers: readonly string[]): readonly string[] {
  try {
    return readAcl(readers, 'readers') ?? [];
  } catch {
    throw new ProviderError(
      'refused',
      'the provider names too many readers of it, or one without a name: give the resource an acl of its own',
    );
  }
}
