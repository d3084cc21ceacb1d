import type { FusedHit } from '../ranking/fusion.js';
import { bestFirst } from './best-first.js';
import type { LaneHit } from './lanes.queries.js';

/** The best of some hits, best first. */
export function best<Hit extends LaneHit>(hits: Hit[], limit: number): Hit[] {
  return bestFirst(hits).slice(0, limit);
}

/** Hits with others behind them. */
export function before<Hit extends LaneHit>(first: readonly Hit[], others: Hit[]): Hit[] {
  if (first.length === 0) return others;
  const ids = new Set(first.map(({ id }) => id));
  const lift = Math.max(0, ...others.map(({ score }) => score));
  const lifted = first.map((hit) => ({ ...hit, score: hit.score + lift }));
  return [...lifted, ...others.filter(({ id }) => !ids.has(id))];
}

/** Only what matches in words may be lifted by metadata. */
export function onlyOf(matching: readonly LaneHit[], lane: readonly LaneHit[]): LaneHit[] {
  const ids = new Set(matching.map(({ id }) => id));
  return lane.filter(({ id }) => ids.has(id));
}

/** Hits with one of them first, as good as the best. */
export function withFirst(hits: FusedHit[], id: string | undefined): FusedHit[] {
  const [best] = hits;
  const first = hits.find((hit) => hit.id === id);
  if (!best || !first || first === best) return hits;
  return [{ ...first, score: best.score }, ...hits.filter((hit) => hit !== first)];
}
