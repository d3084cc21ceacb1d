import { analyzeQuery, analyzeText, termId } from '../../text/analyzer.js';
import { inverseDocumentFrequency } from '../../text/bm25.js';
import { namesInQuestion } from '../../text/names.js';
import { unpackCodes } from '../../text/word-codes.js';
import { justBehind } from '../ranking/rank-fusion.js';
import type { ItemHit } from './keyword-lane.queries.js';

// How much all chunks of an item together count beside the best one, and how much less the more chunks it
// has. The power lies between their sum and their mean, so that an item does not gain by its length. On man
// pages, kernel documentation, READMEs and short descriptions, alone and in one collection, nDCG@10 by an
// item's best chunk is .786 on average (.772 without, .773 by BM25 of whole documents tuned on each). Shares
// of .2 to .5 and powers of .6 to 1 are within .008 of it.
const itemShare = 0.3;
const sizePower = 0.75;
// So many chunks of an item count as if they contained what others of it say. For eight contracts that share
// most clauses, asked for by their parties or kind, nDCG@10 of the clause is .775 with it and .706 without
// (half of what terms weigh: .758; three to all chunks: .774 to .775); for reports that name in each part
// whose they are, it is .805 either way.
const placedChunksMax = 8;
// Names that the query writes with capitals, and an item begins with, count this many times their weight in
// the store: the page that names the parties again and again is not the clause that is asked for. For 97
// questions about 38 contracts the right chunk has a reciprocal rank of .67, .49 without it (factor 1: .57),
// for 65 about filings .69 and .56. Which document comes first hardly changes.
const nameCredit = 1.6;
const namesMax = 20;
// How many words at the beginning of an item's first chunk are searched for numbers; two codes take three
// bytes. Pages of annual reports that differ only in company and year have .684 nDCG@10 (.672 without),
// filings .863 (.857).
const headWords = 40;
const headBytes = (headWords / 2) * 3;
// How many times its weight in the store a number of the query adds that an item begins with. nDCG@10 of three
// sets of filings is .911, .802 and .704 (.904, .779 and .681 without it; with 2: .919, .808 and .704).
const figureCredit = 1;

type CreditedHit = Omit<ItemHit, 'counts' | 'length' | 'wordCodes'>;

/** What the chunks of one item that a lane found add up to. */
interface FoundItem<Hit extends CreditedHit = CreditedHit> {
  sum: number;
  chunks: number;
  /** The terms of the query that at least one of them contains. */
  readonly terms: Set<number>;
  /** The one that comes first in the item. */
  opening: Hit;
  /** The indexes, among all hits, of those credited so far. */
  readonly places: number[];
}

/**
 * Credits chunks with what their items say; hits are given best first. The best chunk of an item gets a part
 * of the scores of all its chunks, depending on the item's length, so that an item that is all about the
 * query comes before one that mentions it once. The best few chunks get the weights of those terms that only
 * other chunks of the item contain; for names see creditNames. The rest stay behind, so that no item fills an
 * answer. The only chunk of an item keeps its score.
 */
export function creditItems<Hit extends CreditedHit>(
  hits: readonly Hit[],
  names: ReadonlyMap<number, number> = new Map(),
): Hit[] {
  const items = gather(hits);
  const weights = weightsAmong([...items.values()]);
  const credited = hits.map((hit, index) => {
    const item = items.get(hit.sourceUid);
    if (!item) return hit;
    const ofAll = item.places.length === 0 ? (itemShare * item.sum) / item.chunks ** sizePower : 0;
    const ofOthers = item.places.length < placedChunksMax ? missingFrom(hit, item, weights) : 0;
    item.places.push(index);
    return { ...hit, score: (hit.score + ofAll) / (1 + itemShare) + ofOthers };
  });
  for (const { opening, places } of names.size > 0 ? items.values() : []) {
    const more = opening.terms
      .map((term) => [term, nameCredit * (names.get(term) ?? 0) - (weights.get(term) ?? 0)] as const)
      .filter(([, weight]) => weight > 0);
    if (more.length > 0) creditNames(credited, places, new Map(more));
  }
  return credited;
}

/**
 * Credits the best chunks of an item (`places` are their indexes in `hits`) with the names that the item
 * begins with: a clause does not repeat whose contract it is in. `more` is the weight of these names beyond
 * what terms of other chunks get anyway. A chunk stays behind one that contains all that it does and the
 * names as well, which is what was asked for: the section about a person, the rows of a table with that name.
 */
function creditNames(
  hits: CreditedHit[],
  places: readonly number[],
  more: ReadonlyMap<number, number>,
): void {
  const held = (place: number) => hits[place]?.terms.length ?? 0;
  // Those with more terms first, because the others stay behind them.
  for (const place of places.slice(0, placedChunksMax).sort((a, b) => held(b) - held(a))) {
    const hit = hits[place];
    if (!hit) continue;
    const lacking = [...more].filter(([term]) => !hit.terms.includes(term));
    const wanted = [...hit.terms, ...lacking.map(([term]) => term)];
    const fuller = places.flatMap((other) => {
      const { terms, score } = hits[other] ?? hit;
      return terms.length > hit.terms.length && wanted.every((term) => terms.includes(term)) ? [score] : [];
    });
    const bound = fuller.length > 0 ? Math.max(...fuller) * justBehind : Infinity;
    const score = hit.score + lacking.reduce((sum, [, weight]) => sum + weight, 0);
    hits[place] = { ...hit, score: Math.max(hit.score, Math.min(score, bound)) };
  }
}

