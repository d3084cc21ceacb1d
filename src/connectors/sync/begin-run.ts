import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { query, queryOne } from '../../postgres/query.js';

interface RunRequest {
  readonly connectorId: string;
  readonly accountId: string;
  readonly now: Date;
  /** Undefined: any number. */
  readonly syncsPerDayMax: number | undefined;
}

/**
 * The id of the sync that was begun, or why none was: one is under way, the account has used up its syncs of
 * the day (UTC), or the connector is gone.
 */
export type BegunRun = { readonly runId: string } | { readonly refused: 'running' | 'limit' | 'gone' };

/**
 * Begins a sync of a connector, due at once, and counts it; one that is under way no longer waits for its next
 * try. To be called in a transaction, which holds the connector until its end. The caller makes sure that the
 * connector may be synced (not paused or blocked, with resources), and wakes `sync-connectors`.
 */
export async function beginRun(manager: EntityManager, request: RunRequest): Promise<BegunRun> {
  const { connectorId, accountId, now } = request;
  const connector = await queryOne<{ runId: string | null }>(
    manager,
    'select run_id as "runId" from connectors where id = $1 and account_id = $2 and deleted_at is null for update',
    [connectorId, accountId],
  );
  if (!connector) return { refused: 'gone' };
  if (connector.runId !== null) {
    await retryNow(manager, connectorId, now);
    return { refused: 'running' };
  }
  if (!(await countSync(manager, request))) return { refused: 'limit' };
  const runId = uuidv7();
  await query(
    manager,
    `update connectors set run_id = $2, run_started_at = $3, run_objects = 0, step_at = $3, last_attempted_sync_at = $3
      where id = $1`,
    [connectorId, runId, now],
  );
  await resetTries(manager, connectorId);
  return { runId };
}

/** What is waited for is tried at once, unless the provider itself has asked for the wait. */
async function retryNow(manager: EntityManager, connectorId: string, now: Date): Promise<void> {
  await query(
    manager,
    'update connectors set step_at = least(step_at, greatest($2, limited_until)) where id = $1 and step_at > $2',
    [connectorId, now],
  );
  await resetTries(manager, connectorId);
}

async function resetTries(manager: EntityManager, connectorId: string): Promise<void> {
  await query(
    manager,
    'update connector_resources set attempts = 0, retry_at = null where connector_id = $1 and (attempts > 0 or retry_at is not null)',
    [connectorId],
  );
}

/** The end of the day (UTC) in which syncs are counted. */
export function endOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}

/** Counts a sync of the account, if it may begin one more today; false if not. */
async function countSync(
  manager: EntityManager,
  { accountId, now, syncsPerDayMax }: RunRequest,
): Promise<boolean> {
  if (syncsPerDayMax === 0) return false;
  const counted = await query(
    manager,
    `insert into connector_syncs (account_id, day, count) values ($1, ($2::timestamptz at time zone 'UTC')::date, 1)
     on conflict (account_id, day) do update set count = connector_syncs.count + 1
       where connector_syncs.count < coalesce($3, 2147483647)
     returning 1`,
    [accountId, now, syncsPerDayMax],
  );
  return counted.length > 0;
}
