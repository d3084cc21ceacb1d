import type { EntityManager } from 'typeorm';
import type { ExtractedGraph } from '../graph/extraction/extracted-graph.js';
import type { StoredGraph } from '../graph/stored/stored-graph.js';
import type { FactExtraction } from '../inference/facts.js';
import { toldOn } from '../sources/app-items/told-on.js';
import { insertFacts } from '../sources/facts.queries.js';
import type { NewFacts } from '../sources/facts.queries.js';
import { lockHeld } from '../sources/status/indexing-queue.js';
import type { QueuedVersion } from '../sources/status/indexing-queue.js';
import { IndexingStatus } from '../sources/status/indexing-status.js';
import type { IndexingStatusService } from '../sources/status/indexing-status.service.js';
import { hidePredecessors } from '../sources/status/status-transitions.queries.js';
import type { FinalStatus } from '../sources/status/status-transitions.queries.js';
import type { Originals } from '../storage/originals.js';
import { removeSomeChunks } from './chunks.queries.js';
import type { StoredMetadataVectors } from './metadata-vectors.js';
import type { RefusedItem } from './preparation/prepare.js';
import type { PreparedItem, PreparePool } from './preparation/prepare-pool.js';
import { textTask, withPrepareTask } from './preparation/prepare-task.js';
import { preparedTogether } from './preparation/prepared-versions.js';
import type { PreparedVersion } from './preparation/prepared-versions.js';
import { StoredChunks } from './stored-chunks.js';
import type { StoredChunksOptions } from './stored-chunks.js';

interface PipelineOptions extends StoredChunksOptions {
  readonly metadataVectors: StoredMetadataVectors;
  readonly originals: Originals;
  readonly graph: StoredGraph;
  readonly indexingStatus: IndexingStatusService;
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
  private readonly chunks: StoredChunks;

  constructor(private readonly options: PipelineOptions) {
    this.chunks = new StoredChunks(options);
  }

  /**
   * Indexes versions. `extractions` are the facts that a language model found, by uid. @throws whatever a
   * step throws. What had been written by then is removed by the next attempt, or when there is none.
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

  /** Ends versions, and tells subscribers. Of those that nobody will ever search nothing stays stored. */
  async end(versions: readonly QueuedVersion[], status: FinalStatus): Promise<void> {
    if (versions.length === 0) return;
    const neverSearched =
      status.to === IndexingStatus.errored ? versions.filter(({ visible }) => !visible) : [];
    await this.removeEarlierAttempts(neverSearched);
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
    await this.removeEarlierAttempts(prepared.map(({ version }) => version));
    await this.chunks.write(prepared);
    await this.options.graph.store(prepared);
    const withLanes = prepared.map(({ version }) => version).filter(({ hasLanes }) => hasLanes);
    if (withLanes.length > 0) await this.options.metadataVectors.fill(withLanes);
    await this.makeSearchable(prepared);
  }

  private async removeEarlierAttempts(versions: readonly QueuedVersion[]): Promise<void> {
    for (const version of versions) if (version.mayHaveChunks) await this.removeEarlierAttempt(version);
  }

  /** If another worker has taken the version over, and may have completed it, nothing is removed. */
  private async removeEarlierAttempt(version: QueuedVersion): Promise<void> {
    const { postgres, graph } = this.options;
    const remove = async (manager: EntityManager) => {
      // Whoever is making further vectors of it has finished, or waits for this.
      if (!(await lockHeld(manager, version))) return 0;
      const chunks = await removeSomeChunks(manager, version, [version.uid]);
      return chunks + (await graph.removeSome(manager, version, [version.uid]));
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
  const date = toldOn(version) ?? sentAt;
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
