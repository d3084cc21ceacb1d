import type { DataSource, EntityManager } from 'typeorm';
import type { ReembeddingState } from '../../databases/reembedding.js';
import type { Embedder } from '../../inference/embedder.js';
import { query, queryOne } from '../../postgres/query.js';
import { begunBeforeSql } from '../../postgres/settled.js';
import { storeTable } from '../../postgres/stores.js';
import type { Store } from '../../postgres/stores.js';
import { binaryArray, binaryVector } from '../../postgres/vector-parameters.js';
import type { VectorTypes } from '../../postgres/vector-parameters.js';
import { vectorTable } from '../../postgres/vector-tables.js';
import type { VectorStore } from '../../postgres/vector-tables.js';
import { chunksCounter } from '../keyword-statistics/term-counts.queries.js';
import { versionSql } from '../../sources/sources.queries.js';

/** A database that is being re-embedded, as claimed by a worker. */
export interface ReembeddedDatabase {
  readonly id: number;
  readonly name: string;
  readonly vectorGeneration: number;
  readonly hasLanes: boolean;
  readonly state: ReembeddingState;
}

/** A chunk without a vector of the new generation. */
export interface UnembeddedChunk {
  readonly id: number;
  readonly sourceUid: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}

/** A chunk with its vector of the new generation. */
export interface EmbeddedChunk extends UnembeddedChunk {
  readonly vector: Float32Array;
}

/**
 * Claims the database that was worked on longest ago, until `leaseEnd`. It waits for those who hold the database in
 * order to store content, of whom a busy one always has some; who finds that another has claimed it claims none.
 */
export function claimDatabase(
  { manager }: DataSource,
  { model, dimensions }: { model: string; dimensions: number },
  { now, leaseEnd, unbelievable }: { now: Date; leaseEnd: Date; unbelievable: Date },
): Promise<ReembeddedDatabase | undefined> {
  return queryOne<ReembeddedDatabase>(
    manager,
    `update databases set reembedding_due_at = $4
      where id = (select id from databases
                   where (reembedding_due_at <= $3 or reembedding_due_at > $5) and status = 'ready'
                     and reembedding ->> 'model' = $1 and (reembedding ->> 'dimensions')::int = $2
                   order by reembedding_due_at limit 1)
        and (reembedding_due_at <= $3 or reembedding_due_at > $5) and status = 'ready'
      returning id, name, vector_generation as "vectorGeneration", reembedding as state,
        coalesce(jsonb_path_exists(metadata_schema,
          '$[*] ? (@.enableDenseEmbedding == true || @.enableSparseEmbedding == true)'), false) as "hasLanes"`,
    [model, dimensions, now, leaseEnd, unbelievable],
  );
}

/** Saves a database's progress and when to continue; false when somebody else has saved theirs meanwhile. */
export async function saveState(
  manager: EntityManager,
  { id, state }: ReembeddedDatabase,
  { next, due }: { next: ReembeddingState; due: Date },
): Promise<boolean> {
  const saved = await query(
    manager,
    `update databases set reembedding = $3, reembedding_due_at = $4
      where id = $1 and reembedding = $2::jsonb and status = 'ready' returning id`,
    [id, JSON.stringify(state), JSON.stringify(next), due],
  );
  return saved.length > 0;
}

/** Extends the lease of a worker whose progress is the one last saved. */
export async function extendLease(
  { manager }: DataSource,
  { id, state }: ReembeddedDatabase,
  leaseEnd: Date,
): Promise<void> {
  await query(
    manager,
    'update databases set reembedding_due_at = $3 where id = $1 and reembedding = $2::jsonb',
    [id, JSON.stringify(state), leaseEnd],
  );
}

/** Ends a move, unless somebody has begun another one meanwhile. */
export async function clearState({ manager }: DataSource, { id, state }: ReembeddedDatabase): Promise<void> {
  await query(
    manager,
    'update databases set reembedding = null, reembedding_due_at = null where id = $1 and reembedding = $2::jsonb',
    [id, JSON.stringify(state)],
  );
}

/** Until the transaction ends nobody else stores chunks of a database. */
export async function lockDatabase(manager: EntityManager, databaseId: number): Promise<void> {
  await query(manager, 'select id from databases where id = $1 for update', [databaseId]);
}

/**
 * From now on the new vectors are searched. The dimensions that the database shows stay as they are, unless
 * the new model does not allow them.
 */
export async function switchGeneration(
  manager: EntityManager,
  { id, state: { model, dimensions, generation } }: ReembeddedDatabase,
  shown: Embedder['dimensionsShown'],
): Promise<void> {
  await query(
    manager,
    `update databases set embedding_model = $2, vector_dimensions = $3, vector_generation = $4,
        embeddings_dimension = case when embeddings_dimension between $5 and $6 then embeddings_dimension else $7 end
      where id = $1`,
    [id, model, dimensions, generation, shown.min, shown.max, shown.default],
  );
}

