import type { DataSource } from 'typeorm';
import { chunksCounter, lengthsCounter } from '../../ingestion/keyword-statistics/term-counts.queries.js';
import { prepared } from '../../postgres/prepared-statements.js';
import { query, queryOne } from '../../postgres/query.js';
import { begunBeforeSql } from '../../postgres/settled.js';
import { storeTable } from '../../postgres/stores.js';
import type { Store } from '../../postgres/stores.js';
import { vectorText } from '../../postgres/vector-parameters.js';
import { vectorTable } from '../../postgres/vector-tables.js';
import type { VectorStore } from '../../postgres/vector-tables.js';
import type { LaneHit } from '../lanes/lanes.queries.js';
import type { VectorRows } from './vector-rows.js';
import type { WordRows } from './word-copy.js';

/**
 * The last chunk of a table, the amount of data up to it, and the transactions that were open when it was
 * read.
 */
export interface Newest {
  readonly chunkId: number;
  readonly rows: number;
  /** How many values the table holds: numbers of all vectors, or words of all chunks. */
  readonly values: number;
  readonly begunBefore: string;
}

/** The chunks after `after`, up to and including `upTo`. */
export interface ChunkRange {
  readonly after: number;
  readonly upTo: number;
}

// Statements are small because on the embedded Postgres one holds up all others.
const vectorsPerStatement = 250;
const chunksPerStatement = 100;
const idsPerStatement = 10_000;

/** The newest vector of a store; undefined for a store without vectors. */
export async function findNewestVector(
  postgres: DataSource,
  store: VectorStore,
): Promise<Newest | undefined> {
  return queryOne<Newest>(
    postgres.manager,
    `select "chunkId"::float8, ${counterSql(store, chunksCounter)} as rows,
            ${counterSql(store, chunksCounter)} * (select vector_dims(embedding) from ${vectorTable(store)} limit 1) as values,
            ${begunBeforeSql} as "begunBefore"
       from (select max(chunk_id) as "chunkId" from ${vectorTable(store)}) v where "chunkId" is not null`,
  );
}

/** The newest chunk of a store; undefined for a store without chunks. */
export async function findNewestWords(postgres: DataSource, store: Store): Promise<Newest | undefined> {
  return queryOne<Newest>(
    postgres.manager,
    `select "chunkId"::float8, ${counterSql(store, chunksCounter)} as rows, ${counterSql(store, lengthsCounter)} as values,
            ${begunBeforeSql} as "begunBefore"
       from (select max(id) as "chunkId" from ${storeTable('chunks', store)}) c where "chunkId" is not null`,
  );
}

function counterSql(store: Store, counted: number): string {
  return `(select coalesce(sum(amount), 0)::float8 from ${storeTable('term_frequencies', store)} where term = ${counted})`;
}

/**
 * Ranks the chunks with these ids by the inner product of their vectors, best first; of equal scores the
 * older chunk first.
 */
export function rankByMeaning(
  postgres: DataSource,
  store: VectorStore,
  { ids, vector, limit }: { ids: readonly number[]; vector: Float32Array; limit: number },
): Promise<LaneHit[]> {
  return query<LaneHit>(
    postgres.manager,
    prepared(`select n.id, -n.distance as score
       from (select chunk_id as id, embedding <#> $1::vector as distance from ${vectorTable(store)}
              where chunk_id = any($2::bigint[])) n order by n.distance, n.id limit $3`),
    [vectorText(vector), ids, limit],
  );
}

/** The next vectors of a range, by ascending id; undefined when there are none left. */
export async function readVectors(
  postgres: DataSource,
  store: VectorStore,
  { after, upTo }: ChunkRange,
): Promise<VectorRows | undefined> {
  return queryOne<VectorRows>(
    postgres.manager,
    `select array_agg(chunk_id::float8 order by chunk_id) as ids,
            array_agg(collection_id order by chunk_id) as "collectionIds",
            min(vector_dims(embedding)) as dimensions,
            string_agg(vector_send(embedding), ''::bytea order by chunk_id) as vectors
       from (select chunk_id, collection_id, embedding from ${vectorTable(store)}
              where chunk_id > $1 and chunk_id <= $2 order by chunk_id limit ${vectorsPerStatement}) v
      having count(*) > 0`,
    [after, upTo],
  );
}

/** The words of the next chunks of a range, by ascending id; undefined when there are none left. */
export async function readWords(
  postgres: DataSource,
  store: Store,
  { after, upTo }: ChunkRange,
): Promise<WordRows | undefined> {
  return queryOne<WordRows>(
    postgres.manager,
    `select array_agg(id::float8 order by id) as ids, array_agg(source_uid::float8 order by id) as "sourceUids",
            array_agg(collection_id order by id) as "collectionIds", array_agg(length order by id) as lengths,
            string_agg(array_send(terms), ''::bytea order by id) as terms,
            string_agg(array_send(term_counts), ''::bytea order by id) as counts,
            array_agg(coalesce(length(word_codes), 0) order by id) as "codeLengths",
            coalesce(string_agg(word_codes, ''::bytea order by id), '') as "wordCodes"
       from (select id, source_uid, collection_id, length, terms, term_counts, word_codes from ${storeTable('chunks', store)}
              where id > $1 and id <= $2 order by id limit ${chunksPerStatement}) c
      having count(*) > 0`,
    [after, upTo],
  );
}

/** The ids of all chunks of a store up to `upTo`, ascending. */
export async function readChunkIds(postgres: DataSource, store: Store, upTo: number): Promise<Float64Array> {
  const ids: number[] = [];
  for (;;) {
    const rows = await query<{ id: number }>(
      postgres.manager,
      `select id::float8 as id from ${storeTable('chunks', store)}
        where id > $1 and id <= $2 order by id limit ${idsPerStatement}`,
      [ids.at(-1) ?? 0, upTo],
    );
    for (const { id } of rows) ids.push(id);
    if (rows.length < idsPerStatement) return Float64Array.from(ids);
  }
}
