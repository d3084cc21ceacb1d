import type { DataSource } from 'typeorm';
import type { KeywordWeighing } from '../ranking/lane-weights.js';
import type { Resident } from '../resident/resident.js';
import { isFiltered } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';
import { bestFirst } from './lane-hits.js';
import { mostFound } from './item-credit.js';
import { searchKeywords, searchKeywordsOfFew } from './keyword-lane.queries.js';
import type { ItemHit } from './keyword-lane.queries.js';
import type { KeywordQuery } from './keyword-query.js';
import { searchMemoryFirst } from './memory-first.js';
import { withMoreNominators } from './nominators.js';
import type { Nominators } from './nominators.js';
import type { StoreStatistics } from './store-statistics.js';

/** What one store is asked. */
interface StoreKeywordSearch {
  readonly keywords: KeywordQuery;
  readonly statistics: StoreStatistics;
  readonly limit: number;
  /** Whether no other lane will find what the rarer words leave out. */
  readonly alone: boolean;
}

/** What the keyword lane found in one store, and what it asked there. */
export interface KeywordsFound {
  readonly hits: ItemHit[];
  readonly asked: Omit<KeywordQuery, keyof Nominators>;
}

/** For a query of which nothing occurs in a store. */
export const nothingAsked: KeywordsFound['asked'] = {
  weights: new Map(),
  unknownWeight: 1,
  whole: 1,
  counts: new Map(),
  words: 1,
  length: 0,
  codes: [],
};

/**
 * So many hits are enough beside other lanes; with fewer, all terms are asked. The rarer terms may all occur
 * only in other collections.
 */
export const enoughBesideOthers = 10;

/**
 * The chunks with the best scores, and in addition the best that contain a rare code: long ones among these
 * might come behind many that contain another word.
 */
export async function findWithCodes(
  options: Parameters<typeof findByKeywords>[0],
  scope: SearchScope,
  search: StoreKeywordSearch,
): Promise<ItemHit[]> {
  const { codes, rarestFirst } = search.keywords;
  const ofCodes = rarestFirst.filter(([term]) => codes.includes(term));
  if (ofCodes.length === 0) return findByKeywords(options, scope, search);
  const coded = { ...search.keywords, nominators: ofCodes.map(([term]) => term), rarestFirst: ofCodes };
  const [hits, holding] = await Promise.all([
    findByKeywords(options, scope, search),
    findByKeywords(options, scope, { ...search, keywords: coded }),
  ]);
  const ids = new Set(hits.map(({ id }) => id));
  return bestFirst([...hits, ...holding.filter(({ id }) => !ids.has(id))]);
}

/** The chunks with the best BM25 scores. Without a filter, those that are in memory are scored there. */
async function findByKeywords(
  { postgres, resident }: { readonly postgres: DataSource; readonly resident: Resident },
  scope: SearchScope,
  search: StoreKeywordSearch,
): Promise<ItemHit[]> {
  const { store, collectionIds } = scope;
  const { keywords, limit, statistics } = search;
  const { weights, rarestFirst } = keywords;
  const nominators = rarestFirst.map(([term]) => term);
  const found = await searchMemoryFirst(scope, {
    tables: resident.words,
    statistics,
    inMemory: (upTo) => resident.bestByWords(store, { upTo, collectionIds, weights, nominators, limit }),
    later: (after) => searchKeywords(postgres, scope, { weights, nominators, limit, after }),
  });
  return found ?? findInPostgres(postgres, scope, search);
}

/**
 * The same by Postgres alone. The rarer terms nominate, and nearly always find enough. But the chunks that
 * may be found may contain only common terms. Then, if they belong to few items, these are read whole;
 * otherwise more terms nominate until enough is found.
 */
async function findInPostgres(
  postgres: DataSource,
  scope: SearchScope,
  { keywords, limit, alone }: StoreKeywordSearch,
): Promise<ItemHit[]> {
  let hits = await searchKeywords(postgres, scope, { ...keywords, limit });
  const filtered = isFiltered(scope);
  const enough = filtered || alone ? limit : Math.min(limit, enoughBesideOthers);
  let wider = hits.length < enough ? withMoreNominators(keywords) : undefined;
  if (wider && filtered) {
    const ofFew = await searchKeywordsOfFew(postgres, scope, { ...keywords, limit });
    if (ofFew) return ofFew;
  }
  while (wider) {
    hits = await searchKeywords(postgres, scope, { ...wider, limit });
    wider = hits.length < enough ? withMoreNominators(wider) : undefined;
  }
  return hits;
}

/** How much of the query the best items of the stores have. */
export function foundShares(found: readonly KeywordsFound[]): Pick<KeywordWeighing, 'coverage' | 'held'> {
  const shares = found.map(({ hits, asked: { whole, words, ...asked } }) => {
    const { covered, held } = mostFound(hits, asked);
    return { coverage: covered / whole, held: words > 0 ? Math.min(1, held / words) : 1 };
  });
  const most = (of: 'coverage' | 'held') => Math.max(0, ...shares.map((share) => share[of]));
  return { coverage: most('coverage'), held: most('held') };
}
