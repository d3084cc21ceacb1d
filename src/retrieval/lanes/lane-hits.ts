import type { FusedHit } from '../ranking/fusion.js';
import { bestFirst } from './best-first.js';
import type { LaneHit } from './lanes.queries.js';

/** Sorts hits in place, and returns the best ones, best first. */
export function best<Hit extends LaneHit>(hits: Hit[], limit: number): Hit[] {
  return bestFirst(hits).slice(0, limit);
}

/** Puts `first` before `others`, by raising its scores above all of theirs. A chunk in both counts once. */
export function before<Hit extends LaneHit>(first: readonly Hit[], others: Hit[]): Hit[] {
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

/** Moves the hit with this id to the front, with the best score; without such a hit, nothing changes. */
export function withFirst(hits: FusedHit[], id: string | undefined): FusedHit[] {
  const [best] = hits;
  const first = hits.find((hit) => hit.id === id);
  if (!best || !first || first === best) return hits;
  return [{ ...first, score: best.score }, ...hits.filter((hit) => hit !== first)];
}
