import type { EntityManager } from 'typeorm';
import { nextGenerationSql } from '../databases/reembedding.js';
import { unorderedUuid } from '../lib/unordered-uuid.js';
import { query, queryOne } from '../postgres/query.js';
import { storeTable } from '../postgres/stores.js';
import type { Store } from '../postgres/stores.js';
import { binaryArray, binarySparseVector, binaryVector, vectorTypes } from '../postgres/vector-parameters.js';
import type { VectorTypes } from '../postgres/vector-parameters.js';
import { vectorTable } from '../postgres/vector-tables.js';
import type { LeasedVersion } from '../sources/status/lease.js';
import { termIdMax } from '../text/analyzer.js';
import { documentWeights } from '../text/bm25.js';
import { addTerms, addTermsSql, subtractTermsSql } from './keyword-statistics/term-counts.queries.js';
import type { PreparedChunk } from './preparation/prepared-chunks.js';

/** Rows in one statement, so that none holds the embedded Postgres for longer than 200 ms. */
export const chunkRowsMax = 200;
/**
 * The same where others wait for the embedded Postgres, but nobody has searched lately: in larger statements
 * each term is counted less often.
 */
export const chunkRowsMaxEmbedded = 100;
/** The same while somebody may be in the middle of a search. */
export const chunkRowsMaxBesideReads = 20;

/** A chunk ready to be stored. */
export interface NewChunk extends PreparedChunk {
  readonly sourceUid: string;
  readonly collectionId: number;
  /** One vector for each generation that is kept; all chunks of a statement have the same generations. */
  readonly vectors: readonly ChunkVector[];
}

/** A chunk's vector in one generation. */
export interface ChunkVector {
  readonly generation: number;
  readonly vector: Float32Array;
}

/** `lost`: a version is not held under the lease any more. `moved`: a generation of vectors was given up. */
type InsertOutcome = 'stored' | 'lost' | 'moved';

/**
 * Stores at most 200 chunks of `versions` with their vectors and counts, all or none, in one statement: on the
 * embedded Postgres everything else waits for a transaction.
 */
export async function insertChunks(
  manager: EntityManager,
  store: Store,
  {
    chunks,
    averageLength,
    step,
    versions,
  }: {
    chunks: readonly NewChunk[];
    averageLength: number;
    step: number;
    versions: readonly LeasedVersion[];
  },
): Promise<InsertOutcome> {
  const additions = addTerms(chunks);
  const types = await vectorTypes(manager.connection);
  const generations = chunks[0]?.vectors.map(({ generation }) => generation) ?? [];
  const row = await queryOne<{ held: boolean; kept: boolean }>(manager, insertStatement(store, generations), [
    store.databaseId,
    store.corpus,
    step,
    versions.map(({ uid }) => uid),
    versions.map(({ leaseToken }) => leaseToken),
    chunks.map((chunk) => chunk.sourceUid),
    chunks.map((chunk) => chunk.collectionId),
    chunks.map((chunk) => chunk.position),
    chunks.map(unorderedUuid),
    chunks.map((chunk) => chunk.text),
    chunks.map((chunk) => JSON.stringify({ ...chunk.layout, position: chunk.position })),
    chunks.map((chunk) => `{${chunk.terms.join(',')}}`),
    chunks.map((chunk) => `{${chunk.counts.join(',')}}`),
    chunks.map((chunk) => chunk.length),
    keywordVectors(types, chunks, averageLength),
    chunks.map((chunk) => `\\x${Buffer.from(chunk.wordCodes).toString('hex')}`),
    additions.terms,
    additions.amounts,
    additions.blockTerms,
    additions.blockAmounts,
    generations,
    ...generations.map((_, nth) =>
      binaryArray(
        types.vector,
        chunks.map(({ vectors }) => binaryVector(vectors[nth]?.vector ?? new Float32Array())),
      ),
    ),
  ]);
  if (!row?.kept) return 'moved';
  return row.held ? 'stored' : 'lost';
}

