import type { DataSource } from 'typeorm';
import { partition } from '../postgres/partitions.js';
import type { Store } from '../postgres/partitions.js';
import { query, queryOne } from '../postgres/query.js';
import type { ResidentRows } from './resident-store.js';

/** The last chunk of a store, and the transactions that had begun when it was seen. */
export interface Newest {
  readonly chunkId: number;
  readonly rows: number;
  readonly begunBefore: string;
}

// On the embedded Postgres none may hold others up for long.
const vectorsPerStatement = 1000;
const idsPerStatement = 50_000;

/** Undefined for a store without chunks. */
export async function findNewest(postgres: DataSource, store: Store): Promise<Newest | undefined> {
  return queryOne<Newest>(
    postgres.manager,
    `select max(chunk_id)::float8 as "chunkId", count(*)::float8 as rows,
            pg_snapshot_xmax(pg_current_snapshot())::text as "begunBefore"
       from ${partition('chunk_vectors', store)} having count(*) > 0`,
  );
}

/**
 * Whether every transaction that had begun by then has ended. Chunks take their numbers in transactions that hold a lock
 * already (insertChunks), so then no number up to that of the newest can turn up any more.
 */
export async function isSettled(postgres: DataSource, { begunBefore }: Newest): Promise<boolean> {
  const row = await queryOne<{ settled: boolean }>(
    postgres.manager,
    'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as settled',
    [begunBefore],
  );
  return row?.settled ?? false;
}

/** The next vectors after a chunk. */
export async function readVectors(
  postgres: DataSource,
  store: Store,
  range: { after: number; upTo: number },
): Promise<ResidentRows | undefined> {
  return queryOne<ResidentRows>(
    postgres.manager,
    `select array_agg(chunk_id::float8 order by chunk_id) as ids,
            array_agg(collection_id order by chunk_id) as "collectionIds",
            string_agg(vector_send(embedding), ''::bytea order by chunk_id) as vectors
       from (select chunk_id, collection_id, embedding from ${partition('chunk_vectors', store)}
              where chunk_id > $1 and chunk_id <= $2 order by chunk_id limit ${vectorsPerStatement}) v
      having count(*) > 0`,
    [range.after, range.upTo],
  );
}

/** The numbers of all chunks up to one, ascending. */
export async function readChunkIds(postgres: DataSource, store: Store, upTo: number): Promise<Float64Array> {
  const ids: number[] = [];
  for (;;) {
    const rows = await query<{ id: number }>(
      postgres.manager,
      `select chunk_id::float8 as id from ${partition('chunk_vectors', store)}
        where chunk_id > $1 and chunk_id <= $2 order by chunk_id limit ${idsPerStatement}`,
      [ids.at(-1) ?? 0, upTo],
    );
    for (const { id } of rows) ids.push(id);
    if (rows.length < idsPerStatement) return Float64Array.from(ids);
  }
}
