import { isDeepStrictEqual } from 'node:util';
import type { DataSource, EntityManager } from 'typeorm';
import { Database, DatabaseStatus } from '../databases/database.entity.js';
import { AppError } from '../errors.js';
import type { Wake } from '../jobs/define-job.js';
import { untilAborted } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { isStoreUnavailable } from '../postgres/outage.js';
import { query } from '../postgres/query.js';
import { readAcl } from '../sources/acl.js';
import { bounded } from './connector-health.js';
import type { ResourceRow } from './connector-rows.js';
import type { PageStore, StoredPage } from './page-store.js';
import { ProviderError } from './provider.js';
import { readFailure, UnexpectedFailure } from './provider-failure.js';
import type { Page, ResourceScope, Session } from './provider.js';
import { LeaseLost } from './sync-queue.js';
import type { SyncLease } from './sync-queue.js';
import { noteUnseen } from './synced-items.queries.js';

export interface SyncStepOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pages: PageStore;
  readonly wake: Wake;
}

/** What a page is read for. */
type Phase = 'read' | 'walk';

const stepMsMax = 10 * 60_000;
const walkEveryMs = 24 * 3_600_000;
/** Tries of a page in one sync. */
export const triesMax = 4;
/** What is waited after the first of them that failed; twice as long after each further one. */
export const retryMsFirst = 5000;
const cursorCharactersMax = 1_048_576;

interface StepContext {
  readonly lease: SyncLease;
  readonly session: Session;
  readonly resource: ResourceRow;
  readonly signal: AbortSignal;
}

