import { modelMismatch } from '../../databases/reembedding.js';
import { AppError } from '../../errors.js';
import type { CompareWords, Embedder } from '../../inference/embedder.js';
import { RefusedTextError } from '../../inference/embedder.js';
import type { Embedders } from '../../inference/embedders.js';
import { currentSignal, isTimeout, withinTime } from '../../lib/cancellation.js';
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

/** The database with whose vectors a query is compared. */
export interface EmbeddedDatabase {
  readonly name: string;
  readonly embeddingModel: string;
  readonly vectorDimensions: number;
}

/** The vector of a query, made by the model of a database. */
export interface QueryVector {
  /** Undefined when it cannot be made now. */
  readonly vector: Float32Array | undefined;
  /** Why there is no vector, for the caller to read. */
  readonly notice: string | undefined;
}

const leftOut = 'meaning was left out, words alone decided';
const retryAfterSeconds = 5;
// Queries are repeated: for the next page, with another filter, by several agents.
const remembered = 500;

/**
 * Makes the vectors of queries. If the provider fails, a query is answered by words alone; if it hangs, the
 * query waits for a limited time. While it is known to be down, only one query now and then waits for it.
 */
export class QueryEmbedder {
  private readonly breaker: Breaker;
  private readonly known = new Map<string, Float32Array>();

  constructor(private readonly options: QueryEmbedderOptions) {
    this.breaker = new Breaker(options.clock);
  }

  /** How the dense lane of a database counts beside the keyword lane; not at all when its model is not available. */
  weighing({
    embeddingModel,
    vectorDimensions,
  }: EmbeddedDatabase): Pick<Embedder, 'denseWeight' | 'fusesByScore'> {
    const embedder = this.options.embedders.find(embeddingModel, vectorDimensions);
    return { denseWeight: embedder?.denseWeight ?? 0, fusesByScore: embedder?.fusesByScore ?? false };
  }

  /** What compares the words of a query with those of texts; undefined where the model of a database cannot. */
  wordComparer(
    query: string,
    { embeddingModel, vectorDimensions }: EmbeddedDatabase,
  ): CompareWords | undefined {
    return this.options.embedders.find(embeddingModel, vectorDimensions)?.wordComparer?.(query);
  }

  /**
   * Makes the vector of a query. @throws AppError when it cannot be made and is `required`, which means that
   * there is no answer without it
   */
  async embed(query: string, database: EmbeddedDatabase, required: boolean): Promise<QueryVector> {
    try {
      const embedder = this.embedderOf(database);
      // Such a model runs in this process, and answers at once.
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
      // The provider does answer; it refuses only this text.
      if (isRefusal(error)) this.breaker.succeeded();
      else if (currentSignal()?.aborted) this.breaker.abandoned();
      else this.noteFailure(error);
      throw error;
    }
  }

  /** @throws AppError when the provider does not answer in time, even if it ignores the signal */
  private async inTime(embedder: Embedder, query: string): Promise<Float32Array> {
    const { queryEmbeddingMsMax } = this.options;
    try {
      return await withinTime(queryEmbeddingMsMax, (signal) => embedder.embedQuery(query, signal));
    } catch (error) {
      if (!isTimeout(error)) throw error;
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
