import { analyzeText } from '../text/analyzer.js';
import { inverseDocumentFrequency } from '../text/bm25.js';
import { stopWords } from '../text/stop-words.js';
import { codeString, isStopWordCode } from '../text/word-codes.js';
import { bestFirst } from './best-first.js';
import type { ItemHit } from './keyword-lane.queries.js';
import { looksMultiHop } from './query-parts.js';

// They ask; what answers does not say them.
const interrogatives = new Set(
  ['what', 'when', 'where', 'which', 'who', 'whom', 'why', 'how'].map((word) => stopWords.get(word)),
);
const weighedHitsMax = 50;
// Of a query that is a whole document the beginning tells.
const wordsMax = 60;
// nDCG@10 of this lane with stop words alone -> with pairs as well: verses asked for in other words .950 -> .957 (without either .926),
// dictionary of computing .703 -> .709, glosses .547 -> .551, vaswani .452 -> .448; others do not notice. Stop words at .4 to .75, pairs at
// .1 to .3, and 30 to 100 hits are within .003 of it on average.
const stopWordWeight = 0.5;
const pairWeight = 0.2;

/** What the wording of a text may have of that of a query. */
interface Feature {
  /** Codes in a row. */
  readonly codes: string;
  readonly weight: number;
}

/**
 * Weighs the best hits of the keyword lane also by their wording: by the stop words of the query that they have, and by the
 * words that stand side by side in both. Of texts alike in all else that is more often the one that was meant. What each says
 * depends on how rare it is among these hits; one whose wording is not known counts as they do on average.
 */
export function weighWording(hits: readonly ItemHit[], query: string): ItemHit[] {
  const head = hits.slice(0, weighedHitsMax);
  const known = head.filter(({ wordCodes }) => wordCodes !== '');
  const worths = new Map<ItemHit, number>();
  for (const { codes, weight } of known.length > 0 ? featuresOf(query) : []) {
    const holding = known.filter(({ wordCodes }) => wordCodes.includes(codes));
    const worth = weight * inverseDocumentFrequency(holding.length, known.length);
    for (const hit of holding) worths.set(hit, (worths.get(hit) ?? 0) + worth);
  }
  if (worths.size === 0) return [...hits];
  const average = [...worths.values()].reduce((sum, worth) => sum + worth, 0) / known.length;
  const worthOf = (hit: ItemHit) => (hit.wordCodes === '' ? average : (worths.get(hit) ?? 0));
  const weighed = head.map((hit) => ({ ...hit, score: hit.score + worthOf(hit) }));
  return [...bestFirst(weighed), ...hits.slice(weighedHitsMax)];
}

/** The stop words of a query, without those that make it a question, and its pairs of words, each once. */
function featuresOf(query: string): Feature[] {
  const words = analyzeText(query).wordCodes.slice(0, wordsMax);
  const codes = codeString(Uint8Array.from(words));
  const single = words.filter((code) => isStopWordCode(code) && !interrogatives.has(code));
  // A question that no text answers alone is not worded as its answers are.
  const pairs = looksMultiHop(query)
    ? []
    : words.slice(1).map((_, before) => codes.slice(before, before + 2));
  return [
    ...[...new Set(single)].map((code) => ({ codes: String.fromCharCode(code), weight: stopWordWeight })),
    ...[...new Set(pairs)].map((pair) => ({ codes: pair, weight: pairWeight })),
  ];
}
