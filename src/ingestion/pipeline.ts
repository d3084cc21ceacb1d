import type { DataSource, EntityManager } from 'typeorm';
import { modelMismatch, vectorTargets } from '../databases/reembedding.js';
import { findVectors } from '../databases/reembedding.queries.js';
import { AppError } from '../errors.js';
import type { ExtractedGraph } from '../graph/extraction/extracted-graph.js';
import type { StoredGraph } from '../graph/stored/stored-graph.js';
import type { Embedder } from '../inference/embedder.js';
import type { Embedders } from '../inference/embedders.js';
import type { FactExtraction } from '../inference/facts.js';
import { addToList } from '../lib/add-to-list.js';
import { readRecently } from '../lib/background.js';
import { overlapped } from '../lib/overlapped.js';
import { groupByStore } from '../postgres/partitions.js';
import type { Store } from '../postgres/partitions.js';
import { insertFacts } from '../sources/facts.queries.js';
import type { NewFacts } from '../sources/facts.queries.js';
import { lockHeld } from '../sources/status/indexing-queue.js';
import type { IndexingQueue, QueuedVersion } from '../sources/status/indexing-queue.js';
import { IndexingStatus } from '../sources/status/indexing-status.js';
import type { IndexingStatusService } from '../sources/status/indexing-status.service.js';
import { hidePredecessors } from '../sources/status/status-transitions.queries.js';
import type { FinalStatus } from '../sources/status/status-transitions.queries.js';
import type { Originals } from '../storage/originals.js';
import {
  chunkRowsMax,
  chunkRowsMaxBesideReads,
  chunkRowsMaxEmbedded,
  insertChunks,
  removeSomeChunks,
} from './chunks.queries.js';
import type { ChunkVector, NewChunk } from './chunks.queries.js';
import type { EmbeddingCache } from './embedding-cache.js';
import type { AverageLength, KeywordStatistics } from './keyword-statistics/keyword-statistics.js';
import type { StoredMetadataVectors } from './metadata-vectors.js';
import type { RefusedItem } from './preparation/prepare.js';
import type { PreparedItem, PreparePool } from './preparation/prepare-pool.js';
import { textTask, withPrepareTask } from './preparation/prepare-task.js';
import { preparedTogether, windowsOf } from './preparation/prepared-versions.js';
import type { GroupChunk, PreparedVersion } from './preparation/prepared-versions.js';
import { searchableText } from './preparation/searchable-text.js';
import type { StoreMaintenance } from './store-maintenance.js';

interface PipelineOptions {
  readonly postgres: DataSource;
  /** Whether Postgres is the embedded one. */
  readonly embedded: boolean;
  readonly embeddings: EmbeddingCache;
  readonly embedders: Embedders;
  readonly metadataVectors: StoredMetadataVectors;
  readonly originals: Originals;
  readonly graph: StoredGraph;
  readonly queue: IndexingQueue;
  readonly indexingStatus: IndexingStatusService;
  readonly keywordStatistics: KeywordStatistics;
  readonly maintenance: StoreMaintenance;
  readonly preparePool: PreparePool;
  readonly wake: (job: string) => void;
  /**
   * Whether a language model extracts graphs. It is slow, so items become searchable first, with a graph by
   * rules.
   */
  readonly graphsLater: boolean;
}

/** What the status of an item says on whose text rules of the graph failed: all else of it is there. */
const graphLeftOut = 'searchable, but a part of its graph is left out: the rules failed on its text';

/** Facts by the uid of their version. */
export type Extractions = ReadonlyMap<string, FactExtraction>;

/**
 * Takes versions together through the steps of indexing: parse and chunk, embed, store, build the graph, make
 * visible.
 */
export class IndexingPipeline {
  constructor(private readonly options: PipelineOptions) {}

  /**
   * Indexes versions. `extractions` are the facts that a language model found, by uid. @throws whatever a
   * step throws. What had been written by then is removed by the next attempt.
   */
  async index(group: readonly QueuedVersion[], extractions: Extractions): Promise<void> {
    const prepared: PreparedVersion[] = [];
    try {
      for (const some of preparedTogether(group)) {
        const items = await this.prepare(some, extractions);
        for (const [index, version] of some.entries()) {
          const item = items[index];
          if (item && 'chunks' in item) prepared.push({ ...item, version });
          else await this.end([version], { to: IndexingStatus.errored, ...item });
        }
      }
      await this.store(prepared);
    } finally {
      for (const { chunks } of prepared) await chunks.close();
    }
  }

  /**
   * Replaces the stored graphs of searchable versions, and completes these. `graphs` are those that a
   * language model found, by uid; the others are extracted by rules.
   */
  async finish(
    versions: readonly QueuedVersion[],
    graphs: ReadonlyMap<string, ExtractedGraph> = new Map(),
  ): Promise<void> {
    const { graph, queue } = this.options;
    // A version that was replaced meanwhile keeps its graph until its successor is visible.
    const uids = await queue.findHeld(versions);
    const held = versions.filter(({ uid }) => uids.has(uid));
    for (const version of held) await graph.replace({ version, graph: graphs.get(version.uid) });
    await this.end(held, { to: IndexingStatus.completed });
  }

