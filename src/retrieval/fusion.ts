import { namesIn } from '../text/names.js';
import { looksMultiHop } from './query-parts.js';

/** A chunk that a lane found; lanes list them best first. */
export interface RankedHit<Id extends string | number = string> {
  readonly id: Id;
  readonly score: number;
  /** The item that a chunk belongs to, where that matters. */
  readonly sourceUid?: string;
  /** Its lane makes it worth at most this share of what another hit is, for whose sake it comes or which it may not pass. */
  readonly behind?: { readonly id: Id; readonly share: number };
  /** How many of the figures of the query its item holds, where that matters. */
  readonly figures?: number;
}

/** One ranking and how much it counts beside the others. */
export interface Lane<Id extends string | number = string, Name extends string = string> {
  readonly name: Name;
  readonly weight: number;
  readonly hits: readonly RankedHit<Id>[];
  /** Hits of equal score have one rank: those of values that many items have in common. */
  readonly tied?: boolean;
  /**
   * Tied hits, of different items, are worth what the first of them is when that is better by no more than this share of its score, and
   * has no more of the figures of the query.
   */
  readonly nearness?: number;
  /** How far the first is ahead by its score counts, where that says more than its rank. */
  readonly leads?: boolean;
  /**
   * What hits of equal score are worth: the best of their places each, the less the more they are (what is said of many says little of
   * each), or the mean of their places, so that many alike do not push aside what other lanes nominate.
   */
  readonly sharing?: 'diluted' | 'mean';
  /** How slowly ranks lose worth; see rankConstantDefault. */
  readonly rankConstant?: number;
  /** A hit is worth its score, 0 to 1, whatever its rank. */
  readonly byScore?: boolean;
  /**
   * A hit is worth at least what its rank says, and no more for what other lanes say of it: it comes in, and passes nothing better. With a
   * number also no less than the hit that so many of the other lanes are up to.
   */
  readonly raises?: true | number;
}

/** What a search fuses. */
export type LaneName = 'dense' | 'sparse' | 'graph' | 'metadata' | 'app' | 'around' | 'parts' | 'forced';

/** Lanes of which each has one weight. */
export type WeighedLane = Exclude<LaneName, 'parts'>;

/** A fused hit; `score` is 0 to 1, 1 when every lane ranks it first; ranks count from 1. */
export interface FusedHit<Id extends string | number = string, Name extends string = LaneName> {
  readonly id: Id;
  readonly score: number;
  readonly ranks: { readonly [name in Name]?: number };
}

// Reciprocal rank fusion with a small constant: the head of the better lane stays in place, and the other lane reorders
// what follows. On vaswani, musique and hotpotqa this beat the usual 60 and normalised scores; 2 to 10 hardly differ.
const rankConstantDefault = 5;
// Of the two main lanes the one that counts little is trusted with the head of its ranking alone: at a tenth of the weight the
// constant is 1. Below the head the weaker lane moves more wrong hits than right ones (vaswani, hotpotqa).
const rankConstantPerWeight = 10;
const rankConstantMin = 1;

// Keyword scores this near to one another say little of which text is meant: there the other lanes decide. nDCG@10 of dialogues by
// turn .802 (.792 without), by session .875 (.864), of filings .878 (.876), layman's questions .466 (.461), vaswani .454 (.448), claims
// about science .820 (.825), an assistant's sessions .546 (.556). .05 gains less, .15 takes .011 of vaswani. Where a second pass lifts
// pairs of texts small differences count: with .15 musique would lose .02. What lacks a year or a number of the query is not near to what
// has it: claims about science .821, .817 without that.
const keywordNearness = 0.1;

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
// Where nothing but such items is asked for they come first, in the order of the others.
const listWeight = 2;
// What stands around an answer in its conversation comes behind it, and before what hardly answers: with this share of what the dense
// and the keyword lane can give a neighbour of the first hit is about the tenth.
const aroundWeight = 0.4;
/** What a query in other words weighs beside the query: its best chunk comes among the first ten. */
export const rewrittenWeight = 0.6;
/** What all parts of a query weigh together beside the whole of it. */
export const partsWeight = 0.2;
// A relation between two that the query names brings its chunks among the first ten, behind what answers by itself.
const forcedWeight = 0.5;
const forcedPlace = 4;
const justBehind = 1 - 1e-9;

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
function asksExactly(query: string): boolean {
  const looked = query.slice(0, lookedAtMax);
  return quoted.test(looked) || code.test(looked);
}

/** Whether a query says by a name or a figure what it is about. */
function tells(query: string): boolean {
  return figure.test(query) || namesIn(query.replace(opening, ''), 1).length > 0;
}

