import { modelMismatch, vectorTargets } from '../databases/reembedding.js';
import { AppError, INGESTION_ERRORS } from '../errors.js';
import type { IngestionErrorCode } from '../errors.js';
import type { ExtractedGraph } from '../graph/extraction/extracted-graph.js';
import type { Embedders } from '../inference/embedders.js';
import type { FactExtraction } from '../inference/facts.js';
import type { JobOutcome, Wake } from '../jobs/define-job.js';
import { addToList } from '../lib/add-to-list.js';
import { readRecently } from '../lib/background.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { reasonOf } from '../lib/reason-of.js';
import { isStoreUnavailable } from '../postgres/outage.js';
import { isUndefinedTable } from '../postgres/query.js';
import { heartbeatMs } from '../sources/status/indexing-queue.js';
import type { Claim, IndexingQueue, QueuedVersion } from '../sources/status/indexing-queue.js';
import { IndexingStatus } from '../sources/status/indexing-status.js';
import type { IndexingStatusService } from '../sources/status/indexing-status.service.js';
import type { StatusChange } from '../sources/status/status-feed.js';
import { StorageFailure } from '../storage/storage-failure.js';
import type { Dependency } from './dependency.js';
import { codeOf, loggedReason, messageOf } from './item-problem.js';
import type { TransientCode } from './item-problem.js';
import type { ModelInference } from './model-inference.js';
import type { Extractions, IndexingPipeline } from './pipeline.js';

interface LanguageModel {
  readonly inference: ModelInference;
  readonly dependency: Dependency;
}

/** A question to the language model about versions. */
interface Question<Answer> {
  readonly isAbout: (version: QueuedVersion) => boolean;
  readonly ask: (model: LanguageModel, version: QueuedVersion) => Promise<Answer | undefined>;
}

interface IndexingOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly queue: IndexingQueue;
  readonly indexingStatus: IndexingStatusService;
  readonly pipeline: IndexingPipeline;
  readonly embedders: Embedders;
  readonly embedding: Dependency;
  /** Postgres. */
  readonly storage: Dependency;
  readonly originals: Dependency;
  /** Undefined when rules extract facts and graphs. */
  readonly languageModel: LanguageModel | undefined;
  /** How long a dependency may hold up an item before that ends errored. */
  readonly heldMsMax: number;
  readonly wake: Wake;
}

// Bytes of the versions that go through the pipeline together: small ones share one embedding call and few
// statements.
const groupBytesMax = 1_000_000;
const attemptsMax = 8;
const groupsBeforeMaintenance = 20;
// How often an item is checked for whether the server has its database's model by now.
const modelRetryMs = 60_000;

/** Takes versions from the queue through the pipeline, and decides what a failure means for them. */
export class IndexingService {
  /** How many batches of small items are under way. */
  private batches = 0;
  /** How many groups were indexed since stores were last maintained. */
  private groups = 0;

  constructor(private readonly options: IndexingOptions) {}

  /**
   * Indexes one batch from the queue. A version that fails is tried again later, and never holds up the
   * others.
   */
  async indexSome(large: boolean, signal: AbortSignal): Promise<JobOutcome> {
    const { embedding, storage } = this.options;
    if (!(await storage.isUp()) || !(await embedding.isUp())) return 'idle';
    // A second batch uses a machine that is otherwise idle. Large items never count as one.
    if (large) return this.indexClaim('large', signal);
    if (this.batches > 0 && readRecently()) return 'idle';
    this.batches += 1;
    return this.indexClaim('small', signal).finally(() => {
      this.batches -= 1;
    });
  }

