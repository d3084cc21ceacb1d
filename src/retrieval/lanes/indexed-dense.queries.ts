import type { DataSource } from 'typeorm';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import {
  candidatesAtOnceMax,
  indexedType,
  scanMemoryFactor,
  visitedMax,
} from '../../postgres/vector-index.js';
import type { VectorIndex } from '../../postgres/vector-index.js';
import { vectorText } from '../../postgres/vector-parameters.js';
import { inlineDimensionsMax, vectorTable } from '../../postgres/vector-tables.js';
import { inCollections, isFiltered, matchingItems, matchingSources, plannedOnce } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';
import type { LaneHit } from './lanes.queries.js';

/** A search by vector in a store with a vector index. */
export interface IndexedSearch {
  readonly index: VectorIndex;
  readonly vector: Float32Array;
  readonly limit: number;
  /** Scopes of at most so many chunks are scanned exactly. */
  readonly exactRowsMax: number;
}

/** The chunks nearest in meaning in a store with a vector index, best first. */
export function searchIndexed(
  postgres: DataSource,
  scope: SearchScope,
  search: IndexedSearch,
): Promise<LaneHit[]> {
  const { sql, values, plannerSetting } = indexedDenseStatement(scope, search);
  if (!plannerSetting) return query<LaneHit>(postgres.manager, sql, values);
  return postgres.transaction(async (manager) => {
    await query(manager, plannerSetting);
    return query<LaneHit>(manager, sql, values);
  });
}

/** A statement, and the setting that its transaction needs to be planned well. */
interface PlannedStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly plannerSetting: string | undefined;
}

/**
 * One statement that chooses its way when it runs, by the number of chunks in the scope. A few chunks are
 * scanned exactly. Of many, those that the index covers are found through it, and later ones are scanned.
 * When the index does not find enough, all are scanned. Ways that are not taken cost nothing, because their
 * conditions are tested before their first row.
 */
export function indexedDenseStatement(
  scope: SearchScope,
  { index, vector, limit, exactRowsMax }: IndexedSearch,
): PlannedStatement {
  const parameters = new SqlParameters();
  const asked = `${parameters.add(vectorText(vector))}::vector`;
  const table = vectorTable(scope.store);
  const inScope = inCollections('v', scope, parameters);
  const ofItems = matchingItems('v', scope, parameters);
  const matching = ofItems ? `${inScope} and ${ofItems}` : inScope;
  // A scalar subquery, which the planner cannot turn into a join; a join would read the index in another
  // order.
  const matchingEach = isFiltered(scope)
    ? `${inScope} and (${matchingSources(scope, parameters)} and m.uid = v.source_uid) is not null`
    : matching;
  const nearest = (where: string) =>
    `(select v.chunk_id as id, v.embedding <#> ${asked} as distance from ${table} v
       where ${where} order by distance limit ${limit})`;
  const type = indexedType(vector.length);
  const isWide = `(select rows from size) > ${exactRowsMax}`;
  const indexed = `v.chunk_id <= ${index.indexedUpTo}`;
  const candidates = Math.max(limit, index.candidates);
  const ofIndex = (amount: number) =>
    `(select v.chunk_id as id, v.embedding <#> ${asked} as distance from ${table} v
       where ${isWide} and ${indexed} and ${settings(candidates)} and ${matchingEach}
       order by v.embedding::${type} <#> ${asked}::${type} limit ${amount})`;
  // With more candidates than the index looks at in one go, it is asked for all of them, and the best are
  // chosen here.
  const fromIndex =
    candidates <= candidatesAtOnceMax
      ? ofIndex(limit)
      : `(select * from ${ofIndex(candidates)} c order by distance limit ${limit})`;
  const knownWide = !ofItems && scope.collectionIds.some((id) => index.wideCollections.includes(id));
  // Places of rows are kept, and not their vectors: so the filter is applied once, and no vector is copied.
  const scoped = knownWide
    ? `size as (select ${exactRowsMax + 1} as rows),`
    : `scoped as materialized (select v.ctid as place from ${table} v where ${matching} limit ${exactRowsMax + 1}),
       size as materialized (select count(*) as rows from scoped),`;
  const sql = `with ${scoped}
    near as materialized ${fromIndex},
    fresh as materialized ${nearest(`${isWide} and v.chunk_id > ${index.indexedUpTo} and ${matching}`)},
    narrow as materialized ${nearest(
      knownWide ? 'false' : `not ${isWide} and v.ctid = any(array(select place from scoped))`,
    )},
    whole as materialized ${nearest(`${isWide} and (select count(*) from near) < ${limit} and ${matching}`)}
    select n.id, -n.distance as score
      from (select * from near union select * from fresh union select * from narrow union select * from whole) n
     order by n.distance, n.id limit ${limit}`;
  // The planner takes vectors that are stored out of line for cheap to read, and would sort them all. Only
  // the index needs no sorting.
  const plannerSetting = vector.length > inlineDimensionsMax ? 'set local enable_sort = off' : undefined;
  return { sql: plannedOnce(scope, sql), values: parameters.values, plannerSetting };
}

/** SQL: a condition that is always true, and sets how the index is read until the statement ends. */
function settings(candidates: number): string {
  const values = {
    ef_search: Math.min(candidates, candidatesAtOnceMax),
    iterative_scan: 'relaxed_order',
    max_scan_tuples: visitedMax,
    scan_mem_multiplier: scanMemoryFactor,
  };
  const set = Object.entries(values).map(([name, value]) => `set_config('hnsw.${name}', '${value}', true)`);
  return `(select ${set.join(' || ')}) is not null`;
}