/** What a part of a query finds. */
export interface PartHits<Id extends string | number = string> {
  readonly weight: number;
  readonly hits: readonly RankedHit<Id>[];
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
function isUncovered({ alpha, coverage = 1, isValued = false }: Weighing): boolean {
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

/** What the lanes of a search found, and how it is weighed. */
export interface Fused<Id extends string | number> extends Weighing {
  readonly dense: readonly RankedHit<Id>[];
  readonly sparse: readonly RankedHit<Id>[];
  readonly graph?: readonly RankedHit<Id>[];
  readonly metadata?: readonly RankedHit<Id>[];
  /** What app items are asked for by title or by people: scores of 0 to 1. */
  readonly app?: readonly RankedHit<Id>[];
  /** What stands around the best hits in their conversations. */
  readonly around?: readonly RankedHit<Id>[];
  /** What stands right behind a hit, whatever it is worth itself. */
  readonly answers?: readonly RankedHit<Id>[];
  /** The query asks for app items of a kind, and for nothing else. */
  readonly isList?: boolean;
  /** What each part of the query finds, and what it weighs. */
  readonly parts?: readonly PartHits<Id>[];
  readonly forced?: readonly RankedHit<Id>[];
  /** Scores are to be compared with something else: then no lane's head stands out. */
  readonly evenly?: boolean;
}

/**
 * Fuses the dense and the keyword lane, and what the graph, metadata, app items, parts of the query and relations that are to
 * be heard nominate. `alpha` 1 is the dense order alone, 0 the
 * keyword order alone, "auto" looks at the query. A lane that found nothing, or has no weight, leaves the order to the others.
 */
export function fuse<Id extends string | number>({
  dense,
  sparse,
  graph = [],
  metadata = [],
  app = [],
  around = [],
  answers = [],
  isList = false,
  parts = [],
  forced = [],
  evenly = false,
  ...weighing
}: Fused<Id>): FusedHit<Id>[] {
  const weights = laneWeights(weighing);
  // What a lane holds alike the other lanes, recency and the weights of collections decide.
  const { isWorded = false, holdsCode = false } = weighing;
  const isExact = isWorded || holdsCode || asksExactly(weighing.query);
  const isBeside = !evenly && !isExact && weights.dense > 0 && dense.length > 0;
  const main = (name: 'dense' | 'sparse', hits: readonly RankedHit<Id>[]) => {
    const isWords = name === 'sparse' && isBeside;
    const nearness = isWords && !looksMultiHop(weighing.query) ? keywordNearness : 0;
    const leads =
      (isWords && isUncovered(weighing)) ||
      (name === 'sparse' && holdsCode && weighing.alpha === 'auto' && !evenly);
    const lane = {
      name,
      weight: weights[name],
      hits,
      tied: true,
      nearness,
      leads,
      sharing: 'mean' as const,
    };
    const rankConstant = Math.max(rankConstantMin, weights[name] * rankConstantPerWeight);
    return evenly ? lane : { ...lane, rankConstant: Math.min(rankConstantDefault, rankConstant) };
  };
  const given = (dense.length > 0 ? weights.dense : 0) + (sparse.length > 0 ? weights.sparse : 0);
  return fuseLanes<Id, LaneName>([
    main('dense', dense),
    main('sparse', sparse),
    { name: 'graph', weight: weights.graph, hits: graph, tied: true, sharing: 'diluted' },
    { name: 'metadata', weight: weights.metadata, hits: metadata, tied: true, sharing: 'diluted' },
    {
      name: 'app',
      weight: isList ? weights.app && listWeight : weights.app,
      hits: app,
      tied: true,
      byScore: true,
    },
    { name: 'around', weight: weights.around * (given || 1), hits: around, tied: true, raises: true },
    // Bound by what they stand behind alone.
    { name: 'around', weight: weights.around > 0 ? Infinity : 0, hits: answers, tied: true, raises: true },
    ...parts.map((part): Lane<Id, LaneName> => ({ name: 'parts', ...part })),
    { name: 'forced', weight: weights.forced * (given || 1), hits: forced, tied: true, raises: forcedPlace },
  ]);
}

/** Fuses any number of lanes by weighted reciprocal rank, best first; equal scores by id. */
export function fuseLanes<Id extends string | number, Name extends string>(
  lanes: readonly Lane<Id, Name>[],
): FusedHit<Id, Name>[] {
  const counting = lanes.filter(({ weight, hits }) => weight > 0 && hits.length > 0);
  const raising = counting.filter(({ raises }) => raises);
  const adding = counting.filter(({ raises }) => !raises);
  const most = (adding.length > 0 ? adding : raising).reduce((sum, { weight }) => sum + weight, 0);
  const scores = new Map<Id, number>();
  const weighed = adding.flatMap((lane) => weighedHits(lane));
  for (const { id, worth, behind } of weighed) if (!behind) scores.set(id, (scores.get(id) ?? 0) + worth);
  const free = new Map(scores);
  for (const { id, worth, behind } of weighed) {
    const own = free.get(id) ?? 0;
    const bound = behind && behind.share * (free.get(behind.id) ?? 0);
    if (bound !== undefined) scores.set(id, Math.max(own, Math.min(own + worth, bound)));
  }
  const descending = [...scores.values()].sort((a, b) => b - a);
  for (const lane of raising) {
    const least = lane.raises === true ? 0 : (descending[(lane.raises ?? 0) - 1] ?? 0);
    const own = new Map(scores);
    for (const { id, worth, behind } of weighedHits(lane)) {
      const bound = behind ? behind.share * (own.get(behind.id) ?? 0) : Infinity;
      scores.set(id, Math.max(scores.get(id) ?? 0, Math.min(worth, bound), least * justBehind));
    }
  }
  const ranks = ranksOf(lanes);
  return [...scores]
    .map(([id, score]) => ({ id, score: Math.min(1, score / most), ranks: ranks.get(id) ?? {} }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** What each hit of a lane is worth beside those of others. */
function weighedHits<Id extends string | number>(
  lane: Lane<Id>,
): (Pick<RankedHit<Id>, 'id' | 'behind'> & { worth: number })[] {
  const ranks = ranksIn(lane);
  const worths = worthsIn(ranksIn({ ...lane, nearness: 0 }), lane);
  const lead = lane.leads ? shareBehind(lane.hits, ranks, worths) : 1;
  return lane.hits.map(({ id, score, behind }, index) => {
    const rank = ranks[index] ?? 0;
    const worth = (rank > 1 ? lead : 1) * (worths.get(rank) ?? 0);
    return { id, ...(behind && { behind }), worth: lane.weight * (lane.byScore ? score : worth) };
  });
}

/** What is left of the worth of hits behind the first: of the next as much as it has of the first's score, where its rank says more. */
function shareBehind(
  hits: readonly RankedHit<string | number>[],
  ranks: readonly number[],
  worths: ReadonlyMap<number, number>,
): number {
  const [first] = hits;
  const next = ranks.find((rank) => rank > 1);
  const worth = worths.get(next ?? 0);
  const score = hits[(next ?? 0) - 1]?.score;
  if (!first || worth === undefined || score === undefined || first.score <= 0) return 1;
  return Math.min(1, score / first.score / worth);
}

/** The rank of each hit, from 1: that of the first of those that it is tied to. */
function ranksIn<Id extends string | number>({ hits, tied, nearness = 0 }: Lane<Id>): number[] {
  let [place, rank, first, ofFirst] = [0, 0, 0, 0];
  const items = new Set<string>();
  return hits.map(({ score, sourceUid, figures = 0 }, index) => {
    const isEqual = tied && index > 0 && score === hits[index - 1]?.score;
    if (!isEqual) place = index + 1;
    const isNear = isEqual || (tied && index > 0 && score >= first * (1 - nearness) && figures >= ofFirst);
    // Which chunk of an item answers its words say better than anything else.
    if (!isNear || (!isEqual && sourceUid !== undefined && items.has(sourceUid))) {
      [rank, first, ofFirst] = [place, score, figures];
      items.clear();
    }
    if (sourceUid !== undefined) items.add(sourceUid);
    return rank;
  });
}

/** What each rank is worth. */
function worthsIn(
  ranks: readonly number[],
  { sharing, rankConstant = rankConstantDefault }: Pick<Lane, 'sharing' | 'rankConstant'>,
): Map<number, number> {
  const worthOf = (place: number) => (rankConstant + 1) / (rankConstant + place);
  const sums = new Map<number, { sum: number; alike: number }>();
  for (const [index, rank] of ranks.entries()) {
    const { sum, alike } = sums.get(rank) ?? { sum: 0, alike: 0 };
    sums.set(rank, { sum: sum + worthOf(sharing === 'mean' ? index + 1 : rank), alike: alike + 1 });
  }
  const divisor = (alike: number) => (sharing === 'diluted' ? alike ** 1.5 : alike);
  return new Map([...sums].map(([rank, { sum, alike }]) => [rank, sum / divisor(alike)]));
}

/** Where each lane has each hit, also the lanes without weight: an explanation shows them all. */
function ranksOf<Id extends string | number, Name extends string>(
  lanes: readonly Lane<Id, Name>[],
): Map<Id, { [name in Name]?: number }> {
  const ranks = new Map<Id, { [name in Name]?: number }>();
  for (const lane of lanes) {
    const own = ranksIn({ ...lane, nearness: 0 });
    lane.hits.forEach(({ id }, index) => {
      const known: { [name in Name]?: number } = ranks.get(id) ?? {};
      known[lane.name] ??= own[index] ?? 0;
      ranks.set(id, known);
    });
  }
  return ranks;
}
