import type { ExtractedGraph } from '../graph/extraction/extracted-graph.js';
import type { StoredGraph } from '../graph/stored/stored-graph.js';
import { CompletionRefused } from '../inference/completer.js';
import type { Completer } from '../inference/completer.js';
import type { FactExtraction } from '../inference/facts.js';
import type { Logger } from '../lib/logger.js';
import { speakerOf } from '../sources/app-items/speakers.js';
import type { QueuedVersion } from '../sources/status/indexing-queue.js';
import type { Originals } from '../storage/originals.js';
import type { PreparePool } from './preparation/prepare-pool.js';
import { withPrepareTask } from './preparation/prepare-task.js';

interface ModelInferenceOptions {
  readonly completer: Completer;
  readonly preparePool: PreparePool;
  readonly originals: Originals;
  readonly graph: StoredGraph;
  readonly logger: Logger;
}

/** Extracts facts and graphs with a language model; where its answers are of no use, rules do it. */
export class ModelInference {
  constructor(private readonly options: ModelInferenceOptions) {}

  /**
   * Undefined when the item cannot be read; preparing it will report why. @throws AppError
   * SERVICE_UNAVAILABLE, StorageFailure
   */
  async extract(version: QueuedVersion, signal: AbortSignal): Promise<FactExtraction | undefined> {
    const { completer, preparePool, originals, logger } = this.options;
    const texts = await withPrepareTask({ version, originals }, (task) =>
      preparePool.readInferredTexts({ task, contentBytes: version.contentBytes }),
    );
    if ('errorCode' in texts) return undefined;
    const { observationDate } = version.memory ?? {};
    // Loaded only where there is a model, together with the rules that stand in for it and what these parse
    // language with.
    const { extractByModel } = await import('../inference/extractors/model.js');
    const extraction = await extractByModel(
      completer,
      {
        texts,
        userName: speakerOf(version),
        wishes: version.memory !== null,
        observationDate,
        customInstructions: instructionsOf(version),
      },
      signal,
    );
    if (extraction.problem)
      logger.warn({ id: version.id, problem: extraction.problem }, 'facts extracted by rules');
    return extraction;
  }

  /** The model's graph of a version whose chunks are stored. @throws AppError SERVICE_UNAVAILABLE */
  async extractGraph(version: QueuedVersion, signal: AbortSignal): Promise<ExtractedGraph> {
    const { completer, preparePool, graph: stored, logger } = this.options;
    const { databaseId, corpus } = version;
    const input = await stored.textOf({ databaseId, corpus }, version);
    const { extractGraphByModel } = await import('../graph/extraction/model.js');
    const { graph, problem } = await extractGraphByModel(
      completer,
      {
        ...input,
        customInstructions: instructionsOf(version),
        rules: async (text) => (await preparePool.extractGraph(text)) ?? { entities: [], relations: [] },
      },
      signal,
    );
    if (problem) logger.warn({ id: version.id, problem }, 'graph, or a part of it, extracted by rules');
    return graph;
  }

  /** Asks the model for next to nothing. @throws when it does not answer */
  async probe(signal: AbortSignal): Promise<void> {
    const request = {
      system: 'Answer with an empty JSON object.',
      user: '{}',
      name: 'probe',
      schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    };
    await this.options.completer.complete(request, signal).catch((error: unknown) => {
      // It answers, even if only to refuse.
      if (!(error instanceof CompletionRefused)) throw error;
    });
  }
}

/** The custom instructions of a version. */
function instructionsOf({ memory, app }: QueuedVersion): string | null | undefined {
  return memory ? memory.customInstructions : app?.customInstructions;
}
