import type { DataSource, EntityManager } from 'typeorm';
import { AppError } from '../errors.js';
import type { Store } from '../postgres/partitions.js';
import { IndexingStatus } from '../sources/indexing-status.js';
import type { IndexingStatusService } from '../sources/indexing-status.service.js';
import type { IndexingQueue, QueuedVersion } from '../sources/indexing-queue.js';
import type { MemoryContent } from '../sources/source.types.js';
import type { LocalStorage } from '../storage/local-storage.js';
import { chunkRowsMax, insertChunks, removeSomeChunks } from './chunks.queries.js';
import type { EmbeddingCache } from './embedding-cache.js';
import type { AverageLength, KeywordStatistics } from './keyword-statistics.js';
import type { MemoryText } from './memory-text.js';
import type { StoredMetadataVectors } from './metadata-vectors.js';
import { searchableText } from './prepare.js';
import type { PreparedChunk, PrepareTask } from './prepare.js';
import { preparedAtOnceMax } from './prepare-pool.js';
import type { PreparePool } from './prepare-pool.js';
import type { StoreMaintenance } from './store-maintenance.js';

interface PipelineOptions {
  readonly postgres: DataSource;
  readonly embeddings: EmbeddingCache;
  readonly metadataVectors: StoredMetadataVectors;
  readonly storage: LocalStorage;
  readonly queue: IndexingQueue;
  readonly indexingStatus: IndexingStatusService;
  readonly keywordStatistics: KeywordStatistics;
  readonly maintenance: StoreMaintenance;
  readonly preparePool: PreparePool;
  readonly wake: (job: string) => void;
}

/** A version on its way through the pipeline, with its chunks. */
interface PreparedVersion {
  readonly version: QueuedVersion;
  readonly chunks: readonly PreparedChunk[];
}

/** One chunk of a group, with the version that it belongs to. */
interface GroupChunk {
  readonly version: QueuedVersion;
  readonly chunk: PreparedChunk;
}

/** Parse and chunk, embed, store, make visible, build the graph: for versions that go through it together. */
export class IndexingPipeline {
  constructor(private readonly options: PipelineOptions) {}

  /** @throws what any step throws; what was written by then is removed by the next attempt. */
  async index(group: readonly QueuedVersion[], leaseToken: string): Promise<void> {
    const prepared = await this.prepareAll(group, leaseToken);
    for (const { version } of prepared) {
      if (version.mayHaveChunks) await this.removeEarlierAttempt(version);
    }
    await this.write(prepared, leaseToken);
    await this.options.metadataVectors.fill(prepared.map(({ version }) => version));
    await this.makeSearchable(prepared, leaseToken);
    await this.finish(
      prepared.map(({ version }) => version),
      leaseToken,
    );
  }

  // The graph of an item is empty until relations are extracted; the step is passed all the same.
  async finish(versions: readonly QueuedVersion[], leaseToken: string): Promise<void> {
    await this.change(versions, { to: IndexingStatus.completed, leaseToken });
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
  ): Promise<readonly PreparedVersion[]> {
    const prepared = new Map<QueuedVersion, PreparedVersion>();
    const waiting = group.values();
    const work = async () => {
      for (const version of waiting) {
        const chunks = await this.prepare(version, leaseToken);
        if (chunks) prepared.set(version, { version, chunks });
      }
    };
    await Promise.all(Array.from({ length: preparedAtOnceMax }, work));
    return group.flatMap((version) => prepared.get(version) ?? []);
  }

  /** The chunks of a version; undefined when it ended errored. */
  private async prepare(
    version: QueuedVersion,
    leaseToken: string,
  ): Promise<readonly PreparedChunk[] | undefined> {
    const { storage, preparePool } = this.options;
    const task: PrepareTask = {
      title: version.title,
      file: version.storageKey
        ? {
            name: version.filename ?? '',
            contentType: version.contentType ?? undefined,
            path: storage.path(version.storageKey),
          }
        : undefined,
      memory: version.memory ? toMemoryText(version.memory) : undefined,
      app: version.app ?? undefined,
    };
    const result = await preparePool.prepare(task, version.contentBytes);
    if ('chunks' in result) return result.chunks;
    const { errorCode, errorMessage } = result;
    await this.change([version], { to: IndexingStatus.errored, leaseToken, errorCode, errorMessage });
    return undefined;
  }