/** How many chunks a store has, by its keyword statistics. */
export async function countChunks({ manager }: DataSource, store: Store): Promise<number> {
  const row = await queryOne<{ chunks: number }>(
    manager,
    `select coalesce(sum(amount), 0)::int as chunks from ${storeTable('term_frequencies', store)} where term = $1`,
    [chunksCounter],
  );
  return row?.chunks ?? 0;
}

/** The last chunk behind a given one, and the transactions that had begun when it was seen. */
export function findNewestChunk(
  { manager }: DataSource,
  store: Store,
  after: number,
): Promise<{ chunkId: number; begunBefore: string } | undefined> {
  return queryOne(
    manager,
    `select max(id)::float8 as "chunkId", ${begunBeforeSql} as "begunBefore"
       from ${storeTable('chunks', store)} where id > $1 having count(*) > 0`,
    [after],
  );
}

/** The next chunks of a range in order, including those of items that are about to be removed. */
export function findUnembedded(
  { manager }: DataSource,
  store: VectorStore,
  range: { after: number; upTo: number; limit: number },
): Promise<UnembeddedChunk[]> {
  return query<UnembeddedChunk>(
    manager,
    `select c.id::float8 as id, c.source_uid as "sourceUid", s.title, coalesce(c.layout -> 'headings', '[]') as headings, c.content as text
       from ${storeTable('chunks', store)} c
       cross join lateral ${versionSql('$1', 'c.source_uid')} s
      where c.id > $2 and c.id <= $3
        and not exists (select from ${vectorTable(store)} v where v.chunk_id = c.id)
      order by c.id limit $4`,
    [store.databaseId, range.after, range.upTo, range.limit],
  );
}

/**
 * Stores vectors of those chunks that still exist. Their items are locked first and read afterwards, so that
 * whoever removes chunks of one also finds their vectors. @throws SQLSTATE 55P03 when someone else works on
 * one of the items
 */
export async function insertVectors(
  manager: EntityManager,
  store: VectorStore,
  { chunks, types }: { chunks: readonly EmbeddedChunk[]; types: VectorTypes },
): Promise<void> {
  if (chunks.length === 0) return;
  const held = await query<{ uid: string }>(
    manager,
    `select uid from sources
      where database_id = $1 and uid = any($2::bigint[]) and (latest or visible) order by uid for share nowait`,
    [store.databaseId, [...new Set(chunks.map(({ sourceUid }) => sourceUid))]],
  );
  await query(
    manager,
    `insert into ${vectorTable(store)} (database_id, corpus, chunk_id, source_uid, collection_id, embedding)
     select c.database_id, c.corpus, c.id, c.source_uid, c.collection_id, n.embedding
       from unnest($1::bigint[], $2::vector[]) as n(id, embedding)
       join ${storeTable('chunks', store)} c on c.id = n.id and c.source_uid = any($3::bigint[])
      where not exists (select from ${vectorTable(store)} v where v.chunk_id = n.id)`,
    [
      chunks.map(({ id }) => id),
      binaryArray(
        types.vector,
        chunks.map(({ vector }) => binaryVector(vector)),
      ),
      held.map(({ uid }) => uid),
    ],
  );
}

/** The next versions of a database, by number. */
export async function findVersions(
  { manager }: DataSource,
  databaseId: number,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await query<{ uid: string }>(
    manager,
    `select uid from sources where database_id = $1 and uid > $2 and (latest or visible) order by uid limit $3`,
    [databaseId, after, limit],
  );
  return rows.map(({ uid }) => uid);
}

/** Whether some chunk behind the last finished one lacks a vector of the new generation. */
export async function lacksVectors(
  manager: EntityManager,
  store: VectorStore,
  after: number,
): Promise<boolean> {
  const row = await queryOne<{ lacks: boolean }>(
    manager,
    `select exists (
       select from ${storeTable('chunks', store)} c where c.id > $1
          and not exists (select from ${vectorTable(store)} v where v.chunk_id = c.id)) as lacks`,
    [after],
  );
  return row?.lacks ?? false;
}

/**
 * Removes some of what is stored for other generations outside of their tables; false when nothing is left.
 */
export async function deleteOtherGenerations(
  { manager }: DataSource,
  databaseId: number,
  { kept, limit }: { kept: number; limit: number },
): Promise<boolean> {
  const gone = await query(
    manager,
    `with indexes as (delete from vector_indexes where database_id = $1 and generation <> $2)
     delete from metadata_vectors where ctid = any(array(
       select ctid from metadata_vectors where database_id = $1 and generation <> $2 limit $3)) returning 1`,
    [databaseId, kept, limit],
  );
  return gone.length > 0;
}
