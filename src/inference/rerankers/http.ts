import { z } from 'zod';
import type { RerankerConfig } from '../../config.js';
import { HttpClient } from '../../lib/http-client.js';
import type { HttpAnswer } from '../../lib/http-client.js';
import type { RankOptions, Reranker } from '../reranker.js';

const answerBytesMax = 1_000_000;
const triesMax = 2;
const index = z.number().int().nonnegative();
const answerSchema = z.union([
  z
    .object({ results: z.array(z.object({ index, relevance_score: z.number() })).min(1) })
    .transform(({ results }) => results.map((result) => [result.index, result.relevance_score] as const)),
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

/**
 * A reranker behind an endpoint of the common /rerank shape, at RERANK_URL or below it. Once the endpoint
 * has refused `documents` (400, 422), the texts are sent as `texts`.
 */
export function createHttpReranker({ url, model, apiKey }: RerankerConfig): Reranker {
  // The operator chose the address, so it may be in a private network.
  const http = new HttpClient({ allowPrivate: true });
  const target = /\/rerank\/?$/.test(new URL(url).pathname) ? url : `${url.replace(/\/+$/, '')}/rerank`;
  let dialect: Dialect = 'documents';

  const ask = async (
    query: string,
    texts: readonly string[],
    { signal, timeoutMs, as }: RankOptions & { as: Dialect },
  ): Promise<HttpAnswer> =>
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
        [as]: texts,
        ...(as === 'documents' ? { top_n: texts.length } : {}),
      }),
      timeoutMs,
      responseBytesMax: answerBytesMax,
      ...(signal ? { signal } : {}),
    });

  return {
    rank: async (query, texts, { timeoutMs, signal }) => {
      const endsAt = performance.now() + timeoutMs;
      for (let tries = 1; ; tries += 1) {
        const as = dialect;
        const left = Math.max(1, Math.floor(endsAt - performance.now()));
        const answer = await ask(query, texts, { as, timeoutMs: left, signal });
        if (answer.status < 300) return readScores(answer.body, texts.length);
        const isOther = as === 'documents' && (answer.status === 400 || answer.status === 422);
        const isBusy = answer.status === 429 || answer.status >= 500;
        if (tries === triesMax || !(isOther || isBusy)) throw new Error(`it answered ${answer.status}`);
        if (isOther) dialect = 'texts';
      }
    },
    close: () => http.close(),
  };
}

/**
 * The scores in an answer, by the index of the text.
 * @throws Error when these are not scores of the texts that were sent
 */
function readScores(body: Buffer, count: number): ReadonlyMap<number, number> {
  const parsed = answerSchema.safeParse(parse(body));
  if (!parsed.success) throw new Error('it did not answer with scores');
  const scores = new Map(parsed.data);
  if (scores.size < parsed.data.length || [...scores.keys()].some((place) => place >= count))
    throw new Error('it did not answer with scores of the texts that it got');
  return scores;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}
