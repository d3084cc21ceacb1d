import type { FusedHit } from './fusion.js';

/** What is known of a hit beside its lanes. */
export interface HitOrigin {
  readonly collectionId: number;
  /** When its item was written or, if nobody says so, uploaded. */
  readonly time: Date;
  /** Whether somebody says so. */
  readonly isDated: boolean;
}

/** What acts on the order of hits after fusion. */
export interface Reordering {
  /** 0 to 1; 0: age does not matter. */
  readonly recencyBias: number;
  /** By collection, above 0; null when all count alike. */
  readonly weights: ReadonlyMap<number, number> | null;
}

// What age can take of a hit's score: with a bias of 1 an old hit falls behind new ones within some four times its rank,
// and not behind what hardly answers the query.
const ageShareMax = 0.75;
// A hit of median age has lost four fifths of that.
const agingShare = 0.25;

/** Whether there is anything to act on the order. */
export function isActive({ recencyBias, weights }: Reordering): boolean {
  return recencyBias > 0 || weights !== null;
}

/** How many times further back a hit may stand that reordering brings to the front. */
export function liftOf({ recencyBias }: Pick<Reordering, 'recencyBias'>): number {
  return 1 / (1 - ageShareMax * recencyBias);
}

/**
 * Multiplies each score with the weight of the hit's collection, as a share of the heaviest, and with
 * `1 - 0.75 × recencyBias × age / (age + a quarter of the median age of the hits)`; where some say when they were written, of these
 * alone, since what was uploaded at once tells no ages apart. Age counts from the newest of them: from now on, all of an
 * archive would be as old as one another. So the decay has no unit: hours tell messages of a day apart and years do
 * papers, and hits of one age keep their order. Hits of unknown origin keep their scores.
 */
export function reorder<Id extends string>(
  hits: readonly FusedHit<Id>[],
  origins: ReadonlyMap<Id, HitOrigin>,
  { recencyBias, weights, now }: Reordering & { readonly now: Date },
): FusedHit<Id>[] {
  const known = [...origins.values()];
  const dated = known.filter(({ isDated }) => isDated);
  const newest = Math.min(now.getTime(), Math.max(...known.map(({ time }) => time.getTime())));
  const ageOf = ({ time }: HitOrigin) => Math.max(0, newest - time.getTime());
  const aging = agingShare * medianOf((dated.length > 0 ? dated : known).map(ageOf));
  const heaviest = Math.max(...(weights?.values() ?? []));
  return hits
    .map((hit) => {
      const origin = origins.get(hit.id);
      if (!origin) return hit;
      const age = ageOf(origin);
      const agedShare = age === 0 ? 0 : age / (age + aging);
      const weight = weights ? (weights.get(origin.collectionId) ?? 0) / heaviest : 1;
      return { ...hit, score: hit.score * weight * (1 - ageShareMax * recencyBias * agedShare) };
    })
    .sort((a, b) => b.score - a.score);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
