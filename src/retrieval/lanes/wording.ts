import { analyzeText } from '../../text/analyzer.js';
import { inverseDocumentFrequency } from '../../text/bm25.js';
import { stopWords } from '../../text/stop-words.js';
import { isStopWordCode, unpackCodes, wordCodesEnd } from '../../text/word-codes.js';
import { looksMultiHop } from '../question/query-parts.js';
import type { ItemHit } from './keyword-lane.queries.js';
import { bestFirst, weighedHitsMax } from './lane-hits.js';

// These ask; an answer does not contain them.
const interrogatives = new Set(
  ['what', 'when', 'where', 'which', 'who', 'whom', 'why', 'how'].map((word) => stopWords.get(word)),
);
// "Section 8.2 (b)": a text that says so refers to the clause, while the clause itself begins with its
// number.
const reference =
  /(?:\b(?:sections?|clauses?|articles?|paragraphs?|chapters?|schedules?|art|sec|cl)\b\.?|§+)\s*\d+(?:\.\d+)*\.?(?:\s*\(\w{1,4}\))*/giu;
// nDCG@10 of this lane in a model that reads all texts, without wording -> with stop words -> with pairs too:
// verses asked for in other words .942 -> .961 -> .970, dictionary of computing .769 -> .766 -> .774, glosses
// .397 -> .404 -> .414, lines .976 -> .978 -> .977, vaswani .452 -> .450 -> .452. Pairs of words by their
// stems, or only adjacent ones, gain less.
const stopWordWeight = 0.5;
const pairWeight = 0.2;
const nearPairWeight = 0.25;
// A table has no stop words to share; a text with a smaller share of them than this gets the average gain of
// sentences. Without it the page that tells of a figure comes before the statement that contains it: 107
// questions about 256 pages of annual reports have .686 nDCG@10 in mode fast, .662 without, by words alone
// .686 and .662; filings and whatever has no tables are as before. Tables have .08 to .13, abstracts .2 to
// .4, other languages none.
const proseShareMin = 0.12;
// The keys of features: of a stop word its code; of two adjacent words both codes; and, from nearFrom on, of
// two words with at most one between them both codes.
const nearFrom = wordCodesEnd ** 2;
const pairKey = (one: number, other: number) => one * wordCodesEnd + other;
const nearKey = (one: number, other: number) => nearFrom + pairKey(one, other);

/**
 * Weighs the best hits of the keyword lane also by their wording: by the stop words of the query that they
 * contain, and by pairs of words that follow each other in both, directly or after one other word. Of
 * otherwise equal texts, the one with the same wording is more often meant. The rarer a feature is among
 * these hits, the more it counts. Hits whose wording is unknown get the average gain, and for stop words so
 * do texts that have none.
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

/** A hit with the codes of its words, in order. */
interface WordedHit {
  readonly hit: ItemHit;
  readonly codes: Uint16Array;
}

function readCodes(hit: ItemHit): WordedHit {
  return { hit, codes: unpackCodes(hit.wordCodes) };
}

/**
 * Whether a text consists of sentences: tables and lists contain hardly any stop words, whatever they answer.
 */
function isProse({ codes }: WordedHit): boolean {
  let stops = 0;
  for (const code of codes) if (isStopWordCode(code)) stops += 1;
  return stops > 0 && stops >= proseShareMin * codes.length;
}

/** What hits gain by some features, and their average gain. */
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

/** A feature of the query's wording, and the hits that have it too. */
interface SharedFeature {
  readonly isStopWord: boolean;
  readonly weight: number;
  readonly holding: ItemHit[];
}

function sharedFeatures(query: string, hits: readonly WordedHit[]): SharedFeature[] {
  const features = featuresOf(query);
  // Most words of a text are not in the query; these tables tell so in a look or two.
  const begins = new Uint8Array(wordCodesEnd);
  const follows = new Uint8Array(wordCodesEnd);
  for (const key of features.keys()) {
    begins[key < wordCodesEnd ? key : Math.floor((key % nearFrom) / wordCodesEnd)] = 1;
    if (key >= wordCodesEnd) follows[key % wordCodesEnd] = 1;
  }
  for (const { hit, codes } of hits) {
    const note = (key: number) => {
      const holding = features.get(key)?.holding;
      // A text may contain it several times.
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

/**
 * The features of a query by their keys: its stop words, without those that make it a question, and its pairs
 * of words.
 */
function featuresOf(query: string): Map<number, SharedFeature> {
  const runs = query.split(reference).map((text) => analyzeText(text).wordCodes);
  const features = new Map<number, SharedFeature>();
  // "What did I do yesterday?" asks for a day; a memory of another day that says "what did I do" does not answer it.
  if (runs.flat().every(isStopWordCode)) return features;
  const add = (key: number, weight: number) =>
    features.set(key, { isStopWord: key < wordCodesEnd, weight, holding: [] });
  for (const code of runs.flat())
    if (isStopWordCode(code) && !interrogatives.has(code)) add(code, stopWordWeight);
  // A question that no single text answers is not worded like its answers.
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
