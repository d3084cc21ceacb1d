import type { LaneHit } from '../lanes/lanes.queries.js';
import type { FusedHit } from './fusion.js';
import { denseShare } from './lane-weights.js';
import type { Weighing } from './lane-weights.js';

// What was found is worth more than nothing: how far apart its scores are is still to be seen.
const fitMin = 0.01;

/** What tells how well a query fits a store. */
interface Evidence {
  readonly weighing: Weighing;
  /** By meaning, the nearest first. */
  readonly dense: readonly LaneHit[];
}

/**
 * How well the best that was found fits the query, 0 to 1: how many of its words one item has, and of what that leaves open how near the
 * nearest is in meaning, as far as that counts. Of 40 questions that two stores answer it is 1 in the middle, of 80 others .25, and one of the
 * 40 has more than one of the 80 in 98 of 100 pairs (56 by fused scores).
 */
function fitOf({ weighing, dense }: Evidence): number {
  const { alpha, isValued = false, held = 1 } = weighing;
  // As much as the lane is trusted with as a rule, even where texts are so short that it decides more.
  const meaning =
    denseShare({ ...weighing, averageLength: Infinity }) * Math.min(1, Math.max(0, dense[0]?.score ?? 0));
  if (alpha === 1) return meaning;
  return isValued ? 1 : held + (1 - held) * meaning;
}

/** Fused hits with scores that say how well they fit: the best as much as all do together, the others as much less as they are worth less. */
export function scoredByFit(hits: readonly FusedHit[], evidence: Evidence): FusedHit[] {
  const most = hits[0]?.score ?? 0;
  if (most === 0) return [...hits];
  const fit = Math.max(fitMin, fitOf(evidence));
  return hits.map((hit) => ({ ...hit, score: (hit.score / most) * fit }));
}
