/** A chunk that a lane found; lanes list them best first. */
export interface RankedHit<Id extends string | number = string> {
  readonly id: Id;
  readonly score: number;
  /** The item that the chunk belongs to, where that matters. */
  readonly sourceUid?: string;
  /**
   * Limits the worth of this hit to a share of another's: the one for whose sake it comes, or which it may
   * not pass.
   */
  readonly behind?: { readonly id: Id; readonly share: number };
  /** How many of the numbers in the query its item contains, where that matters. */
  readonly figures?: number;
}

/** One ranking, and how much it counts beside the others. */
export interface Lane<Id extends string | number = string, Name extends string = string> {
  /** Without a name, it gives hits no rank to show. */
  readonly name?: Name;
  readonly weight: number;
  readonly hits: readonly RankedHit<Id>[];
  /** Whether hits of equal score get one rank, for example those by a value that many items share. */
  readonly tied?: boolean;
  /**
   * Hits of different items are also tied to the first one if its score is better by at most this share, and
   * it contains no more of the numbers in the query.
   */
  readonly nearness?: number;
  /** Whether the lead of the first hit counts by scores, where that says more than ranks. */
  readonly leads?: boolean;
  /**
   * What tied hits are worth; without it, each has the worth of their best place. `diluted`: that worth, less
   * for each the more they are, since what is said of many says little of each. `mean`: the mean of their
   * places, so that many equals do not push aside what other lanes nominate.
   */
  readonly sharing?: 'diluted' | 'mean';
  /** Whether a hit is worth its score, 0 to 1, whatever its rank. */
  readonly byScore?: boolean;
  /**
   * Whether hits are raised to at least the worth of their rank, without adding to what other lanes say: they
   * get in, and pass nothing better. With a number n, also to just below the nth hit of the other lanes.
   */
  readonly raises?: true | number;
}

/** A fused hit. `score` is 0 to 1, and 1 when every lane ranks it first; ranks count from 1. */
export interface FusedHitOf<Id extends string | number = string, Name extends string = string> {
  readonly id: Id;
  readonly score: number;
  readonly ranks: { readonly [name in Name]?: number };
}

// Reciprocal rank fusion (Cormack et al., 2009) with a small constant: the head of the better lane stays in
// place, and the other lane reorders what follows. On vaswani, musique and hotpotqa this was better than the
// usual 60 and than normalised scores; 2 to 10 hardly differ.
const rankConstant = 5;
/** The share of a score that is left to a hit which comes right behind another. */
export const justBehind = 1 - 1e-9;

/**
 * Hits, best first, whose scores are worths: of the first 1, of the last what its rank is worth (or with `fromZero`
 * what its score is of the first's), between them by their scores. A normalised convex combination (Bruch et al., 2023)
 * for lanes of few hits too, whose last one may be nearly as good as the first.
 */
export function scoredByWorth<Hit extends RankedHit<string | number>>(
  hits: readonly Hit[],
  { fromZero = false }: { readonly fromZero?: boolean } = {},
): Hit[] {
  const most = hits[0]?.score ?? 0;
  const [least, ofLeast] = fromZero ? [0, 0] : [hits.at(-1)?.score ?? 0, worthOf(hits.length)];
  const worth = (score: number) =>
    most > least ? ofLeast + ((1 - ofLeast) * (score - least)) / (most - least) : 1;
  return hits.map((hit) => ({ ...hit, score: worth(hit.score) }));
}

