import { analyzeQuery, analyzeText, termId } from '../../text/analyzer.js';
import { inverseDocumentFrequency } from '../../text/bm25.js';
import { namesIn } from '../../text/names.js';
import { unpackCodes } from '../../text/word-codes.js';
import type { ItemHit } from './keyword-lane.queries.js';

// What all chunks of an item together weigh beside the best one, and how much less the more chunks it has: between their sum
// and their mean, so that an item does not gain by its length. Of man pages, kernel documentation, READMEs and short
// descriptions, alone and in one collection, nDCG@10 by an item's best chunk is .786 on average (.772 without, .773 by
// BM25 of whole documents tuned on each). Shares of .2 to .5 and powers of .6 to 1 are within .008 of it.
const itemShare = 0.3;
const sizePower = 0.75;
// So many chunks of an item count as if they held what others of it say. Of eight contracts that are alike in most clauses,
// asked for by their parties or kind, nDCG@10 of the clause is .775 with it and .706 without (half of what terms weigh: .758;
// three to all chunks: .774 to .775); of reports that say in each part whose they are, .805 either way.
const placedChunksMax = 8;
// Names that the query writes with capitals, and an item begins with, count so much of what they weigh in the store: the page that names
// the parties again and again is not the clause that is asked for. Of 97 questions about 38 contracts the right chunk has a reciprocal
// rank of .67, .49 without it (factor 1: .57), of 65 about filings .69 and .56; which document comes first hardly changes.
const nameCredit = 1.6;
const namesMax = 20;
// What an item begins with, where its figures are concerned: so many words of its first chunk, two codes in three bytes. Pages of annual
// reports alike but for company and year .684 nDCG@10 (.672 without), filings .863 (.857).
const headWords = 40;
const headBytes = (headWords / 2) * 3;
const justBehind = 1 - 1e-9;

type CreditedHit = Omit<ItemHit, 'wordCodes'>;

/** What the chunks of one item that a lane found add up to. */
interface FoundItem<Hit extends CreditedHit = CreditedHit> {
  sum: number;
  chunks: number;
  /** Of the query, that some of them hold. */
  readonly terms: Set<number>;
  /** The first of them in the item. */
  opening: Hit;
  /** Where those that have been credited are among all hits. */
  readonly places: number[];
}

/**
 * Credits chunks with what their items say. The best chunk of each with what all chunks of it say of the query, for its
 * length: an item that speaks of it all along goes before one that mentions it once. The best few with terms of the query that
 * only other chunks of it hold, by how few of the found items do (names: see creditNames). The others stay behind, so that no
 * item fills an answer. What is the only chunk of its item keeps its score. Hits come best first.
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
 * Credits the best chunks of an item, which has hits at these places, with the names that it begins with: a clause does not repeat
 * whose contract it is in. `more` is what they weigh beside what terms of others do anyway. But what holds them as well as all that a
 * chunk holds is asked for rather than that: the section about a person, the rows of a table with hers.
 */
function creditNames(
  hits: CreditedHit[],
  places: readonly number[],
  more: ReadonlyMap<number, number>,
): void {
  const held = (place: number) => hits[place]?.terms.length ?? 0;
  // What holds more first: it is what the others stay behind.
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

/** The score of the chunk that says most of the query together with what `weights` say of terms that only other chunks of its item hold. */
export function mostCovered(hits: readonly CreditedHit[], weights: ReadonlyMap<number, number>): number {
  const items = gather(hits);
  return hits.reduce((most, hit) => {
    const item = items.get(hit.sourceUid);
    return Math.max(most, hit.score + (item ? missingFrom(hit, item, weights) : 0));
  }, 0);
}

/** How many words of a query one item holds at most, by the words that its terms stand for. */
export function mostHeld(hits: readonly CreditedHit[], counts: ReadonlyMap<number, number>): number {
  const heldBy = ({ terms }: FoundItem) => [...terms].reduce((sum, term) => sum + (counts.get(term) ?? 0), 0);
  return Math.max(0, ...[...gather(hits).values()].map(heldBy));
}

/**
 * Hits with how many of the figures of a query, its terms with a digit, the found chunks of their items hold, and once more how many of them
 * the items begin with: the report of 2019 holds the figures of 2018 as well, the one of 2018 says so above.
 */
export function countFigures<Hit extends ItemHit>(
  hits: readonly Hit[],
  query: string,
): (Hit & { readonly figures: number })[] {
  const asked = new Set(analyzeQuery(query).terms.filter((term) => /\d/.test(term)));
  const ids = [...asked].map(termId);
  const codes = [...asked].flatMap((term) => analyzeText(term).wordCodes);
  const items = gather(hits);
  return hits.map((hit) => {
    const item = items.get(hit.sourceUid);
    const head = codes.length > 0 ? headOf(item?.opening ?? hit) : [];
    const held = ids.filter((id) => item?.terms.has(id)).length;
    return { ...hit, figures: held + codes.filter((code) => head.includes(code)).length };
  });
}

/** The codes of the words that a chunk begins with. */
function headOf({ wordCodes }: ItemHit): number[] {
  return [...unpackCodes(wordCodes.slice(0, headBytes))];
}

function gather<Hit extends CreditedHit>(hits: readonly Hit[]): Map<string, FoundItem<Hit>> {
  const items = new Map<string, FoundItem<Hit>>();
  for (const hit of hits) {
    const { sourceUid, score, itemChunks, terms } = hit;
    let item = items.get(sourceUid);
    if (!item)
      items.set(sourceUid, (item = { sum: 0, chunks: 1, terms: new Set(), opening: hit, places: [] }));
    // Chunks of an item are numbered in its order.
    if (Number(hit.id) < Number(item.opening.id)) item.opening = hit;
    item.sum += score;
    item.chunks = Math.max(item.chunks, itemChunks);
    for (const term of terms) item.terms.add(term);
  }
  return items;
}

/** Of terms what they weigh by how few of the items hold them. */
function weightsAmong(items: readonly FoundItem[]): Map<number, number> {
  const holding = new Map<number, number>();
  for (const { terms } of items) for (const term of terms) holding.set(term, (holding.get(term) ?? 0) + 1);
  return new Map(
    [...holding].map(([term, amount]) => [term, inverseDocumentFrequency(amount, items.length)]),
  );
}

/** What those terms weigh that an item holds and a chunk of it does not. */
function missingFrom({ terms }: CreditedHit, item: FoundItem, weights: ReadonlyMap<number, number>): number {
  if (item.terms.size === terms.length) return 0;
  const held = new Set(terms);
  return [...item.terms].reduce((sum, term) => sum + (held.has(term) ? 0 : (weights.get(term) ?? 0)), 0);
}

/** What the words of a query weigh that it writes as names, by their weights in each store. */
export function weighNames(
  query: string,
  stores: readonly ReadonlyMap<number, number>[],
): Map<number, number> {
  // With what a sentence begins is no name for its capital.
  const names = namesIn(query.replace(/^[^\p{L}]*\p{Lu}\p{Ll}*\s+/u, ''), namesMax);
  const terms = names
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
