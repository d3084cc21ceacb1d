import type { Config } from '../config.js';
import type { Reranker } from './reranker.js';
import { createHttpReranker } from './rerankers/http.js';

/**
 * The configured reranker; undefined when there is none. It is not contacted at
 * start-up, since it may come up later.
 */
export function createReranker({ reranker }: Pick<Config, 'reranker'>): Reranker | undefined {
  return reranker && createHttpReranker(reranker);
}
