import type { ItemHit } from './lanes.queries.js';

// By how much each further chunk counts less than the one before. On hotpotqa, musique and vaswani with every document cut
// into 2 to 5, ranking documents by their best chunk gains .010 to .015 nDCG@10 by it; .2 to .4 hardly differ.
const fading = 0.25;

/**
 * Credits the best chunk of each item with what the other chunks of it say of the query: an item that speaks of it all along
 * goes before one that mentions it once. The others keep their places, so that no item fills an answer. Hits come best first.
 */
export function creditItems(hits: readonly ItemHit[]): ItemHit[] {
  const items = new Map<string, { credit: number; factor: number }>();
  for (const { sourceUid, score } of hits) {
    const item = items.get(sourceUid);
    if (!item) {
      items.set(sourceUid, { credit: 0, factor: fading });
      continue;
    }
    item.credit += item.factor * score;
    item.factor *= fading;
  }
  const credited = new Set<string>();
  return hits.map((hit) => {
    const credit = items.get(hit.sourceUid)?.credit ?? 0;
    if (credit === 0 || credited.has(hit.sourceUid)) return hit;
    credited.add(hit.sourceUid);
    return { ...hit, score: hit.score + credit };
  });
}
