import type { DataSource } from 'typeorm';
import { LinkRole } from '../../graph/structure.js';
import { prepared, unseenList } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import { isWrittenKey } from '../../sources/app-items/written-key.js';
import type { AppKind } from '../../sources/source.types.js';
import { versionSql } from '../../sources/sources.queries.js';
import { foundItem, plannedOnce } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';

/** What the app lane needs to know of the item of a chunk. */
export interface AppItem {
  readonly chunkId: string;
  readonly title: string;
  /** The item's id in its application, if it is one that people write (OPS-105); else null. */
  readonly key: string | null;
  readonly kind: AppKind;
  readonly people: readonly { readonly name: string; readonly email: string | null }[];
}

/** A chunk of the same conversation as an item; `away` counts from 1, the nearest in time. */
export interface ConversationChunk {
  readonly anchorUid: string;
  readonly chunkId: string;
  readonly away: number;
}

// The links by which an answer names what it answers.
const answeringPredicates = '{reply_to,comment_on,child_of,forwarded_from}';
const membersPerSideMax = 5;
const authorPredicates = '{sent_by,created_by,reported_by}';
// More than one, because some ask back, or say that they would like to know as well.
const followingMax = 3;
const peoplePerItemMax = 50;

/**
 * The kind and states of a chunk's item, if it is an app item, and how much of a query the chunk contains.
 */
export interface ItemState {
  readonly chunkId: string;
  readonly kind: AppKind | null;
  readonly type: string | null;
  /** In lower case. */
  readonly states: readonly string[];
  /** How many of the terms asked for the chunk contains. */
  readonly held: number;
}

/** The states of the items of chunks: their status, and their fields that are true (draft, unread). */
export function findStates(
  postgres: DataSource,
  { store }: SearchScope,
  { chunkIds, terms }: { readonly chunkIds: readonly string[]; readonly terms: readonly number[] },
): Promise<ItemState[]> {
  return query<ItemState>(
    postgres.manager,
    `select c.id as "chunkId", s.app_kind as kind, s.type,
            case when s.app_kind is null then '{}' else array(
              select distinct lower(case when e.value = 'true' then regexp_replace(e.key, '^is_', '') else e.value #>> '{}' end)
                from jsonb_each((s.app -> 'fields') || coalesce(s.additional_metadata, '{}') || coalesce(s.metadata, '{}')) e
               where e.key in ('status', 'state') and jsonb_typeof(e.value) = 'string' or e.value = 'true') end as states,
            (select count(*)::int from unnest($2::int[]) term where term = any(c.terms)) as held
       from ${storeTable('chunks', store)} c
       cross join lateral ${versionSql('c.database_id', 'c.source_uid')} s
      where c.id = any($1::bigint[])`,
    [chunkIds, terms],
  );
}

/** The chunks that belong to app items, with what the app lane needs. */
export async function findAppItems(
  postgres: DataSource,
  { store }: SearchScope,
  chunkIds: readonly string[],
): Promise<AppItem[]> {
  const items = await query<AppItem>(
    postgres.manager,
    prepared(`select c.id as "chunkId", s.title, s.app_external_id as key, s.app_kind as kind,
            coalesce((select jsonb_agg(p.person) from (
              select jsonb_build_object('name', l.target ->> 'name', 'email', l.target ->> 'identifier') as person
                from ${storeTable('item_links', store)} l
               where l.source_uid = c.source_uid and l.role = ${LinkRole.entity} and l.target ->> 'type' = 'ACTOR'
               limit ${peoplePerItemMax}) p), '[]') as people
       from ${storeTable('chunks', store)} c
       cross join lateral ${versionSql('c.database_id', 'c.source_uid')} s
      where c.id = any(${unseenList('$1', 'bigint[]')}) and s.app_kind is not null`),
    [chunkIds],
  );
  return items.map(({ key, ...item }) => ({ ...item, key: isWrittenKey(key) ? key : null }));
}

