import { namesIn } from '../text/names.js';
import { looksMultiHop } from './query-parts.js';

/** What a search fuses. */
export type LaneName = 'dense' | 'sparse' | 'graph' | 'metadata' | 'app' | 'around' | 'parts' | 'forced';

/** Lanes of which each has one weight. */
export type WeighedLane = Exclude<LaneName, 'parts'>;

// Metadata says what an item is about, hardly what it says: it lifts, and the other lanes decide.
const metadataWeight = 0.15;

// The graph knows what is near to who is named, hardly what is asked. By this weight nDCG@10 of musique is .717 (.696 without, .711 with
// .1), of hotpotqa .878 (.887), of 64 questions about 160 paragraphs .938 (.943, .934 with .2), when chunks that mention a name share it.
const graphWeight = 0.15;
// The same where one text answers: reports that all name their company have .804 nDCG@10 with it, .785 with twice as much and
// .808 without; lines, verses and a dictionary gain .0002 to .0007.
const graphWeightOfOneHop = 0.1;

// What is called as the query asks, or comes from whom it names.
const appWeight = 0.4;
// What stands around an answer in its conversation comes behind it, and before what hardly answers: with this share of what the dense
// and the keyword lane can give a neighbour of the first hit is about the tenth.
const aroundWeight = 0.4;
/** What a query in other words weighs beside the query: its best chunk comes among the first ten. */
export const rewrittenWeight = 0.6;
/** What all parts of a query weigh together beside the whole of it. */
export const partsWeight = 0.2;
// A relation between two that the query names brings its chunks among the first ten, behind what answers by itself.
const forcedWeight = 0.5;

// What "auto" takes of the dense lane's weight where exact terms are asked for, and where only few words are given.
const exactShare = 0.2;
const tersenessShare = 0.5;
const naturalWordsMin = 5;

// Where the best item of the keyword lane has less than this of what the words of the query weigh, they are other words than the texts',
// and meaning counts so much more. With the built-in embedder nDCG@10 of 89 claims about science is .825 (.792 without), of 60
// layman's questions .463 (.450), of 40 asked of long dialogues .532 (.501), of musique .708 (.704), hotpotqa .871 (.873), vaswani .449
// (.447). From .5 to .7 it hardly matters; twice as much as otherwise gains a third of it, four times as much harms contracts.
const coverageMin = 0.6;
const uncoveredFactor = 3;
// But by ranks alone it would pass what has by far the most of the words: so the lead of the first keyword hit counts there. With it filings
// of five companies have .856 (.843 without), an assistant's sessions .550 (.542), single turns of two people .353 (.344), dialogues by
// turn .808 (.802), by session .877 (.875), sessions of six pairs .630 (.632).

// A vector tells a sentence better than a page: where chunks are short it counts more yet, by so many terms to their average, unless the
// query names or counts what it asks for, of which vectors know little. nDCG@10 of questions in other words than answers of 6, 11 and 17
// terms is .486, .708 and .254 (.427, .677 and .201 without), of layman's questions (23 terms) .488 (.474); what is longer hardly changes.
// With 16 terms layman's questions lose .014; beside names too paragraphs about people of 18 to 20 terms lose .011 to .061, dialogues .046.
const tellingTerms = 12;
const shortTextsShare = 0.8;
// The capital that every sentence begins with names nothing.
const opening = /^\P{L}*\S+\s/u;

const quoted = /"[^"]+"|“[^”]+”|«[^»]+»|`[^`]+`/;
// Letters with digits, or marks that no prose has inside a word: ERR-4042, v1.2, foo_bar, user@host, node.js, a::b.
const code =
  /(?=[\p{L}\p{N}._/:#-]*\d)(?=[\p{N}._/:#-]*\p{L})[\p{L}\p{N}]+(?:[._/:#-]+[\p{L}\p{N}]+)*|[\p{L}\p{N}](?:[_@\\]|::|:\/\/)+[\p{L}\p{N}]|\p{L}{2}\.\p{L}{2}|\d[.:/-]\d/u;
// What is longer is a text, whatever codes it holds; and the patterns take quadratic time on letters without a space.
const lookedAtMax = 1000;
const figure = /\p{N}/u;
const wordPattern = /[\p{L}\p{N}'’]+/gu;

/**
 * The weight of the dense lane, by the look of a query: ids, codes and quoted words want exact
 * terms, a natural question may be a paraphrase, a few loose words are in between. `denseWeight` is what the dense
 * lane deserves as a rule: the embedder says so. Where the texts hold little of the query (`coverage`, 0..1) it deserves more, and more yet
 * where they are short (`averageLength`, of chunks, in terms).
 */
export function autoAlpha(
  query: string,
  denseWeight: number,
  { coverage = 1, averageLength = Infinity }: Pick<Weighing, 'coverage' | 'averageLength'> = {},
): number {
  const looked = query.slice(0, lookedAtMax);
  if (quoted.test(looked)) return denseWeight * exactShare;
  if (coverage < coverageMin) {
    const uncovered = Math.min(denseWeight * uncoveredFactor, (1 + denseWeight) / 2);
    const ofShort = Math.min(shortTextsShare, tellingTerms / averageLength);
    return denseWeight === 0 || tells(looked) ? uncovered : Math.max(uncovered, ofShort);
  }
  if (code.test(looked)) return denseWeight * exactShare;
  const words = query.match(wordPattern)?.length ?? 0;
  return words >= naturalWordsMin ? denseWeight : denseWeight * tersenessShare;
}

/** Whether a query asks for ids, codes or quoted words: such are there or not. */
export function asksExactly(query: string): boolean {
  const looked = query.slice(0, lookedAtMax);
  return quoted.test(looked) || code.test(looked);
}

/** Whether a query says by a name or a figure what it is about. */
function tells(query: string): boolean {
  return figure.test(query) || namesIn(query.replace(opening, ''), 1).length > 0;
}

/** What decides how much the dense lane counts beside the keyword lane. */
export interface Weighing {
  readonly alpha: number | 'auto';
  readonly query: string;
  readonly denseWeight: number;
  /** How much of the weight of the query's words the best item of the keyword lane has. */
  readonly coverage?: number;
  /** How many of them an item of the keyword lane has at most, as a share. */
  readonly held?: number;
  /** How many terms a chunk has on average, of all that is searched. */
  readonly averageLength?: number;
  /** The keyword lane goes by the wording: how far apart its scores are says nothing. */
  readonly isWorded?: boolean;
  /** The keyword lane begins with what holds a rare code of the query: nothing else is meant. */
  readonly holdsCode?: boolean;
  /** Values of metadata hold words of the query that no text does: these count as the words of texts do. */
  readonly isValued?: boolean;
}

/** What the keyword lane tells of it. */
export type KeywordWeighing = Required<
  Pick<Weighing, 'coverage' | 'held' | 'averageLength' | 'isWorded' | 'holdsCode'>
>;

/** Whether meaning counts more because the texts hold few of the words. */
export function isUncovered({ alpha, coverage = 1, isValued = false }: Weighing): boolean {
  return alpha === 'auto' && coverage < coverageMin && !isValued;
}

/** The weight of the dense lane: `alpha`, where it is not "auto" (see autoAlpha). */
export function denseShare(weighing: Weighing): number {
  const { alpha, query, denseWeight, holdsCode, isValued } = weighing;
  if (alpha !== 'auto') return Math.min(1, Math.max(0, alpha));
  if (holdsCode) return denseWeight * exactShare;
  return autoAlpha(query, denseWeight, isValued ? {} : weighing);
}

/** How much each lane counts. */
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
