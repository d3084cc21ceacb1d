import type { EntityManager } from 'typeorm';
import { partition } from '../postgres/partitions.js';
import { prepared } from '../postgres/prepared-statements.js';
import { query } from '../postgres/query.js';
import type { AuxiliaryLink } from './auxiliary.queries.js';
import { GraphStatement } from './graph-reads.js';
import type { GraphRead } from './graph-reads.js';
import { itemColumns } from './relations.queries.js';
import type { GraphItem } from './relations.queries.js';
import { LinkRole } from './structure.js';

const { name, link, thread, entity } = LinkRole;

/** An item by its id, with what a link to that id names. */
export interface KeyedItem {
  readonly id: string;
  readonly key: string;
}

/** One step of a traversal. */
export interface Hop {
  /** Members to go on from, in their order. What may not be read of them leads nowhere. */
  readonly from: readonly KeyedItem[];
  /** Other members that are known already. */
  readonly visited: readonly string[];
  /** Threads that were gone into already: all of their members are known. */
  readonly threads: readonly string[];
  readonly limit: number;
}

/** A member that was reached from one of those before it: their place in the order. */
export interface ReachedItem extends GraphItem {
  readonly via: number;
}

/**
 * Items one hop away: what members link to, what links to them, and what stands in their threads. In the order of the
 * members, of what each reaches the earliest link first. A thread is one row per message, so that a long one is no clique.
 */
export function findReached(
  manager: EntityManager,
  read: GraphRead,
  { from, visited, threads, limit }: Hop,
): Promise<ReachedItem[]> {
  const statement = new GraphStatement(read);
  const links = partition('item_links', read.scope);
  const ids = statement.place(from.map(({ id }) => id));
  const keys = statement.place(from.map(({ key }) => key));
  const known = statement.place(visited);
  // A subquery where an array would do: a kept plan looks into an array value by value.
  const unseen = `not in (select uid from seen)`;
  const most = statement.place(limit);
  // Where a row stands (ctid) is the same throughout a statement: reading it there spares looking for it again.
  // By no more than the limit each: whatever is left out comes behind as many others.
  const through = (role: number) =>
    `(select distinct b.stated_at, s.uid, s.ctid as place from ${links} b join sources s on s.uid = b.source_uid and ${statement.readable('s')}
       where b.key = k.key and b.role = ${role} and b.source_uid ${unseen} order by b.stated_at, s.uid limit ${most})`;
  return query(
    manager,
    prepared(`with members as materialized (
       select f.uid, m.key, m.nth from unnest(${ids}::text[], ${keys}::uuid[]) with ordinality as m(id, key, nth)
         join sources f on f.id = m.id and ${statement.readable('f')}),
     seen as materialized (
       select uid from unnest(${known}::bigint[]) as v(uid) union all select uid from members),
     own as materialized (
       select m.nth, l.role, l.key, l.stated_at, l.target ->> 'id' as id
         from members m join ${links} l on l.source_uid = m.uid and l.role in (${name}, ${link}, ${thread})),
     reached as (
       select o.nth, o.stated_at, t.uid, t.ctid as place from own o join sources t on t.id = o.id and ${statement.readable('t')}
        where o.role = ${link} and o.id is not null and t.uid ${unseen}
       union all
       select k.nth, k.stated_at, r.uid, r.place from own k cross join lateral ${through(name)} r
        where k.role = ${link} and k.id is null
       union all
       select k.nth, r.stated_at, r.uid, r.place
         from (select nth, key from members union all select nth, key from own where role = ${name}) k
        cross join lateral ${through(link)} r
       union all
       select k.nth, r.stated_at, r.uid, r.place
         from (select min(nth) as nth, key from own
                where role = ${thread} and key <> all(${statement.place(threads)}::uuid[]) group by key) k
        cross join lateral ${through(thread)} r)
     select i.*, r.nth::int as via
       from (select * from (select distinct on (uid) uid, nth, stated_at, place from reached order by uid, nth, stated_at) d
              order by nth, stated_at, uid limit ${most}) r
      cross join lateral (select ${itemColumns('s')} from sources s where s.ctid = r.place limit 1) i
      order by r.nth, r.stated_at, r.uid`),
    statement.parameters,
  );
}

/** A row of item_links of a member. */
export interface MemberLink {
  readonly uid: string;
  readonly role: number;
  readonly key: string;
  readonly predicate: string;
  readonly rawPredicate: string;
  /** Where a link leads that leads to no member; what an entity is. */
  readonly target: AuxiliaryLink['target'] | null;
  readonly statedAt: Date;
}

/** Of whose links what is read. */
interface LinksWanted {
  readonly members: readonly GraphItem[];
  /** What links to the ids of members name, in their order. */
  readonly keys: readonly string[];
  /** Of so many members, the first ones, stubs are read: links to what is not there, or may not be read. */
  readonly first: number;
  /** Whether there may be items beside the members that these link to. */
  readonly looksUp: boolean;
  readonly limit: number;
  /** At most so many people and parts. */
  readonly entitiesLimit: number;
}

/**
 * Names, threads, people and parts of members in their order, their links to one another, and stubs of the first so many.
 * What else they link to is not read: it is most of what there is.
 */
export function findLinksOf(
  manager: EntityManager,
  read: GraphRead,
  { members, keys: memberKeys, first, looksUp, limit, entitiesLimit }: LinksWanted,
): Promise<MemberLink[]> {
  const statement = new GraphStatement(read);
  const links = partition('item_links', read.scope);
  const uids = statement.place(members.map(({ uid }) => uid));
  const keys = statement.place(memberKeys);
  const readable = statement.readable('s');
  const isStub = `(not ${statement.place(looksUp)} or
    not exists (select from sources s where l.target ? 'id' and s.id = l.target ->> 'id' and ${readable})
    and not exists (select from ${links} b join sources s on s.uid = b.source_uid and ${readable}
                     where not l.target ? 'id' and b.key = l.key and b.role = ${name}))`;
  return query(
    manager,
    // Subqueries where arrays would do: a kept plan looks into an array value by value. And cases where "or" would do: of
    // that the planner makes a condition on links alone, and looks for the targets of all.
    prepared(`with members as materialized (
       select uid, key, nth from unnest(${uids}::bigint[], ${keys}::uuid[]) with ordinality as m(uid, key, nth)),
     names as materialized (
       select key from members
       union all select l.key from members m join ${links} l on l.source_uid = m.uid and l.role = ${name}),
     own as materialized (
       select m.nth, m.uid, l.role, l.key, l.predicate, l.raw_predicate as "rawPredicate",
              case when l.role = ${entity} or l.role = ${link} and l.key not in (select key from names) then l.target end as target,
              l.stated_at as "statedAt"
         from members m join ${links} l on l.source_uid = m.uid
        where case when l.role <> ${link} then true when l.key in (select key from names) then true
                   when m.nth > ${statement.place(first)} then false else ${isStub} end),
     related as (
       select * from own where role <> ${entity} order by nth, role, predicate, key limit ${statement.place(limit)}),
     entities as (
       select * from own where role = ${entity} order by nth, predicate, key limit ${statement.place(entitiesLimit)})
     select uid, role, key, predicate, "rawPredicate", target, "statedAt"
       from (select * from related union all select * from entities) o
      order by role = ${entity}, nth, role, predicate, key`),
    statement.parameters,
  );
}
