import { modelMismatch } from '../../databases/reembedding.js';
import { AppError } from '../../errors.js';
import type { Embedder } from '../../inference/embedder.js';
import { RefusedTextError } from '../../inference/embedder.js';
import type { Embedders } from '../../inference/embedders.js';
import { currentSignal, withinTime } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { reasonOf } from '../../lib/reason-of.js';
import { Breaker } from '../breaker.js';

interface QueryEmbedderOptions {
  readonly embedders: Embedders;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a query waits for its vector. */
  readonly queryEmbeddingMsMax: number;
}

/** The database whose vectors a query is compared with. */
export interface EmbeddedDatabase {
  readonly name: string;
  readonly embeddingModel: string;
  readonly vectorDimensions: number;
}

/** A query as the model of a database understands it. */
export interface QueryVector {
  /** Undefined when it cannot be had now. */
  readonly vector: Float32Array | undefined;
  /** Why it is not there, for the caller to read. */
  readonly notice: string | undefined;
}

const leftOut = 'meaning was left out, words alone decided';
const retryAfterSeconds = 5;
// Queries come again: with the next page, another filter, from several agents.
const remembered = 500;

/**
 * Makes the vectors of queries. A provider that fails costs a query its meaning and not its answer, one that hangs costs
 * it a bounded wait, and while it is known to be down nobody waits but one query now and then.
 */
export class QueryEmbedder {
  private readonly breaker: Breaker;
  private readonly known = new Map<string, Float32Array>();

  constructor(private readonly options: QueryEmbedderOptions) {
    this.breaker = new Breaker(options.clock);
  }

  /** What the dense lane of a database deserves beside the keyword lane; 0 where its model is not to be had. */
  denseWeight({ embeddingModel, vectorDimensions }: EmbeddedDatabase): number {
    return this.options.embedders.find(embeddingModel, vectorDimensions)?.denseWeight ?? 0;
  }

  /** The vector of a query. `required`: there is no answer without it. @throws AppError when it is required and missing. */
  async embed(query: string, database: EmbeddedDatabase, required: boolean): Promise<QueryVector> {
    try {
      const embedder = this.embedderOf(database);
      // Made at once, in this process.
      if (!embedder.cached) return present(await embedder.embedQuery(query, currentSignal()));
      return present(await this.ask(embedder, query));
    } catch (error) {
      currentSignal()?.throwIfAborted();
      if (!(error instanceof AppError) || required) throw error;
      return { vector: undefined, notice: `${leftOut}: ${error.message}` };
    }
  }

  private embedderOf({ name, embeddingModel, vectorDimensions }: EmbeddedDatabase): Embedder {
    const { embedders } = this.options;
    const embedder = embedders.find(embeddingModel, vectorDimensions);
    if (embedder) return embedder;
    const stored = { model: embeddingModel, dimensions: vectorDimensions };
    throw new AppError('SERVICE_UNAVAILABLE', modelMismatch(`database "${name}"`, stored, embedders.main));
  }

  private async ask(embedder: Embedder, query: string): Promise<Float32Array> {
    const key = `${embedder.model}\0${query}`;
    const known = this.known.get(key);
    if (known) return known;
    if (!this.breaker.mayTry())
      throw new AppError('SERVICE_UNAVAILABLE', 'the embedding provider did not answer lately', {
        retryAfterSeconds,
      });
    try {
      const vector = await this.inTime(embedder, query);
      this.breaker.succeeded();
      this.remember(key, vector);
      return vector;
    } catch (error) {
      // It answers, and refuses this text alone.
      if (isRefusal(error)) this.breaker.succeeded();
      else if (currentSignal()?.aborted) this.breaker.abandoned();
      else this.noteFailure(error);
      throw error;
    }
  }

  /** @throws AppError when the provider does not answer in time, also one that does not listen to signals. */
  private async inTime(embedder: Embedder, query: string): Promise<Float32Array> {
    const { queryEmbeddingMsMax } = this.options;
    try {
      return await withinTime(queryEmbeddingMsMax, (signal) => embedder.embedQuery(query, signal));
    } catch (error) {
      if ((error as { name?: string }).name !== 'TimeoutError') throw error;
      const problem = `the embedding provider did not answer in ${queryEmbeddingMsMax} ms`;
      throw new AppError('SERVICE_UNAVAILABLE', problem, { retryAfterSeconds });
    }
  }

  private noteFailure(error: unknown): void {
    const coolDownMs = this.breaker.failed();
    const reason = reasonOf(error);
    this.options.logger.warn({ coolDownMs, reason }, 'queries are answered by words alone');
  }

  private remember(key: string, vector: Float32Array): void {
    const [oldest] = this.known.keys();
    if (this.known.size >= remembered && oldest !== undefined) this.known.delete(oldest);
    this.known.set(key, vector);
  }
}

function present(vector: Float32Array): QueryVector {
  return { vector, notice: undefined };
}

function isRefusal(error: unknown): boolean {
  return error instanceof RefusedTextError || (error instanceof AppError && error.kind === 'INVALID_INPUT');
}
