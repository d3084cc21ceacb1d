import { z } from 'zod';
import type { RerankerConfig } from '../../config.js';
import { HttpClient } from '../../lib/http-client.js';
import { LIMITS } from '../../limits.js';
import { FittingRequests, isRefusedBy } from '../fitting-requests.js';
import type { Reranker } from '../reranker.js';

const answerBytesMax = 1_000_000;
const triesMax = 2;
const requestsMax = 4;
const index = z.number().int().nonnegative();
const rankedSchema = z
  .array(z.object({ index, relevance_score: z.number() }))
  .min(1)
  .transform((results) => results.map((result) => [result.index, result.relevance_score] as const));
const answerSchema = z.union([
  z.object({ results: rankedSchema }).transform(({ results }) => results),
  // Voyage
  z.object({ data: rankedSchema }).transform(({ data }) => data),
  z
    .array(z.object({ index, score: z.number() }))
    .min(1)
    .transform((results) => results.map((result) => [result.index, result.score] as const)),
]);

/**
 * The field that holds the texts in a request: as Jina, Cohere and vLLM call it, or as
 * text-embeddings-inference does.
 */
type Dialect = 'documents' | 'texts';

interface Asked {
  readonly query: string;
  readonly endsAt: number;
  readonly signal: AbortSignal | undefined;
}

/** The provider refuses this request, though it answers. */
class RefusedRequestError extends Error {}

/**
 * A reranker behind an endpoint of the common /rerank shape, at RERANK_URL or below it. An endpoint that
 * refuses `documents` (400, 413, 422) is sent the texts as `texts`.
 */
export function createHttpReranker(config: RerankerConfig): Reranker {
  // The operator chose the address, so it may be in a private network.
  const http = new HttpClient({ allowPrivate: true });
  const post = poster(http, config);
  let known: Dialect | undefined;

  const ask = async (texts: readonly string[], asked: Asked, as: Dialect) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await post(texts, asked, as);
      if (answer.status < 300) return readScores(answer.body, texts.length);
      if (isRefusedBy(answer.status, () => answer.body.toString()))
        throw new RefusedRequestError(`it answered ${answer.status}`);
      const isBusy = answer.status === 429 || answer.status >= 500;
      if (tries === triesMax || !isBusy) throw new Error(`it answered ${answer.status}`);
    }
  };

  const askInAnyDialect = async (
    texts: readonly string[],
    asked: Asked,
    as: Dialect = known ?? 'documents',
  ) => {
    try {
      const scores = await ask(texts, asked, as);
      known = as;
      return scores;
    } catch (error) {
      if (known || as === 'texts' || !(error instanceof RefusedRequestError)) throw error;
      return askInAnyDialect(texts, asked, 'texts');
    }
  };

  const requests = new FittingRequests({
    request: askInAnyDialect,
    isRefusal: (error) => error instanceof RefusedRequestError,
    textsMax: LIMITS.rerankedChunksMax,
    requestsMax,
  });
  return {
    rank: async (query, texts, { timeoutMs, signal }) => {
      const scores = await requests.resultsOf(texts, {
        query,
        signal,
        endsAt: performance.now() + timeoutMs,
      });
      return new Map(
        scores.flatMap((score, place) => (score === undefined ? [] : [[place, score] as const])),
      );
    },
    close: () => http.close(),
  };
}

/** What sends a request in a dialect. */
function poster(http: HttpClient, { url, model, apiKey }: RerankerConfig) {
  const target = /\/rerank\/?$/.test(new URL(url).pathname) ? url : `${url.replace(/\/+$/, '')}/rerank`;
  return (texts: readonly string[], { query, endsAt, signal }: Asked, as: Dialect) =>
    http.request({
      method: 'POST',
      url: target,
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({
        ...(model === undefined ? {} : { model }),
        query,
        // Not how many are wanted: all are, unless told, and providers call it `top_n` or `top_k` and refuse the other.
        [as]: texts,
        ...(as === 'texts' ? { truncate: true } : {}),
      }),
      timeoutMs: Math.max(1, Math.floor(endsAt - performance.now())),
      responseBytesMax: answerBytesMax,
      ...(signal ? { signal } : {}),
    });
}

/**
 * The scores in an answer, in the order of the texts; undefined for texts that were left out.
 * @throws Error when these are not scores of the texts that were sent
 */
function readScores(body: Buffer, count: number): (number | undefined)[] {
  const parsed = answerSchema.safeParse(parse(body));
  if (!parsed.success) throw new Error('it did not answer with scores');
  const scores = new Map(parsed.data);
  if (scores.size < parsed.data.length || [...scores.keys()].some((place) => place >= count))
    throw new Error('it did not answer with scores of the texts that it got');
  return Array.from({ length: count }, (_, place) => scores.get(place));
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}
