import type { EntityManager } from 'typeorm';
import { queryOne } from './query.js';

/**
 * SQL: the id of a transaction that begins after all those that were running when the statement saw its rows;
 * for `isSettled`. The statement itself takes a later number. The end of its snapshot would not do:
 * transactions that are running may have numbers beyond it.
 */
export const begunBeforeSql = 'pg_current_xact_id()::text';

/**
 * Whether every transaction of this database that had begun by then has ended. A snapshot also lists those of
 * other databases of the cluster, which may stay open for hours; one whose session cannot be identified
 * counts as this database's. Chunks get their numbers in transactions that already hold a lock
 * (insertChunks), so then no chunk with a lower number than the newest can still appear.
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