  /** In windows, so that no more than two of them are held as vectors, and the next is embedded while one is written. */
  private async write(prepared: readonly PreparedVersion[], leaseToken: string): Promise<void> {
    const chunks = prepared.flatMap(({ version, chunks: own }) => own.map((chunk) => ({ version, chunk })));
    const averages = await this.averageLengths(prepared);
    let embedding = this.embed(chunks.slice(0, chunkRowsMax));
    for (let start = 0; start < chunks.length; start += chunkRowsMax) {
      const window = chunks.slice(start, start + chunkRowsMax);
      const vectors = await embedding;
      embedding = this.embed(chunks.slice(start + chunkRowsMax, start + 2 * chunkRowsMax));
      // Awaited above, unless writing fails first.
      embedding.catch(() => undefined);
      await this.writeWindow(window, { vectors, averages, leaseToken });
    }
  }

  private async embed(chunks: readonly GroupChunk[]): Promise<Float32Array[]> {
    if (chunks.length === 0) return [];
    const vectors = await this.options.embeddings.embed(
      chunks.map(({ version, chunk }) => ({
        databaseId: version.databaseId,
        text: searchableText(version.title, chunk),
      })),
    );
    if (vectors.length === chunks.length) return vectors;
    throw new AppError('INTERNAL_ERROR', 'the embedder returned fewer vectors than it was given texts');
  }

  private async averageLengths(
    prepared: readonly PreparedVersion[],
  ): Promise<ReadonlyMap<string, AverageLength>> {
    const averages = new Map<string, AverageLength>();
    for (const [name, rows] of groupBy(prepared, ({ version }) => storeName(version))) {
      const [first] = rows;
      if (!first) continue;
      const lengths = rows.flatMap(({ chunks }) => chunks.map((chunk) => chunk.length));
      averages.set(name, await this.options.keywordStatistics.averageLength(storeOf(first.version), lengths));
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
      vectors: readonly Float32Array[];
      averages: ReadonlyMap<string, AverageLength>;
      leaseToken: string;
    },
  ): Promise<void> {
    const { postgres, queue, maintenance } = this.options;
    const rows = window.map(({ version, chunk }, index) => ({ version, chunk, embedding: vectors[index] }));
    for (const [name, own] of groupBy(rows, ({ version }) => storeName(version))) {
      const [first] = own;
      const average = averages.get(name);
      if (!first || !average) continue;
      const store = storeOf(first.version);
      await postgres.transaction(async (manager) => {
        const held = await queue.hold(manager, [...new Set(own.map(({ version }) => version))], leaseToken);
        const chunks = own.flatMap(({ version, chunk, embedding }) =>
          embedding && held.has(version.uid)
            ? [{ ...chunk, sourceUid: version.uid, collectionId: version.collectionId, embedding }]
            : [],
        );
        if (chunks.length > 0) await insertChunks(manager, store, { chunks, ...average });
      });
      maintenance.touch(store, own.length);
    }
  }

  private async removeEarlierAttempt(version: QueuedVersion): Promise<void> {
    const remove = (manager: EntityManager) => removeSomeChunks(manager, storeOf(version), version.uid);
    while ((await this.options.postgres.transaction(remove)) > 0);
  }

  private async makeSearchable(prepared: readonly PreparedVersion[], leaseToken: string): Promise<void> {
    const { postgres, queue, indexingStatus, wake } = this.options;
    const changes = await postgres.transaction(async (manager) => {
      const held = await queue.hold(
        manager,
        prepared.map(({ version }) => version),
        leaseToken,
      );
      const ours = prepared.filter(({ version }) => held.has(version.uid));
      const searchable = ours.map(({ version, chunks }) => ({ ...version, chunkCount: chunks.length }));
      return indexingStatus.makeSearchable(manager, searchable, leaseToken);
    });
    indexingStatus.publish(changes);
    wake('remove-old-versions');
    wake('maintain-stores');
  }
}

function toMemoryText({ text, userAssistantPairs, isMarkdown, userName }: MemoryContent): MemoryText {
  return {
    ...(text === null ? {} : { text }),
    ...(userAssistantPairs === null ? {} : { userAssistantPairs }),
    isMarkdown,
    userName,
  };
}

function storeOf({ databaseId, corpus }: QueuedVersion): Store {
  return { databaseId, corpus };
}

function storeName({ databaseId, corpus }: QueuedVersion): string {
  return `${databaseId} ${corpus}`;
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
