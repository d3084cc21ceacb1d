import type { QueryVector } from '../question/query-embedder.js';

/**
 * Moves the vector of the query towards that of its context, which weighs `share` of it; the result has the
 * length 1. Without one of the two, the query's is returned as it is.
 */
export function steer(
  query: Float32Array | undefined,
  { vector: other }: QueryVector,
  share: number,
): Float32Array | undefined {
  if (!query || !other) return query;
  const mixed = query.map((value, index) => value + share * (other[index] ?? 0));
  const length = Math.hypot(...mixed);
  return length === 0 ? mixed : mixed.map((value) => value / length);
}
