import type { EntityManager } from 'typeorm';
import { query } from '../../postgres/query.js';
import type { Acl } from '../acl.js';
import type { JsonObject } from '../source.types.js';
import { unexpiredSql } from '../sources.queries.js';
import type { SourceScope } from '../sources.queries.js';
import type { MetadataEdit } from './metadata-edit.js';

// Each look finds what was ingested since the one before.
const looksMax = 100;

/** A version of an item that an edit applies to. */
export interface EditedVersion {
  readonly uid: string;
  readonly visible: boolean;
  readonly chunkCount: number;
  readonly metadata: JsonObject;
  readonly acl: Acl;
}

/**
 * Keeps a database and a collection from being deleted until the transaction ends; undefined when either does
 * not exist.
 */
export async function holdCollection(
  manager: EntityManager,
  databaseId: number,
  collection: string,
): Promise<number | undefined> {
  const [row] = await query<{ id: number }>(
    manager,
    `select c.id from databases d join collections c on c.database_id = d.id and c.name = $2 and not c.deleting
      where d.id = $1 and d.status = 'ready' for share`,
    [databaseId, collection],
  );
  return row?.id;
}

/**
 * Locks the versions of an item: the visible one, and the latest if that is another. The newer one first, as
 * indexing does when it makes one visible in place of the other. Empty for an expired item.
 */
export async function lockVersions(
  manager: EntityManager,
  { databaseId, collectionId, corpus }: SourceScope,
  { id, now }: { id: string; now: Date },
): Promise<EditedVersion[]> {
  for (let looks = 1; ; looks += 1) {
    const versions = await query<EditedVersion & { latest: boolean; expired: boolean }>(
      manager,
      `select uid, latest, visible, chunk_count as "chunkCount", metadata, acl, not ${unexpiredSql('s', '$5')} as expired
         from sources s
        where database_id = $1 and collection_id = $2 and corpus = $3 and id = $4 and (latest or visible)
        order by uid desc for update`,
      [databaseId, collectionId, corpus, id, now],
    );
    const latest = versions.find((version) => version.latest);
    // Whoever holds the latest version holds the item. While this waited for the lock, an ingest may have
    // added one that it could not see.
    if (latest || (versions.length === 0 && looks > 1) || looks === looksMax)
      return latest?.expired ? [] : versions.filter(({ expired }) => !expired);
  }
}

/** Applies an edit to locked versions. */
export async function applyEdit(
  manager: EntityManager,
  { databaseId, uids }: { databaseId: number; uids: readonly string[] },
  { metadata, additionalMetadata, acl, now }: MetadataEdit & { now: Date },
): Promise<void> {
  await query(
    manager,
    `update sources
        set metadata = metadata || $3::jsonb, additional_metadata = additional_metadata || $4::jsonb,
            acl = coalesce($5::text[], acl), updated_at = $6
      where database_id = $1 and uid = any($2::bigint[])`,
    [databaseId, uids, JSON.stringify(metadata), JSON.stringify(additionalMetadata), acl ?? null, now],
  );
}

/**
 * Replaces the access lists of knowledge items, in all versions that are or will be visible; null means
 * everyone.
 */
export async function replaceAccessLists(
  manager: EntityManager,
  { databaseId, collection, now }: { databaseId: number; collection: string; now: Date },
  lists: readonly { readonly id: string; readonly acl: Acl }[],
): Promise<void> {
  const collectionId = await holdCollection(manager, databaseId, collection);
  if (collectionId === undefined) return;
  await query(
    manager,
    `update sources s set acl = n.acl, updated_at = $4 from jsonb_to_recordset($3::jsonb) as n(id text, acl text[])
      where s.database_id = $1 and s.collection_id = $2 and s.corpus = 'knowledge' and s.id = n.id
        and (s.latest or s.visible) and s.acl is distinct from n.acl`,
    [databaseId, collectionId, JSON.stringify(lists), now],
  );
}
