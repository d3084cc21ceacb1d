import type { DataSource } from 'typeorm';
import { LIMITS } from '../../limits.js';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import { vectorText } from '../../postgres/vector-parameters.js';
import { matchingSources } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';
import type { LaneHit } from './lanes.queries.js';
import { sparseVector } from './sparse-vector.js';
import { versionSql } from '../../sources/sources.queries.js';

/** How many values a field has in a scope, and how many of these contain each term. */
export interface FieldStatistics {
  readonly values: number;
  readonly frequencies: ReadonlyMap<number, number>;
}

/** An item with at most this many chunks nominates all of them, others only their first. */
const nominatedChunksMax = 3;

/**
 * The items with the values nearest in meaning; hits have the item's uid as `id`. Of equal scores the latest
 * item comes first.
 */
export function searchValuesDense(
  postgres: DataSource,
  scope: SearchScope,
  { vector, limit }: { vector: Float32Array; limit: number },
): Promise<LaneHit[]> {
  const parameters = new SqlParameters();
  return query<LaneHit>(
    postgres.manager,
    // So many values are enough for `limit` items, whichever fields they belong to. Grouping all values would
    // cost more than scanning them.
    `select n.id, -min(n.distance) as score
       from (select v.source_uid as id, v.embedding <#> ${parameters.add(vectorText(vector))}::vector as distance
               from metadata_vectors v where v.embedding is not null and ${inScope(scope, parameters)}
              order by distance, v.source_uid desc limit ${limit * LIMITS.schemaVectorFieldsMax}) n
      group by n.id order by score desc, n.id desc limit ${limit}`,
    parameters.values,
  );
}

/**
 * Counts the values of each field that has a keyword lane, and those of them that contain each of the terms.
 */
export async function countValues(
  postgres: DataSource,
  scope: SearchScope,
  terms: readonly number[],
): Promise<Map<string, FieldStatistics>> {
  const parameters = new SqlParameters();
  const asked = parameters.add(terms);
  const rows = await query<{ field: string; term: number | null; amount: number }>(
    postgres.manager,
    `with scoped as materialized (
       select v.field, v.terms from metadata_vectors v
        where v.terms is not null and ${inScope(scope, parameters)})
     select field, null::int as term, count(*)::int as amount from scoped group by field
     union all
     select field, term, count(*)::int from scoped cross join unnest(terms) as term
      where terms && ${asked}::int[] and term = any(${asked}::int[]) group by field, term`,
    parameters.values,
  );
  const fields = new Map<string, { values: number; frequencies: Map<number, number> }>();
  for (const { field, term, amount } of rows) {
    const counted = fields.get(field) ?? { values: 0, frequencies: new Map<number, number>() };
    if (term === null) counted.values = amount;
    else counted.frequencies.set(term, amount);
    fields.set(field, counted);
  }
  return fields;
}

/**
 * The items whose values have the best BM25 scores, summed over fields; hits have the item's uid as `id`. Of
 * equal scores the latest item comes first.
 */
export function searchValuesSparse(
  postgres: DataSource,
  scope: SearchScope,
  { weights, limit }: { weights: ReadonlyMap<string, ReadonlyMap<number, number>>; limit: number },
): Promise<LaneHit[]> {
  const parameters = new SqlParameters();
  const fields = [...weights.keys()];
  const vectors = [...weights.values()].map(sparseVector);
  const terms = [...new Set([...weights.values()].flatMap((ofField) => [...ofField.keys()]))];
  return query<LaneHit>(
    postgres.manager,
    `select v.source_uid as id, sum(-(v.keyword <#> q.weights)) as score
       from unnest(${parameters.add(fields)}::text[], ${parameters.add(vectors)}::sparsevec[]) as q(field, weights)
       join metadata_vectors v on v.field = q.field
      where v.terms && ${parameters.add(terms)}::int[] and ${inScope(scope, parameters)}
      group by v.source_uid having sum(-(v.keyword <#> q.weights)) > 0
      order by score desc, v.source_uid desc limit ${limit}`,
    parameters.values,
  );
}

/** The chunks that items nominate, in the order of the items. */
export async function findNominated(
  postgres: DataSource,
  { store }: SearchScope,
  sourceUids: readonly string[],
): Promise<{ id: string; sourceUid: string }[]> {
  return query<{ id: string; sourceUid: string }>(
    postgres.manager,
    `select c.id, c.source_uid as "sourceUid"
       from unnest($2::bigint[]) with ordinality as n(uid, place)
       cross join lateral ${versionSql('$1', 'n.uid')} s
       join ${storeTable('chunks', store)} c on c.source_uid = n.uid
      where c.position = 0 or s.chunk_count <= ${nominatedChunksMax}
      order by n.place, c.position`,
    [store.databaseId, sourceUids],
  );
}

function inScope(scope: SearchScope, parameters: SqlParameters): string {
  const database = parameters.add(scope.store.databaseId);
  const generation = parameters.add(scope.store.generation);
  return `v.database_id = ${database}::int and v.generation = ${generation}::int
    and v.source_uid in (${matchingSources(scope, parameters)})`;
}
