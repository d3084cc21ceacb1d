import type { DataSource } from 'typeorm';
import { inEach, perWeight } from '../collection-scopes.js';
import type { Resident } from '../resident/resident.js';
import type { SearchScope } from '../search-scope.js';
import { searchIndexed } from './indexed-dense.queries.js';
import { bestFirst } from './lane-hits.js';
import { searchDense } from './lanes.queries.js';
import type { LaneHit } from './lanes.queries.js';
import { searchMemoryFirst } from './memory-first.js';
import type { StoreStatistics } from './store-statistics.js';

interface DenseLaneOptions {
  readonly postgres: DataSource;
  readonly resident: Resident;
  readonly exactRowsMax: number;
}

interface DenseSearch {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly statistics: StoreStatistics;
}

/** The chunks nearest to the vector of a query, best first. */
export async function searchNearest(
  options: DenseLaneOptions,
  scopes: readonly SearchScope[],
  search: DenseSearch,
): Promise<LaneHit[]> {
  const found = await inEach(scopes, (scope) => nearestIn(options, scope, search));
  return bestFirst(found).slice(0, perWeight(search.limit, scopes));
}

/** Without a filter, chunks that are in memory are scanned there. */
async function nearestIn(
  { postgres, resident, exactRowsMax }: DenseLaneOptions,
  scope: SearchScope,
  { vector, limit, statistics }: DenseSearch,
): Promise<LaneHit[]> {
  const { store, collectionIds, vectorIndex: index } = scope;
  const later = (after: number) => searchDense(postgres, scope, { vector, limit, after });
  const found = await searchMemoryFirst(scope, {
    tables: resident.vectors,
    statistics,
    inMemory: (upTo) => resident.nearest(store, { upTo, collectionIds, vector, limit }),
    later,
    // The index covers all chunks but as many.
    laterMax: index ? exactRowsMax : Infinity,
  });
  if (found) return found;
  return index ? searchIndexed(postgres, scope, { index, vector, limit, exactRowsMax }) : later(0);
}
