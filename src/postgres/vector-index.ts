import type { DataSource } from 'typeorm';
import { query } from './query.js';
import type { Corpus, Store } from './stores.js';
import { findVectorTables, vectorTable } from './vector-tables.js';
import type { VectorStore } from './vector-tables.js';

/** The vector index of a store that is in use. */
export interface VectorIndex {
  readonly corpus: Corpus;
  /** The last chunk that it covers; later ones are scanned. A bigint, as text. */
  readonly indexedUpTo: string;
  /** Collections that were too large for exact scanning when it was built. */
  readonly wideCollections: readonly number[];
  /** How many neighbours a search must look at (hnsw.ef_search) to find what a scan would find. */
  readonly candidates: number;
}

/** Up to this many rows are scanned exactly: that takes some milliseconds and misses nothing. */
export const exactRowsMaxDefault = 10_000;

/** How many candidates pgvector lets the index look at in one go; for more it continues by itself. */
export const candidatesAtOnceMax = 1000;

/**
 * With a filter it also continues until enough rows match; beyond this many, reading every vector costs no
 * more.
 */
export const visitedMax = 100_000;

/** A multiple of work_mem: with less it silently stops after some 1,000 candidates. */
export const scanMemoryFactor = 8;

const vectorDimensionsMax = 2000;
const halfvecDimensionsMax = 4000;
// Has a second number, and so is distinct from the other advisory locks, which have one.
const buildLock = 720_576;

/** The name of an index that covers chunks up to a number. */
export function vectorIndexName(store: VectorStore, indexedUpTo: string): string {
  return `${vectorTable(store)}_hnsw_${indexedUpTo}`;
}

/** The type that vectors are indexed as; undefined when they are too long to be indexed. */
export function indexedType(dimensions: number): string | undefined {
  if (dimensions <= vectorDimensionsMax) return `vector(${dimensions})`;
  return dimensions <= halfvecDimensionsMax ? `halfvec(${dimensions})` : undefined;
}

/** The operator class that orders vectors of this length by inner product. */
export function indexedOperators(dimensions: number): string {
  return dimensions <= vectorDimensionsMax ? 'vector_ip_ops' : 'halfvec_ip_ops';
}

/** SQL that takes the lock for building a store's index, until the session ends. */
export const takeBuildLock = `select pg_try_advisory_lock(${buildLock}, hashtext($1)) as taken`;

/** Cancels every build of a store's indexes, in any process, so that it does not hold up a removal. */
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