function insertStatement(store: Store, generations: readonly number[]): string {
  const embeddings = generations.map((_, nth) => `embedding_${nth}`);
  const firstVectors = 22;
  const inserts = generations.map(
    (generation, nth) => `vectors_${nth} as (
       insert into ${vectorTable({ ...store, generation })}
         (database_id, corpus, chunk_id, source_uid, collection_id, embedding)
       select $1, $2, id, source_uid, collection_id, embedding_${nth} from rows),`,
  );
  // The lock keeps the generations as they are until this is done: a switch to another one waits, and then
  // finds the chunks that it lacks.
  return `with held as materialized (
       select s.uid from sources s join unnest($4::bigint[], $5::uuid[]) as v(uid, lease_token) using (uid, lease_token)
        where s.database_id = $1 and s.latest order by s.uid for update of s),
     kept as materialized (
       select d.id from databases d
        where d.id = $1 and $21::int[] <@ array[d.vector_generation, ${nextGenerationSql('d')}] for share),
     complete as materialized (
       select count(*) = cardinality($4::bigint[]) as held, exists (select from kept) as kept from held),
     rows as materialized (
       select nextval('chunk_ids') as id, c.*
         from complete, unnest($6::bigint[], $7::int[], $8::int[], $9::uuid[], $10::text[], $11::text[], $12::text[],
           $13::text[], $14::int[], $15::sparsevec[], $16::text[]${generations.map((_, nth) => `, $${firstVectors + nth}::vector[]`).join('')})
           as c(${['source_uid, collection_id, position, chunk_uuid, content, layout, terms, term_counts, length, keyword, word_codes', ...embeddings].join(', ')})
        where complete.held and complete.kept),
     stored as (
       insert into ${storeTable('chunks', store)} (database_id, corpus, id, source_uid, collection_id, position,
         chunk_uuid, content, layout, terms, term_counts, length, average_length_step, keyword, word_codes)
       select $1, $2, id, source_uid, collection_id, position, chunk_uuid, content, layout::jsonb, terms::int[],
         term_counts::int[], length, $3, keyword, word_codes::bytea from rows),
     ${inserts.join('\n     ')}
     counters as (
       ${addTermsSql(store, ['$17', '$18', '$19', '$20'])})
     select held, kept from complete`;
}

/** The BM25 weights of chunks, as a parameter of the type sparsevec[]. */
export function keywordVectors(
  types: VectorTypes,
  chunks: readonly Pick<PreparedChunk, 'terms' | 'counts' | 'length'>[],
  averageLength: number,
): Buffer {
  return binaryArray(
    types.sparsevec,
    chunks.map(({ terms, counts, length }) =>
      binarySparseVector(
        termIdMax,
        terms.map((term) => term - 1),
        documentWeights(counts, length, averageLength),
      ),
    ),
  );
}

/** Removes at most 200 chunks of versions and subtracts their counts; returns how many there were. */
export async function removeSomeChunks(
  manager: EntityManager,
  store: Store,
  sourceUids: readonly string[],
): Promise<number> {
  const tables = await findKeptVectors(manager, store);
  const vectors = tables.map(
    (table, nth) => `vectors_${nth} as (
       delete from ${table} v using gone where v.source_uid = any($3::bigint[]) and v.chunk_id = gone.id),`,
  );
  const row = await queryOne<{ removed: number }>(
    manager,
    `with gone as (
       delete from ${storeTable('chunks', store)} where id in
         (select id from ${storeTable('chunks', store)} where source_uid = any($3::bigint[]) limit ${chunkRowsMax})
       returning id, terms, length),
     ${vectors.join('\n     ')}
     counters as (
       ${subtractTermsSql(store)})
     select count(*)::int as removed from gone`,
    [store.databaseId, store.corpus, sourceUids],
  );
  return row?.removed ?? 0;
}

/** The tables of the generations that are, or will be, searched. */
async function findKeptVectors(manager: EntityManager, store: Store): Promise<string[]> {
  const kept = await query<{ generation: number | null }>(
    manager,
    `select unnest(array[d.vector_generation, ${nextGenerationSql('d')}]) as generation from databases d where d.id = $1`,
    [store.databaseId],
  );
  return kept.flatMap(({ generation }) =>
    generation === null ? [] : [vectorTable({ ...store, generation })],
  );
}
