import { analyzeText } from '../text/analyzer.js';
import { inverseDocumentFrequency } from '../text/bm25.js';
import { stopWords } from '../text/stop-words.js';
import { bestFirst } from './best-first.js';
import type { ItemHit } from './keyword-lane.queries.js';

// They ask; what answers does not say them.
const interrogatives = new Set(
  ['what', 'when', 'where', 'which', 'who', 'whom', 'why', 'how'].map((word) => stopWords.get(word)),
);
// As many as a whole number has bits for.
const askedMax = 30;
const weighedHitsMax = 50;
// Of texts alike in all else the one with the words of the query, also the little ones, is more often what was meant. nDCG@10
// of this lane without -> with it: verses asked for in other words .926 -> .946, lines of dialogue .960 -> .978, glosses .537 ->
// .544, MuSiQue .565 -> .560, HotpotQA .804 -> .806, vaswani .451 -> .450. Weights from .4 to .75 are within .003 of it, and so
// are 30 to 100 hits.
const weight = 0.5;

/** The numbers of the stop words of a query, each once, without those that make it a question. */
export function stopWordsOf(query: string): number[] {
  const found = new Set(analyzeText(query).stopWords);
  return [...found].filter((number) => !interrogatives.has(number)).slice(0, askedMax);
}

/**
 * The hits of the keyword lane, best first, with the best of them weighed also by which of so many stop words they have. What a
 * stop word says depends on how rare it is among these hits. One of which it is not known counts as they do on average.
 */
export function weighStopWords(hits: readonly ItemHit[], asked: number): ItemHit[] {
  const head = hits.slice(0, weighedHitsMax);
  const known = head.flatMap(({ stopWords: held }) => (held === null ? [] : [held]));
  const rarities = Array.from({ length: asked }, (_, nth) => {
    const holding = known.filter((held) => has(held, nth)).length;
    return inverseDocumentFrequency(holding, known.length);
  });
  const worth = (held: number) =>
    rarities.reduce((sum, rarity, nth) => sum + (has(held, nth) ? rarity : 0), 0);
  const average = known.reduce((sum, held) => sum + worth(held), 0) / Math.max(1, known.length);
  const weighed = head.map((hit) => ({
    ...hit,
    score: hit.score + weight * (hit.stopWords === null ? average : worth(hit.stopWords)),
  }));
  return [...bestFirst(weighed), ...hits.slice(weighedHitsMax)];
}

function has(held: number, nth: number): boolean {
  return ((held >> nth) & 1) === 1;
}
