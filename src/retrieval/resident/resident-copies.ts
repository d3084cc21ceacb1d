import type { ResidentHit } from './best-hits.js';
import { SketchCopy } from './sketch-copy.js';
import { VectorCopy } from './vector-copy.js';
import { VectorMemory } from './vector-memory.js';
import type { VectorRows } from './vector-rows.js';
import { WordCopy } from './word-copy.js';
import type { WordHit, WordRows, WordSearch } from './word-copy.js';

/** A question about a table; its copy has to reach as far as the chunk `upTo`. */
interface Asked {
  readonly table: string;
  readonly upTo: number;
}

/** The rows of a table that follow the chunk `after`. */
interface NewRows<Table> {
  readonly table: string;
  readonly after: number;
  readonly rows: Table;
}

/** The nearest chunks; or, where only sketches are kept, the ids of those that may be the nearest. */
type Nearest =
  { readonly hits: ResidentHit[]; readonly nominated?: undefined } | { readonly nominated: number[] };

// Among twice as many by sketch are nearly all of those that are the nearest.
const nominatedPerHit = 2;

/** Copies of tables in the memory of one thread, by table name. */
export class ResidentCopies {
  private memory: VectorMemory | undefined;
  private readonly vectors = new Map<string, VectorCopy | SketchCopy>();
  private readonly words = new Map<string, WordCopy>();

  /**
   * Adds vectors to the copy of a table, whole or as sketches. False when the copy does not end with the chunk
   * `after`, so that the rows do not fit.
   */
  appendVectors({
    table,
    after,
    rows,
    sketched,
  }: NewRows<VectorRows> & { readonly sketched: boolean }): boolean {
    this.memory ??= new VectorMemory();
    const Kind = sketched ? SketchCopy : VectorCopy;
    const copy = this.vectors.get(table) ?? new Kind(rows.dimensions, this.memory);
    if (copy.upTo !== after) return false;
    this.vectors.set(table, copy);
    copy.append(rows);
    return true;
  }

  /** Adds terms to the copy of a table. False when the copy does not end with the chunk `after`. */
  appendWords({ table, after, rows }: NewRows<WordRows>): boolean {
    const copy = this.words.get(table) ?? new WordCopy();
    if (copy.upTo !== after) return false;
    this.words.set(table, copy);
    copy.append(rows);
    return true;
  }

  /**
   * The chunks of some collections nearest to a vector. Undefined when the copy does not reach as far as
   * `upTo`.
   */
  nearest({
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
    const copy = this.vectors.get(table);
    if (!copy || copy.upTo < upTo) return undefined;
    if (copy instanceof VectorCopy) return { hits: copy.nearest(collectionIds, vector, limit) };
    const nominated = copy.nominate(collectionIds, vector, limit * nominatedPerHit);
    return { nominated: nominated.map(({ id }) => id) };
  }

  /** The chunks with the best BM25 scores. Undefined when the copy does not reach as far as `upTo`. */
  bestByWords({ table, upTo, ...search }: Asked & WordSearch): WordHit[] | undefined {
    const copy = this.words.get(table);
    return copy && copy.upTo >= upTo ? copy.best(search) : undefined;
  }

  /** The terms that chunks of the table may hold. Undefined when the copy does not reach as far as `upTo`. */
  mayHold({ table, upTo, terms }: Asked & { terms: Int32Array }): Int32Array | undefined {
    const copy = this.words.get(table);
    return copy && copy.upTo >= upTo ? copy.mayHold(terms) : undefined;
  }

  /** Removes all chunks of a table but those with these ids, which ascend. */
  keepOnly({ table, ids }: { table: string; ids: Float64Array }): void {
    (this.vectors.get(table) ?? this.words.get(table))?.keepOnly(ids);
  }

  /** Drops the copies of a table. */
  drop({ table }: { table: string }): void {
    this.vectors.get(table)?.release();
    this.vectors.delete(table);
    this.words.delete(table);
  }

  /** Calls the method that a task names. */
  run<Task extends CopyTask>(task: Task, wanted: Wanted<Task>): Done<Task> {
    return (this[task] as (wanted: Wanted<Task>) => Done<Task>).call(this, wanted);
  }
}

/** What can be done with copies, by its name. */
export type CopyTask = Exclude<keyof ResidentCopies, 'run'>;
export type Wanted<Task extends CopyTask> = Parameters<ResidentCopies[Task]>[0];
export type Done<Task extends CopyTask> = ReturnType<ResidentCopies[Task]>;

/** Has copies in some thread. */
export interface CopyHolder {
  run<Task extends CopyTask>(task: Task, wanted: Wanted<Task>): Promise<Done<Task>>;
}
