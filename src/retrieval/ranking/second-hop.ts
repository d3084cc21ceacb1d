import type { DataSource } from 'typeorm';
import { analyze, termId } from '../../text/analyzer.js';
import { inverseDocumentFrequencies } from '../../text/bm25.js';
import { months } from '../../text/dates.js';
import { namesIn } from '../../text/names.js';
import { bestFirst } from '../lanes/lane-hits.js';
import { findTermStatistics } from '../lanes/lanes.queries.js';
import type { LaneHit, TermStatistics } from '../lanes/lanes.queries.js';
import { looksMultiHop } from '../question/query-parts.js';
import type { SearchScope } from '../search-scope.js';
import { justBehind } from './rank-fusion.js';
import { findSeeds, followWays } from './second-hop.queries.js';
import type { Bridge, Seed } from './second-hop.queries.js';

/** What was asked, and what the first pass found. */
export interface HopStart {
  readonly query: string;
  /** The hits of the keyword lane. */
  readonly hits: readonly LaneHit[];
  /** The chunks to go on from, best first, each with a score from 0 to 1. */
  readonly seeds: readonly LaneHit[];
  /** Whether the graph may be asked which entities a chunk mentions. */
  readonly withEntities: boolean;
  /** True when the caller asked for a second pass; false when the query only looks as if it needed one. */
  readonly isAskedFor: boolean;
}

// Measured on MuSiQue-100 and HotpotQA-100. The gain hardly depends on these numbers: 5 to 15 seeds, 3 to 10
// chunks a name, limits from 6 to 12.
const namesPerSeedMax = 16;
const chunksPerNameMax = 3;
// A pair counts by how far its score exceeds that of the best single chunk: where one text answers, two
// hardly do better. Without this, any pair lifts its chunks above the one text that answers a paraphrase. A
// share of 1.4 costs MuSiQue .012 nDCG and gains .04 for paraphrases; 3, with a bound of 1.2 times the best,
// is about the same as this.
const pairShare = 2;
// The share for a statement, which is answered by a text that says the same. With 2 here as well, mode
// thinking loses .02 nDCG@10 on glosses and .01 on verses and encyclopedia; MuSiQue gains .005.
const statementShare = 0.5;
// In a conversation one turn answers, and names lead anywhere: the two speakers occur in all of it, and what
// they tell has nothing to do with what others tell. For 120 questions to the sessions of six pairs, nDCG@10
// is .621 without a second hop and .594 when pairs count as in an encyclopedia; for their turns .346 and
// .337. So, if a second pass is asked for, the best text that pairs lift comes right behind the third. In
// mode thinking, sessions then have .625 (.612 when all pairs are lifted, .627 when none), those with an
// assistant .550 (.542, .550), turns .358 (.357, .357).
const placeInTalk = 3;
const conversationShareMin = 0.6;
const addressed = /\b(?:I|[Mm]e|[Mm]y|[Ww]e|[Oo]ur|[Yy]ou|[Yy]our)\b/;
// The report of a company says "we" throughout. Where people talk, at least half as many chunks say more than
// "we".
const personal = /\b(?:I|[Mm]e|[Mm]y|[Yy]ou|[Yy]our)\b/;
const personalShareMin = conversationShareMin / 2;
// A query with fewer terms names what it is about: "warranty of the Heron pump".
const statementTermsMin = 5;
// The best hit of the first pass gets at least this share of the best pair's score, so that a text that
// answers by itself does not fall behind any pair. On lines of dialogue nDCG@10 is .944 with it and .873
// without; MuSiQue loses at most .003, HotpotQA nothing.
const aloneShare = 0.8;
// A name counts no more than one or two rare words, however many words it has.
const nameWeightMax = 10;
// A chunk next to a seed is about the same subject, as if it shared a common name with it.
const neighbourWeight = 4;
// A text with nearly all that the query asks for needs no other.
const coveredShareMax = 0.9;
// Where so many of the seeds hold a year or another number of the query, they are alike: reports of other years and
// companies, which the same names lead to.
const alikeShareMin = 0.6;
// Dates are capitalized like names, and lead anywhere.
const calendarTerms = new Set(
  [...months, ...'monday tuesday wednesday thursday friday saturday sunday'.split(' ')]
    .flatMap((name) => analyze(name))
    .map(termId),
);
// How many chunks the names of all seeds may nominate together.
const nominatedChunksMax = 6000;

/**
 * The keyword lane after a second hop, best first. The query terms that a seed lacks are looked for in chunks
 * that share a name with it which the query does not contain, and in the chunks next to it. Such a pair lifts
 * both of its chunks by how far they answer more together than the best single chunk. Undefined when one
 * chunk alone answers nearly everything, when no name leads anywhere, and in a conversation unless a second
 * pass was asked for and the query looks like a multi-hop question.
 */