/** Fuses any number of lanes by weighted reciprocal rank. Returns the hits best first; equal scores by id. */
export function fuseLanes<Id extends string | number, Name extends string>(
  lanes: readonly Lane<Id, Name>[],
): FusedHitOf<Id, Name>[] {
  const counting = lanes.filter(({ weight, hits }) => weight > 0 && hits.length > 0);
  const raising = counting.filter(({ raises }) => raises);
  const adding = counting.filter(({ raises }) => !raises);
  const most = (adding.length > 0 ? adding : raising).reduce((sum, { weight }) => sum + weight, 0);
  const scores = new Map<Id, number>();
  const weighed = adding.flatMap((lane) => weighedHits(lane));
  for (const { id, worth, behind } of weighed) if (!behind) scores.set(id, (scores.get(id) ?? 0) + worth);
  const free = new Map(scores);
  for (const { id, worth, behind } of weighed) {
    const own = free.get(id) ?? 0;
    const bound = behind && behind.share * (free.get(behind.id) ?? 0);
    if (bound !== undefined) scores.set(id, Math.max(own, Math.min(own + worth, bound)));
  }
  const descending = [...scores.values()].sort((a, b) => b - a);
  for (const lane of raising) {
    const least = lane.raises === true ? 0 : (descending[(lane.raises ?? 0) - 1] ?? 0);
    const own = new Map(scores);
    for (const { id, worth, behind } of weighedHits(lane)) {
      const bound = behind ? behind.share * (own.get(behind.id) ?? 0) : Infinity;
      scores.set(id, Math.max(scores.get(id) ?? 0, Math.min(worth, bound), least * justBehind));
    }
  }
  const ranks = ranksOf(lanes);
  return [...scores]
    .map(([id, score]) => ({ id, score: Math.min(1, score / most), ranks: ranks.get(id) ?? {} }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** What each hit of a lane is worth beside those of other lanes. */
function weighedHits<Id extends string | number>(
  lane: Lane<Id>,
): (Pick<RankedHit<Id>, 'id' | 'behind'> & { worth: number })[] {
  const ranks = ranksIn(lane);
  const worths = worthsIn(ranksIn({ ...lane, nearness: 0 }), lane);
  const lead = lane.leads ? shareBehind(lane.hits, ranks, worths) : 1;
  return lane.hits.map(({ id, score, behind }, index) => {
    const rank = ranks[index] ?? 0;
    const worth = (rank > 1 ? lead : 1) * (worths.get(rank) ?? 0);
    return { id, ...(behind && { behind }), worth: lane.weight * (lane.byScore ? score : worth) };
  });
}

/**
 * The factor for the worth of all hits behind the first. It lowers the next one to its share of the first
 * one's score, if its rank says more.
 */
function shareBehind(
  hits: readonly RankedHit<string | number>[],
  ranks: readonly number[],
  worths: ReadonlyMap<number, number>,
): number {
  const [first] = hits;
  const next = ranks.find((rank) => rank > 1);
  const worth = worths.get(next ?? 0);
  const score = hits[(next ?? 0) - 1]?.score;
  if (!first || worth === undefined || score === undefined || first.score <= 0) return 1;
  return Math.min(1, score / first.score / worth);
}

/** The rank of each hit, from 1; tied hits have the rank of the first of them. */
function ranksIn<Id extends string | number>({ hits, tied, nearness = 0 }: Lane<Id>): number[] {
  let [place, rank, first, ofFirst] = [0, 0, 0, 0];
  const items = new Set<string>();
  return hits.map(({ score, sourceUid, figures = 0 }, index) => {
    const isEqual = tied && index > 0 && score === hits[index - 1]?.score;
    if (!isEqual) place = index + 1;
    const isNear = isEqual || (tied && index > 0 && score >= first * (1 - nearness) && figures >= ofFirst);
    // A second chunk of an item is not tied: its words say better than anything else which chunk of an item
    // answers.
    if (!isNear || (!isEqual && sourceUid !== undefined && items.has(sourceUid))) {
      [rank, first, ofFirst] = [place, score, figures];
      items.clear();
    }
    if (sourceUid !== undefined) items.add(sourceUid);
    return rank;
  });
}

/** What a rank, from 1, is worth by itself. */
function worthOf(rank: number): number {
  return (rankConstant + 1) / (rankConstant + rank);
}

/** What each rank is worth. */
function worthsIn(ranks: readonly number[], { sharing }: Pick<Lane, 'sharing'>): Map<number, number> {
  const sums = new Map<number, { sum: number; alike: number }>();
  for (const [index, rank] of ranks.entries()) {
    const { sum, alike } = sums.get(rank) ?? { sum: 0, alike: 0 };
    sums.set(rank, { sum: sum + worthOf(sharing === 'mean' ? index + 1 : rank), alike: alike + 1 });
  }
  const divisor = (alike: number) => (sharing === 'diluted' ? alike ** 1.5 : alike);
  return new Map([...sums].map(([rank, { sum, alike }]) => [rank, sum / divisor(alike)]));
}

/**
 * The rank of each hit in each lane. Lanes without weight are included, because an explanation shows them
 * all.
 */
function ranksOf<Id extends string | number, Name extends string>(
  lanes: readonly Lane<Id, Name>[],
): Map<Id, { [name in Name]?: number }> {
  const ranks = new Map<Id, { [name in Name]?: number }>();
  for (const lane of lanes) {
    const { name } = lane;
    if (name === undefined) continue;
    const own = ranksIn({ ...lane, nearness: 0 });
    lane.hits.forEach(({ id }, index) => {
      const known: { [name in Name]?: number } = ranks.get(id) ?? {};
      known[name] ??= own[index] ?? 0;
      ranks.set(id, known);
    });
  }
  return ranks;
}