/** What somebody else says after an item in its conversation. */
export interface FollowingChunk {
  readonly anchorUid: string;
  readonly chunkId: string;
  readonly content: string;
}

/**
 * The chunks nearest in time in the conversations of items, and what these answer or are answered by. Nearest
 * first; of two equally near, the earlier one first.
 */
export function findConversations(
  postgres: DataSource,
  scope: SearchScope,
  { uids, perSide = membersPerSideMax }: { readonly uids: readonly string[]; readonly perSide?: number },
): Promise<ConversationChunk[]> {
  if (uids.length === 0) return Promise.resolve([]);
  const parameters = new SqlParameters();
  const { own, side } = conversationSql(scope, parameters, uids);
  return query(
    postgres.manager,
    plannedOnce(
      scope,
      `with ${own}
     select o.source_uid as "anchorUid", c.id as "chunkId", min(n.away) as away
       from own o
      cross join lateral (${side('before', perSide)} union all ${side('after', perSide)}) n
       join ${storeTable('chunks', scope.store)} c on c.source_uid = n.uid and c.position = 0
      group by 1, 2 order by 3, bool_and(n.is_later), 2`,
    ),
    parameters.values,
  );
}

/** What others say next in the conversations of items, in the order of time. */
export function findFollowing(
  postgres: DataSource,
  scope: SearchScope,
  uids: readonly string[],
): Promise<FollowingChunk[]> {
  if (uids.length === 0) return Promise.resolve([]);
  const parameters = new SqlParameters();
  const { own, side } = conversationSql(scope, parameters, uids);
  const links = storeTable('item_links', scope.store);
  const authors = (uid: string) =>
    `select a.key from ${links} a
      where a.source_uid = ${uid} and a.role = ${LinkRole.entity} and a.predicate = any('${authorPredicates}')`;
  const byOthers = `not exists (${authors('l.source_uid')} intersect ${authors('o.source_uid')})`;
  return query(
    postgres.manager,
    plannedOnce(
      scope,
      `with ${own}
     select o.source_uid as "anchorUid", c.id as "chunkId", c.content
       from own o
      cross join lateral ${side('after', followingMax, byOthers)} n
       join ${storeTable('chunks', scope.store)} c on c.source_uid = n.uid and c.position = 0
      order by n.away, 2`,
    ),
    parameters.values,
  );
}

/** SQL: the places of items in conversations (`own`), and what comes before or after one of them (`side`). */
function conversationSql(
  scope: SearchScope,
  parameters: SqlParameters,
  uids: readonly string[],
): { own: string; side: (which: 'before' | 'after', limit: number, condition?: string) => string } {
  const links = storeTable('item_links', scope.store);
  const found = `cross join lateral ${foundItem('l.source_uid', scope, parameters)} s`;
  const own = `own as materialized (
       select l.source_uid, l.key, l.stated_at, case l.role
                when ${LinkRole.thread} then ${LinkRole.thread}
                when ${LinkRole.name} then ${LinkRole.link} else ${LinkRole.name} end as other
         from ${links} l
        where l.source_uid = any(${unseenList(parameters.add(uids), 'bigint[]')})
          and (l.role in (${LinkRole.name}, ${LinkRole.thread})
               or l.role = ${LinkRole.link} and l.predicate = any('${answeringPredicates}')))`;
  return {
    own,
    side(which, limit, condition = 'true') {
      const [compares, direction] = which === 'before' ? ['<', 'desc'] : ['>', 'asc'];
      return `(select l.source_uid as uid, ${which === 'after'} as is_later,
             row_number() over (order by l.stated_at ${direction}, l.source_uid ${direction})::int as away
        from ${links} l ${found}
       where l.key = o.key and l.role = o.other and (l.stated_at, l.source_uid) ${compares} (o.stated_at, o.source_uid)
         and (l.role <> ${LinkRole.link} or l.predicate = any('${answeringPredicates}')) and ${condition}
       order by l.stated_at ${direction}, l.source_uid ${direction} limit ${limit})`;
    },
  };
}
