import type { DataSource } from 'typeorm';
import { query, queryOne } from '../postgres/query.js';
import { begunBeforeSql } from '../postgres/settled.js';
import { vectorTable } from '../postgres/vector-tables.js';
import type { VectorStore } from '../postgres/vector-tables.js';
import type { ResidentRows } from './resident-store.js';

/** The last chunk of a store, and the transactions that had begun when it was seen. */
export interface Newest {
  readonly chunkId: number;
  readonly rows: number;
  /** Of each vector: those of one table are alike. */
  readonly dimensions: number;
  readonly begunBefore: string;
}

// On the embedded Postgres none may hold others up for long.
const vectorsPerStatement = 1000;
const idsPerStatement = 50_000;

/** Undefined for a store without chunks. */
export async function findNewest(postgres: DataSource, store: VectorStore): Promise<Newest | undefined> {
  return queryOne<Newest>(
    postgres.manager,
    `select max(chunk_id)::float8 as "chunkId", count(*)::float8 as rows,
            (select vector_dims(embedding) from ${vectorTable(store)} limit 1) as dimensions,
            ${begunBeforeSql} as "begunBefore"
       from ${vectorTable(store)} having count(*) > 0`,
  );
}

/** The next vectors after a chunk. */
export async function readVectors(
  postgres: DataSource,
  store: VectorStore,
  range: { after: number; upTo: number },
): Promise<ResidentRows | undefined> {
  return queryOne<ResidentRows>(
    postgres.manager,
    `select array_agg(chunk_id::float8 order by chunk_id) as ids,
            array_agg(collection_id order by chunk_id) as "collectionIds",
            string_agg(vector_send(embedding), ''::bytea order by chunk_id) as vectors
       from (select chunk_id, collection_id, embedding from ${vectorTable(store)}
              where chunk_id > $1 and chunk_id <= $2 order by chunk_id limit ${vectorsPerStatement}) v
      having count(*) > 0`,
    [range.after, range.upTo],
  );
}

/** The numbers of all chunks up to one, ascending. */
export async function readChunkIds(
  postgres: DataSource,
  store: VectorStore,
  upTo: number,
): Promise<Float64Array> {
  const ids: number[] = [];
  for (;;) {
    const rows = await query<{ id: number }>(
      postgres.manager,
      `select chunk_id::float8 as id from ${vectorTable(store)}
        where chunk_id > $1 and chunk_id <= $2 order by chunk_id limit ${idsPerStatement}`,
      [ids.at(-1) ?? 0, upTo],
    );
    for (const { id } of rows) ids.push(id);
    if (rows.length < idsPerStatement) return Float64Array.from(ids);
  }
}