/** One page of one resource. */
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

  /** @throws ProviderError of what concerns the account; LeaseLost; what a store throws that is not available */
  async run({ asksReaders }: { asksReaders: boolean }): Promise<void> {
    try {
      // A provider that does not listen to the signal is not waited for; what it does later meets another's lease.
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

  /** @throws what does not concern the resource */
  private failureOf(error: unknown): ProviderError {
    if (this.context.signal.aborted) throw error;
    if (this.timeout.aborted) return new ProviderError('unavailable', 'a page took longer than 10 minutes');
    if (error instanceof ProviderError) return error;
    if (error instanceof LeaseLost || isStoreUnavailable(error)) throw error;
    // One resource that cannot be read for whatever reason does not stop the others.
    if (!(error instanceof AppError)) return new UnexpectedFailure(error);
    const { message, retryAfterSeconds } = error;
    if (error.kind === 'QUEUE_FULL')
      return new ProviderError('limited', message, { retryAfterSeconds, cause: error });
    return new ProviderError(error.status >= 500 ? 'unavailable' : 'refused', message, { cause: error });
  }

  /** The first step of a sync in this resource. */
  private async begin(): Promise<void> {
    const { resource, lease } = this.context;
    if (resource.stepRun === lease.runId) return;
    await this.update(this.options.postgres.manager, {
      // Items may be there from before it was removed and added again.
      sql: `step_run = $3, attempts = 0, retry_at = null, message = '',
            objects_seen = case when objects_seen > 0 then objects_seen else (
              select count(*) from connector_items i
               where i.connector_id = connector_resources.connector_id and i.resource_id = connector_resources.resource_id) end`,
      values: [lease.runId],
    });
  }

  private async askReaders(): Promise<void> {
    const { session, resource } = this.context;
    if (!session.readers) return;
    const readers = await this.asked(session.readers(this.scope, this.signal));
    const list = readers ? readPrincipals(readers) : null;
    await this.update(this.options.postgres.manager, {
      sql: `acl_pending = acl_pending or provider_acl is distinct from $3::text[], provider_acl = $3::text[]`,
      values: [list],
    });
    if (!isDeepStrictEqual(resource.providerAcl, list)) this.options.wake('apply-connector-acls');
    Object.assign(resource, { providerAcl: list });
  }

  private async readPage(): Promise<void> {
    const { session, resource, lease } = this.context;
    const { walkCursor } = resource;
    // Without a walk under way it has been configured anew since it was read, and is read again.
    const isWalk = resource.readRun === lease.runId && walkCursor !== null && session.walk !== undefined;
    const phase: Phase = isWalk ? 'walk' : 'read';
    const cursor = isWalk ? walkCursor : resource.cursor;
    try {
      const page = await this.asked(
        phase === 'walk' && session.walk
          ? session.walk(this.scope, cursor, this.signal)
          : session.read(this.scope, cursor, this.signal),
      );
      if (page.cursor.length > cursorCharactersMax)
        throw new ProviderError('unavailable', 'the place where reading goes on takes more than 1 MiB');
      await this.store(phase, page);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'expired') throw error;
      if (cursor === '') throw new ProviderError('unavailable', error.message, { cause: error });
      await this.beginAnew(phase);
    }
  }

  /** What rested for a while may be too old, and is read at once; what has been read just now is waited for. */
  private async beginAnew(phase: Phase): Promise<void> {
    const { reading } = this.context.resource;
    await this.update(this.options.postgres.manager, {
      sql: `attempts = attempts + 1, retry_at = $3, ${phase === 'walk' ? `walk_cursor = ''` : `cursor = '', reading = false`}`,
      values: [phase === 'walk' || reading ? new Date(this.now.getTime() + retryMsFirst) : null],
    });
  }

  /** @throws ProviderError, whatever the provider threw, or what the signal says */
  private async asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return answer.catch((error: unknown) => {
      throw this.signal.aborted ? error : readFailure(error);
    });
  }

  private async store(phase: Phase, page: Page): Promise<void> {
    const { resource, lease } = this.context;
    const { signal } = this;
    const { database, collection } = await this.target();
    const isWhole = phase === 'walk' || page.tells === 'all';
    const beginsWalk = phase === 'read' && page.tells === 'all' && !resource.reading;
    const walk = resource.walk + (beginsWalk ? 1 : 0);
    const isLastTry = resource.attempts >= triesMax - 1;
    const wakes = new Set<string>();
    await this.options.pages.store(
      { lease, resource, database, collection, walk, signal, isLastTry },
      page,
      async (manager, stored) => {
        const removes = isWhole && !page.more && resource.syncMode === 'rescan';
        const gone = removes ? await noteUnseen(manager, resource, walk) : 0;
        await this.save(manager, { phase, page, walk, stored });
        if (gone > 0 || (page.deleted?.length ?? 0) > 0) wakes.add('remove-gone-items');
        if (stored.readersChanged) wakes.add('apply-connector-acls');
      },
    );
    for (const job of wakes) this.options.wake(job);
  }

  /** Says how far reading is. */
  private async save(
    manager: EntityManager,
    { phase, page, walk, stored }: { phase: Phase; page: Page; walk: number; stored: StoredPage },
  ): Promise<void> {
    const { resource, lease, session } = this.context;
    const walks = phase === 'walk' ? page.more : !page.more && this.isWalkDue(session, page);
    const isDone = !page.more && !walks;
    const walkBegins = phase === 'read' && walks;
    await this.update(manager, {
      sql: `message = case when $3 <> '' then $3 when attempts > 0 then '' else message end, attempts = 0, retry_at = null,
            acl_pending = acl_pending or $4, walk = $5, http_status = null, retryable = true,
            cursor = case when $6 = 'read' then $7 else cursor end,
            reading = case when $6 = 'read' then $8 else reading end,
            read_run = case when $6 = 'read' and not $8 then $9::uuid else read_run end,
            first_synced_at = case when $6 = 'read' and not $8 then coalesce(first_synced_at, $2) else first_synced_at end,
            walk_cursor = $10, walked_at = case when $11 then $2 else walked_at end,
            done_run = case when $12 then $9::uuid else done_run end,
            health = case when not $12 then health when objects_seen > 0 then 'ok' else 'empty' end,
            status = case when $13 then 'completed' else status end`,
      values: [
        bounded(stored.problem),
        stored.readersChanged,
        walk + (walkBegins && resource.walkCursor === null ? 1 : 0),
        phase,
        page.cursor,
        page.more,
        lease.runId,
        walks ? (phase === 'walk' ? page.cursor : (resource.walkCursor ?? '')) : null,
        isDone && (phase === 'walk' || page.tells === 'all' || resource.walkedAt === null),
        isDone,
        isDone && (page.isFinal ?? false),
        phase === 'walk' ? (resource.walkCursor ?? '') : resource.cursor,
      ],
      // Somebody may have asked meanwhile to begin anew: then the page was read, but is no progress.
      where: `case when $6 = 'walk' then walk_cursor else cursor end = $14`,
    });
    await query(
      manager,
      `update connectors set documents_dispatched = documents_dispatched + $3::int, run_objects = run_objects + $3::int,
              first_sync_at = case when $3::int > 0 then coalesce(first_sync_at, $4) else first_sync_at end, updated_at = $4
        where id = $1 and lease_token = $2`,
      [lease.connector.id, lease.token, stored.sent, this.now],
    );
  }

  /** Reading has told what is new; a day after the last time all is looked through for edits and deletions. */
  private isWalkDue(session: Session, page: Page): boolean {
    const { walkCursor, walkedAt, syncMode } = this.context.resource;
    if (!session.walk || page.tells === 'all' || syncMode === 'new_only' || page.isFinal) return false;
    if (walkCursor !== null) return true;
    return walkedAt !== null && this.now.getTime() - walkedAt.getTime() >= walkEveryMs;
  }

  private async fail(failure: ProviderError): Promise<void> {
    const { resource, lease } = this.context;
    if (failure instanceof UnexpectedFailure) this.log(failure.cause);
    const isFinal = failure.kind !== 'unavailable' && failure.kind !== 'expired';
    const attempts = resource.attempts + 1;
    const givesUp = isFinal || attempts >= triesMax;
    const waitMs = (failure.retryAfterSeconds ?? 0) * 1000 || retryMsFirst * 2 ** (attempts - 1);
    await this.update(this.options.postgres.manager, {
      sql: `attempts = $3, retry_at = $4, message = $5, http_status = $6, retryable = $7,
            health = case when $8 then 'failed' else health end, done_run = case when $8 then $9::uuid else done_run end,
            status = case when $7 then status else 'failed' end, sync_blocked_at = case when $7 then sync_blocked_at else $2 end`,
      values: [
        givesUp ? 0 : attempts,
        givesUp ? null : new Date(this.now.getTime() + waitMs),
        bounded(failure.message),
        failure.httpStatus ?? null,
        !isFinal,
        givesUp,
        lease.runId,
      ],
    });
  }

  /** Errors of libraries may hold requests, and these secrets: only where it happened is told. */
  private log(error: unknown): void {
    const { connectorId: connector, resourceId: resource } = this.context.resource;
    const stack = error instanceof Error ? error.stack : undefined;
    this.options.logger.error({ connector, resource, stack }, 'a resource failed unexpectedly');
  }

  private async update(
    manager: EntityManager,
    { sql, values, where = 'true' }: { sql: string; values: readonly unknown[]; where?: string },
  ): Promise<void> {
    const { connectorId, resourceId } = this.context.resource;
    const { token } = this.context.lease;
    // Who has lost the lease has nothing to say any more.
    await query(
      manager,
      `update connector_resources set checked_at = $2, updated_at = $2, ${sql}
        where connector_id = $1 and resource_id = $${3 + values.length} and ${where}
          and exists (select 1 from connectors c where c.id = $1 and c.lease_token = $${4 + values.length})`,
      [connectorId, this.now, ...values, resourceId, token],
    );
  }

  /** @throws ProviderError when the database is not there (any more) */
  private async target(): Promise<{ database: Database; collection: string }> {
    const { resource, lease } = this.context;
    const id = resource.databaseId ?? lease.connector.databaseId;
    const database = await this.options.postgres.getRepository(Database).findOneBy({ id });
    if (database?.status !== DatabaseStatus.ready)
      throw new ProviderError('missing', 'the database of this resource is not there any more');
    return { database, collection: resource.collection ?? lease.connector.collection };
  }

  private get scope(): ResourceScope {
    const { resourceId: id, resourceType: type, backfillOldest: oldest, filters } = this.context.resource;
    return { id, type, oldest, filters };
  }
}

/** As lists of items are. @throws ProviderError */
function readPrincipals(readers: readonly string[]): readonly string[] {
  try {
    return readAcl(readers, 'readers') ?? [];
  } catch {
    throw new ProviderError('refused', 'the provider names too many readers of it, or one without a name');
  }
}
