import type { DataSource } from 'typeorm';
import { perWeight } from '../collection-scopes.js';
import type { TextMatch } from '../question/text-match.js';
import type { KeywordWeighing } from '../ranking/lane-weights.js';
import type { Resident } from '../resident/resident.js';
import type { SearchRequest } from '../search-request.js';
import type { SearchScope } from '../search-scope.js';
import { creditFigures, creditItems, weighNames } from './item-credit.js';
import { findWithCodes, foundShares, nothingAsked } from './keyword-hits.js';
import type { KeywordsFound } from './keyword-hits.js';
import { searchKeywords } from './keyword-lane.queries.js';
import type { ItemHit } from './keyword-lane.queries.js';
import { buildKeywordQuery } from './keyword-query.js';
import { bestFirst, raisedAbove } from './lane-hits.js';
import type { LaneHit } from './lanes.queries.js';
import { searchPhrase } from './phrase-lane.js';
import { codesFirst } from './rare-codes.js';
import type { StoreStatistics } from './store-statistics.js';
import { areTurns, weighTalk } from './talk.js';
import { creditWholes } from './whole-items.js';
import { weighWording } from './wording.js';

interface KeywordLaneOptions {
  readonly postgres: DataSource;
  readonly resident: Resident;
}

/** What the lane is asked, of all stores together. */
interface KeywordLaneSearch {
  readonly request: SearchRequest;
  readonly limit: number;
  /** Whether no other lane will find what the rarer words leave out. */
  readonly alone: boolean;
  readonly statistics: StoreStatistics;
}

/** What the keyword lane found, and what fusion needs to know of it. */
export interface WordsFound extends KeywordWeighing {
  readonly hits: LaneHit[];
  /** The weights of the terms that occur in a store. */
  readonly weights: ReadonlyMap<number, number>;
  /** The weight of a word that occurs in none. */
  readonly unknownWeight: number;
}

interface QuestionWeighing {
  readonly asked: readonly KeywordsFound['asked'][];
  /** The codes whose chunks come first. */
  readonly codes: ReadonlySet<number>;
  readonly isWorded: boolean;
  /** The average length of the stores' chunks, in terms. */
  readonly averageLength: number;
  /** The weights of the terms that occur in a store; they are the same in all. */
  readonly weights: ReadonlyMap<number, number>;
}

// A longer query is a text that others are sought for: a reply whose mail, a half whose other half is wanted. What
// questions ask for beside their words, and where, it does not: by BM25 alone 150 replies have .534 nDCG@10 (.494
// by the rules), 124 halves of mails .578 (.506) and 100 of descriptions .730 (.701); for 20 to 35 words both are as good.
// Nor does its meaning count more than an embedder deserves: .530, .577 and .723 with both, else .522, .572 and .706.
const questionWordsMax = 35;

/** What the lane found when it was not asked. */
export const noWords: WordsFound = {
  hits: [],
  coverage: 1,
  held: 1,
  averageLength: Infinity,
  areTurns: false,
  isWorded: false,
  holdsCode: false,
  weights: new Map(),
  unknownWeight: 1,
};

/**
 * The keyword lane: the chunks with the best BM25 scores, after credit for what their whole items contain.
 * Chunks with a rare code of the query come first.
 */
export async function searchWords(
  options: KeywordLaneOptions,
  scopes: readonly SearchScope[],
  search: KeywordLaneSearch,
): Promise<WordsFound> {
  const { request } = search;
  const findIn = (respell: boolean) =>
    Promise.all(scopes.map((scope) => findInStore(options, scope, { ...search, respell })));
  let found = await findIn(false);
  // Only items that may not be found contain these words, so they may be misspelt after all.
  if (!request.match && !request.wording && found.every(({ hits }) => hits.length === 0))
    found = await findIn(true);
  const most = perWeight(search.limit, scopes);
  const all = found.flatMap((each) => each.hits);
  const isText = found.some(({ asked: { length } }) => length > questionWordsMax);
  const codes = new Set(isText ? [] : found.flatMap((each) => each.asked.codes));
  const coded = codes.size > 0 ? all.filter(({ terms }) => terms.some((term) => codes.has(term))) : [];
  const leading = bestFirst(all).slice(0, most);
  const hits = coded.length === 0 ? leading : bestFirst([...new Set([...coded, ...leading])]);
  // A text that contains a phrase has all of its wording.
  const isWorded = (request.match?.phrase ?? request.wording) !== null;
  const isExact =
    isText || isWorded || request.match !== null || coded.length > 0 || request.dates.length > 0;
  const asked = found.map((each) => each.asked);
  const averageLength = await search.statistics.averageLength();
  const weights = new Map(asked.flatMap((each) => [...each.weights]));
  const ordered = isText
    ? hits
    : weighQuestion(hits, request.query, { asked, codes, isWorded, averageLength, weights });
  return {
    hits: bestFirst(ordered).slice(0, most),
    ...(isExact ? { coverage: 1, held: 1 } : foundShares(found)),
    averageLength,
    areTurns: areTurns(leading),
    isWorded,
    holdsCode: coded.length > 0,
    weights,
    unknownWeight: Math.max(...asked.map(({ unknownWeight }) => unknownWeight)),
  };
}

/** What a question asks for beside its words, by the rules of each. */
function weighQuestion(
  hits: ItemHit[],
  query: string,
  { asked, codes, isWorded, averageLength, weights }: QuestionWeighing,
): LaneHit[] {
  const stores = asked.map((each) => each.weights);
  const names = weighNames(query, stores);
  const worded = isWorded ? hits : weighWording(hits, query);
  const credited = creditItems(isWorded || names.size === 0 ? worded : weighTalk(worded, asked), names);
  const whole = creditWholes(credited, { weights, averageLength });
  const dated = creditFigures(whole, query, stores);
  return codesFirst(dated, codes);
}

/** Searches one store: by a phrase, by all of some words, or by any, whichever the request asks for. */
async function findInStore(
  options: KeywordLaneOptions,
  scope: SearchScope,
  { request, limit, alone, statistics, respell }: KeywordLaneSearch & { respell: boolean },
): Promise<KeywordsFound> {
  const { postgres } = options;
  const { query, dates, context, match, wording } = request;
  const store = statistics.of(scope.store);
  const exact = match !== null || wording !== null;
  const keywords = await buildKeywordQuery(query, store, { context, dates, exact, respell });
  const asked = keywords ?? nothingAsked;
  const { weights } = asked;
  if (match?.phrase) {
    const hits = await searchPhrase(postgres, scope, { ...match, phrase: match.phrase, weights, limit });
    return { hits, asked };
  }
  const byWords = () =>
    keywords ? findWithCodes(options, scope, { keywords, limit, alone, statistics }) : [];
  // Without any word in the query, there is nothing to require.
  const byAllWords = ({ required }: TextMatch) =>
    required.length === 0 ? [] : searchKeywords(postgres, scope, { weights, required, limit });
  const [hits, worded] = await Promise.all([
    match ? byAllWords(match) : byWords(),
    wording ? searchPhrase(postgres, scope, { phrase: wording, required: [], weights, limit }) : [],
  ]);
  return { hits: raisedAbove(hits, worded), asked };
}
