import type { LaneHit } from './lanes.queries.js';

/**
 * Sorts hits in place by descending score and returns them; of equal scores the older chunk comes first, so
 * that the order is always the same.
 */
export function bestFirst<Hit extends LaneHit>(hits: Hit[]): Hit[] {
  return hits.sort((a, b) => b.score - a.score || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}
