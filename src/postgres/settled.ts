import type { EntityManager } from 'typeorm';
import { queryOne } from './query.js';

/** SQL: the transactions that have begun, for `isSettled`. */
export const begunBeforeSql = 'pg_snapshot_xmax(pg_current_snapshot())::text';

/**
 * Whether every transaction that had begun by then has ended. Chunks take their numbers in transactions that hold a lock
 * already (insertChunks), so then no number up to that of the newest can turn up any more.
 */
export async function isSettled(manager: EntityManager, begunBefore: string): Promise<boolean> {
  const row = await queryOne<{ settled: boolean }>(
    manager,
    'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as settled',
    [begunBefore],
  );
  return row?.settled ?? false;
}
