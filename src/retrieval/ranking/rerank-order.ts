import type { FoundChunk } from '../search-result.js';

/**
 * Sorts chunks by the scores of a reranker, which are by index in `found`. Chunks without a score follow in
 * their order so far.
 */
export function inOrder(found: readonly FoundChunk[], scores: ReadonlyMap<number, number>): FoundChunk[] {
  const values = [...scores.values()];
  // Some rerankers answer with scores from 0 to 1, others with logits.
  const areShares = values.every((score) => score >= 0 && score <= 1);
  const share = (score: number) => (areShares ? score : 1 / (1 + Math.exp(-score)));
  const ranked = found
    .flatMap((chunk, place) => {
      const score = scores.get(place);
      return score === undefined ? [] : [{ chunk, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ chunk, score }) => ({ ...chunk, hit: { ...chunk.hit, score: share(score) } }));
  const last = ranked.at(-1)?.hit.score ?? 1;
  const rest = found.filter((_, place) => !scores.has(place)).map((chunk) => capped(chunk, last));
  return [...ranked, ...rest];
}

/** A chunk whose score is lowered to `score`, if it was above. */
export function capped(chunk: FoundChunk, score: number): FoundChunk {
  return { ...chunk, hit: { ...chunk.hit, score: Math.min(chunk.hit.score, score) } };
}
