import type { DataSource, EntityManager } from 'typeorm';
import { databaseVectorsSql, vectorTargets } from '../databases/reembedding.js';
import type { DatabaseVectors } from '../databases/reembedding.js';
import { AppError } from '../errors.js';
import type { ExtractedGraph } from '../graph/extraction/extracted-graph.js';
import type { StoredGraph } from '../graph/stored-graph.js';
import type { Embedder } from '../inference/embedder.js';
import type { Embedders } from '../inference/embedders.js';
import type { FactExtraction } from '../inference/facts.js';
import { groupByStore } from '../postgres/partitions.js';
import type { Store } from '../postgres/partitions.js';
import { query, queryOne } from '../postgres/query.js';
import { IndexingStatus } from '../sources/indexing-status.js';
import type { IndexingStatusService } from '../sources/indexing-status.service.js';
import type { IndexingQueue, QueuedVersion } from '../sources/indexing-queue.js';
import type { Originals } from '../storage/originals.js';
import { chunkRowsMax, chunkRowsMaxEmbedded, insertChunks, removeSomeChunks } from './chunks.queries.js';
import type { ChunkVector, NewChunk } from './chunks.queries.js';
import type { EmbeddingCache } from './embedding-cache.js';
import { insertFacts } from './facts.queries.js';
import type { NewFacts } from './facts.queries.js';
import type { AverageLength, KeywordStatistics } from './keyword-statistics.js';
import type { StoredMetadataVectors } from './metadata-vectors.js';
import type { PreparedChunk } from './prepare.js';
import { withPrepareTask } from './prepare-task.js';
import { preparedAtOnceMax } from './prepare-pool.js';
import type { PreparePool } from './prepare-pool.js';
import { searchableText } from './searchable-text.js';
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
  /** Whether a language model extracts graphs: it is slow, so items are searchable before, with the graph of the rules. */
  readonly graphsLater: boolean;
}

/** A version on its way through the pipeline, with its chunks. */
interface PreparedVersion {
  readonly version: QueuedVersion;
  readonly chunks: readonly PreparedChunk[];
  readonly extraction: FactExtraction | undefined;
  readonly graph: ExtractedGraph | undefined;
}

/** Facts by the uid of their version. */
export type Extractions = ReadonlyMap<string, FactExtraction>;

/** One chunk of a group, with the version that it belongs to. */
interface GroupChunk {
  readonly version: QueuedVersion;
  readonly chunk: PreparedChunk;
}

/** Parse and chunk, embed, store, build the graph, make visible: for versions that go through it together. */
export class IndexingPipeline {
  constructor(private readonly options: PipelineOptions) {}

  /**
   * `extractions` are the facts that a language model found, by uid. @throws what any step throws; what was written by
   * then is removed by the next attempt.
   */
  async index(group: readonly QueuedVersion[], leaseToken: string, extractions: Extractions): Promise<void> {
    const prepared = await this.prepareAll(group, leaseToken, extractions);
    for (const { version } of prepared) {
      if (version.mayHaveChunks) await this.removeEarlierAttempt(version);
    }
    await this.write(prepared, leaseToken);
    await this.options.graph.store(prepared, leaseToken);
    const withLanes = prepared.map(({ version }) => version).filter(({ hasLanes }) => hasLanes);
    if (withLanes.length > 0) await this.options.metadataVectors.fill(withLanes);
    await this.makeSearchable(prepared, leaseToken);
  }

  /**
   * Stores the graphs of versions that are searchable already, in place of what was stored of them, and completes them.
   * `graphs` are those that a language model found, by uid; the others are extracted by rules.
   */
  async finish(
    versions: readonly QueuedVersion[],
    leaseToken: string,
    graphs: ReadonlyMap<string, ExtractedGraph> = new Map(),
  ): Promise<void> {
    const { graph, queue } = this.options;
    // A version that was replaced meanwhile keeps what it has until the other one is seen.
    const uids = await queue.findHeld(versions, leaseToken);
    const held = versions.filter(({ uid }) => uids.has(uid));
    for (const version of held) await graph.remove(storeOf(version), version.uid);
    await graph.store(
      held.map((version) => ({ version, chunks: undefined, graph: graphs.get(version.uid) })),
      leaseToken,
    );
    await this.change(held, { to: IndexingStatus.completed, leaseToken });
  }

