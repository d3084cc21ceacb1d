import type { DataSource, EntityManager } from 'typeorm';
import { v4 as uuidv4 } from 'uuid';
import { unbelievableFrom } from '../../lib/clock.js';
import type { Clock } from '../../lib/clock.js';
import { query, queryOne } from '../../postgres/query.js';
import { bounded, connectorColumns, resourceColumns } from '../management/connector-rows.js';
import type { ConnectorRow, ResourceRow } from '../management/connector-rows.js';
import { beginRun, endOfDay } from './begin-run.js';

interface SyncQueueOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly syncsPerDayMax: number | undefined;
}

/** The right of this process to sync a connector for a while. */
export interface SyncLease {
  readonly connector: ConnectorRow;
  readonly runId: string;
  readonly token: string;
}

/** The outcome of a sync. */
export interface FinishedSync {
  /** How many objects were sent to be indexed. */
  readonly objects: number;
  readonly resources: number;
  readonly failed: number;
}

/** Another process has the lease, or the connector has been paused, deleted or blocked. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

const leaseMs = 90_000;
const retrySecondsFirst = 60;
const retryDoublingsMax = 12;

const alive = `deleted_at is null and paused_at is null and needs_reauth_at is null and sync_blocked_at is null`;

/**
 * Decides which connectors are due and who syncs them, and records how syncs end, in the rows of `connectors`
 * and `connector_resources`.
 */
export class SyncQueue {
  constructor(private readonly options: SyncQueueOptions) {}

  /**
   * Claims the connector that has been due longest. @returns undefined when none is; null when it turned out
   * not to need a sync
   */
  async claim(): Promise<SyncLease | null | undefined> {
    const now = this.now();
    const token = uuidv4();
    const claimed = await queryOne<{ id: string }>(
      this.options.postgres.manager,
      `update connectors set lease_token = $2, lease_until = $3
        where id = (select c.id from connectors c join databases d on d.id = c.database_id and d.status = 'ready'
                     where c.deleted_at is null and c.paused_at is null and c.needs_reauth_at is null
                       and c.sync_blocked_at is null and coalesce(c.step_at, c.next_sync_at) <= $1
                       and (c.lease_until is null or c.lease_until <= $1 or c.lease_until > $4)
                     order by coalesce(c.step_at, c.next_sync_at), c.id limit 1 for update of c skip locked)
        returning id`,
      [now, token, this.leaseEnd(), unbelievableFrom(now)],
    );
    if (!claimed) return undefined;
    return (await this.begin(claimed.id, token)) ?? null;
  }

  /** Extends the lease. @throws LeaseLost */
  async renew(lease: SyncLease, manager: EntityManager = this.options.postgres.manager): Promise<void> {
    const held = await queryOne(
      manager,
      `update connectors set lease_until = $3 where id = $1 and lease_token = $2 and run_id = $4 and ${alive} returning 1`,
      [lease.connector.id, lease.token, this.leaseEnd(), lease.runId],
    );
    if (!held) throw new LeaseLost('the sync is over, paused or another process has it');
  }

  /** The next resource of this sync: the one looked at longest ago. */
  async nextResource({ connector, runId }: SyncLease): Promise<ResourceRow | undefined> {
    return queryOne<ResourceRow>(
      this.options.postgres.manager,
      `select ${resourceColumns} from connector_resources r left join databases rd on rd.id = r.database_id
        where r.connector_id = $1 and r.status <> 'failed' and r.done_run is distinct from $2
          and (r.retry_at is null or r.retry_at <= $3)
        order by r.checked_at nulls first, r.created_at, r.resource_id limit 1`,
      [connector.id, runId, this.now()],
    );
  }

