import { modelMismatch, vectorTargets } from '../databases/reembedding.js';
import { AppError, INGESTION_ERRORS } from '../errors.js';
import type { IngestionErrorCode } from '../errors.js';
import type { Embedders } from '../inference/embedders.js';
import { currentSignal } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import { groupBy } from '../lib/group-by.js';
import type { Logger } from '../lib/logger.js';
import { hourMs } from '../lib/units.js';
import { isStoreUnavailable } from '../postgres/outage.js';
import { isUndefinedTable } from '../postgres/query.js';
import type { IndexingQueue, QueuedVersion } from '../sources/status/indexing-queue.js';
import { IndexingStatus } from '../sources/status/indexing-status.js';
import { StorageFailure, lacksRoom } from '../storage/storage-failure.js';
import type { Dependency } from './dependency.js';
import { codeOf, loggedReason, messageOf } from './item-problem.js';
import type { TransientCode } from './item-problem.js';
import type { IndexingPipeline } from './pipeline.js';

export interface IndexingFailuresOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly queue: IndexingQueue;
  readonly pipeline: IndexingPipeline;
  readonly embedders: Embedders;
  readonly embedding: Dependency;
  /** Postgres. */
  readonly storage: Dependency;
  readonly originals: Dependency;
  /** Undefined when rules extract facts and graphs. */
  readonly languageModel: { readonly dependency: Dependency } | undefined;
  /** How long a dependency may hold up an item before that ends errored, in milliseconds. */
  readonly heldMsMax: number;
}

const attemptsMax = 8;
// How often an item is checked for whether the server has its database's model by now.
const modelRetryMs = 60_000;
const roomRetryMs = 60_000;

/**
 * Decides what a failure means for versions: while a dependency is down they wait and use up no tries;
 * otherwise the one at fault is tried again later, and ends errored after its last try.
 */
export class IndexingFailures {
  /** Databases whose items wait for a model, as the log knows. */
  private readonly withoutModel = new Set<number>();

  constructor(private readonly options: IndexingFailuresOptions) {}

  /** Ends a version that a dependency has held up for too long. */
  async endHeld(version: QueuedVersion, errorCode: IngestionErrorCode): Promise<void> {
    const { pipeline, heldMsMax } = this.options;
    if (lacksModelOnly(version, errorCode)) return pipeline.finish([version]);
    const errorMessage = `${INGESTION_ERRORS[errorCode]}: no answer in ${heldMsMax / hourMs} hours`;
    await pipeline.end([version], { to: IndexingStatus.errored, errorCode, errorMessage });
  }

  /** Puts items aside whose database needs a model that this server does not run; returns the others. */
  async holdWithoutModel(group: readonly QueuedVersion[]): Promise<readonly QueuedVersion[]> {
    const { embedders, queue, clock, logger } = this.options;
    const held = group.filter(({ vectors }) => vectorTargets(vectors, embedders).length === 0);
    for (const [databaseId, versions] of groupBy(held, (version) => version.databaseId)) {
      const [first] = versions;
      if (!first) continue;
      const errorMessage = modelMismatch('the database', first.vectors, embedders.main);
      const level = this.withoutModel.has(databaseId) ? 'debug' : 'warn';
      logger[level]({ databaseId, items: versions.length, reason: errorMessage }, 'indexing waits');
      this.withoutModel.add(databaseId);
      const until = new Date(clock.now().getTime() + modelRetryMs);
      await queue.block(versions, { errorCode: 'E4001', errorMessage, until });
    }
    const embeddable = group.filter((version) => !held.includes(version));
    for (const { databaseId } of embeddable) this.withoutModel.delete(databaseId);
    return embeddable;
  }

  /** Puts items aside whose originals cannot be read at the moment; returns the others. */
  async holdUnreadable(group: readonly QueuedVersion[]): Promise<readonly QueuedVersion[]> {
    const { originals: dependency } = this.options;
    const held = group.filter(({ storageKey }) => storageKey !== null);
    if (held.length === 0 || (await dependency.isUp())) return group;
    await this.block(held, { dependency, error: new StorageFailure(undefined) });
    return group.filter(({ storageKey }) => storageKey === null);
  }

