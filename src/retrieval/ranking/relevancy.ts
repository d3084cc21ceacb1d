import type { LaneHit } from '../lanes/lanes.queries.js';
import type { FusedHit } from './fusion.js';
import { denseShare } from './lane-weights.js';
import type { Weighing } from './lane-weights.js';

// Hits are worth more than nothing, so that the differences between their scores can still be seen.
const fitMin = 0.01;
// Texts about something else are still somewhat alike in meaning, so of that this much counts.
const meaningTrust = 0.75;

/** What tells how well a query fits a store. */
interface Evidence {
  readonly weighing: Weighing;
  /** By meaning, the nearest first. */
  readonly dense: readonly LaneHit[];
}

/**
 * How well the best hit fits the query, 0 to 1: the share of the query's words that one item has, and for the
 * rest how near the nearest chunk is in meaning, as far as meaning counts. For 40 questions that two stores
 * answer the median is 1, for 80 others .25. In 98 of 100 pairs the answered question has the higher value
 * (56 by fused scores; with the embedder of WordNet alone).
 */
function fitOf({ weighing, dense }: Evidence): number {
  const { alpha, isValued = false, held = 1 } = weighing;
  // As much as the lane is trusted with as a rule, even where texts are so short that it decides more. Weights of
  // words (coverage) would tell of what may not be read.
  const share = denseShare({ ...weighing, coverage: held, averageLength: Infinity });
  const meaning = share * Math.min(1, Math.max(0, dense[0]?.score ?? 0));
  if (alpha === 1) return meaning;
  return isValued ? 1 : held + (1 - held) * meaningTrust * meaning;
}

/**
 * Scales the scores of fused hits so that they say how well they fit: the best gets the fit of the query, the
 * others keep their ratio to it.
 */
export function scoredByFit(hits: readonly FusedHit[], evidence: Evidence): FusedHit[] {
  const most = hits[0]?.score ?? 0;
  if (most === 0) return [...hits];
  const fit = Math.max(fitMin, fitOf(evidence));
  return hits.map((hit) => ({ ...hit, score: (hit.score / most) * fit }));
}
