import type { Reranker } from '../../inference/reranker.js';
import { withHeadings } from '../../ingestion/chunking/chunk-headings.js';
import { currentSignal } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { LIMITS } from '../../limits.js';
import { Breaker } from '../breaker.js';
import type { SearchRequest } from '../search-request.js';
import type { FoundChunk } from '../search-result.js';
import { traceStage } from '../search-trace.js';
import { QueryMode } from '../search-args.types.js';
import { capped, inOrder } from './rerank-order.js';

interface RerankingOptions {
  readonly reranker: Reranker | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a search waits for the reranker. */
  readonly rerankingMsMax: number;
}

interface Reranked {
  readonly found: readonly FoundChunk[];
  /** Why the chunks were not reranked; undefined when they were, or none was to be. */
  readonly notice: string | undefined;
}

const leftOut = 'reranking was left out';

/**
 * Has a reranker order the best fused hits. If it fails, a search waits for a limited time, gets a notice and
 * keeps the fused order. While the reranker is known to be down, only one search now and then waits for it.
 */
export class Reranking {
  private readonly breaker: Breaker;

  constructor(private readonly options: RerankingOptions) {
    this.breaker = new Breaker(options.clock);
  }

  /** How many hits the reranker needs to see; 0 when there is none, or none is wanted. */
  wanted({ mode }: SearchRequest): number {
    return this.options.reranker && mode !== QueryMode.fast ? LIMITS.rerankedChunksMax : 0;
  }

  /**
   * Reranks the chunks of an answer, which are given in their fused order; best first. `reorder` (age,
   * weights) is applied to what was reranked.
   */
  async rerank(
    request: SearchRequest,
    found: readonly FoundChunk[],
    reorder: (chunks: readonly FoundChunk[]) => Promise<readonly FoundChunk[]>,
  ): Promise<Reranked> {
    const { query } = request;
    const { reranker } = this.options;
    const best = found.slice(0, this.wanted(request));
    if (!reranker || best.length < 2) return { found, notice: undefined };
    const scores = await traceStage('reranking', () => this.ask(reranker, query, best));
    if (typeof scores === 'string') return { found, notice: scores };
    const ordered = await reorder(inOrder(best, scores));
    const rest = found.slice(best.length).map((chunk) => capped(chunk, ordered.at(-1)?.hit.score ?? 1));
    return { found: [...ordered, ...rest], notice: undefined };
  }

  private async ask(
    reranker: Reranker,
    query: string,
    found: readonly FoundChunk[],
  ): Promise<ReadonlyMap<number, number> | string> {
    if (!this.breaker.mayTry()) return `${leftOut}: the reranker did not answer lately`;
    const signal = currentSignal();
    const texts = found.map(({ row }) =>
      `${row.title}\n${withHeadings(row)}`.slice(0, LIMITS.rerankedCharactersMax).toWellFormed(),
    );
    try {
      const timeoutMs = this.options.rerankingMsMax;
      const asked = query.slice(0, LIMITS.rerankedCharactersMax).toWellFormed();
      const scores = await reranker.rank(asked, texts, { timeoutMs, signal });
      this.breaker.succeeded();
      return scores;
    } catch (error) {
      if (signal?.aborted) {
        this.breaker.abandoned();
        throw error;
      }
      const coolDownMs = this.breaker.failed();
      this.options.logger.warn({ err: error, coolDownMs }, 'hits stand as they were fused');
      return `${leftOut}: the reranker did not answer with scores`;
    }
  }
}
