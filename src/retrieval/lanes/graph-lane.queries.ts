import type { DataSource } from 'typeorm';
import { namesakesSql } from '../../graph/entities/same-entities.js';
import type { NamesakeRow } from '../../graph/entities/same-entities.js';
import { bearersSql } from '../../graph/entities/same-bearers.js';
import type { BearerRow } from '../../graph/entities/same-bearers.js';
import { legalFormPattern } from '../../graph/legal-forms.js';
import { shortGroupColumns } from '../../graph/relations/relations.queries.js';
import type { GroupOfRelations } from '../../graph/relations/relations.queries.js';
import { unseenList } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import { foundItem, plannedOnce } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';

const mentionsPerEntityMax = 50;
const mentionedChunksMax = 4;

/** A group of relations with the number of its chunk. */
export interface FoundGroup extends GroupOfRelations {
  readonly chunkId: string | null;
  /** Whether its chunk was made from facts. */
  readonly inferred: boolean;
}

/** The newest relations of each entity, on whichever side the entity stands. */
export function findGroupsAround(
  postgres: DataSource,
  scope: SearchScope,
  { entityIds, limit }: { entityIds: readonly string[]; limit: number },
): Promise<FoundGroup[]> {
  const parameters = new SqlParameters();
  const found = `from ${storeTable('relation_groups', scope.store)} g
    cross join lateral ${foundItem('g.source_uid', scope, parameters)} s`;
  // In index order on each side, so that an entity with many relations costs no more than one with few.
  const newest = (condition: string) =>
    `(select ${shortGroupColumns} ${found} where ${condition} order by g.position desc limit ${limit})`;
  return query(
    postgres.manager,
    plannedOnce(
      scope,
      `select g.*, c.id as "chunkId", coalesce(c.inferred, false) as inferred
       from unnest(${unseenList(parameters.add(entityIds), 'uuid[]')}) with ordinality as e(id, nth)
      cross join lateral (
        select * from (
          ${newest('g.source_entity = e.id')}
          union all
          ${newest('g.target_entity = e.id and g.source_entity <> e.id')}) b
         order by b.position desc limit ${limit}) g
       left join lateral (
        select c.id, c.layout -> 'inferred' = 'true'::jsonb as inferred from ${storeTable('chunks', scope.store)} c
         where c.chunk_uuid = g."chunkUuid" limit 1) c on true
      order by e.nth, g.position desc`,
    ),
    parameters.values,
  );
}

/** The names, with and without legal form, of the companies among some entities. */
export function findNamesakes(
  postgres: DataSource,
  scope: SearchScope,
  entityIds: readonly string[],
): Promise<NamesakeRow[]> {
  const parameters = new SqlParameters();
  const mentions = `${storeTable('entity_mentions', scope.store)} m
    cross join lateral ${foundItem('m.source_uid', scope, parameters)} s`;
  const ids = `unnest(${unseenList(parameters.add(entityIds), 'uuid[]')})`;
  const sql = namesakesSql(mentions, { ids, pattern: parameters.add(legalFormPattern) });
  return query(postgres.manager, plannedOnce(scope, sql), parameters.values);
}

/** Who else bears the full names of the people among some entities. */
export function findBearers(
  postgres: DataSource,
  scope: SearchScope,
  entityIds: readonly string[],
): Promise<BearerRow[]> {
  const parameters = new SqlParameters();
  const mentions = `${storeTable('entity_mentions', scope.store)} m
    cross join lateral ${foundItem('m.source_uid', scope, parameters)} s`;
  const sql = bearersSql(mentions, `unnest(${unseenList(parameters.add(entityIds), 'uuid[]')})`);
  return query(postgres.manager, plannedOnce(scope, sql), parameters.values);
}

/** Chunks that mention entities, by the index of the entity. */
export function findMentioning(
  postgres: DataSource,
  scope: SearchScope,
  entityIds: readonly string[],
): Promise<{ chunkId: string; nth: number }[]> {
  const parameters = new SqlParameters();
  return query(
    postgres.manager,
    plannedOnce(
      scope,
      `select c.id as "chunkId", e.nth::int as nth
       from unnest(${unseenList(parameters.add(entityIds), 'uuid[]')}) with ordinality as e(id, nth)
      cross join lateral (
        select m.source_uid, m.chunks from ${storeTable('entity_mentions', scope.store)} m
          cross join lateral ${foundItem('m.source_uid', scope, parameters)} s
         where m.entity_id = e.id and m.chunks <> '{}' limit ${mentionsPerEntityMax}) m
      cross join lateral (
        select c.id from ${storeTable('chunks', scope.store)} c
         where c.source_uid = m.source_uid and c.position = any(m.chunks[1:${mentionedChunksMax}])) c`,
    ),
    parameters.values,
  );
}
