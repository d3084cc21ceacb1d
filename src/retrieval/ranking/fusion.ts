import { looksMultiHop } from '../question/query-parts.js';
import { areFusedByScores, asksForWords, isUncovered, laneWeights } from './lane-weights.js';
import type { LaneName, WeighedLane, Weighing } from './lane-weights.js';
import { fuseLanes, scoredByWorth } from './rank-fusion.js';
import type { FusedHitOf, Lane, RankedHit } from './rank-fusion.js';

/** A fused hit with its rank in each lane of a search. */
export type FusedHit<Id extends string | number = string> = FusedHitOf<Id, LaneName>;

// Keyword scores this close to each other hardly tell which text is meant, so there the other lanes decide.
// Chosen on 37 sets together with coverageMin: .05 and .1 gain less, .15 takes .010 from claims about science.
// Where a second pass lifts pairs of texts, small differences count: with .15 musique would lose .02. A text
// without a year or a number of the query is not close to one that has it: claims about science .821, .817
// without that.
const keywordNearness = 0.07;

// In a query that asks for nothing but such items, they come first, in the order of the other lanes.
const listWeight = 2;
const forcedPlace = 4;

/** The hits of a part of the query. */
export interface PartHits<Id extends string | number = string> {
  readonly weight: number;
  readonly hits: readonly RankedHit<Id>[];
}

/** What the lanes of a search found, and how it is weighed. */
export interface Fused<Id extends string | number> extends Weighing {
  readonly dense: readonly RankedHit<Id>[];
  readonly sparse: readonly RankedHit<Id>[];
  readonly graph?: readonly RankedHit<Id>[];
  readonly metadata?: readonly RankedHit<Id>[];
  /** App items that the query asks for by title, key or people; scores from 0 to 1. */
  readonly app?: readonly RankedHit<Id>[];
  /** What is around the best hits in their conversations. */
  readonly around?: readonly RankedHit<Id>[];
  /** Hits that come right behind another hit, whatever they are worth themselves. */
  readonly answers?: readonly RankedHit<Id>[];
  /** Whether the query asks for app items of a kind, and for nothing else. */
  readonly isList?: boolean;
  /** The hits of each part of the query, and what each part weighs. */
  readonly parts?: readonly PartHits<Id>[];
  readonly forced?: readonly RankedHit<Id>[];
  /**
   * Whether scores will be compared with something else (age, weights of collections). Then the head of no
   * lane stands out.
   */
  readonly evenly?: boolean;
}

/**
 * Fuses the lanes of a search, best first. The dense and the keyword lane decide, by their scores where these tell enough,
 * otherwise by ranks; the others (graph, metadata, app items, conversations, parts of the query, relations) add to them.
 * `alpha` 1 is the dense order alone, 0 the keyword order alone, and "auto" depends on the query. A lane that found
 * nothing, or has no weight, leaves the order to the others.
 */
export function fuse<Id extends string | number>(search: Fused<Id>): FusedHit<Id>[] {
  const { dense, sparse, graph = [], metadata = [], app = [], around = [], answers = [] } = search;
  const { isList = false, parts = [], forced = [] } = search;
  const weights = laneWeights(search);
  const given = (dense.length > 0 ? weights.dense : 0) + (sparse.length > 0 ? weights.sparse : 0);
  return fuseLanes<Id, LaneName>([
    ...(areFusedByScores(search) ? byScores(search, weights, given) : byRanks(search, weights)),
    { name: 'graph', weight: weights.graph, hits: graph, tied: true, sharing: 'diluted' },
    { name: 'metadata', weight: weights.metadata, hits: metadata, tied: true, sharing: 'diluted' },
    {
      name: 'app',
      weight: isList ? weights.app && listWeight : weights.app,
      hits: app,
      tied: true,
      byScore: true,
    },
    { name: 'around', weight: weights.around * (given || 1), hits: around, tied: true, raises: true },
    // They are limited only by the hit that they stand behind.
    { name: 'around', weight: weights.around > 0 ? Infinity : 0, hits: answers, tied: true, raises: true },
    ...parts.map((part): Lane<Id, LaneName> => ({ name: 'parts', ...part })),
    { name: 'forced', weight: weights.forced * (given || 1), hits: forced, tied: true, raises: forcedPlace },
  ]);
}

// Hits that a main lane holds equal are ordered by the other lanes, by age and by the weights of collections.
const equals = { tied: true, sharing: 'mean' } as const;

type Weights = Readonly<Record<WeighedLane, number>>;

/**
 * The dense and the keyword lane as one, in the order of their weighed scores. Its hits are worth their places in it, since
 * the weights of the lanes that add to it are made for ranks; together it weighs what is `given` by the two.
 */
function byScores<Id extends string | number>(
  { dense, sparse }: Fused<Id>,
  weights: Weights,
  given: number,
): Lane<Id, LaneName>[] {
  const main = (name: 'dense' | 'sparse', hits: readonly RankedHit<Id>[]): Lane<Id, LaneName> => ({
    name,
    weight: weights[name],
    hits: scoredByWorth(hits, { fromZero: name === 'sparse' }),
    tied: true,
    byScore: true,
  });
  const lanes = [main('dense', dense), main('sparse', sparse)];
  const fused: Lane<Id, LaneName> = { weight: given, hits: fuseLanes(lanes), ...equals };
  return [fused, ...lanes.map((lane) => ({ ...lane, weight: 0 }))];
}

/** The dense and the keyword lane, whose hits are worth their ranks. */
function byRanks<Id extends string | number>(search: Fused<Id>, weights: Weights): Lane<Id, LaneName>[] {
  const { dense, sparse, query, alpha, evenly = false, holdsCode = false } = search;
  const isBeside = !evenly && !asksForWords(search) && weights.dense > 0 && dense.length > 0;
  return [
    { name: 'dense', weight: weights.dense, hits: dense, ...equals },
    {
      name: 'sparse',
      weight: weights.sparse,
      hits: sparse,
      ...equals,
      nearness: isBeside && !looksMultiHop(query) ? keywordNearness : 0,
      leads: (isBeside && isUncovered(search)) || (holdsCode && alpha === 'auto' && !evenly),
    },
  ];
}
