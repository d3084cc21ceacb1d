import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../limits.js';
import { prepared } from '../../postgres/prepared-statements.js';
import { query, queryOne } from '../../postgres/query.js';
import { storeTable } from '../../postgres/stores.js';
import type { Store } from '../../postgres/stores.js';
import type { AppKind } from '../../sources/source.types.js';
import { GraphStatement } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import type { EntityLabel, KeptRelation } from '../item-graph.js';

/** A row of relation_groups. */
export interface GroupOfRelations {
  readonly position: string;
  readonly statedAt: Date;
  readonly chunkUuid: string | null;
  readonly sourceEntity: string;
  readonly targetEntity: string;
  readonly source: EntityLabel;
  readonly target: EntityLabel;
  readonly relations: readonly KeptRelation[];
}

const groupHead = `g.position, g.stated_at as "statedAt", g.chunk_uuid as "chunkUuid", g.source_entity as "sourceEntity",
  g.target_entity as "targetEntity", g.source, g.target`;
/** Columns of a GroupOfRelations. */
export const groupColumns = `${groupHead}, g.relations`;
/** The same, with only the first relations of each group. */
export const shortGroupColumns = `${groupHead},
  jsonb_path_query_array(g.relations, '$[0 to ${LIMITS.relationsOfGroupMax - 1}]') as relations`;

/** An item as the graph reads need it. */
export interface GraphItem {
  readonly uid: string;
  readonly id: string;
  readonly title: string;
  readonly appKind: AppKind | null;
  readonly appProvider: string | null;
  readonly appExternalId: string | null;
  readonly appThreadId: string | null;
}

/** Columns of a GraphItem. */
export function itemColumns(alias: string): string {
  return `${alias}.uid, ${alias}.id, ${alias}.title, ${alias}.app_kind as "appKind", ${alias}.app_provider as "appProvider",
    ${alias}.app_external_id as "appExternalId", ${alias}.app_thread_id as "appThreadId"`;
}

/** An item by its id; undefined if it does not exist or may not be read. */
export function findReadableItem(
  manager: EntityManager,
  read: GraphRead,
  id: string,
): Promise<GraphItem | undefined> {
  const statement = new GraphStatement(read);
  return queryOne(
    manager,
    prepared(
      `select ${itemColumns('s')} from sources s where ${statement.readable('s')} and s.id = ${statement.add(id)}`,
    ),
    statement.values,
  );
}

/** The part of a graph that is read: below a position, of one item or of all. */
export interface GraphWindow {
  readonly uid: string | undefined;
  readonly below: number | null;
  readonly limit: number;
}

/** Groups of relations, newest first. */
export function findGroups(
  manager: EntityManager,
  read: GraphRead,
  { uid, below, limit }: GraphWindow,
): Promise<GroupOfRelations[]> {
  const statement = new GraphStatement(read);
  const clauses = [
    'g.collection_id = $2',
    ...(below === null ? [] : [`g.position < ${statement.add(below)}::bigint`]),
    ...(uid === undefined ? [] : [`g.source_uid = ${statement.add(uid)}::bigint`]),
  ];
  return query(
    manager,
    `select ${groupColumns} from ${statement.seenIn('relation_groups', 'g')}
      where ${clauses.join(' and ')} order by g.position desc limit ${statement.add(limit)}`,
    statement.values,
  );
}

/** The newest groups of each of several versions. The caller has checked that they may be read. */
export function findGroupsOf(
  manager: EntityManager,
  store: Store,
  { uids, limit }: { uids: readonly string[]; limit: number },
): Promise<(GroupOfRelations & { readonly uid: string })[]> {
  return query(
    manager,
    `select u.uid::text as uid, g.* from unnest($1::bigint[]) as u(uid) cross join lateral (
       select ${groupColumns} from ${storeTable('relation_groups', store)} g
        where g.source_uid = u.uid order by g.position desc limit $2) g`,
    [uids, limit],
  );
}
