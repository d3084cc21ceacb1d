import type { EntityManager } from 'typeorm';
import { query, queryOne } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import type { Corpus } from '../../postgres/stores.js';
import { mayReadSql } from '../../sources/acl.js';
import type { Acl, Readers } from '../../sources/acl.js';
import type { AppContent, JsonObject, MemoryContent } from '../../sources/source.types.js';
import { unexpiredSql } from '../../sources/sources.queries.js';
import type { SourceScope } from '../../sources/sources.queries.js';

/** A chunk of a visible item. */
export interface ContentChunk {
  readonly chunkUuid: string;
  readonly id: string;
  readonly position: number;
  readonly content: string;
  readonly layout: JsonObject;
  readonly sourceTitle: string;
}

/** Chunks that the caller may read: those of an item in order, or those with some ids, or both. */
export async function findReadableChunks(
  manager: EntityManager,
  { databaseId, collectionId, corpus }: SourceScope,
  {
    id,
    chunkIds,
    readers,
    now,
    limit,
  }: {
    id: string | null;
    chunkIds: readonly string[] | null;
    readers: Readers;
    now: Date;
    limit: number;
  },
): Promise<ContentChunk[]> {
  const parameters = new SqlParameters([databaseId, collectionId, now, limit]);
  const { add } = parameters;
  const clauses = [
    's.database_id = $1 and s.collection_id = $2 and s.visible',
    unexpiredSql('s', '$3'),
    mayReadSql('s.acl', readers, add),
    ...(id === null ? [] : [`s.corpus = ${add(corpus)} and s.id = ${add(id)}`]),
    ...(chunkIds === null ? [] : [`c.chunk_uuid = any(${add(chunkIds)}::uuid[])`]),
  ];
  return query<ContentChunk>(
    manager,
    `select c.chunk_uuid as "chunkUuid", s.id, c.position, c.content, c.layout, s.title as "sourceTitle"
       from ${storeTable('chunks', { databaseId, corpus })} c
       join sources s on s.database_id = c.database_id and s.uid = c.source_uid
      where ${clauses.join(' and ')} order by s.created_at, c.source_uid, c.position limit $4`,
    parameters.values,
  );
}

/** What a link needs to know of an item's original. */
export interface Original {
  readonly title: string;
  readonly corpus: Corpus;
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly storageKey: string | null;
  readonly memory: MemoryContent | null;
  readonly app: AppContent | null;
}

/** The original of a version, if that is still shown. */
export function findOriginal(
  manager: EntityManager,
  { accountId, databaseId, uid, now }: { accountId: string; databaseId: number; uid: string; now: Date },
): Promise<(Original & { readonly acl: Acl }) | undefined> {
  return queryOne(
    manager,
    `select s.title, s.corpus, s.filename, s.content_type as "contentType", s.storage_key as "storageKey", s.memory,
            s.app, s.acl
       from sources s join databases d on d.id = s.database_id and d.status = 'ready' and d.account_id = $1
       join collections k on k.id = s.collection_id and not k.deleting
      where s.database_id = $2 and s.uid = $3 and (s.latest or s.visible) and ${unexpiredSql('s', '$4')}`,
    [accountId, databaseId, uid, now],
  );
}

/** Whether a version has been neither replaced nor deleted: until then nothing of it is removed. */
export async function isStanding(
  manager: EntityManager,
  { databaseId, uid }: { databaseId: number; uid: string },
): Promise<boolean> {
  const rows = await query(
    manager,
    'select 1 from sources where database_id = $1 and uid = $2 and (latest or visible)',
    [databaseId, uid],
  );
  return rows.length > 0;
}
