import { namesInQuestion } from '../../text/names.js';
import { looksMultiHop } from '../question/query-parts.js';

/** The lanes that a search fuses. */
export type LaneName = 'dense' | 'sparse' | 'graph' | 'metadata' | 'app' | 'around' | 'parts' | 'forced';

/** The lanes that have one weight each. */
export type WeighedLane = Exclude<LaneName, 'parts'>;

// Metadata says what an item is about, hardly what it says; so it lifts, and the other lanes decide.
const metadataWeight = 0.15;

// The graph knows what is related to those named in the query, hardly what is asked. With this weight nDCG@10
// of musique is .717 (.696 without, .711 with .1), of hotpotqa .878 (.887), of 64 questions about 160
// paragraphs .938 (.943, .934 with .2), when chunks that mention a name share its worth.
const graphWeight = 0.15;
// The same where one text answers: reports that all name their company have nDCG@10 .804 with it, .785 with
// twice as much and .808 without; lines, verses and a dictionary gain .0002 to .0007.
const graphWeightOfOneHop = 0.1;

// For items with the title or the people that the query names.
const appWeight = 0.4;
// What is around an answer in its conversation comes behind it, and before what hardly answers. With this
// share of what the dense and the keyword lane can give, a neighbour of the first hit comes about tenth.
const aroundWeight = 0.4;
/** The weight of a rewritten query beside the query: its best chunk comes among the first ten. */
export const rewrittenWeight = 0.6;
/** The weight of all parts of a query together, beside the whole. */
export const partsWeight = 0.2;
// A relation between two entities that the query names brings its chunks among the first ten, behind those
// that answer by themselves.
const forcedWeight = 0.5;

// The factors of the dense lane's weight, with "auto", for a query that asks for exact terms, and for one of
// few words.
const exactShare = 0.2;
// The same for a trained model, which knows many such terms (node.js, COVID-19): mean nDCG@10 with a made one .727 instead
// of .724. Rare codes decide as before.
const exactShareOfTrained = 0.35;
const tersenessShare = 0.5;
const naturalWordsMin = 5;

// If the best item of the keyword lane has less than this share of the weight of the query's words, the texts
// use other words, and meaning counts so much more (uncoveredFactor). Chosen for the built-in embedder on 37
// sets (mean nDCG@10 by a model of the fusion): with .6 and 3 it is .599, with .45 and 4 .602, with .45 and 5
// .605, but then questions of a lawyer lose .018. Not for queries with a figure, whose words and figures say
// what is meant: questions on 256 reports alike have .727 and .713 (.715 and .688 otherwise).
const coverageMin = 0.45;
const uncoveredFactor = 4;
// By ranks alone, meaning would then pass a text that has by far the most of the words; so there the lead of
// the first keyword hit counts too. With it filings of five companies have .856 (.843 without), an
// assistant's sessions .550 (.542), single turns of two people .353 (.344), dialogues by turn .808 (.802), by
// session .877 (.875), sessions of six pairs .630 (.632).

// A vector describes a sentence better than a page. So where chunks are short, meaning counts more still:
// this number divided by their average number of terms. Not for queries that name what they ask for, of
// which vectors know little. nDCG@10 of questions in other words than answers of 6, 11 and 17 terms is
// .486, .708 and .254 (.427, .677 and .201 without), of layman's questions (23 terms) .488 (.474); longer
// texts hardly change. With 16, layman's questions lose .014; for queries with names too, paragraphs about
// people of 18 to 20 terms lose .011 to .061, dialogues .046.
const tellingTerms = 12;
const shortTextsShare = 0.8;
// Nor in dialogues, where what is near in meaning is another question more often than the answer: turns of two people
// have .297 and .501 (.284 and .430 otherwise).
// Nor for queries of which one item has this share of the words: a long text (a mail that repeats a thread) may
// score little by its length, and hold them all.
const heldMin = 0.6;

// A trained model finds texts that are near the whole question; the second text of an answer in two hops is near the
// first, which the second pass finds by words. With it musique has .783 instead of .761 with a made model, hotpotqa .929
// instead of .912.
const multiHopShare = 2 / 3;

// By scores the built-in embedder may count more. nDCG@10 of 37 sets, with the meaning of terse queries halved as ever: .6338
// with 1, .6342 with 1.6, .6334 with 2.2 (.6314 by ranks); headings of manuals gain .005 to .012, vaswani .004.
const scoredShare = 1.6;

