import type { FusedHit } from './fusion.js';

/** What is known of a hit beside its lanes. */
export interface HitOrigin {
  readonly collectionId: number;
  /** When its item was written or observed; if that is not known, when it was uploaded. */
  readonly time: Date;
  /** Whether it is known when the item was written or observed. */
  readonly isDated: boolean;
}

/** What changes the order of hits after fusion. */
export interface Reordering {
  /** 0 to 1; with 0, age does not matter. */
  readonly recencyBias: number;
  /** By the id of the collection, above 0; null when all count alike. */
  readonly weights: ReadonlyMap<number, number> | null;
}

// The most that age can take of a hit's score. With a bias of 1, an old hit falls behind new ones within some
// four times its rank, but not behind hits that hardly answer the query.
const ageShareMax = 0.75;
// With this share, a hit of median age has lost four fifths of that.
const agingShare = 0.25;

/** Whether anything is to change the order. */
export function isActive({ recencyBias, weights }: Reordering): boolean {
  return recencyBias > 0 || weights !== null;
}

/**
 * How many times further back than the wanted number a hit may stand that reordering can bring to the front.
 */
export function liftOf({ recencyBias }: Pick<Reordering, 'recencyBias'>): number {
  return 1 / (1 - ageShareMax * recencyBias);
}

/**
 * Multiplies each score by the weight of the hit's collection, relative to the greatest weight, and by `1 -
 * 0.75 × recencyBias × age / (age + a quarter of the median age of the hits)`. Returns the hits sorted by the
 * new scores.
 * The median is that of the dated hits, if there are any, because uploads at one time tell no ages apart. Age
 * counts from the newest hit: from now, all of an archive would be about equally old. So the decay has no
 * unit: it tells messages apart by hours, papers by years, and keeps the order of hits of one age. Hits of
 * unknown origin keep their scores.
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

/** Moves the hit with this id to the front, with the best score; without such a hit, nothing changes. */
export function withFirst(hits: FusedHit[], id: string | undefined): FusedHit[] {
  const [leading] = hits;
  const first = hits.find((hit) => hit.id === id);
  if (!leading || !first || first === leading) return hits;
  return [{ ...first, score: leading.score }, ...hits.filter((hit) => hit !== first)];
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
