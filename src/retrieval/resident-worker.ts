import type { ResidentHit } from './best-hits.js';
import { VectorCopy } from './vector-copy.js';
import type { VectorRows } from './vector-copy.js';
import { VectorMemory } from './vector-memory.js';
import { WordCopy } from './word-copy.js';
import type { WordHit, WordRows, WordSearch } from './word-copy.js';

// Runs in the thread of Resident; what it holds are copies of tables, by their names.
let memory: VectorMemory | undefined;
const vectors = new Map<string, VectorCopy>();
const words = new Map<string, WordCopy>();

/** `upTo`: the copy has to know the table up to that chunk. */
interface Asked {
  readonly table: string;
  readonly upTo: number;
}

export function appendVectors({ table, rows }: { table: string; rows: VectorRows }): void {
  let copy = vectors.get(table);
  memory ??= new VectorMemory();
  if (!copy) vectors.set(table, (copy = new VectorCopy(rows.dimensions, memory)));
  copy.append(rows);
}

export function appendWords({ table, rows }: { table: string; rows: WordRows }): void {
  let copy = words.get(table);
  if (!copy) words.set(table, (copy = new WordCopy()));
  copy.append(rows);
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
}): ResidentHit[] | undefined {
  const copy = vectors.get(table);
  return copy && copy.upTo >= upTo ? copy.nearest(collectionIds, vector, limit) : undefined;
}

/** Undefined when the table is not known up to that chunk. */
export function bestByWords({ table, upTo, ...search }: Asked & WordSearch): WordHit[] | undefined {
  const copy = words.get(table);
  return copy && copy.upTo >= upTo ? copy.best(search) : undefined;
}

export function keepOnly({ table, ids }: { table: string; ids: Float64Array }): void {
  (vectors.get(table) ?? words.get(table))?.keepOnly(ids);
}

export function drop({ table }: { table: string }): void {
  vectors.get(table)?.release();
  vectors.delete(table);
  words.delete(table);
}
