import type { QueryVector } from '../question/query-embedder.js';

// What the meaning of the context weighs beside that of the query.
const contextShare = 0.3;

/** The vector of the query, drawn towards that of its context. */
export function steer(query: Float32Array | undefined, context: QueryVector): Float32Array | undefined {
  const other = context.vector;
  if (!query || !other) return query;
  const mixed = query.map((value, index) => value + contextShare * (other[index] ?? 0));
  const length = Math.hypot(...mixed);
  return length === 0 ? mixed : mixed.map((value) => value / length);
}
