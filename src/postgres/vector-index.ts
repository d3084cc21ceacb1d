import type { DataSource } from 'typeorm';
import type { Corpus, Store } from './partitions.js';
import { query } from './query.js';
import { findVectorTables, vectorTable } from './vector-tables.js';
import type { VectorStore } from './vector-tables.js';

/** The live vector index of a store. */
export interface VectorIndex {
  readonly corpus: Corpus;
  /** The last chunk that it covers; later ones are scanned. A number as text, as Postgres writes it. */
  readonly indexedUpTo: string;
  /** Collections that held too many chunks for exact scanning when it was built. */
  readonly wideCollections: readonly number[];
  /** How many neighbours a search looks at (hnsw.ef_search) to find what a scan finds. */
  readonly candidates: number;
}

/** Up to so many rows a scan is exact: it takes some milliseconds and loses nothing. */
export const exactRowsMaxDefault = 10_000;

/** Candidates that the index looks at in one go, as pgvector allows; when more are asked for it goes on by itself. */
export const candidatesAtOnceMax = 1000;

/** With a filter, too, it goes on until enough match; beyond this, reading every vector is not dearer. */
export const visitedMax = 100_000;

/** Of work_mem: with less it stops to look further after some 1,000 candidates, without saying so. */
export const scanMemoryFactor = 8;

const vectorDimensionsMax = 2000;
const halfvecDimensionsMax = 4000;
// With a second number it is apart from the other advisory locks, which have one.
const buildLock = 720_576;

/** The name of the index that a build makes. */
export function vectorIndexName(store: VectorStore, indexedUpTo: string): string {
  return `${vectorTable(store)}_hnsw_${indexedUpTo}`;
}

/** The type that vectors are indexed as; undefined when they are too long for any. */
export function indexedType(dimensions: number): string | undefined {
  if (dimensions <= vectorDimensionsMax) return `vector(${dimensions})`;
  return dimensions <= halfvecDimensionsMax ? `halfvec(${dimensions})` : undefined;
}

/** The class of operators that orders vectors of this length by inner product. */
export function indexedOperators(dimensions: number): string {
  return dimensions <= vectorDimensionsMax ? 'vector_ip_ops' : 'halfvec_ip_ops';
}

/** SQL that takes the lock of whoever builds a store's index, for as long as the session lasts. */
export const takeBuildLock = `select pg_try_advisory_lock(${buildLock}, hashtext($1)) as taken`;

/** Ends every build of a store's indexes, in whatever process it runs: nothing may hold up a removal. */
export async function cancelBuild({ manager }: DataSource, store: Store): Promise<void> {
  await query(
    manager,
    `select pg_cancel_backend(pid) from pg_locks
      where locktype = 'advisory' and granted and classid = ${buildLock}
        and objid in (select hashtext(name)::oid from unnest($1::text[]) as name)
        and objsubid = 2 and database = (select oid from pg_database where datname = current_database())`,
    [await findVectorTables(manager, store)],
  );
}
