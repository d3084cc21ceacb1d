import type { DataSource } from 'typeorm';
import { modelMismatch, vectorTargets } from '../databases/reembedding.js';
import { findVectors } from '../databases/reembedding.queries.js';
import { AppError } from '../errors.js';
import type { Embedder } from '../inference/embedder.js';
import type { Embedders } from '../inference/embedders.js';
import { addToList } from '../lib/add-to-list.js';
import { readRecently } from '../lib/background.js';
import { overlapped } from '../lib/overlapped.js';
import { groupByStore, storeName } from '../postgres/stores.js';
import type { Store } from '../postgres/stores.js';
import type { IndexingQueue } from '../sources/status/indexing-queue.js';
import {
  chunkRowsMax,
  chunkRowsMaxBesideReads,
  chunkRowsMaxEmbedded,
  insertChunks,
} from './chunks.queries.js';
import type { ChunkVector, NewChunk } from './chunks.queries.js';
import type { EmbeddingCache } from './embedding-cache.js';
import type { AverageLength, KeywordStatistics } from './keyword-statistics/keyword-statistics.js';
import { windowsOf } from './preparation/prepared-versions.js';
import type { GroupChunk, PreparedVersion } from './preparation/prepared-versions.js';
import { searchableText } from './preparation/searchable-text.js';
import type { StoreMaintenance } from './store-maintenance.js';

export interface StoredChunksOptions {
  readonly postgres: DataSource;
  /** Whether Postgres is the embedded one. */
  readonly embedded: boolean;
  readonly embeddings: EmbeddingCache;
  readonly embedders: Embedders;
  readonly queue: IndexingQueue;
  readonly keywordStatistics: KeywordStatistics;
  readonly maintenance: StoreMaintenance;
}

/** Embeds the chunks of versions, and stores them with their vectors and counts; readers do not see them yet. */
export class StoredChunks {
  constructor(private readonly options: StoredChunksOptions) {}

  /**
   * In windows, each embedded while the one before is written. Versions that were taken over or replaced
   * meanwhile are left out. @throws whatever the embedder throws
   */
  async write(prepared: readonly PreparedVersion[]): Promise<void> {
    const averages = await this.averageLengths(prepared);
    await overlapped(
      windowsOf(prepared, () => this.rowsMax()),
      (window) => this.embed(window),
      (window, vectors) => this.writeWindow(window, { vectors, averages }),
    );
  }

  /** How many chunks to store at once. */
  private rowsMax(): number {
    if (!this.options.embedded) return chunkRowsMax;
    return readRecently() ? chunkRowsMaxBesideReads : chunkRowsMaxEmbedded;
  }

  /** The vectors of each chunk, by every model whose vectors its database keeps. */
  private async embed(chunks: readonly GroupChunk[]): Promise<ChunkVector[][]> {
    const vectors = chunks.map((): ChunkVector[] => []);
    const wanted = new Map<Embedder, { index: number; generation: number }[]>();
    chunks.forEach(({ version }, index) => {
      for (const { embedder, generation } of vectorTargets(version.vectors, this.options.embedders))
        addToList(wanted, embedder, { index, generation });
    });
    for (const [embedder, places] of wanted) {
      const texts = places.flatMap(({ index }) => {
        const { version, chunk } = chunks[index] as GroupChunk;
        return { databaseId: version.databaseId, text: searchableText(version.title, chunk) };
      });
      const made = await this.options.embeddings.embed(texts, embedder);
      places.forEach(({ index, generation }, nth) => {
        const vector = made[nth];
        if (!vector)
          throw new AppError('INTERNAL_ERROR', 'the embedder returned fewer vectors than it was given texts');
        vectors[index]?.push({ generation, vector });
      });
    }
    return vectors;
  }

  private async averageLengths(
    prepared: readonly PreparedVersion[],
  ): Promise<ReadonlyMap<string, AverageLength>> {
    const averages = new Map<string, AverageLength>();
    for (const [store, rows] of groupByStore(prepared, ({ version }) => version)) {
      const own = {
        count: rows.reduce((sum, { chunks }) => sum + chunks.count, 0),
        length: rows.reduce((sum, { chunks }) => sum + chunks.length, 0),
      };
      averages.set(storeName(store), await this.options.keywordStatistics.averageLength(store, own));
    }
    return averages;
  }

  private async writeWindow(
    window: readonly GroupChunk[],
    {
      vectors,
      averages,
    }: {
      vectors: readonly (readonly ChunkVector[])[];
      averages: ReadonlyMap<string, AverageLength>;
    },
  ): Promise<void> {
    const { postgres, maintenance, embedders } = this.options;
    const rows = window.map(({ version, chunk }, index) => ({
      version,
      chunk,
      vectors: vectors[index] ?? [],
    }));
    for (const [store, own] of groupByStore(rows, ({ version }) => version)) {
      const average = averages.get(storeName(store));
      if (!average) continue;
      let moved = own;
      while (!(await this.insertHeld(store, moved, average))) {
        // By now its database keeps other vectors.
        const kept = await findVectors(postgres, store.databaseId);
        if (!kept) break;
        if (vectorTargets(kept, embedders).length === 0)
          throw new AppError('SERVICE_UNAVAILABLE', modelMismatch('the database', kept, embedders.main));
        const anew = own.map(({ version, chunk }) => ({ version: { ...version, vectors: kept }, chunk }));
        const embedded = await this.embed(anew);
        moved = anew.map((row, index) => ({ ...row, vectors: embedded[index] ?? [] }));
      }
      maintenance.touch(store);
    }
  }

  /**
   * Leaves out versions that another worker has taken over, or that were replaced. Returns false, and stores
   * nothing, when vectors of other models are wanted by now.
   */
  private async insertHeld(
    store: Store,
    rows: readonly (GroupChunk & Pick<NewChunk, 'vectors'>)[],
    average: AverageLength,
  ): Promise<boolean> {
    const { postgres, queue } = this.options;
    let versions = [...new Map(rows.map(({ version }) => [version.uid, version])).values()];
    let ours = rows;
    while (versions.length > 0) {
      const chunks = ours.map(({ version: { uid, collectionId }, chunk, vectors }) => ({
        ...chunk,
        sourceUid: uid,
        collectionId,
        vectors,
      }));
      const outcome = await insertChunks(postgres.manager, store, { chunks, ...average, versions });
      if (outcome !== 'lost') return outcome === 'stored';
      const held = await queue.findHeld(versions);
      versions = versions.filter(({ uid }) => held.has(uid));
      ours = ours.filter(({ version }) => held.has(version.uid));
    }
    return true;
  }
}