  /** Moves versions to another status and tells subscribers. */
  async change(
    versions: readonly QueuedVersion[],
    transition: Parameters<IndexingStatusService['transition']>[2],
  ): Promise<void> {
    if (versions.length === 0) return;
    const { postgres, indexingStatus } = this.options;
    indexingStatus.publish(
      await postgres.transaction((manager) => indexingStatus.transition(manager, versions, transition)),
    );
  }

  private async prepareAll(
    group: readonly QueuedVersion[],
    leaseToken: string,
    extractions: Extractions,
  ): Promise<readonly PreparedVersion[]> {
    const prepared = new Map<QueuedVersion, PreparedVersion>();
    const waiting = group.values();
    const work = async () => {
      for (const version of waiting) {
        const item = await this.prepare(version, leaseToken, extractions.get(version.uid));
        if (item) prepared.set(version, item);
      }
    };
    await Promise.all(Array.from({ length: preparedAtOnceMax }, work));
    return group.flatMap((version) => prepared.get(version) ?? []);
  }

  /** The chunks and facts of a version; undefined when it ended errored. */
  private async prepare(
    version: QueuedVersion,
    leaseToken: string,
    extraction: FactExtraction | undefined,
  ): Promise<PreparedVersion | undefined> {
    const { originals, preparePool } = this.options;
    const result = await withPrepareTask({ version, originals, extraction }, (task) =>
      preparePool.prepare(task, version.contentBytes),
    );
    if ('chunks' in result) {
      const { chunks, extraction: facts, graph } = result;
      return { version, chunks, extraction: facts, graph };
    }
    const { errorCode, errorMessage } = result;
    await this.change([version], { to: IndexingStatus.errored, leaseToken, errorCode, errorMessage });
    return undefined;
  }

  /** In windows, so that no more than two of them are held as vectors, and the next is embedded while one is written. */
  private async write(prepared: readonly PreparedVersion[], leaseToken: string): Promise<void> {
    const rowsMax = this.options.embedded ? chunkRowsMaxEmbedded : chunkRowsMax;
    const chunks = prepared.flatMap(({ version, chunks: own }) => own.map((chunk) => ({ version, chunk })));
    const averages = await this.averageLengths(prepared);
    let embedding = this.embed(chunks.slice(0, rowsMax));
    for (let start = 0; start < chunks.length; start += rowsMax) {
      const window = chunks.slice(start, start + rowsMax);
      const vectors = await embedding;
      embedding = this.embed(chunks.slice(start + rowsMax, start + 2 * rowsMax));
      // Awaited above, unless writing fails first.
      embedding.catch(() => undefined);
      await this.writeWindow(window, { vectors, averages, leaseToken });
    }
  }