  private async indexClaim(kind: 'small' | 'large', signal: AbortSignal): Promise<JobOutcome> {
    const { queue, indexingStatus } = this.options;
    const claim = await queue.claim(kind);
    if (claim.versions.length === 0) {
      this.maintain();
      return 'idle';
    }
    return this.underHeartbeat(claim, async ({ versions, leaseToken }) => {
      await indexingStatus.publishClaimed(versions.map(toProcessing));
      for (const group of groupBySize(versions)) {
        if (signal.aborted) {
          await queue.release(group, leaseToken);
          continue;
        }
        const embeddable = await this.holdWithoutModel(group, leaseToken);
        const readable = await this.holdUnreadable(embeddable, leaseToken);
        const { asked, answers } = await this.askEach(readable, factsOf(signal), { leaseToken, signal });
        await this.indexGroup(asked, leaseToken, { extractions: answers, signal });
        this.groups += 1;
        if (this.groups >= groupsBeforeMaintenance) this.maintain();
      }
    });
  }

  /**
   * Builds the graphs of searchable versions: the next one by the language model, or a batch by rules where
   * there is none. While the model is down versions wait, show why, and use up no tries.
   */
  async buildGraphs(signal: AbortSignal): Promise<JobOutcome> {
    const { queue, storage, languageModel } = this.options;
    if (!(await storage.isUp())) return 'idle';
    const isHeld = languageModel !== undefined && !(await languageModel.dependency.isUp());
    const kind = isHeld ? 'unheldGraphs' : languageModel ? 'nextGraph' : 'graphs';
    const claim = await queue.claim(kind);
    if (claim.versions.length === 0) return 'idle';
    return this.underHeartbeat(claim, async ({ versions, leaseToken }) => {
      if (isHeld) {
        const { dependency } = languageModel;
        return this.block(versions, leaseToken, { dependency, error: new Error('it did not answer lately') });
      }
      await this.attempt(versions, leaseToken, async (group) => {
        const { asked, answers } = await this.askEach(group, graphsOf(signal), { leaseToken, signal });
        await this.options.pipeline.finish(asked, leaseToken, answers);
        storage.succeeded();
      });
    });
  }

  /** Stores are maintained when there is nothing to index, and from time to time while there is. */
  private maintain(): void {
    if (this.groups === 0) return;
    this.groups = 0;
    this.options.wake('maintain-stores');
  }

  /** Ends some items that a dependency has held up for too long. */
  async endHopeless(): Promise<JobOutcome> {
    const { queue, clock, heldMsMax, logger } = this.options;
    const claim = await queue.claimHopeless(new Date(clock.now().getTime() - heldMsMax));
    if (claim.versions.length === 0) return 'idle';
    return this.underHeartbeat(claim, async ({ versions, leaseToken }) => {
      for (const version of versions) {
        const errorCode = claim.errorCodes.get(version.uid) as IngestionErrorCode;
        try {
          await this.endHeld(version, leaseToken, errorCode);
        } catch (error) {
          if (isStoreUnavailable(error)) throw error;
          // Claimed again when its lease lapses; the others do not wait for that.
          logger.error({ errorCode, reason: reasonOf(error) }, 'an item could not be ended');
        }
      }
    });
  }

  private async endHeld(
    version: QueuedVersion,
    leaseToken: string,
    errorCode: IngestionErrorCode,
  ): Promise<void> {
    const { pipeline, heldMsMax } = this.options;
    if (lacksModelOnly(version, errorCode)) return pipeline.finish([version], leaseToken);
    const errorMessage = `${INGESTION_ERRORS[errorCode]}: no answer in ${heldMsMax / 3_600_000} hours`;
    await pipeline.change([version], { to: IndexingStatus.errored, leaseToken, errorCode, errorMessage });
  }

  private async underHeartbeat(claim: Claim, work: (claim: Claim) => Promise<void>): Promise<JobOutcome> {
    const heartbeat = setInterval(() => {
      this.options.queue.extend(claim.versions, claim.leaseToken).catch((error: unknown) => {
        this.options.logger.warn({ err: error }, 'leases could not be extended');
      });
    }, heartbeatMs);
    try {
      await work(claim);
    } finally {
      clearInterval(heartbeat);
    }
    return 'worked';
  }