export async function hopFurther(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  pass: HopStart,
): Promise<LaneHit[] | undefined> {
  const words = analyze(pass.query);
  const asked = [...new Set(words.map(termId))];
  if (asked.length === 0 || pass.seeds.length === 0) return undefined;
  const wanted = {
    chunkIds: pass.seeds.map(({ id }) => id),
    terms: asked,
    withEntities: pass.withEntities,
  };
  const seeds = (await Promise.all(scopes.map((scope) => findSeeds(postgres, scope, wanted)))).flat();
  const isTalk = isConversation(seeds);
  if (seeds.length === 0 || (isTalk && !(pass.isAskedFor && looksMultiHop(pass.query)))) return undefined;
  const names = new Map(seeds.map((seed) => [seed, namesOf(seed, new Set(asked))]));
  const start = { pass, asked, seeds, names, areAlike: shareFigures(words, seeds) };
  const found = await Promise.all(scopes.map((scope) => hopWithin(postgres, scope, start)));
  if (found.includes(undefined)) return undefined;
  const own = new Map(pass.hits.map(({ id, score }) => [id, score]));
  const known = new Map(pass.hits.map((hit) => [hit.id, hit]));
  const best = new Map<string, number>();
  for (const { id, score, own: alone } of found.flatMap((pairs) => pairs ?? [])) {
    if (score > (best.get(id) ?? 0)) best.set(id, score);
    if (!own.has(id)) own.set(id, alone);
  }
  if (best.size === 0) return undefined;
  const [first] = pass.hits;
  const alone = aloneShare * Math.max(...best.values());
  if (first && alone > (best.get(first.id) ?? 0)) best.set(first.id, alone);
  const isStatement = asked.length >= statementTermsMin && !looksMultiHop(pass.query);
  const share = isStatement ? statementShare : pairShare;
  const hits = [...own].map(([id, score]) => ({
    ...known.get(id),
    id,
    score: score + share * (best.get(id) ?? 0),
  }));
  return isTalk ? withOneOf(hits, pass.hits) : bestFirst(hits);
}

/**
 * The hits of the first pass, with the best of those lifted above the third put right behind it. Undefined
 * when none was lifted so far.
 */
function withOneOf(lifted: readonly LaneHit[], hits: readonly LaneHit[]): LaneHit[] | undefined {
  const head = hits.slice(0, placeInTalk);
  const least = head.at(-1)?.score ?? Infinity;
  const [best] = bestFirst(lifted.filter(({ id }) => !head.some((hit) => hit.id === id)));
  if (!best || best.score <= least) return undefined;
  return bestFirst([...hits.filter(({ id }) => id !== best.id), { ...best, score: least * justBehind }]);
}

/** Whether people speak in most of the seeds, of themselves or to one another; for English. */
function isConversation(seeds: readonly Seed[]): boolean {
  const shareOf = (pattern: RegExp) =>
    seeds.filter(({ content }) => pattern.test(content)).length / seeds.length;
  return shareOf(addressed) >= conversationShareMin && shareOf(personal) >= personalShareMin;
}

/**
 * Whether most seeds hold a number that the query asks for. Then a pair has to hold more of the query than any
 * one of them: the page of last year and what else this year's report says do not answer it better than its page.
 */
function shareFigures(words: readonly string[], seeds: readonly Seed[]): boolean {
  const figures = new Set(words.filter((word) => /\d/.test(word)).map(termId));
  const holding = seeds.filter(({ covered }) => covered.some((term) => figures.has(term)));
  return figures.size > 0 && holding.length >= alikeShareMin * seeds.length;
}

interface Names {
  readonly pass: HopStart;
  readonly asked: readonly number[];
  readonly seeds: readonly Seed[];
  /** The terms of each name in a seed, by seed. */
  readonly names: ReadonlyMap<Seed, readonly (readonly number[])[]>;
  /** Whether the seeds are reports that are alike. */
  readonly areAlike: boolean;
}

interface Paired {
  readonly id: string;
  /** How far it and its best partner together exceed the best single chunk. */
  readonly score: number;
  /** Its score alone. */
  readonly own: number;
}