  /** Ends versions, and tells subscribers. */
  async end(versions: readonly QueuedVersion[], status: FinalStatus): Promise<void> {
    if (versions.length === 0) return;
    const { postgres, indexingStatus } = this.options;
    indexingStatus.publish(
      await postgres.transaction((manager) => indexingStatus.end(manager, versions, status)),
    );
  }

  private async prepare(
    versions: readonly QueuedVersion[],
    extractions: Extractions,
  ): Promise<readonly (PreparedItem | RefusedItem)[]> {
    const { originals, preparePool } = this.options;
    const [first] = versions;
    if (first?.storageKey != null) {
      const { contentBytes, uid } = first;
      const parts = { version: first, originals, extraction: extractions.get(uid) };
      const prepared = await withPrepareTask(parts, (task) => preparePool.prepare([{ task, contentBytes }]));
      return 'errorCode' in prepared ? [prepared] : prepared;
    }
    const items = versions.map((version) => ({
      task: textTask(version, extractions.get(version.uid)),
      contentBytes: version.contentBytes,
    }));
    return preparePool.prepare(items);
  }

  private async store(prepared: readonly PreparedVersion[]): Promise<void> {
    for (const { version } of prepared) {
      if (version.mayHaveChunks) await this.removeEarlierAttempt(version);
    }
    await this.write(prepared);
    await this.options.graph.store(prepared);
    const withLanes = prepared.map(({ version }) => version).filter(({ hasLanes }) => hasLanes);
    if (withLanes.length > 0) await this.options.metadataVectors.fill(withLanes);
    await this.makeSearchable(prepared);
  }

  /** In windows, each embedded while the one before is written. */
  private async write(prepared: readonly PreparedVersion[]): Promise<void> {
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

  /** If another worker has taken the version over, and may have completed it, nothing is removed. */
  private async removeEarlierAttempt(version: QueuedVersion): Promise<void> {
    const { postgres, graph } = this.options;
    const store = storeOf(version);
    const remove = async (manager: EntityManager) => {
      // Whoever is making further vectors of it has finished, or waits for this.
      if (!(await lockHeld(manager, version))) return 0;
      const chunks = await removeSomeChunks(manager, store, version.uid);
      return chunks + (await graph.removeSome(manager, store, version.uid));
    };
    while ((await postgres.transaction(remove)) > 0);
  }

  private async makeSearchable(prepared: readonly PreparedVersion[]): Promise<void> {
    const { postgres, indexingStatus, wake, graphsLater } = this.options;
    const searchable = prepared.map(({ version, chunks, sentAt, graph }) => ({
      ...version,
      sentAt,
      chunkCount: chunks.count,
      awaitsGraph: graphsLater && !version.hasGraph,
      errorMessage: graph?.problem === undefined ? '' : graphLeftOut,
    }));
    const replacing = prepared.filter(({ version }) => version.replaces).map(({ version }) => version);
    const facts = prepared.flatMap(toNewFacts);
    const show = (manager: EntityManager) => indexingStatus.makeSearchable(manager, searchable);
    const changes =
      replacing.length + facts.length === 0 && !indexingStatus.announces
        ? await show(postgres.manager)
        : await postgres.transaction(async (manager) => {
            await hidePredecessors(manager, replacing);
            const shown = await show(manager);
            const items = new Set(shown.map(itemName));
            await insertFacts(
              manager,
              facts.filter(({ version }) => items.has(itemName(version))),
            );
            return shown;
          });
    indexingStatus.publish(changes);
    if (replacing.length > 0) wake('remove-old-versions');
    if (searchable.some(({ awaitsGraph }) => awaitsGraph)) wake('build-graphs');
  }
}

interface VersionFacts extends NewFacts {
  readonly version: QueuedVersion;
}

function toNewFacts({ version, extraction, sentAt }: PreparedVersion): VersionFacts[] {
  if (!extraction) return [];
  const date = version.memory?.observationDate ?? version.app?.timestamp ?? sentAt;
  return [{ version, extraction, observedAt: date ? new Date(date) : version.updatedAt }];
}

/** Identifies an item within a claim, which has only its latest version. */
function itemName({
  databaseId,
  collection,
  corpus,
  id,
}: Pick<QueuedVersion, 'databaseId' | 'collection' | 'corpus' | 'id'>): string {
  return JSON.stringify([databaseId, collection, corpus, id]);
}

function storeOf({ databaseId, corpus }: QueuedVersion): Store {
  return { databaseId, corpus };
}

function storeName({ databaseId, corpus }: Store): string {
  return `${databaseId} ${corpus}`;
}
