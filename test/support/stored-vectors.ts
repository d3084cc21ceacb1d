import type { TestServer } from './server.js';

export interface StoredVectors {
  readonly model: string;
  readonly generation: number;
  /** Chunks of both corpora, and those without a live vector of the right length. */
  readonly chunks: number;
  readonly missing: number;
  /** Live vectors without a chunk, or in surplus. */
  readonly orphans: number;
  /** Rows of metadata vectors that are not live, and tables of vectors that are not. */
  readonly leftovers: number;
}

/** What a server stores of the vectors of a database. */
export async function storedVectors(server: TestServer, database: string): Promise<StoredVectors> {
  const [found] = await server.sql<{ id: number; model: string; generation: number; dimensions: number }>(
    `select id, embedding_model as model, vector_generation as generation, vector_dimensions as dimensions
       from databases where name = $1`,
    [database],
  );
  if (!found) throw new Error(`no database "${database}"`);
  const { id, model, generation, dimensions } = found;
  const result = { model, generation, chunks: 0, missing: 0, orphans: 0, leftovers: 0 };
  const suffix = generation === 0 ? '' : `_g${generation}`;
  const live: string[] = [];
  for (const corpus of ['knowledge', 'memory']) {
    const [chunks, vectors] = [`chunks_${id}_${corpus}`, `chunk_vectors_${id}_${corpus}${suffix}`];
    live.push(vectors);
    const [row] = await server.sql<Pick<StoredVectors, 'chunks' | 'missing' | 'orphans'>>(
      `select (select count(*)::int from ${chunks}) as chunks,
              (select count(*)::int from ${chunks} c where not exists
                (select from ${vectors} v where v.chunk_id = c.id and v.source_uid = c.source_uid
                    and v.collection_id = c.collection_id and vector_dims(v.embedding) = $1)) as missing,
              (select count(*)::int from ${vectors} v where not exists (select from ${chunks} c where c.id = v.chunk_id))
                + (select count(*)::int - count(distinct chunk_id)::int from ${vectors}) as orphans`,
      [dimensions],
    );
    for (const key of ['chunks', 'missing', 'orphans'] as const) result[key] += row?.[key] ?? 0;
  }
  const [rest] = await server.sql<{ leftovers: number }>(
    `select (select count(*)::int from pg_class where relkind = 'r' and relname like $1 and relname <> all($2::text[]))
          + (select count(*)::int from metadata_vectors where database_id = $3 and generation <> $4) as leftovers`,
    [`chunk\\_vectors\\_${id}\\_%`, live, id, generation],
  );
  return { ...result, leftovers: rest?.leftovers ?? 0 };
}