/** The pairs of seeds and chunks of one scope; undefined when a seed needs no partner. */
async function hopWithin(
  postgres: DataSource,
  scope: SearchScope,
  { pass, asked, seeds, names, areAlike }: Names,
): Promise<Paired[] | undefined> {
  const terms = new Set([...asked, ...[...names.values()].flat(2)]);
  const statistics = await findTermStatistics(postgres, scope, [...terms]);
  const weights = raritiesOf(asked, statistics);
  const most = sum(weights.values());
  if (most === 0) return [];
  const shareOf = (held: readonly number[]) => sum(held.map((term) => weights.get(term) ?? 0)) / most;
  const mostCovered = Math.max(...seeds.map(({ covered }) => shareOf(covered)));
  if (mostCovered >= coveredShareMax) return undefined;
  const open = new Map(seeds.map((seed) => [seed, without(weights, seed.covered)]));
  const ways = bridgesOf(names, { open, statistics });
  const reached = await followWays(postgres, scope, {
    bridges: ways.map(({ bridge }) => bridge),
    seeds: seeds.map((seed) => ({ ...seed, weights: open.get(seed) ?? weights })),
    query: weights,
    limit: chunksPerNameMax + 1,
  });
  const scores = scoresOf(pass);
  const bestAlone = Math.max(...scores.values());
  return reached.flatMap(({ kind, nth, id, score, own, added }): Paired[] => {
    const seed = kind === 'bridge' ? ways[nth - 1]?.seed : seeds[nth - 1];
    const adds = added.length > 0;
    if (!seed || seed.id === id || (kind === 'neighbour' && !adds)) return [];
    if (areAlike && shareOf([...seed.covered, ...added]) <= mostCovered) return [];
    const pair = (scores.get(seed.id) ?? 0) + score + (kind === 'neighbour' ? neighbourWeight : 0);
    const together = pair - bestAlone;
    if (together <= 0) return [];
    // A seed gains only by a chunk that answers what it lacks, not by any that shares a name with it.
    return [
      { id, score: together, own },
      ...(adds ? [{ id: seed.id, score: together, own: scores.get(seed.id) ?? 0 }] : []),
    ];
  });
}

/**
 * The score of each seed in the keyword lane; for a seed found by other lanes, the best keyword score times
 * its fused score.
 */
function scoresOf({ hits, seeds }: HopStart): Map<string, number> {
  const own = new Map(hits.map(({ id, score }) => [id, score]));
  const best = Math.max(0, ...own.values());
  return new Map(seeds.map(({ id, score }) => [id, own.get(id) ?? best * score]));
}

interface Way {
  readonly seed: Seed;
  readonly bridge: Bridge;
  /** How many chunks it nominates at most. */
  readonly nominates: number;
}

/** The bridges from all seeds, those by the rarest names first, up to the limit of nominated chunks. */
function bridgesOf(
  names: Names['names'],
  { open, statistics }: { open: ReadonlyMap<Seed, ReadonlyMap<number, number>>; statistics: TermStatistics },
): Way[] {
  const ways: Way[] = [];
  for (const [seed, ofSeed] of names) {
    for (const terms of ofSeed) {
      const name = raritiesOf(terms, statistics);
      // A word that no other text contains leads nowhere.
      if (name.size < terms.length) continue;
      const share = Math.min(1, nameWeightMax / sum(name.values()));
      const left = open.get(seed) ?? new Map<number, number>();
      const weights = new Map(left);
      for (const [term, weight] of name) weights.set(term, weight * share);
      const nominates = Math.min(...terms.map((term) => statistics.frequencies.get(term) ?? 0));
      ways.push({ seed, bridge: { terms, weights, open: [...left.keys()] }, nominates });
    }
  }
  let nominated = 0;
  return ways
    .sort((a, b) => a.nominates - b.nominates)
    .filter(({ nominates }) => (nominated += nominates) <= nominatedChunksMax);
}

/** The terms of each name in a seed, without those that the query contains. */
function namesOf({ title, content, names }: Seed, asked: ReadonlySet<number>): number[][] {
  const found = new Map<string, number[]>();
  const written = namesIn(`${title}. ${content}`, namesPerSeedMax * 2);
  for (const name of [...written, ...names]) {
    const terms = [...new Set(analyze(name).map(termId))].filter((term) => !asked.has(term));
    if (terms.length > 0 && !terms.every((term) => calendarTerms.has(term)))
      found.set(terms.toSorted((a, b) => a - b).join(), terms);
  }
  return [...found.values()].slice(0, namesPerSeedMax);
}

/** The inverse document frequencies of the terms that a store contains. */
function raritiesOf(terms: readonly number[], { chunks, frequencies }: TermStatistics): Map<number, number> {
  return inverseDocumentFrequencies(terms, frequencies, chunks);
}

function without(weights: ReadonlyMap<number, number>, terms: readonly number[]): Map<number, number> {
  const gone = new Set(terms);
  return new Map([...weights].filter(([term]) => !gone.has(term)));
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
