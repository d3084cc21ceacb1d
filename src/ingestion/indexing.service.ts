import type { DataSource, EntityManager } from 'typeorm';
import { AppError, INGESTION_ERRORS } from '../errors.js';
import { extractByModel } from '../inference/extractors/model.js';
import type { Completer } from '../inference/completer.js';
import type { FactExtraction } from '../inference/facts.js';
import type { Embedder } from '../inference/embedder.js';
import type { JobOutcome } from '../jobs/define-job.js';
import type { Logger } from '../lib/logger.js';
import type { Store } from '../postgres/partitions.js';
import { errorCodeOf } from '../postgres/query.js';
import { IndexingStatus } from '../sources/indexing-status.js';
import type { IndexingStatusService } from '../sources/indexing-status.service.js';
import { heartbeatMs } from '../sources/indexing-queue.js';
import type { IndexingQueue, QueuedVersion } from '../sources/indexing-queue.js';
import type { MemoryContent } from '../sources/source.types.js';
import type { StatusChange } from '../sources/status-feed.js';
import type { LocalStorage } from '../storage/local-storage.js';
import { chunkRowsMax, insertChunks, removeSomeChunks } from './chunks.queries.js';
import type { NewChunk } from './chunks.queries.js';
import { insertFacts } from './facts.queries.js';
import type { NewFacts } from './facts.queries.js';
import type { KeywordStatistics } from './keyword-statistics.js';
import type { MemoryText } from './memory-text.js';
import { searchableText } from './prepare.js';
import type { PreparedChunk, PreparedItem, PrepareTask } from './prepare.js';
import type { PreparePool } from './prepare-pool.js';
import type { StoreMaintenance } from './store-maintenance.js';

interface IndexingOptions {
  readonly postgres: DataSource;
  readonly logger: Logger;
  readonly embedder: Embedder;
  /** Undefined: the rules extract facts. */
  readonly completer: Completer | undefined;
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
  readonly extraction?: FactExtraction | undefined;
}

// Versions of a claim that go through the pipeline together: small ones share one embedding call and few statements.
const groupBytesMax = 1_000_000;
const attemptsMax = 8;
// Who speaks in a file.
const userNameDefault = 'User';

/** The pipeline: parse and chunk, embed, store, make visible, build the graph. */
export class IndexingService {
  constructor(private readonly options: IndexingOptions) {}

  /** Indexes one batch of the queue. A version that fails is tried again later and never holds up the others. */
  async indexSome(signal: AbortSignal): Promise<JobOutcome> {
    const { queue, indexingStatus } = this.options;
    const { leaseToken, versions } = await queue.claim();
    if (versions.length === 0) return 'idle';
    const heartbeat = setInterval(() => {
      queue.extend(versions, leaseToken).catch((error: unknown) => {
        this.options.logger.warn({ err: error }, 'leases could not be extended');
      });
    }, heartbeatMs);
    try {
      const fresh = versions.filter((version) => !version.visible);
      indexingStatus.publish(fresh.map(toProcessing));
      await this.finish(
        versions.filter((version) => version.visible),
        leaseToken,
      );
      for (const group of groupBySize(fresh)) {
        if (signal.aborted) await queue.release(group, leaseToken);
        else await this.indexGroup(group, leaseToken);
      }
    } finally {
      clearInterval(heartbeat);
    }
    return 'worked';
  }

  private async indexGroup(group: readonly QueuedVersion[], leaseToken: string): Promise<void> {
    try {
      return await this.indexTogether(group, leaseToken);
    } catch (error) {
      if (group.length === 1 || isUnavailable(error)) return this.giveBack(group, leaseToken, error);
    }
    // One of them is at fault: each on its own, so that only that one waits. What the group stored is removed first.
    for (const version of group) await this.indexGroup([{ ...version, mayHaveChunks: true }], leaseToken);
  }

