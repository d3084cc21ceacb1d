import type { QueryVector } from '../question/query-embedder.js';

// The weight of the context's meaning against that of the query.
const contextShare = 0.3;

/**
 * Moves the vector of the query towards that of its context; the result has the length 1. Without one of the
 * two, the query's is returned as it is.
 */
export function steer(query: Float32Array | undefined, context: QueryVector): Float32Array | undefined {
  const other = context.vector;
  if (!query || !other) return query;
  const mixed = query.map((value, index) => value + contextShare * (other[index] ?? 0));
  const length = Math.hypot(...mixed);
  return length === 0 ? mixed : mixed.map((value) => value / length);
}
