import { totalmem } from 'node:os';
import { partition } from '../../postgres/partitions.js';
import { vectorTable } from '../../postgres/vector-tables.js';
import type { VectorStore } from '../../postgres/vector-tables.js';
import type { ItemHit } from '../lanes/keyword-lane.queries.js';
import type { LaneHit } from '../lanes/lanes.queries.js';
import { ResidentRoom } from './resident-room.js';
import { ResidentTables } from './resident-tables.js';
import type { ResidentKind, ResidentOptions } from './resident-tables.js';
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

const mebibyte = 1024 * 1024;
// Room for a million chunks; on a small machine, or in a small container, a tenth of its memory.
const machineBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
const bytesMax = Math.min(450 * mebibyte, machineBytes / 10);
/** So many bytes of vectors are in memory as they are; more are sketched, which takes a tenth. */
export const wholeVectorsMaxDefault = 48 * mebibyte;

const vectorKind = (wholeMax: number): ResidentKind<VectorRows> => ({
  tableOf: vectorTable,
  findNewest: findNewestVector,
  read: readVectors,
  forms: [
    {
      bytesMax: wholeMax,
      bytesOf: ({ rows, values }) => rows * VectorCopy.bytesOf(values / rows),
      append: (thread, wanted) => thread.run('appendVectors', { ...wanted, sketched: false }),
    },
    {
      bytesOf: ({ rows, values }) => rows * SketchCopy.bytesOf(values / rows),
      append: (thread, wanted) => thread.run('appendVectors', { ...wanted, sketched: true }),
    },
  ],
});

const words: ResidentKind<WordRows> = {
  tableOf: (store) => partition('chunks', store),
  findNewest: findNewestWords,
  read: readWords,
  forms: [
    {
      bytesOf: (newest) => WordCopy.bytesOf(newest),
      append: (thread, wanted) => thread.run('appendWords', wanted),
    },
  ],
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

  constructor(
    private readonly options: ResidentOptions,
    wholeVectorsMax: number,
  ) {
    const place = { thread: this.thread, room: new ResidentRoom(bytesMax) };
    this.vectors = new ResidentTables(options, place, vectorKind(wholeVectorsMax));
    this.words = new ResidentTables(options, place, words);
  }

  /** The nearest in meaning. Undefined when the store is not known that far any more. */
  async nearest(
    store: VectorStore,
    search: ResidentSearch & { readonly vector: Float32Array },
  ): Promise<LaneHit[] | undefined> {
    const found = await this.thread.run('nearest', { table: vectorTable(store), ...search });
    if (!found) this.vectors.forget(store);
    if (found?.nominated) return this.rank(store, search, found.nominated);
    return found?.hits.map(({ id, score }) => ({ id: String(id), score }));
  }

  /** Undefined when some are gone, so that there is room for others: Postgres knows which. */
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

  /** Those with the best BM25 scores. Undefined when the store is not known that far any more. */
  async bestByWords(store: VectorStore, search: ResidentSearch & WordSearch): Promise<ItemHit[] | undefined> {
    const hits = await this.thread.run('bestByWords', { table: partition('chunks', store), ...search });
    if (!hits) this.words.forget(store);
    return hits?.map((hit) => ({ ...hit, id: String(hit.id), sourceUid: String(hit.sourceUid) }));
  }

  /** Of terms those that the chunks of a store up to one may hold; undefined when it is not known that far any more. */
  async mayHold(
    store: VectorStore,
    { upTo, terms }: { readonly upTo: number; readonly terms: readonly number[] },
  ): Promise<number[] | undefined> {
    const table = partition('chunks', store);
    const held = await this.thread.run('mayHold', { table, upTo, terms: Int32Array.from(terms) });
    if (!held) this.words.forget(store);
    return held && [...held];
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
