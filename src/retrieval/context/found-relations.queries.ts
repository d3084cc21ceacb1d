import type { DataSource } from 'typeorm';
import { itemColumns, shortGroupColumns } from '../../graph/relations/relations.queries.js';
import type { GroupOfRelations } from '../../graph/relations/relations.queries.js';
import { LinkRole } from '../../graph/structure.js';
import type { AuxiliaryLink } from '../../graph/subgraph/auxiliary.queries.js';
import { LIMITS } from '../../limits.js';
import { unseenList } from '../../postgres/prepared-statements.js';
import { queryOne } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import { foundItem, mayBeFound, plannedOnce } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';
import { visibleVersionSql } from '../../sources/sources.queries.js';

/** The relations that chunks state, and the links of their items. */
export interface FoundRelations {
  readonly groups: readonly GroupOfRelations[];
  readonly links: readonly AuxiliaryLink[];
}

// Both come as JSON in one statement, because most searches find neither.
type AsJson<Row extends { statedAt: Date }> = Omit<Row, 'statedAt'> & { statedAt: string };
interface JsonRow {
  readonly groups: readonly AsJson<GroupOfRelations>[] | null;
  readonly links: readonly AsJson<AuxiliaryLink>[] | null;
}

const { name, link, entity } = LinkRole;

/**
 * The relations that chunks state, and the links of items to people, parts and other items that may be found,
 * in the order of the chunks and items given.
 */
export async function findFoundRelations(
  postgres: DataSource,
  scope: SearchScope,
  { chunkUuids, sourceUids }: { chunkUuids: readonly string[]; sourceUids: readonly string[] },
): Promise<FoundRelations> {
  const parameters = new SqlParameters();
  const sameCollection = {
    databaseId: parameters.add(scope.store.databaseId),
    collectionId: 's.collection_id',
    corpus: parameters.add(scope.store.corpus),
  };
  const seen = (uid: string) => foundItem(uid, scope, parameters);
  const links = storeTable('item_links', scope.store);
  const shown = (alias: string) => `(select to_jsonb(i) from (select ${itemColumns(alias)}) i)`;
  const row = await queryOne<JsonRow>(
    postgres.manager,
    plannedOnce(
      scope,
      `select (
       select jsonb_agg(to_jsonb(g) order by u.nth, g.position desc)
         from unnest(${unseenList(parameters.add(chunkUuids), 'uuid[]')}) with ordinality as u(id, nth)
        cross join lateral (
          select ${shortGroupColumns} from ${storeTable('relation_groups', scope.store)} g
            cross join lateral ${seen('g.source_uid')} s
           where g.chunk_uuid = u.id order by g.position desc limit ${LIMITS.relationsOfFoundReadMax}) g) as groups, (
       select jsonb_agg(to_jsonb(l) - 'nth' order by l.nth, l.role, l.predicate, l.key)
         from unnest(${unseenList(parameters.add(sourceUids), 'bigint[]')}) with ordinality as u(uid, nth)
        cross join lateral (
          select u.nth, ${shown('s')} as item, o.item as other, l.role, l.key, l.predicate,
                 l.raw_predicate as "rawPredicate", l.target, l.stated_at as "statedAt"
            from ${links} l cross join lateral ${seen('l.source_uid')} s
            left join lateral (
              (select ${shown('t')} as item from ${visibleVersionSql(sameCollection, "l.target ->> 'id'")} t
                where l.role = ${link} and l.target ? 'id' and ${mayBeFound('t', scope, parameters)})
              union all
              (select ${shown('t')} from ${links} b cross join lateral ${seen('b.source_uid')} t
                where l.role = ${link} and not l.target ? 'id' and b.key = l.key and b.role = ${name}
                order by b.stated_at, b.source_uid limit 1)) o on true
           where l.source_uid = u.uid and (l.role = ${entity} or l.role = ${link} and o.item is not null)
           order by l.role, l.predicate, l.key limit ${LIMITS.relationsOfFoundReadMax}) l) as links`,
    ),
    parameters.values,
  );
  return { groups: (row?.groups ?? []).map(dated), links: (row?.links ?? []).map(dated) };
}

function dated<Row extends { statedAt: string }>(row: Row): Omit<Row, 'statedAt'> & { statedAt: Date } {
  return { ...row, statedAt: new Date(row.statedAt) };
}
