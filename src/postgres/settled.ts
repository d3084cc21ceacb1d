import type { EntityManager } from 'typeorm';
import { queryOne } from './query.js';

/**
 * SQL: a transaction that begins after all that had begun when its statement saw the rows, for `isSettled`. A statement of
 * its own takes a number that is later; the end of a snapshot is not, for what runs may have numbers behind it.
 */
export const begunBeforeSql = 'pg_current_xact_id()::text';

/**
 * Whether every transaction of this database that had begun by then has ended; a snapshot also lists those of other
 * databases of the cluster, which may stay open for hours. One that its session cannot be told of counts as this
 * database's. Chunks take their numbers in transactions that hold a lock
 * already (insertChunks), so then no number up to that of the newest can turn up any more.
 */
export async function isSettled(manager: EntityManager, begunBefore: string): Promise<boolean> {
  const row = await queryOne<{ settled: boolean }>(
    manager,
    `select not exists (
       select from pg_snapshot_xip(pg_current_snapshot()) as running(xid)
        where running.xid < $1::xid8 and not exists (
          select from pg_locks held join pg_stat_activity session using (pid)
           where held.transactionid = running.xid::xid and held.granted and held.mode = 'ExclusiveLock'
             and session.datid <> (select oid from pg_database where datname = current_database()))) as settled`,
    [begunBefore],
  );
  return row?.settled ?? false;
}
