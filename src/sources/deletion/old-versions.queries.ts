import type { DataSource, EntityManager } from 'typeorm';
import { query } from '../../postgres/query.js';
import type { Corpus } from '../../postgres/stores.js';

/** A version that nobody sees or indexes any more. */
export interface OldVersion {
  readonly databaseId: number;
  readonly uid: string;
  readonly corpus: Corpus;
  readonly storageKey: string | null;
}

const rowsMax = 500;

/**
 * Finds old versions to remove. Those of databases that are being deleted are left out: they go with their
 * database.
 */
export async function findOldVersions(postgres: DataSource): Promise<OldVersion[]> {
  return query<OldVersion>(
    postgres.manager,
    `select s.database_id as "databaseId", s.uid, s.corpus, s.storage_key as "storageKey"
       from sources s join databases d on d.id = s.database_id and d.status = 'ready'
      where not s.latest and not s.visible order by s.database_id, s.uid limit $1`,
    [rowsMax],
  );
}

/**
 * Locks old versions until the transaction ends, and returns the uids of those that no other process is removing.
 * One that waited for the other would find what that one had chosen gone, and take it for all there was.
 */
export async function lockOldVersions(
  manager: EntityManager,
  databaseId: number,
  uids: readonly string[],
): Promise<string[]> {
  const locked = await query<{ uid: string }>(
    manager,
    `select uid from sources where database_id = $1 and uid = any($2::bigint[]) and not latest and not visible
        for update skip locked`,
    [databaseId, uids],
  );
  return locked.map(({ uid }) => uid);
}

/** Removes the rows of old versions, with their metadata vectors and facts; one that is latest or visible stays. */
export async function deleteVersions(
  manager: EntityManager,
  databaseId: number,
  uids: readonly string[],
): Promise<void> {
  await query(
    manager,
    `with gone as (
       delete from sources where database_id = $1 and uid = any($2::bigint[]) and not latest and not visible returning uid),
     metadata_of_gone as (
       delete from metadata_vectors m using gone where m.database_id = $1 and m.source_uid = gone.uid)
     delete from facts f using gone where f.database_id = $1 and f.source_uid = gone.uid`,
    [databaseId, uids],
  );
}

/**
 * Makes old versions of the items of deleted collections; false when none were left and the collection has
 * been removed.
 */
export async function retireDeletedCollection(postgres: DataSource): Promise<boolean> {
  const [collection] = await query<{ id: number; databaseId: number }>(
    postgres.manager,
    `select c.id, c.database_id as "databaseId" from collections c
       join databases d on d.id = c.database_id and d.status = 'ready' where c.deleting order by c.id limit 1`,
  );
  if (!collection) return false;
  const retired = await query(
    postgres.manager,
    `update sources s set latest = false, visible = false
       from (select uid from sources where database_id = $1 and collection_id = $2 and (latest or visible) limit $3) old
      where s.database_id = $1 and s.uid = old.uid returning s.uid`,
    [collection.databaseId, collection.id, rowsMax],
  );
  if (retired.length === 0)
    await query(postgres.manager, 'delete from collections where id = $1', [collection.id]);
  return true;
}

/** Makes old versions of expired items and of the versions that they replace; false when there were none. */
export async function retireExpired(postgres: DataSource, now: Date): Promise<boolean> {
  const expired = await query(
    postgres.manager,
    `with over as (
       select database_id, collection_id, corpus, id, uid, latest from sources
        where expires_at <= $1 and (latest or visible) order by expires_at limit $2)
     update sources s set latest = false, visible = false
       from over
      where s.database_id = over.database_id and s.collection_id = over.collection_id and s.corpus = over.corpus
        and s.id = over.id and (s.latest or s.visible) and (s.uid = over.uid or over.latest)
      returning s.uid`,
    [now, rowsMax],
  );
  return expired.length > 0;
}

/** Deletes some rows of a database that is being deleted, after their files; false when none are left. */
export async function deleteSomeSources(
  postgres: DataSource,
  databaseId: number,
  removeFiles: (storageKeys: string[]) => Promise<void>,
): Promise<boolean> {
  const rows = await query<{ uid: string; storageKey: string | null }>(
    postgres.manager,
    `select uid, storage_key as "storageKey" from sources where database_id = $1 limit $2`,
    [databaseId, rowsMax],
  );
  if (rows.length === 0) return false;
  await removeFiles(rows.flatMap((row) => (row.storageKey ? [row.storageKey] : [])));
  await query(
    postgres.manager,
    `with batch as (select unnest($2::bigint[]) as uid),
     facts_of_batch as (delete from facts f using batch where f.database_id = $1 and f.source_uid = batch.uid),
     metadata_of_batch as (
       delete from metadata_vectors m using batch where m.database_id = $1 and m.source_uid = batch.uid)
     delete from sources s using batch
      where s.database_id = $1 and s.uid = batch.uid`,
    [databaseId, rows.map(({ uid }) => uid)],
  );
  return true;
}