  /** Counts objects that were sent, even if the lease has been lost since: nobody sends them again. */
  async countSent({ connector, runId }: SyncLease, objects: number, manager: EntityManager): Promise<void> {
    if (objects === 0) return;
    await query(
      manager,
      `update connectors set documents_dispatched = documents_dispatched + $3, first_sync_at = coalesce(first_sync_at, $4),
              run_objects = case when run_id = $2 then run_objects + $3 else run_objects end, updated_at = $4
        where id = $1`,
      [connector.id, runId, objects, this.now()],
    );
  }

  /** Leaves the rest of the sync to any process, behind the other connectors that wait. */
  async requeue(
    lease: SyncLease,
    notBefore: Date = this.now(),
    manager: EntityManager = this.options.postgres.manager,
  ): Promise<void> {
    await query(
      manager,
      'update connectors set lease_token = null, lease_until = null, step_at = $3 where id = $1 and lease_token = $2',
      [lease.connector.id, lease.token, notBefore],
    );
  }

  /** Gives up a lease until the provider wants to be asked again; no request shortens that wait. */
  async deferUntil({ connector, token }: SyncLease, until: Date): Promise<void> {
    await query(
      this.options.postgres.manager,
      `update connectors set lease_token = null, lease_until = null, step_at = $3, limited_until = $3
        where id = $1 and lease_token = $2`,
      [connector.id, token, until],
    );
  }

  /** Gives up the lease of a sync that was paused, deleted or taken over. */
  async release({ connector, token }: SyncLease): Promise<void> {
    await query(
      this.options.postgres.manager,
      'update connectors set lease_token = null, lease_until = null where id = $1 and lease_token = $2',
      [connector.id, token],
    );
  }

  /**
   * Called when no resource can be read now: ends the sync, or has it wait for resources that are tried
   * again.
   */
  async settle(lease: SyncLease): Promise<FinishedSync | undefined> {
    return this.options.postgres.transaction(async (manager) => {
      // Locked, since whoever adds resources to a running sync locks the connector too.
      const held = await queryOne<Schedule>(
        manager,
        `select failures, sync_interval_seconds as "intervalSeconds", last_attempted_sync_at as "attemptedAt" from connectors
          where id = $1 and lease_token = $2 for update`,
        [lease.connector.id, lease.token],
      );
      if (!held) return undefined;
      const waiting = await queryOne<{ until: Date | null }>(
        manager,
        `select min(coalesce(retry_at, $3)) as until from connector_resources
          where connector_id = $1 and status <> 'failed' and done_run is distinct from $2`,
        [lease.connector.id, lease.runId, this.now()],
      );
      if (!waiting?.until) return this.finish(manager, lease, held);
      await this.requeue(lease, waiting.until, manager);
      return undefined;
    });
  }

  /** Blocks a connector whose account cannot be read until somebody acts; the message says why. */
  async block(lease: SyncLease, { reauth, message }: { reauth: boolean; message: string }): Promise<void> {
    const [at, reason] = reauth
      ? ['needs_reauth_at', 'needs_reauth_reason']
      : ['sync_blocked_at', 'sync_blocked_reason'];
    await query(
      this.options.postgres.manager,
      `update connectors set ${at} = $3, ${reason} = $4, last_error = $4, last_error_at = $3, last_error_retryable = false,
              failures = failures + 1, run_id = null, step_at = null, lease_token = null, lease_until = null, updated_at = $3
        where id = $1 and lease_token = $2`,
      [lease.connector.id, lease.token, this.now(), bounded(message)],
    );
  }