  /** The vectors of each chunk, by every model whose vectors its database keeps. */
  private async embed(chunks: readonly GroupChunk[]): Promise<ChunkVector[][]> {
    const vectors = chunks.map((): ChunkVector[] => []);
    const wanted = new Map<Embedder, { index: number; generation: number }[]>();
    chunks.forEach(({ version }, index) => {
      for (const { embedder, generation } of vectorTargets(version.vectors, this.options.embedders))
        wanted.set(embedder, [...(wanted.get(embedder) ?? []), { index, generation }]);
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
      const lengths = rows.flatMap(({ chunks }) => chunks.map((chunk) => chunk.length));
      averages.set(storeName(store), await this.options.keywordStatistics.averageLength(store, lengths));
    }
    return averages;
  }

  private async writeWindow(
    window: readonly GroupChunk[],
    {
      vectors,
      averages,
      leaseToken,
    }: {
      vectors: readonly (readonly ChunkVector[])[];
      averages: ReadonlyMap<string, AverageLength>;
      leaseToken: string;
    },
  ): Promise<void> {
    const { maintenance } = this.options;
    const rows = window.map(({ version, chunk }, index) => ({
      version,
      chunk,
      vectors: vectors[index] ?? [],
    }));
    for (const [store, own] of groupByStore(rows, ({ version }) => version)) {
      const average = averages.get(storeName(store));
      if (!average) continue;
      let moved = own;
      while (!(await this.insertHeld(store, moved, { average, leaseToken }))) {
        // Meanwhile its database keeps other vectors.
        const kept = await this.findVectors(store);
        if (!kept) break;
        const anew = own.map(({ version, chunk }) => ({ version: { ...version, vectors: kept }, chunk }));
        const embedded = await this.embed(anew);
        moved = anew.map((row, index) => ({ ...row, vectors: embedded[index] ?? [] }));
      }
      maintenance.touch(store);
    }
  }

  /**
   * Versions that another worker has taken over, or that were replaced, are left out. False when vectors of other models
   * are wanted by now: then nothing is stored.
   */
  private async insertHeld(
    store: Store,
    rows: readonly (GroupChunk & Pick<NewChunk, 'vectors'>)[],
    { average, leaseToken }: { average: AverageLength; leaseToken: string },
  ): Promise<boolean> {
    const { postgres, queue } = this.options;
    const versions = rows.map(({ version }) => version);
    let uids = [...new Set(versions.map(({ uid }) => uid))];
    while (uids.length > 0) {
      const chunks = rows.flatMap(({ version: { uid, collectionId }, chunk, vectors }) =>
        uids.includes(uid) ? [{ ...chunk, sourceUid: uid, collectionId, vectors }] : [],
      );
      const lease = { leaseToken, uids };
      const outcome = await insertChunks(postgres.manager, store, { chunks, ...average, lease });
      if (outcome !== 'lost') return outcome === 'stored';
      const held = await queue.findHeld(versions, leaseToken);
      uids = uids.filter((uid) => held.has(uid));
    }
    return true;
  }

  private findVectors({ databaseId }: Store): Promise<DatabaseVectors | undefined> {
    return queryOne<DatabaseVectors>(
      this.options.postgres.manager,
      `select v.* from databases d, jsonb_to_record(${databaseVectorsSql('d')})
         as v(model text, dimensions int, generation int, next jsonb) where d.id = $1`,
      [databaseId],
    );
  }

  private async removeEarlierAttempt(version: QueuedVersion): Promise<void> {
    const remove = async (manager: EntityManager) => {
      // Whoever makes further vectors of it waits, or has done so.
      await query(manager, 'select uid from sources where database_id = $1 and uid = $2 for update', [
        version.databaseId,
        version.uid,
      ]);
      return removeSomeChunks(manager, storeOf(version), version.uid);
    };
    while ((await this.options.postgres.transaction(remove)) > 0);
    await this.options.graph.remove(storeOf(version), version.uid);
  }

  private async makeSearchable(prepared: readonly PreparedVersion[], leaseToken: string): Promise<void> {
    const { postgres, indexingStatus, wake, graphsLater } = this.options;
    const searchable = prepared.map(({ version, chunks }) => ({
      ...version,
      chunkCount: chunks.length,
      awaitsGraph: graphsLater && !version.hasGraph,
    }));
    const replacing = prepared.filter(({ version }) => version.replaces).map(({ version }) => version);
    const facts = prepared.flatMap(toNewFacts);
    const show = (manager: EntityManager) => indexingStatus.makeSearchable(manager, searchable, leaseToken);
    const changes =
      replacing.length + facts.length === 0 && !indexingStatus.announces
        ? await show(postgres.manager)
        : await postgres.transaction(async (manager) => {
            await indexingStatus.hidePredecessors(manager, replacing, leaseToken);
            const shown = await show(manager);
            await insertFacts(manager, facts);
            return shown;
          });
    indexingStatus.publish(changes);
    if (replacing.length > 0) wake('remove-old-versions');
    if (searchable.some(({ awaitsGraph }) => awaitsGraph)) wake('build-graphs');
  }
}

function toNewFacts({ version, extraction }: PreparedVersion): NewFacts[] {
  if (!extraction) return [];
  const date = version.memory?.observationDate ?? version.app?.timestamp;
  return [{ version, extraction, observedAt: date ? new Date(date) : version.updatedAt }];
}

function storeOf({ databaseId, corpus }: QueuedVersion): Store {
  return { databaseId, corpus };
}

function storeName({ databaseId, corpus }: Store): string {
  return `${databaseId} ${corpus}`;
}
