import type { ResidentHit } from './best-hits.js';
import { SketchCopy } from './sketch-copy.js';
import { VectorCopy } from './vector-copy.js';
import { VectorMemory } from './vector-memory.js';
import type { VectorRows } from './vector-rows.js';
import { WordCopy } from './word-copy.js';
import type { WordHit, WordRows, WordSearch } from './word-copy.js';

// Runs in the thread of Resident; what it holds are copies of tables, by their names.
let memory: VectorMemory | undefined;
const vectors = new Map<string, VectorCopy | SketchCopy>();
const words = new Map<string, WordCopy>();

/** `upTo`: the copy has to know the table up to that chunk. */
interface Asked {
  readonly table: string;
  readonly upTo: number;
}

/** The rows of a table after one chunk. */
interface NewRows<Table> {
  readonly table: string;
  readonly after: number;
  readonly rows: Table;
}

/** The nearest; or those that may be, where only sketches are here. */
type Nearest =
  { readonly hits: ResidentHit[]; readonly nominated?: undefined } | { readonly nominated: number[] };

// Among so many by their sketches are nearly all that are the nearest.
const nominatedPerHit = 2;

/**
 * Whole, or as sketches. False when the copy does not end with the chunk after which the rows come: it is not what it was
 * taken for.
 */
export function appendVectors({
  table,
  after,
  rows,
  sketched,
}: NewRows<VectorRows> & { readonly sketched: boolean }): boolean {
  memory ??= new VectorMemory();
  const Kind = sketched ? SketchCopy : VectorCopy;
  const copy = vectors.get(table) ?? new Kind(rows.dimensions, memory);
  if (copy.upTo !== after) return false;
  vectors.set(table, copy);
  copy.append(rows);
  return true;
}

/** The same for words. */
export function appendWords({ table, after, rows }: NewRows<WordRows>): boolean {
  const copy = words.get(table) ?? new WordCopy();
  if (copy.upTo !== after) return false;
  words.set(table, copy);
  copy.append(rows);
  return true;
}

/** Undefined when the table is not known up to that chunk. */
export function nearest({
  table,
  upTo,
  collectionIds,
  vector,
  limit,
}: Asked & {
  collectionIds: readonly number[];
  vector: Float32Array;
  limit: number;
}): Nearest | undefined {
  const copy = vectors.get(table);
  if (!copy || copy.upTo < upTo) return undefined;
  if (copy instanceof VectorCopy) return { hits: copy.nearest(collectionIds, vector, limit) };
  const nominated = copy.nominate(collectionIds, vector, limit * nominatedPerHit);
  return { nominated: nominated.map(({ id }) => id) };
}

/** Undefined when the table is not known up to that chunk. */
export function bestByWords({ table, upTo, ...search }: Asked & WordSearch): WordHit[] | undefined {
  const copy = words.get(table);
  return copy && copy.upTo >= upTo ? copy.best(search) : undefined;
}

/** Undefined when the table is not known up to that chunk. */
export function mayHold({ table, upTo, terms }: Asked & { terms: Int32Array }): Int32Array | undefined {
  const copy = words.get(table);
  return copy && copy.upTo >= upTo ? copy.mayHold(terms) : undefined;
}

export function keepOnly({ table, ids }: { table: string; ids: Float64Array }): void {
  (vectors.get(table) ?? words.get(table))?.keepOnly(ids);
}

export function drop({ table }: { table: string }): void {
  vectors.get(table)?.release();
  vectors.delete(table);
  words.delete(table);
}