  private async begin(id: string, token: string): Promise<SyncLease | undefined> {
    const { postgres, syncsPerDayMax } = this.options;
    return postgres.transaction(async (manager) => {
      const now = this.now();
      const connector = await queryOne<ConnectorRow>(
        manager,
        `select ${connectorColumns} from connectors c join databases d on d.id = c.database_id
          where c.id = $1 and c.lease_token = $2 for update of c`,
        [id, token],
      );
      if (!connector) return undefined;
      if (connector.runId) return { connector, runId: connector.runId, token };
      if (connector.activeResourceCount === 0) {
        const until = new Date(now.getTime() + connector.syncIntervalSeconds * 1000);
        await this.skip(manager, connector, { until });
        return undefined;
      }
      const { accountId } = connector;
      const begun = await beginRun(manager, { connectorId: id, accountId, now, syncsPerDayMax });
      if ('runId' in begun) return { connector, runId: begun.runId, token };
      const error =
        begun.refused === 'limit'
          ? `the plan of this account allows no further sync today (at most ${syncsPerDayMax} a day); this one is put off`
          : null;
      await this.skip(manager, connector, { until: endOfDay(now), error });
      return undefined;
    });
  }

  private async skip(
    manager: EntityManager,
    { id }: ConnectorRow,
    { until, error = null }: { until: Date; error?: string | null },
  ): Promise<void> {
    await query(
      manager,
      `update connectors set next_sync_at = $2, lease_token = null, lease_until = null,
              last_error = coalesce($3, last_error), last_error_at = case when $3::text is null then last_error_at else $4 end,
              last_error_retryable = last_error_retryable or $3::text is not null
        where id = $1`,
      [id, until, error, this.now()],
    );
  }

  private async finish(
    manager: EntityManager,
    { connector: { id }, runId, token }: SyncLease,
    held: Schedule,
  ): Promise<FinishedSync> {
    const resources = await query<Pick<ResourceRow, 'displayName' | 'health' | 'message' | 'retryable'>>(
      manager,
      `select display_name as "displayName", health, message, retryable from connector_resources
        where connector_id = $1 and done_run = $2 order by created_at, resource_id`,
      [id, runId],
    );
    const failed = resources.filter(({ health }) => health === 'failed');
    const [first] = failed;
    const error = first ? bounded(`${first.displayName}: ${first.message}`) : '';
    const allFailed = failed.length > 0 && failed.length === resources.length;
    const isRetryable = failed.some(({ retryable }) => retryable);
    const failures = allFailed ? held.failures + 1 : 0;
    const now = this.now();
    const [finished] = await query<{ objects: number }>(
      manager,
      `update connectors set run_id = null, step_at = null, lease_token = null, lease_until = null, failures = $3,
              last_successful_sync_at = case when $4 then last_successful_sync_at else $5 end, last_error = $6,
              last_error_at = case when $6 = '' then null else $5::timestamptz end, last_error_retryable = $7,
              next_sync_at = $8, updated_at = $5, sync_blocked_at = case when $9 then $5 else sync_blocked_at end,
              sync_blocked_reason = case when $9 then $6 else sync_blocked_reason end
        where id = $1 and lease_token = $2 returning run_objects as objects`,
      [
        id,
        token,
        failures,
        allFailed,
        now,
        error,
        isRetryable,
        nextSync(held, failures, now),
        allFailed && !isRetryable,
      ],
    );
    return { objects: finished?.objects ?? 0, resources: resources.length, failed: failed.length };
  }

  private now(): Date {
    return this.options.clock.now();
  }

  private leaseEnd(): Date {
    return new Date(this.now().getTime() + leaseMs);
  }
}

interface Schedule {
  readonly failures: number;
  readonly intervalSeconds: number;
  readonly attemptedAt: Date | null;
}

/** After failures the next sync comes soon at first, then later and later; without, after its interval. */
function nextSync({ intervalSeconds, attemptedAt }: Schedule, failures: number, now: Date): Date {
  if (failures > 0) {
    const seconds = retrySecondsFirst * 2 ** Math.min(failures - 1, retryDoublingsMax);
    return new Date(now.getTime() + Math.min(seconds, intervalSeconds) * 1000);
  }
  const planned = (attemptedAt ?? now).getTime() + intervalSeconds * 1000;
  return new Date(planned > now.getTime() ? planned : now.getTime() + intervalSeconds * 1000);
}
