import { totalmem } from 'node:os';
import { mebibyte } from '../../lib/units.js';
import { storeTable } from '../../postgres/stores.js';
import { vectorTable } from '../../postgres/vector-tables.js';
import type { VectorStore } from '../../postgres/vector-tables.js';
import type { ItemHit } from '../lanes/keyword-lane.queries.js';
import type { LaneHit } from '../lanes/lanes.queries.js';
import { ResidentCopies } from './resident-copies.js';
import type { CopyHolder } from './resident-copies.js';
import { MemoryBudget } from './memory-budget.js';
import { ResidentTables } from './resident-tables.js';
import type { ResidentForm, ResidentKind, ResidentOptions } from './resident-tables.js';
import { ResidentThread } from './resident-thread.js';
import {
  findNewestVector,
  findNewestWords,
  rankByMeaning,
  readVectors,
  readWords,
} from './resident.queries.js';
import { SketchCopy } from './sketch-copy.js';
import { VectorCopy } from './vector-copy.js';
import type { VectorRows } from './vector-rows.js';
import { WordCopy } from './word-copy.js';
import type { WordRows, WordSearch } from './word-copy.js';

// Enough for a million chunks; on a small machine or in a small container a tenth of its memory.
const machineBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
const bytesMax = Math.min(450 * mebibyte, machineBytes / 10);
/** Which forms copies take. */
export const residentDefaults = {
  /**
   * Up to this many bytes of vectors are kept whole; the vectors of further stores are sketched, which takes a
   * tenth of the memory.
   */
  wholeVectorsMax: 48 * mebibyte,
  /**
   * The words of up to so many chunks are searched in the thread that asks: that takes less of its time than
   * handing question and answer over.
   */
  wordsHereMax: 20_000,
};

const vectorKind = (thread: CopyHolder, wholeVectorsMax: number): ResidentKind<VectorRows> => ({
  tableOf: vectorTable,
  findNewest: findNewestVector,
  read: readVectors,
  forms: [
    {
      holder: thread,
      bytesMax: wholeVectorsMax,
      bytesOf: ({ rows, values }) => rows * VectorCopy.bytesOf(values / rows),
      append: (wanted) => thread.run('appendVectors', { ...wanted, sketched: false }),
    },
    {
      holder: thread,
      bytesOf: ({ rows, values }) => rows * SketchCopy.bytesOf(values / rows),
      append: (wanted) => thread.run('appendVectors', { ...wanted, sketched: true }),
    },
  ],
});

const wordKind = (
  { here, thread }: { readonly here: CopyHolder; readonly thread: CopyHolder },
  wordsHereMax: number,
): ResidentKind<WordRows> => ({
  tableOf: (store) => storeTable('chunks', store),
  findNewest: findNewestWords,
  read: readWords,
  forms: [{ ...wordForm(here), rowsMax: wordsHereMax }, wordForm(thread)],
});

const wordForm = (holder: CopyHolder): ResidentForm<WordRows> => ({
  holder,
  bytesOf: (newest) => WordCopy.bytesOf(newest),
  append: (wanted) => holder.run('appendWords', wanted),
});

/** A search of the chunks of some collections; `upTo` is the last chunk that the copy has to cover. */
interface ResidentSearch {
  readonly upTo: number;
  readonly limit: number;
  readonly collectionIds: readonly number[];
}

/**
 * Copies of the vectors and words of the stores that are searched, kept in a worker thread, or in this one
 * where few words are searched. A search that is not filtered is answered from them; Postgres is asked only
 * for the chunks that came later.
 */
export class Resident {
  private readonly thread = new ResidentThread();
  readonly vectors: ResidentTables<VectorRows>;
  readonly words: ResidentTables<WordRows>;

  constructor(
    private readonly options: ResidentOptions,
    { wholeVectorsMax, wordsHereMax }: typeof residentDefaults,
  ) {
    const { thread } = this;
    const copies = new ResidentCopies();
    const here: CopyHolder = { run: async (task, wanted) => copies.run(task, wanted) };
    const budget = new MemoryBudget(bytesMax);
    this.vectors = new ResidentTables(options, budget, vectorKind(thread, wholeVectorsMax));
    this.words = new ResidentTables(options, budget, wordKind({ here, thread }, wordsHereMax));
  }

  /**
   * The chunks nearest in meaning, best first. Undefined when Postgres has to be asked: the copy does
   * not reach as far as `upTo`, or has chunks that were deleted.
   */
  async nearest(
    store: VectorStore,
    search: ResidentSearch & { readonly vector: Float32Array },
  ): Promise<LaneHit[] | undefined> {
    const found = await this.thread.run('nearest', { table: vectorTable(store), ...search });
    if (!found) this.vectors.forget(store);
    if (found?.nominated) return this.rank(store, search, found.nominated);
    return found?.hits.map(({ id, score }) => ({ id: String(id), score }));
  }

  /**
   * Scores the nominated chunks exactly in Postgres. Undefined when some of them have been deleted: their
   * places belong to other chunks, which only Postgres knows.
   */
  private async rank(
    store: VectorStore,
    { vector, limit }: { readonly vector: Float32Array; readonly limit: number },
    nominated: readonly number[],
  ): Promise<LaneHit[] | undefined> {
    const hits = await rankByMeaning(this.options.postgres, store, { ids: nominated, vector, limit });
    if (hits.length === Math.min(limit, nominated.length)) return hits;
    this.noteGone(store);
    return undefined;
  }

  /**
   * The chunks with the best BM25 scores, best first. Undefined when the copy does not reach as far as `upTo`.
   */
  async bestByWords(store: VectorStore, search: ResidentSearch & WordSearch): Promise<ItemHit[] | undefined> {
    const table = storeTable('chunks', store);
    const hits = await this.words.holderOf(store)?.run('bestByWords', { table, ...search });
    if (!hits) this.words.forget(store);
    return hits?.map((hit) => ({ ...hit, id: String(hit.id), sourceUid: String(hit.sourceUid) }));
  }

  /**
   * The terms that the chunks up to `upTo` may hold: all that they do, and a few more. Undefined when the
   * copy does not reach that far.
   */
  async mayHold(
    store: VectorStore,
    { upTo, terms }: { readonly upTo: number; readonly terms: readonly number[] },
  ): Promise<number[] | undefined> {
    const table = storeTable('chunks', store);
    const wanted = { table, upTo, terms: Int32Array.from(terms) };
    const held = await this.words.holderOf(store)?.run('mayHold', wanted);
    if (!held) this.words.forget(store);
    return held && [...held];
  }

  /** Notes that Postgres has deleted chunks that may still be in memory. */
  noteGone(store: VectorStore): void {
    for (const tables of [this.vectors, this.words]) tables.noteOutdated(store, { hasGone: true });
  }

  /** Resolves when all reading under way is done. */
  async settled(): Promise<void> {
    await Promise.all([this.vectors.settled(), this.words.settled()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.vectors.close(), this.words.close()]);
    await this.thread.close();
  }
}