const quoted = /"[^"]+"|“[^”]+”|«[^»]+»|`[^`]+`/;
// Letters with digits, or signs that no prose has within a word: ERR-4042, v1.2, foo_bar, user@host, node.js,
// a::b.
const code =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}._/:#-]*\d)(?=[\p{N}._/:#-]*\p{L})[\p{L}\p{N}]+(?:[._/:#-]+[\p{L}\p{N}]+)*|[\p{L}\p{N}](?:[_@\\]|::|:\/\/)+[\p{L}\p{N}]|\p{L}{2}\.\p{L}{2}|\d[.:/-]\d/u;
// A longer query is a text, whatever codes it contains. Besides, the patterns take quadratic time on letters
// without a space.
const lookedAtMax = 1000;
const figure = /\p{N}/u;
const wordPattern = /[\p{L}\p{N}'’]+/gu;

/**
 * The weight of the dense lane for a query, 0 to 1. Ids, codes and quoted words ask for exact terms; a
 * natural question may be a paraphrase; a few loose words are in between. `denseWeight` is what the lane
 * usually deserves, as its embedder says. It gets more where the texts cover little of the query (`coverage`,
 * 0 to 1), and more still where they are short (`averageLength` of chunks, in terms) and none holds many of
 * its words (`held`, 0 to 1), unless they are the turns of a dialogue.
 */
export function autoAlpha(
  query: string,
  denseWeight: number,
  {
    coverage = 1,
    held = 0,
    averageLength = Infinity,
    areTurns = false,
    fusesByScore = false,
  }: Pick<Weighing, 'coverage' | 'held' | 'averageLength' | 'areTurns' | 'fusesByScore'> = {},
): number {
  if (asksExactly(query)) return denseWeight * (fusesByScore ? exactShareOfTrained : exactShare);
  if (isLittleFound(query, coverage)) {
    const uncovered = Math.min(denseWeight * uncoveredFactor, (1 + denseWeight) / 2);
    const ofShort = Math.min(shortTextsShare, tellingTerms / averageLength);
    const isNamed = namesInQuestion(query.slice(0, lookedAtMax), 1).length > 0;
    const isFound = denseWeight === 0 || held >= heldMin || isNamed || areTurns;
    return isFound ? uncovered : Math.max(uncovered, ofShort);
  }
  const words = query.match(wordPattern)?.length ?? 0;
  return words >= naturalWordsMin ? denseWeight : denseWeight * tersenessShare;
}

/** Whether a query asks for ids, codes or quoted words, which a text either contains or not. */
function asksExactly(query: string): boolean {
  const looked = query.slice(0, lookedAtMax);
  return quoted.test(looked) || code.test(looked);
}

/** Whether the texts contain so little of a query that they seem to use other words for it. */
function isLittleFound(query: string, coverage: number): boolean {
  return coverage < coverageMin && !hasFigure(query);
}

function hasFigure(query: string): boolean {
  return figure.test(query.slice(0, lookedAtMax));
}

/** What decides how much the dense lane counts beside the keyword lane. */
export interface Weighing {
  readonly alpha: number | 'auto';
  readonly query: string;
  readonly denseWeight: number;
  /** Whether the scores of the dense lane always tell enough to be fused with those of the keyword lane. */
  readonly fusesByScore?: boolean;
  /** The share of the weight of the query's words that the best item of the keyword lane has. */
  readonly coverage?: number;
  /** The greatest share of the query's words that one item of the keyword lane has. */
  readonly held?: number;
  /** The average number of terms per chunk, over all that is searched. */
  readonly averageLength?: number;
  /** The best hits of the keyword lane are turns of a dialogue. */
  readonly areTurns?: boolean;
  /** The keyword lane ranks by wording, so the distances between its scores say nothing. */
  readonly isWorded?: boolean;
  /** The keyword lane begins with chunks that contain a rare code of the query, which must be meant. */
  readonly holdsCode?: boolean;
  /**
   * Values of metadata contain words of the query that no text does; these count as the words of texts do.
   */
  readonly isValued?: boolean;
}

/** The part of it that the keyword lane knows. */
export type KeywordWeighing = Required<
  Pick<Weighing, 'coverage' | 'held' | 'averageLength' | 'areTurns' | 'isWorded' | 'holdsCode'>
>;

/** Whether meaning counts more because the texts contain few of the words, none of which asks for itself alone. */
export function isUncovered({ alpha, query, coverage = 1, isValued = false }: Weighing): boolean {
  return alpha === 'auto' && !isValued && isLittleFound(query, coverage) && !asksExactly(query);
}

/** Whether a query asks for words by their wording, a code or quotes: a text has them or not, however well it scores. */
export function asksForWords({ query, isWorded = false, holdsCode = false }: Weighing): boolean {
  return isWorded || holdsCode || asksExactly(query);
}

/**
 * Whether the dense and the keyword lane are fused by their scores; otherwise by ranks, as where words are asked for exactly.
 * Of the built-in embedder scores tell enough only where texts hold the words of a query that no figure decides, and that
 * one text answers.
 */
export function areFusedByScores(weighing: Weighing): boolean {
  const { alpha, query, fusesByScore = false } = weighing;
  if (asksForWords(weighing)) return false;
  const isPlain = !isUncovered(weighing) && !hasFigure(query) && !looksMultiHop(query);
  return fusesByScore || (alpha === 'auto' && isPlain);
}

/** The weight of the dense lane: `alpha`, or for "auto" what autoAlpha says. */
export function denseShare(weighing: Weighing): number {
  const { alpha, query, fusesByScore = false, holdsCode, isValued } = weighing;
  if (alpha !== 'auto') return Math.min(1, Math.max(0, alpha));
  const denseWeight = weighing.denseWeight * scoredFactor(weighing);
  if (holdsCode) return denseWeight * exactShare;
  return autoAlpha(query, denseWeight, isValued ? { fusesByScore } : weighing);
}

/** The factor of the dense lane's weight, with "auto", where its scores count. */
function scoredFactor(weighing: Weighing): number {
  if (weighing.fusesByScore) return looksMultiHop(weighing.query) ? multiHopShare : 1;
  return areFusedByScores(weighing) ? scoredShare : 1;
}

/** The weight of each lane. */
export function laneWeights(weighing: Weighing): Readonly<Record<WeighedLane, number>> {
  const dense = denseShare(weighing);
  const oneLane = weighing.alpha === 0 || weighing.alpha === 1;
  return {
    dense,
    sparse: 1 - dense,
    graph: oneLane ? 0 : looksMultiHop(weighing.query) ? graphWeight : graphWeightOfOneHop,
    metadata: weighing.isValued ? 1 - dense : metadataWeight,
    app: oneLane ? 0 : appWeight,
    around: oneLane ? 0 : aroundWeight,
    forced: oneLane ? 0 : forcedWeight,
  };
}