  private async indexTogether(group: readonly QueuedVersion[], leaseToken: string): Promise<void> {
    const prepared: PreparedVersion[] = [];
    for (const version of group) {
      const item = await this.prepare(version, leaseToken);
      if (item) prepared.push({ version, chunks: item.chunks, extraction: item.extraction });
    }
    const texts = prepared.flatMap(({ version, chunks }) =>
      chunks.map((chunk) => searchableText(version.title, chunk)),
    );
    const embeddings = await this.options.embedder.embedDocuments(texts);
    let next = 0;
    const rows = prepared.map(({ version, chunks }) => ({
      version,
      chunks: chunks.map((chunk): NewChunk => ({
        ...chunk,
        sourceUid: version.uid,
        collectionId: version.collectionId,
        embedding: embeddings[next++] ?? missingEmbedding(),
      })),
    }));
    for (const [store, versions] of byStore(rows)) await this.write(store, versions, leaseToken);
    await this.publish(prepared, leaseToken);
    await this.finish(
      prepared.map(({ version }) => version),
      leaseToken,
    );
  }

  /** The chunks and facts of a version; undefined when it ended errored. */
  private async prepare(version: QueuedVersion, leaseToken: string): Promise<PreparedItem | undefined> {
    const bytes = version.storageKey ? await this.options.storage.read(version.storageKey) : undefined;
    const task: PrepareTask = {
      title: version.title,
      file: bytes && { name: version.filename ?? '', contentType: version.contentType ?? undefined, bytes },
      memory: version.memory ? toMemoryText(version.memory) : undefined,
    };
    const result = await this.options.preparePool.prepare(
      version.infer ? { ...task, infer: await this.infer(version, task) } : task,
    );
    if ('chunks' in result) return result;
    const { errorCode, errorMessage } = result;
    await this.change([version], { to: IndexingStatus.errored, leaseToken, errorCode, errorMessage });
    return undefined;
  }

  /** What prepare() needs to know of facts: whose they are, and what a language model found. */
  private async infer(version: QueuedVersion, task: PrepareTask): Promise<PrepareTask['infer']> {
    const { completer, preparePool, logger } = this.options;
    const userName = version.memory?.userName ?? userNameDefault;
    if (!completer) return { userName };
    const texts = await preparePool.readInferredTexts(task);
    if ('errorCode' in texts) return { userName };
    const { observationDate, customInstructions } = version.memory ?? {};
    const extraction = await extractByModel(completer, {
      texts,
      userName,
      wishes: version.memory !== null,
      observationDate,
      customInstructions,
    });
    if (extraction.problem)
      logger.warn({ id: version.id, problem: extraction.problem }, 'facts extracted by rules');
    return { userName, extraction };
  }

  private async write(
    store: Store,
    rows: readonly { version: QueuedVersion; chunks: readonly NewChunk[] }[],
    leaseToken: string,
  ): Promise<void> {
    const { postgres, queue, keywordStatistics, maintenance } = this.options;
    for (const { version } of rows) {
      if (version.mayHaveChunks) await this.removeEarlierAttempt(store, version);
    }
    const versions = rows.map(({ version }) => version);
    const chunks = rows.flatMap((row) => row.chunks);
    const average = await keywordStatistics.averageLength(
      store,
      chunks.map((chunk) => chunk.length),
    );
    for (let start = 0; start < chunks.length; start += chunkRowsMax) {
      await postgres.transaction(async (manager) => {
        const held = await queue.hold(manager, versions, leaseToken);
        const batch = chunks.slice(start, start + chunkRowsMax).filter((chunk) => held.has(chunk.sourceUid));
        if (batch.length > 0) await insertChunks(manager, store, { chunks: batch, ...average });
      });
    }
    maintenance.touch(store, chunks.length);
  }

  private async removeEarlierAttempt(store: Store, version: QueuedVersion): Promise<void> {
    const remove = (manager: EntityManager) => removeSomeChunks(manager, store, version.uid);
    while ((await this.options.postgres.transaction(remove)) > 0);
  }

