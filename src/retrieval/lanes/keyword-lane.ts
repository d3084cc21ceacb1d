import type { DataSource } from 'typeorm';
import type { Resident } from '../resident/resident.js';
import { isFiltered } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';
import { bestFirst } from './best-first.js';
import { mostCovered, mostHeld } from './item-credit.js';
import { searchKeywords, searchKeywordsOfFew } from './keyword-lane.queries.js';
import type { ItemHit } from './keyword-lane.queries.js';
import { widenKeywordQuery } from './keyword-query.js';
import type { KeywordQuery } from './keyword-query.js';
import { searchMemoryFirst } from './memory-first.js';
import type { StoreStatistics } from './store-statistics.js';

interface KeywordSearch {
  readonly keywords: KeywordQuery;
  readonly statistics: StoreStatistics;
  readonly limit: number;
  /** No other lane finds what the rarer words leave out. */
  readonly alone: boolean;
}

/** What the keyword lane finds in one store, and what is asked of it there. */
export interface KeywordsFound {
  readonly hits: ItemHit[];
  readonly asked: Pick<KeywordQuery, 'weights' | 'whole' | 'counts' | 'words' | 'codes'>;
}

export const nothingAsked: KeywordsFound['asked'] = {
  weights: new Map(),
  whole: 1,
  counts: new Map(),
  words: 1,
  codes: [],
};

/** Rarer terms may all be those of other collections; where other lanes find as well, this many are a lane. With fewer, all terms have been asked. */
export const enoughBesideOthers = 10;

/** The best, and of those that hold a rare code all: by the length of their texts they might come behind many that hold another word. */
export async function findWithCodes(
  options: Parameters<typeof findByKeywords>[0],
  scope: SearchScope,
  search: KeywordSearch,
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

/** The chunks with the best BM25 scores: without a filter those that are in memory are scored there. */
async function findByKeywords(
  { postgres, resident }: { readonly postgres: DataSource; readonly resident: Resident },
  scope: SearchScope,
  search: KeywordSearch,
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
 * The same by Postgres alone. The rarer terms nominate: nearly always they find enough. What may be found may
 * hold the common ones only; then few items are read whole, and among many more terms nominate until there are enough.
 */
async function findInPostgres(
  postgres: DataSource,
  scope: SearchScope,
  { keywords, limit, alone }: KeywordSearch,
): Promise<ItemHit[]> {
  let hits = await searchKeywords(postgres, scope, { ...keywords, limit });
  const filtered = isFiltered(scope);
  const enough = filtered || alone ? limit : Math.min(limit, enoughBesideOthers);
  let wider = hits.length < enough ? widenKeywordQuery(keywords) : undefined;
  if (wider && filtered) {
    const ofFew = await searchKeywordsOfFew(postgres, scope, { ...keywords, limit });
    if (ofFew) return ofFew;
  }
  while (wider) {
    hits = await searchKeywords(postgres, scope, { ...wider, limit });
    wider = hits.length < enough ? widenKeywordQuery(wider) : undefined;
  }
  return hits;
}

/** How much of what the words of the query weigh the best item of a store has. */
export function coverageOf({ hits, asked: { weights, whole } }: KeywordsFound): number {
  return mostCovered(hits, weights) / whole;
}

/** How many of the words of the query one item has at most. */
export function heldOf({ hits, asked: { counts, words } }: KeywordsFound): number {
  return words > 0 ? mostHeld(hits, counts) / words : 1;
}
