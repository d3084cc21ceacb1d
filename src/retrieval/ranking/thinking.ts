import type { DataSource } from 'typeorm';
import { bestFirst } from '../lanes/lane-hits.js';
import type { GraphExploration } from '../lanes/graph-lane.js';
import { rankPaths } from '../lanes/graph-paths.js';
import type { LaneHit } from '../lanes/lanes.queries.js';
import type { SearchScope } from '../search-scope.js';
import type { FusedHit, PartHits } from './fusion.js';
import { hopFurther } from './second-hop.js';

/** What a second pass starts from. */
export interface Thought {
  readonly query: string;
  /** The hits of the keyword lane in the first pass. */
  readonly sparse: readonly LaneHit[];
  /** The fused hits of the first pass. */
  readonly first: readonly FusedHit[];
  /** The hits of each part of the query. */
  readonly parts: readonly PartHits[];
  /** See HopStart. */
  readonly withEntities: boolean;
  readonly isAskedFor: boolean;
}

const seedsMax = 6;
const seedsOfPartMax = 2;
const seedsTogetherMax = 12;
const forcedMax = 10;

/**
 * The keyword lane after a second hop from the best hits so far; undefined when there is nothing to add (see
 * hopFurther).
 */
export function thinkFurther(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { parts, sparse, first, ...thought }: Thought,
): Promise<LaneHit[] | undefined> {
  const seeds = new Map(first.slice(0, seedsMax).map(({ id, score }) => [id, score]));
  const known = new Map(first.map(({ id, score }) => [id, score]));
  for (const { id } of parts.flatMap(({ hits }) => hits.slice(0, seedsOfPartMax)))
    if (!seeds.has(id) && seeds.size < seedsTogetherMax) seeds.set(id, known.get(id) ?? 0);
  return hopFurther(postgres, scopes, {
    ...thought,
    hits: sparse,
    seeds: [...seeds].map(([id, score]) => ({ id, score })),
  });
}

/** The chunks that state relations between two entities which the query names, best first. */
export function connecting({ steps, named, terms }: GraphExploration): LaneHit[] {
  const ids = new Set(named.map(({ id }) => id));
  const scores = new Map<string, number>();
  for (const path of rankPaths(steps, { named, terms, hits: new Map<string, number>() })) {
    const ends = path.steps.flatMap(({ group }) => [group.sourceEntity, group.targetEntity]);
    if (new Set(ends.filter((end) => ids.has(end))).size < 2) continue;
    for (const id of path.steps.flatMap(({ chunkIds }) => [...chunkIds]))
      scores.set(id, Math.max(scores.get(id) ?? 0, path.score));
  }
  const hits = [...scores].map(([id, score]) => ({ id, score }));
  return bestFirst(hits).slice(0, forcedMax);
}
