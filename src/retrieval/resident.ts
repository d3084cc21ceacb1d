import { partition } from '../postgres/partitions.js';
import { vectorTable } from '../postgres/vector-tables.js';
import type { VectorStore } from '../postgres/vector-tables.js';
import type { ItemHit, LaneHit } from './lanes.queries.js';
import { ResidentTables } from './resident-tables.js';
import type { ResidentKind, ResidentOptions } from './resident-tables.js';
import { ResidentThread } from './resident-thread.js';
import { findNewestVector, findNewestWords, readVectors, readWords } from './resident.queries.js';
import { VectorCopy } from './vector-copy.js';
import type { VectorRows } from './vector-copy.js';
import type { WordRows, WordSearch } from './word-copy.js';

const mebibyte = 1024 * 1024;

const vectors: ResidentKind<VectorRows> = {
  bytesMax: 192 * mebibyte,
  tableOf: vectorTable,
  findNewest: findNewestVector,
  bytesOf: ({ rows, values }) => rows * VectorCopy.bytesOf(values / rows),
  read: readVectors,
  append: (thread, rows) => thread.run('appendVectors', rows),
};

// Of a row all that is not of a term; of a term in a row its place and count.
const wordRowBytes = 48;
const postingBytes = 6;

const words: ResidentKind<WordRows> = {
  bytesMax: 64 * mebibyte,
  tableOf: (store) => partition('chunks', store),
  findNewest: findNewestWords,
  bytesOf: ({ rows, values }) => rows * wordRowBytes + values * postingBytes,
  read: readWords,
  append: (thread, rows) => thread.run('appendWords', rows),
};

/** Which chunks are asked for: of some collections, up to the last that is in memory, and perhaps later ones. */
interface ResidentSearch {
  readonly upTo: number;
  readonly limit: number;
  readonly collectionIds: readonly number[];
}

/**
 * The vectors and words of stores that are searched, in the memory of a thread of their own: a search of all that a
 * caller may read is answered there, and Postgres asked only for the chunks that came later.
 */
export class Resident {
  private readonly thread = new ResidentThread();
  readonly vectors: ResidentTables<VectorRows>;
  readonly words: ResidentTables<WordRows>;

  constructor(options: ResidentOptions) {
    this.vectors = new ResidentTables(options, this.thread, vectors);
    this.words = new ResidentTables(options, this.thread, words);
  }

  /** The nearest in meaning. Undefined when the store is not known that far any more. */
  async nearest(
    store: VectorStore,
    search: ResidentSearch & { readonly vector: Float32Array },
  ): Promise<LaneHit[] | undefined> {
    const hits = await this.thread.run('nearest', { table: vectorTable(store), ...search });
    if (!hits) this.vectors.forget(store);
    return hits?.map(({ id, score }) => ({ id: String(id), score }));
  }

  /** Those with the best BM25 scores. Undefined when the store is not known that far any more. */
  async bestByWords(store: VectorStore, search: ResidentSearch & WordSearch): Promise<ItemHit[] | undefined> {
    const hits = await this.thread.run('bestByWords', { table: partition('chunks', store), ...search });
    if (!hits) this.words.forget(store);
    return hits?.map(({ id, score, sourceUid }) => ({ id: String(id), score, sourceUid: String(sourceUid) }));
  }

  /** Says that Postgres has some chunks no more that may be here. */
  noteGone(store: VectorStore): void {
    for (const tables of [this.vectors, this.words]) tables.noteOutdated(store, { hasGone: true });
  }

  /** Resolves when everything is read that was to be read. */
  async settled(): Promise<void> {
    await Promise.all([this.vectors.settled(), this.words.settled()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.vectors.close(), this.words.close()]);
    await this.thread.close();
  }
}
