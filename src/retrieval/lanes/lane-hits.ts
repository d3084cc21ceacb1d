import type { LaneHit } from './lanes.queries.js';

/** How many of the best hits of the keyword lane are weighed by how they are worded. */
export const weighedHitsMax = 50;

/**
 * Sorts hits in place by descending score and returns them; of equal scores the older chunk comes first, so
 * that the order is always the same.
 */
export function bestFirst<Hit extends LaneHit>(hits: Hit[]): Hit[] {
  return hits.sort((a, b) => b.score - a.score || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

/** Raises the scores of `first` above all of `others`, and joins both. A chunk in both counts once. */
export function raisedAbove<Hit extends LaneHit>(others: Hit[], first: readonly Hit[]): Hit[] {
  if (first.length === 0) return others;
  const ids = new Set(first.map(({ id }) => id));
  const lift = Math.max(0, ...others.map(({ score }) => score));
  const lifted = first.map((hit) => ({ ...hit, score: hit.score + lift }));
  return [...lifted, ...others.filter(({ id }) => !ids.has(id))];
}

/** The hits of a lane that are also among `matching`: metadata may lift only what matches in words. */
export function onlyOf(matching: readonly LaneHit[], lane: readonly LaneHit[]): LaneHit[] {
  const ids = new Set(matching.map(({ id }) => id));
  return lane.filter(({ id }) => ids.has(id));
}