  /** Puts items aside whose database needs a model that this server does not run; returns the others. */
  private async holdWithoutModel(
    group: readonly QueuedVersion[],
    leaseToken: string,
  ): Promise<readonly QueuedVersion[]> {
    const { embedders, queue, clock } = this.options;
    const held = group.filter(({ vectors }) => vectorTargets(vectors, embedders).length === 0);
    for (const [databaseId, versions] of groupBy(held, (version) => version.databaseId)) {
      const [first] = versions;
      if (!first) continue;
      const errorMessage = modelMismatch('the database', first.vectors, embedders.main);
      this.options.logger.warn(
        { databaseId, items: versions.length, reason: errorMessage },
        'indexing waits',
      );
      const until = new Date(clock.now().getTime() + modelRetryMs);
      await queue.block(versions, leaseToken, { errorCode: 'E4001', errorMessage, until });
    }
    return group.filter((version) => !held.includes(version));
  }

  /** Puts items aside whose originals cannot be read at the moment; returns the others. */
  private async holdUnreadable(
    group: readonly QueuedVersion[],
    leaseToken: string,
  ): Promise<readonly QueuedVersion[]> {
    const { originals: dependency } = this.options;
    const held = group.filter(({ storageKey }) => storageKey !== null);
    if (held.length === 0 || (await dependency.isUp())) return group;
    await this.block(held, leaseToken, { dependency, error: new StorageFailure(undefined) });
    return group.filter(({ storageKey }) => storageKey === null);
  }

  /**
   * Asks the language model about each version that a question concerns; those that cannot be asked about
   * wait.
   */
  private async askEach<Answer>(
    group: readonly QueuedVersion[],
    { isAbout, ask }: Question<Answer>,
    { leaseToken, signal }: { leaseToken: string; signal: AbortSignal },
  ): Promise<{ asked: readonly QueuedVersion[]; answers: ReadonlyMap<string, Answer> }> {
    const { languageModel, queue } = this.options;
    const answers = new Map<string, Answer>();
    const asked: QueuedVersion[] = [];
    for (const version of group) {
      try {
        if (languageModel && isAbout(version)) {
          const answer = await ask(languageModel, version);
          if (answer) answers.set(version.uid, answer);
          languageModel.dependency.succeeded();
        }
        asked.push(version);
      } catch (error) {
        if (isStoreUnavailable(error)) throw error;
        if (signal.aborted) await queue.release([version], leaseToken);
        else await this.putOff(version, leaseToken, error);
      }
    }
    return { asked, answers };
  }

  private async putOff(version: QueuedVersion, leaseToken: string, error: unknown): Promise<void> {
    const { originals, languageModel } = this.options;
    const isUnreadable = error instanceof StorageFailure;
    const dependency = isUnreadable ? originals : languageModel?.dependency;
    const isOutage = dependency && error instanceof AppError && error.kind === 'SERVICE_UNAVAILABLE';
    if (isOutage && !(await dependency.isUp()))
      return this.block([version], leaseToken, { dependency, error });
    if (isOutage && (await dependency.isDown()))
      return this.block([version], leaseToken, { dependency, error });
    const errorCode = version.visible || (isOutage && !isUnreadable) ? 'E5001' : codeOf(error);
    return this.giveBack([version], leaseToken, { errorCode, error });
  }

  private async indexGroup(
    group: readonly QueuedVersion[],
    leaseToken: string,
    options: { extractions: Extractions; signal: AbortSignal },
  ): Promise<void> {
    const { pipeline, embedding, storage, queue } = this.options;
    await this.attempt(group, leaseToken, async (versions) => {
      try {
        await pipeline.index(versions, leaseToken, options);
      } catch (error) {
        const isStopped = options.signal.aborted && error === options.signal.reason;
        // A release forgets the attempt, which must not happen if it has written chunks.
        if (!isStopped || versions.some(({ mayHaveChunks }) => mayHaveChunks)) throw error;
        return queue.release(versions, leaseToken);
      }
      embedding.succeeded();
      storage.succeeded();
    });
  }