/**
 * How much of a query one item has at most. `covered`: the weight of the words that it contains, however often, in
 * chunks of whatever length; `held`: their number. `counts` says how many words each term stands for.
 */
export function mostFound(
  hits: readonly CreditedHit[],
  { weights, counts }: { weights: ReadonlyMap<number, number>; counts: ReadonlyMap<number, number> },
): { covered: number; held: number } {
  const items = [...gather(hits).values()];
  const most = (of: ReadonlyMap<number, number>) =>
    items.reduce((best, { terms }) => {
      let sum = 0;
      for (const term of terms) sum += of.get(term) ?? 0;
      return Math.max(best, sum);
    }, 0);
  return { covered: most(weights), held: most(counts) };
}

/**
 * Counts, for each hit, how many of the numbers in a query (its terms with a digit) the found chunks of its
 * item contain; a number that the item begins with counts twice, and also adds to the score, by its weight in
 * `stores` (the weights of the query's terms in each store). The report of 2019 contains the figures of 2018
 * too, and more often, but the report of 2018 says so at its top.
 */
export function creditFigures<Hit extends CreditedHit & Pick<ItemHit, 'wordCodes'>>(
  hits: readonly Hit[],
  query: string,
  stores: readonly ReadonlyMap<number, number>[],
): (Hit & { readonly figures: number })[] {
  const terms = new Set(analyzeQuery(query).terms.filter((term) => /\d/.test(term)));
  const asked = [...terms].map((term) => {
    const id = termId(term);
    const weight = Math.max(0, ...stores.map((weights) => weights.get(id) ?? 0));
    return { id, codes: [...analyzeText(term).wordCodes], weight };
  });
  if (asked.length === 0) return hits.map((hit) => ({ ...hit, figures: 0 }));
  const items = gather(hits);
  return hits.map((hit) => {
    const item = items.get(hit.sourceUid);
    const head = headOf(item?.opening ?? hit);
    const held = asked.filter(({ id }) => item?.terms.has(id));
    const above = asked.filter(({ codes }) => codes.some((code) => head.includes(code)));
    const credit = above.reduce((sum, { weight }) => sum + weight, 0);
    return { ...hit, score: hit.score + figureCredit * credit, figures: held.length + above.length };
  });
}

/** The codes of the words that a chunk begins with. */
function headOf({ wordCodes }: Pick<ItemHit, 'wordCodes'>): number[] {
  return [...unpackCodes(wordCodes.slice(0, headBytes))];
}

function gather<Hit extends CreditedHit>(hits: readonly Hit[]): Map<string, FoundItem<Hit>> {
  const items = new Map<string, FoundItem<Hit>>();
  for (const hit of hits) {
    const { sourceUid, score, itemChunks, terms } = hit;
    let item = items.get(sourceUid);
    if (!item)
      items.set(sourceUid, (item = { sum: 0, chunks: 1, terms: new Set(), opening: hit, places: [] }));
    // The chunks of an item have ascending ids.
    if (Number(hit.id) < Number(item.opening.id)) item.opening = hit;
    item.sum += score;
    item.chunks = Math.max(item.chunks, itemChunks);
    for (const term of terms) item.terms.add(term);
  }
  return items;
}

/** The weights of terms by how few of the items contain them. */
function weightsAmong(items: readonly FoundItem[]): Map<number, number> {
  const holding = new Map<number, number>();
  for (const { terms } of items) for (const term of terms) holding.set(term, (holding.get(term) ?? 0) + 1);
  return new Map(
    [...holding].map(([term, amount]) => [term, inverseDocumentFrequency(amount, items.length)]),
  );
}

/** The total weight of the terms that an item contains and one chunk of it does not. */
function missingFrom({ terms }: CreditedHit, item: FoundItem, weights: ReadonlyMap<number, number>): number {
  if (item.terms.size === terms.length) return 0;
  const held = new Set(terms);
  return [...item.terms].reduce((sum, term) => sum + (held.has(term) ? 0 : (weights.get(term) ?? 0)), 0);
}

/** The weights of the terms that a query writes as names, by their weights in the stores. */
export function weighNames(
  query: string,
  stores: readonly ReadonlyMap<number, number>[],
): Map<number, number> {
  const terms = namesInQuestion(query, namesMax)
    .map(analyzeQuery)
    .flatMap(({ terms: all, beside }) => all.filter((term) => !beside.has(term)));
  const weighed = new Map<number, number>();
  for (const weights of stores)
    for (const term of terms.map(termId)) {
      const weight = weights.get(term);
      if (weight !== undefined) weighed.set(term, weight);
    }
  return weighed;
}