  /** Has a version wait, about which the language model could not be asked. */
  async putOff(version: QueuedVersion, error: unknown): Promise<void> {
    const { originals, languageModel } = this.options;
    const isUnreadable = error instanceof StorageFailure;
    const dependency = isUnreadable ? originals : languageModel?.dependency;
    const isOutage = dependency && error instanceof AppError && error.kind === 'SERVICE_UNAVAILABLE';
    if (isOutage && (!(await dependency.isUp()) || (await dependency.failed(error))))
      return this.block([version], { dependency, error });
    const errorCode = version.visible || (isOutage && !isUnreadable) ? 'E5001' : codeOf(error);
    return this.useUpTry(version, { errorCode, error });
  }

  /**
   * Works on versions together, and on each alone if that fails and no dependency is at fault. So one that
   * fails never holds up the others. @throws the reason of the signal that cancels this work, whatever failed then
   */
  async attempt(
    group: readonly QueuedVersion[],
    work: (versions: readonly QueuedVersion[]) => Promise<void>,
  ): Promise<void> {
    if (group.length === 0) return;
    let there = group;
    try {
      return await work(group);
    } catch (error) {
      currentSignal()?.throwIfAborted();
      // A deleted database takes its tables and items with it.
      if (isUndefinedTable(error)) there = await this.options.queue.withDatabase(group);
      const dependency = this.dependencyOf(error);
      if (dependency && (await dependency.failed(error))) return this.block(group, { dependency, error });
      const [only, ...others] = there;
      if (group.length === 1 && only && others.length === 0)
        return lacksRoom(error)
          ? this.awaitRoom(only, error)
          : this.useUpTry(only, { errorCode: codeOf(error), error });
    }
    // One of them is at fault, so each is tried alone and only that one waits. What the group has stored is
    // removed first.
    for (const version of there) await this.attempt([{ ...version, mayHaveChunks: true }], work);
  }

  /** The dependency that seems to have failed, rather than an item. */
  private dependencyOf(error: unknown): Dependency | undefined {
    if (error instanceof StorageFailure) return this.options.originals;
    if (error instanceof AppError && error.kind === 'SERVICE_UNAVAILABLE') return this.options.embedding;
    return isStoreUnavailable(error) ? this.options.storage : undefined;
  }

  /** Has versions wait for a dependency that is down. */
  async block(
    versions: readonly QueuedVersion[],
    { dependency, error }: { dependency: Pick<Dependency, 'errorCode' | 'retryAt'>; error: unknown },
  ): Promise<void> {
    const { errorCode, retryAt: until } = dependency;
    // A warning of the dependency tells that it is down, once and not for every item.
    this.options.logger.debug({ items: versions.length, errorCode }, 'indexing waits');
    const errorMessage = messageOf(error, errorCode);
    await this.options.queue.block(versions, { errorCode, errorMessage, until });
  }

  /** Has a version wait that needs more room on the disk than is left, though a probe finds some. */
  private async awaitRoom(version: QueuedVersion, error: unknown): Promise<void> {
    const { logger, clock, originals } = this.options;
    logger.warn({ ...namesOf(version), reason: loggedReason(error) }, 'indexing waits for room on the disk');
    const retryAt = new Date(clock.now().getTime() + roomRetryMs);
    await this.block([version], { dependency: { errorCode: originals.errorCode, retryAt }, error });
  }

  /** Uses up a try of a version: it is tried again later, or ends after the last one. */
  private async useUpTry(
    version: QueuedVersion,
    { errorCode, error }: { errorCode: TransientCode; error: unknown },
  ): Promise<void> {
    const { logger, pipeline, queue } = this.options;
    const { attempts } = version;
    const logged = { ...namesOf(version), attempts, errorCode, reason: loggedReason(error) };
    const problem = { errorCode, errorMessage: messageOf(error, errorCode) } as const;
    if (attempts < attemptsMax) {
      logger.warn(logged, 'indexing will be tried again');
      return queue.retryLater(version, problem);
    }
    logger.error(logged, 'indexing failed');
    if (lacksModelOnly(version, errorCode)) return pipeline.finish([version]);
    return pipeline.end([version], { to: IndexingStatus.errored, ...problem });
  }
}

/** What the log calls a version. */
function namesOf({ databaseId, collection, corpus, id }: QueuedVersion): object {
  return { databaseId, collection, corpus, id };
}

/** It is searchable and can have a graph by rules, so it need not end errored. */
function lacksModelOnly({ visible }: QueuedVersion, errorCode: IngestionErrorCode): boolean {
  return visible && errorCode === 'E5001';
}