  private async attempt(
    group: readonly QueuedVersion[],
    leaseToken: string,
    work: (versions: readonly QueuedVersion[]) => Promise<void>,
  ): Promise<void> {
    if (group.length === 0) return;
    let there = group;
    try {
      return await work(group);
    } catch (error) {
      // A deleted database takes its tables and items with it.
      if (isUndefinedTable(error)) there = await this.options.queue.withDatabase(group);
      const dependency = this.dependencyOf(error);
      if (dependency && (await dependency.isDown()))
        return this.block(group, leaseToken, { dependency, error });
      if (group.length === 1 && there.length === 1)
        return this.giveBack(group, leaseToken, { errorCode: codeOf(error), error });
    }
    // One of them is at fault, so each is tried alone and only that one waits. What the group has stored is
    // removed first.
    for (const version of there) await this.attempt([{ ...version, mayHaveChunks: true }], leaseToken, work);
  }

  /** The dependency that seems to have failed, rather than an item. */
  private dependencyOf(error: unknown): Dependency | undefined {
    if (error instanceof StorageFailure) return this.options.originals;
    if (error instanceof AppError && error.kind === 'SERVICE_UNAVAILABLE') return this.options.embedding;
    return isStoreUnavailable(error) ? this.options.storage : undefined;
  }

  private async block(
    versions: readonly QueuedVersion[],
    leaseToken: string,
    { dependency, error }: { dependency: Dependency; error: unknown },
  ): Promise<void> {
    const { errorCode, retryAt: until } = dependency;
    this.options.logger.warn(
      { items: versions.length, errorCode, reason: loggedReason(error) },
      'indexing waits',
    );
    const errorMessage = messageOf(error, errorCode);
    await this.options.queue.block(versions, leaseToken, { errorCode, errorMessage, until });
  }

  private async giveBack(
    versions: readonly QueuedVersion[],
    leaseToken: string,
    { errorCode, error }: { errorCode: TransientCode; error: unknown },
  ): Promise<void> {
    this.options.logger.error(
      { items: versions.length, errorCode, reason: loggedReason(error) },
      'indexing failed',
    );
    const problem = { errorCode, errorMessage: messageOf(error, errorCode) } as const;
    const again = versions.filter((version) => version.attempts < attemptsMax);
    const given = versions.filter((version) => version.attempts >= attemptsMax);
    const byRules = given.filter((version) => lacksModelOnly(version, errorCode));
    const errored = given.filter((version) => !byRules.includes(version));
    await this.options.queue.retryLater(again, leaseToken, problem);
    if (byRules.length > 0) await this.options.pipeline.finish(byRules, leaseToken);
    await this.options.pipeline.change(errored, { to: IndexingStatus.errored, leaseToken, ...problem });
  }
}

function factsOf(signal: AbortSignal): Question<FactExtraction> {
  return {
    isAbout: ({ infer }) => infer,
    ask: async ({ inference, dependency }, version) => {
      if (!(await dependency.isUp())) throw new AppError('SERVICE_UNAVAILABLE', 'it did not answer lately');
      return inference.extract(version, signal);
    },
  };
}

function graphsOf(signal: AbortSignal): Question<ExtractedGraph> {
  return {
    isAbout: ({ hasGraph }) => !hasGraph,
    ask: ({ inference }, version) => inference.extractGraph(version, signal),
  };
}

/** It is searchable and can have a graph by rules, so it need not end errored. */
function lacksModelOnly({ visible }: QueuedVersion, errorCode: IngestionErrorCode): boolean {
  return visible && errorCode === 'E5001';
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

function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) addToList(groups, keyOf(row), row);
  return groups;
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