  private async publish(prepared: readonly PreparedVersion[], leaseToken: string): Promise<void> {
    const { postgres, queue, indexingStatus } = this.options;
    const changes = await postgres.transaction(async (manager) => {
      const held = await queue.hold(
        manager,
        prepared.map(({ version }) => version),
        leaseToken,
      );
      const ours = prepared.filter(({ version }) => held.has(version.uid));
      const searchable = ours.map(({ version, chunks }) => ({ ...version, chunkCount: chunks.length }));
      await insertFacts(manager, ours.flatMap(toNewFacts));
      return indexingStatus.makeSearchable(manager, searchable, leaseToken);
    });
    indexingStatus.publish(changes);
    this.options.wake('remove-old-versions');
    this.options.wake('maintain-stores');
  }

  // The graph of an item is empty until relations are extracted; the step is passed all the same.
  private async finish(versions: readonly QueuedVersion[], leaseToken: string): Promise<void> {
    await this.change(versions, { to: IndexingStatus.completed, leaseToken });
  }

  private async giveBack(
    versions: readonly QueuedVersion[],
    leaseToken: string,
    cause: unknown,
  ): Promise<void> {
    const errorCode = codeOf(cause);
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.options.logger.error({ items: versions.length, errorCode, reason }, 'indexing failed');
    const problem = { errorCode, errorMessage: INGESTION_ERRORS[errorCode] } as const;
    const again = versions.filter((version) => version.attempts < attemptsMax);
    const given = versions.filter((version) => version.attempts >= attemptsMax);
    await this.options.queue.retryLater(again, leaseToken, problem);
    await this.change(given, { to: IndexingStatus.errored, leaseToken, ...problem });
  }

  private async change(
    versions: readonly QueuedVersion[],
    transition: Parameters<IndexingStatusService['transition']>[2],
  ): Promise<void> {
    if (versions.length === 0) return;
    const { postgres, indexingStatus } = this.options;
    indexingStatus.publish(
      await postgres.transaction((manager) => indexingStatus.transition(manager, versions, transition)),
    );
  }
}

/** Whether something that items depend on is down, and no item is at fault. */
function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'SERVICE_UNAVAILABLE';
}

function codeOf(error: unknown): 'E4001' | 'E6001' | 'E9001' {
  if (isUnavailable(error)) return 'E4001';
  return errorCodeOf(error) === undefined ? 'E9001' : 'E6001';
}

function toProcessing({ databaseId, collection, corpus, id, acl }: QueuedVersion): StatusChange {
  return {
    databaseId,
    collection,
    corpus,
    id,
    indexingStatus: IndexingStatus.processing,
    errorCode: '',
    errorMessage: '',
    acl,
  };
}

function toMemoryText({ text, userAssistantPairs, isMarkdown, userName }: MemoryContent): MemoryText {
  return {
    ...(text === null ? {} : { text }),
    ...(userAssistantPairs === null ? {} : { userAssistantPairs }),
    isMarkdown,
    userName,
  };
}

function toNewFacts({ version, extraction }: PreparedVersion): NewFacts[] {
  const date = version.memory?.observationDate;
  return extraction
    ? [{ version, extraction, observedAt: date ? new Date(`${date}T00:00:00Z`) : version.updatedAt }]
    : [];
}

function missingEmbedding(): never {
  throw new AppError('INTERNAL_ERROR', 'the embedder returned fewer vectors than it was given texts');
}

function groupBySize(versions: readonly QueuedVersion[]): QueuedVersion[][] {
  const groups: QueuedVersion[][] = [];
  let bytes = Infinity;
  for (const version of versions) {
    if (bytes + version.contentBytes > groupBytesMax) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(version);
    bytes += version.contentBytes;
  }
  return groups;
}

function byStore<Row extends { version: QueuedVersion }>(rows: readonly Row[]): Map<Store, Row[]> {
  const stores = new Map<string, Store>();
  const grouped = new Map<Store, Row[]>();
  for (const row of rows) {
    const { databaseId, corpus } = row.version;
    const name = `${databaseId} ${corpus}`;
    const store = stores.get(name) ?? { databaseId, corpus };
    stores.set(name, store);
    grouped.set(store, [...(grouped.get(store) ?? []), row]);
  }
  return grouped;
}
