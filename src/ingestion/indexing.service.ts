import { AppError } from '../errors.js';
import type { ExtractedGraph } from '../graph/extraction/extracted-graph.js';
import type { FactExtraction } from '../inference/facts.js';
import type { JobOutcome, Wake } from '../jobs/define-job.js';
import { readRecently } from '../lib/background.js';
import { currentSignal, runCancellable } from '../lib/cancellation.js';
import { underHeartbeat } from '../lib/heartbeat.js';
import { reasonOf } from '../lib/reason-of.js';
import { isStoreUnavailable } from '../postgres/outage.js';
import { heartbeatMs } from '../sources/status/indexing-queue.js';
import type { QueuedVersion } from '../sources/status/indexing-queue.js';
import { IndexingStatus } from '../sources/status/indexing-status.js';
import type { IndexingStatusService } from '../sources/status/indexing-status.service.js';
import type { StatusChange } from '../sources/status/status-feed.js';
import type { Dependency } from './dependency.js';
import { IndexingFailures } from './indexing-failures.js';
import type { IndexingFailuresOptions } from './indexing-failures.js';
import type { ModelInference } from './model-inference.js';

interface LanguageModel {
  readonly inference: ModelInference;
  readonly dependency: Dependency;
}

/** A question to the language model about versions. */
interface Question<Answer> {
  readonly isAbout: (version: QueuedVersion) => boolean;
  readonly ask: (model: LanguageModel, version: QueuedVersion) => Promise<Answer | undefined>;
}

interface IndexingOptions extends IndexingFailuresOptions {
  readonly indexingStatus: IndexingStatusService;
  readonly languageModel: LanguageModel | undefined;
  readonly wake: Wake;
}

// Bytes of the versions that go through the pipeline together: small ones share one embedding call and few
// statements.
const groupBytesMax = 1_000_000;
const groupsBeforeMaintenance = 20;

/** Takes versions from the queue through the pipeline, batch by batch. */
export class IndexingService {
  /** How many batches of small items are under way. */
  private batches = 0;
  /** How many groups were indexed since stores were last maintained. */
  private groups = 0;

  private readonly failures: IndexingFailures;

  constructor(private readonly options: IndexingOptions) {
    this.failures = new IndexingFailures(options);
  }

  /**
   * Indexes one batch of small items, or of large ones, from the queue. A version that fails is tried again later, and never holds up the
   * others.
   */
  async indexSome(kind: 'small' | 'large', signal: AbortSignal): Promise<JobOutcome> {
    const { embedding, storage } = this.options;
    if (!(await storage.isUp()) || !(await embedding.isUp())) return 'idle';
    // A second batch uses a machine that is otherwise idle. Large items never count as one.
    if (kind === 'large') return this.indexClaim(kind, signal);
    if (this.batches > 0 && readRecently()) return 'idle';
    this.batches += 1;
    return this.indexClaim(kind, signal).finally(() => {
      this.batches -= 1;
    });
  }

  private async indexClaim(kind: 'small' | 'large', signal: AbortSignal): Promise<JobOutcome> {
    const { queue, indexingStatus } = this.options;
    const versions = await queue.claim(kind);
    if (versions.length === 0) {
      this.maintain();
      return 'idle';
    }
    return this.underHeartbeat(versions, async () => {
      await indexingStatus.publishClaimed(versions.map(toProcessing));
      for (const group of groupBySize(versions)) {
        if (signal.aborted) {
          await queue.release(group, { begun: false });
          continue;
        }
        await this.untilStopped(signal, group, () => this.indexGroup(group, signal));
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
    const versions = await queue.claim(kind);
    if (versions.length === 0) return 'idle';
    return this.underHeartbeat(versions, async () => {
      if (isHeld) {
        const { dependency } = languageModel;
        return this.failures.block(versions, {
          dependency,
          error: new Error('it did not answer lately'),
        });
      }
      await this.untilStopped(signal, versions, () =>
        this.failures.attempt(versions, async (group) => {
          const { asked, answers } = await this.askEach(group, graphsOf(signal));
          await this.options.pipeline.finish(asked, answers);
          storage.succeeded();
        }),
      );
    });
  }

  /**
   * Works on versions until the signal aborts, which also cancels statements and calls to models; then those that are
   * still held are given back: whatever failed was no fault of theirs.
   */
  private async untilStopped(
    signal: AbortSignal,
    versions: readonly QueuedVersion[],
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await runCancellable(signal, work);
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.options.queue.release(versions, { begun: true });
    }
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
    const versions = await queue.claimHopeless(new Date(clock.now().getTime() - heldMsMax));
    if (versions.length === 0) return 'idle';
    return this.underHeartbeat(versions, async () => {
      for (const version of versions) {
        const { errorCode } = version;
        try {
          await this.failures.endHeld(version, errorCode);
        } catch (error) {
          if (isStoreUnavailable(error)) throw error;
          // Claimed again when its lease lapses; the others do not wait for that.
          logger.error({ errorCode, reason: reasonOf(error) }, 'an item could not be ended');
        }
      }
    });
  }

  private async underHeartbeat(
    versions: readonly QueuedVersion[],
    work: () => Promise<void>,
  ): Promise<JobOutcome> {
    const { queue, logger } = this.options;
    const beat = () =>
      queue
        .extend(versions)
        .catch((error: unknown) => logger.warn({ err: error }, 'leases could not be extended'));
    await underHeartbeat({ everyMs: heartbeatMs, beat }, work);
    return 'worked';
  }

  /**
   * Asks the language model about each version that a question concerns; those that cannot be asked about
   * wait.
   */
  private async askEach<Answer>(
    group: readonly QueuedVersion[],
    { isAbout, ask }: Question<Answer>,
  ): Promise<{ asked: readonly QueuedVersion[]; answers: ReadonlyMap<string, Answer> }> {
    const { languageModel } = this.options;
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
        currentSignal()?.throwIfAborted();
        if (isStoreUnavailable(error)) throw error;
        await this.failures.putOff(version, error);
      }
    }
    return { asked, answers };
  }

  private async indexGroup(group: readonly QueuedVersion[], signal: AbortSignal): Promise<void> {
    const { pipeline, embedding, storage } = this.options;
    const embeddable = await this.failures.holdWithoutModel(group);
    const readable = await this.failures.holdUnreadable(embeddable);
    const { asked, answers } = await this.askEach(readable, factsOf(signal));
    await this.failures.attempt(asked, async (versions) => {
      await pipeline.index(versions, answers);
      embedding.succeeded();
      storage.succeeded();
    });
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
