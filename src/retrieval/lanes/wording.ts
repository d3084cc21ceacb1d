import { analyzeText } from '../../text/analyzer.js';
import { inverseDocumentFrequency } from '../../text/bm25.js';
import { stopWords } from '../../text/stop-words.js';
import { isStopWordCode, unpackCodes, wordCodesEnd } from '../../text/word-codes.js';
import { looksMultiHop } from '../question/query-parts.js';
import { bestFirst } from './best-first.js';
import type { ItemHit } from './keyword-lane.queries.js';

// They ask; what answers does not say them.
const interrogatives = new Set(
  ['what', 'when', 'where', 'which', 'who', 'whom', 'why', 'how'].map((word) => stopWords.get(word)),
);
// "Section 8.2 (b)": what says so refers to it, the clause itself begins with its number.
const reference =
  /(?:\b(?:sections?|clauses?|articles?|paragraphs?|chapters?|schedules?|art|sec|cl)\b\.?|§+)\s*\d+(?:\.\d+)*\.?(?:\s*\(\w{1,4}\))*/giu;
const weighedHitsMax = 50;
// Of a query that is a whole document the beginning tells.
const wordsMax = 60;
// nDCG@10 of this lane in a model that reads all texts, without -> stop words -> pairs as well: verses asked for in other words .942 ->
// .961 -> .970, dictionary of computing .769 -> .766 -> .774, glosses .397 -> .404 -> .414, lines .976 -> .978 -> .977, vaswani .452 ->
// .450 -> .452. Pairs of words by their stems, or only side by side, gain less.
const stopWordWeight = 0.5;
const pairWeight = 0.2;
const nearPairWeight = 0.25;
// A table has no stop words to share: one with less than this of them counts as sentences do on average. Without it the page that tells of a
// figure stands before the statement that has it: 107 questions about 256 pages of annual reports .686 nDCG@10 in mode fast, .662 without,
// words alone .686 and .662; filings and whatever has no tables as before. Tables have .08 to .13, abstracts .2 to .4, other languages none.
const proseShareMin = 0.12;
// Keys of features: of a stop word its code, of two words in a row both, and the same beyond for two with at most one between.
const nearFrom = wordCodesEnd ** 2;
const pairKey = (one: number, other: number) => one * wordCodesEnd + other;
const nearKey = (one: number, other: number) => nearFrom + pairKey(one, other);

/**
 * Weighs the best hits of the keyword lane also by their wording: by the stop words of the query that they have, and by the
 * words that follow each other in both, at once or after one other. Of texts alike in all else that is more often the one that
 * was meant. What each says depends on how rare it is among these hits; one whose wording is not known counts as they do on
 * average, and so do stop words where a text has none.
 */
export function weighWording(hits: readonly ItemHit[], query: string): ItemHit[] {
  const head = hits.slice(0, weighedHitsMax);
  const known = head.flatMap((hit): WordedHit[] => (hit.wordCodes === '' ? [] : [readCodes(hit)]));
  const features = known.length > 0 ? sharedFeatures(query, known) : [];
  const gains = [true, false].map((isStopWord) =>
    gainsBy(
      features.filter((feature) => feature.isStopWord === isStopWord),
      isStopWord ? known.filter(isProse) : known,
    ),
  );
  if (gains.every(({ of }) => of.size === 0)) return [...hits];
  const weighed = head.map((hit) => ({
    ...hit,
    score: gains.reduce((score, { of, average }) => score + (of.get(hit) ?? average), hit.score),
  }));
  return [...bestFirst(weighed), ...hits.slice(weighedHitsMax)];
}

/** A hit with the codes of its words, in their order. */
interface WordedHit {
  readonly hit: ItemHit;
  readonly codes: Uint16Array;
}

function readCodes(hit: ItemHit): WordedHit {
  return { hit, codes: unpackCodes(hit.wordCodes) };
}

/** Whether a text has sentences: tables and lists have hardly a stop word, whatever they answer. */
function isProse({ codes }: WordedHit): boolean {
  let stops = 0;
  for (const code of codes) if (isStopWordCode(code)) stops += 1;
  return stops > 0 && stops >= proseShareMin * codes.length;
}

/** What hits gain by some features, and what they do on average. */
interface Gains {
  readonly of: ReadonlyMap<ItemHit, number>;
  readonly average: number;
}

function gainsBy(features: readonly SharedFeature[], among: readonly WordedHit[]): Gains {
  const of = new Map<ItemHit, number>();
  let all = 0;
  if (features.length > 0) for (const { hit } of among) of.set(hit, 0);
  for (const { weight, holding } of features) {
    const held = holding.filter((hit) => of.has(hit));
    const worth = weight * inverseDocumentFrequency(held.length, among.length);
    for (const hit of held) of.set(hit, (of.get(hit) ?? 0) + worth);
    all += worth * held.length;
  }
  return { of, average: of.size === 0 ? 0 : all / of.size };
}

/** What the wording of a query has, and the hits that have it too. */
interface SharedFeature {
  readonly isStopWord: boolean;
  readonly weight: number;
  readonly holding: ItemHit[];
}

function sharedFeatures(query: string, hits: readonly WordedHit[]): SharedFeature[] {
  const features = featuresOf(query);
  // Most words of a text are none of the query: a look or two tell.
  const begins = new Uint8Array(wordCodesEnd);
  const follows = new Uint8Array(wordCodesEnd);
  for (const key of features.keys()) {
    begins[key < wordCodesEnd ? key : Math.floor((key % nearFrom) / wordCodesEnd)] = 1;
    if (key >= wordCodesEnd) follows[key % wordCodesEnd] = 1;
  }
  for (const { hit, codes } of hits) {
    const note = (key: number) => {
      const holding = features.get(key)?.holding;
      // A text may have it several times.
      if (holding && holding.at(-1) !== hit) holding.push(hit);
    };
    for (let place = 0; place < codes.length; place += 1) {
      const code = codes[place] ?? 0;
      if (begins[code] === 0) continue;
      const next = codes[place + 1] ?? 0;
      const afterNext = codes[place + 2] ?? 0;
      if (isStopWordCode(code)) note(code);
      if (follows[next] === 1) {
        note(pairKey(code, next));
        note(nearKey(code, next));
      }
      if (follows[afterNext] === 1) note(nearKey(code, afterNext));
    }
  }
  return [...features.values()];
}

/** By their keys: the stop words of a query, without those that make it a question, and its pairs of words. */
function featuresOf(query: string): Map<number, SharedFeature> {
  const runs = query.split(reference).map((text) => analyzeText(text).wordCodes.slice(0, wordsMax));
  const features = new Map<number, SharedFeature>();
  const add = (key: number, weight: number) =>
    features.set(key, { isStopWord: key < wordCodesEnd, weight, holding: [] });
  for (const code of runs.flat())
    if (isStopWordCode(code) && !interrogatives.has(code)) add(code, stopWordWeight);
  // A question that no text answers alone is not worded as its answers are.
  if (looksMultiHop(query)) return features;
  for (const codes of runs)
    for (const [place, code] of codes.entries()) {
      const [next, afterNext] = codes.slice(place + 1, place + 3);
      if (next !== undefined) add(pairKey(code, next), pairWeight);
      for (const other of [next, afterNext])
        if (other !== undefined) add(nearKey(code, other), nearPairWeight);
    }
  return features;
}
