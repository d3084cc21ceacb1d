import type { DataSource } from 'typeorm';
import { widenKeywordQuery } from './keyword-query.js';
import type { KeywordQuery } from './keyword-query.js';
import { isFiltered, searchKeywords, searchKeywordsOfFew } from './lanes.queries.js';
import type { ItemHit, SearchScope } from './lanes.queries.js';

interface KeywordSearch {
  readonly keywords: KeywordQuery;
  readonly limit: number;
  /** No other lane finds what the rarer words leave out. */
  readonly alone: boolean;
}

/**
 * The chunks with the best BM25 scores. The rarer terms nominate: nearly always they find enough. What may be found may
 * hold the common ones only; then few items are read whole, and among many more terms nominate until there are enough.
 */
export async function findByKeywords(
  postgres: DataSource,
  scope: SearchScope,
  { keywords, limit, alone }: KeywordSearch,
): Promise<ItemHit[]> {
  let hits = await searchKeywords(postgres, scope, { ...keywords, limit });
  const filtered = isFiltered(scope);
  if (!filtered && !alone) return hits;
  let wider = hits.length < limit ? widenKeywordQuery(keywords) : undefined;
  if (wider && filtered) {
    const ofFew = await searchKeywordsOfFew(postgres, scope, { ...keywords, limit });
    if (ofFew) return ofFew;
  }
  while (wider) {
    hits = await searchKeywords(postgres, scope, { ...wider, limit });
    wider = hits.length < limit ? widenKeywordQuery(wider) : undefined;
  }
  return hits;
}
