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
  readonly stubsLimit: number;
  /** Whether it is the first one: then the member that it goes on from is told too. */
  readonly isFirst: boolean;
}

/** A member that was reached from one of those before it: their place in the order. */
export interface ReachedItem extends GraphItem {
  readonly via: number;
}

/** A link to what is not there, or may not be read, and the place of the member that says it. */
export interface ReachedStub extends Omit<MemberLink, 'uid'> {
  readonly via: number;
}

/** What one step comes upon. */
export interface ReachedInHop {
  /** Where the first step starts. */
  seed: GraphItem | undefined;
  readonly items: ReachedItem[];
  readonly stubs: ReachedStub[];
}

/** A member or a stub of a step, with its place among those of its kind; that of the seed is 0. */
type FoundRow = { readonly place: number } & (
  (ReachedItem & { readonly stub: null }) | { readonly via: number; readonly stub: StoredStub }
);

interface StoredStub extends Omit<ReachedStub, 'via' | 'role' | 'statedAt'> {
  /** ISO 8601. */
  readonly statedAt: string;
}

/**
 * Items one hop away: what members link to, what links to them, and what stands in their threads. In the order of the
 * members, of what each reaches the earliest link first. A thread is one row per message, so that a long one is no clique.
 * With them what members link to in vain.
 */
export async function findReached(
  manager: EntityManager,
  read: GraphRead,
  { from, visited, threads, limit, stubsLimit, isFirst }: Hop,
): Promise<ReachedInHop> {
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
    `(select distinct b.stated_at, s.uid, s.ctid as place from ${statement.seenIn('item_links', 'b')}
       where b.key = k.key and b.role = ${role} and b.source_uid ${unseen} order by b.stated_at, s.uid limit ${most})`;
  const rows = await query<FoundRow>(
    manager,
    prepared(`with members as materialized (
       select f.uid, f.ctid as place, m.key, m.nth from unnest(${ids}::text[], ${keys}::uuid[]) with ordinality as m(id, key, nth)
         join sources f on f.id = m.id and ${statement.readable('f')}),
     seen as materialized (
       select uid from unnest(${known}::bigint[]) as v(uid) union all select uid from members),
     own as materialized (
       select m.nth, l.role, l.key, l.predicate, l.raw_predicate, l.stated_at, l.target
         from members m join ${links} l on l.source_uid = m.uid and l.role in (${name}, ${link}, ${thread})),
     by_id as materialized (
       select o.nth, o.key, o.predicate, o.raw_predicate, o.stated_at, o.target, t.uid, t.ctid as place
         from own o left join sources t on t.id = o.target ->> 'id' and ${statement.readable('t')}
        where o.role = ${link} and o.target ? 'id'),
     by_name as materialized (select * from own where role = ${link} and not target ? 'id'),
     reached as (
       select nth, stated_at, uid, place from by_id where uid is not null and uid ${unseen}
       union all
       select k.nth, k.stated_at, r.uid, r.place from by_name k cross join lateral ${through(name)} r
       union all
       select k.nth, r.stated_at, r.uid, r.place
         from (select nth, key from members union all select nth, key from own where role = ${name}) k
        cross join lateral ${through(link)} r
       union all
       select k.nth, r.stated_at, r.uid, r.place
         from (select min(nth) as nth, key from own
                where role = ${thread} and key <> all(${statement.place(threads)}::uuid[]) group by key) k
        cross join lateral ${through(thread)} r),
     stubs as (
       select nth, key, predicate, raw_predicate, stated_at, target from by_id where uid is null
       union all
       select nth, key, predicate, raw_predicate, stated_at, target from by_name k
        where not exists (select from ${statement.seenIn('item_links', 'b')}
                           where b.key = k.key and b.role = ${name}))
     ${selectFound({ isFirst: statement.place(isFirst), most, stubsMost: statement.place(stubsLimit) })}`),
    statement.parameters,
  );
  return toReached(rows);
}

interface FoundBounds {
  readonly isFirst: string;
  readonly most: string;
  readonly stubsMost: string;
}

/**
 * SQL: at most so many of `reached`, at most so many of `stubs`, and of the first step the member itself. They say their
 * places: a sort of all would hold back rows that can be on their way while others are still looked up.
 */
function selectFound({ isFirst, most, stubsMost }: FoundBounds): string {
  return `select r.n::int as place, r.nth::int as via, i.*, null::json as stub
       from (select 0 as n, nth, place from members where ${isFirst}::boolean
             union all
             (select row_number() over (order by nth, stated_at, uid), nth, place
                from (select distinct on (uid) uid, nth, stated_at, place from reached order by uid, nth, stated_at) d
               order by nth, stated_at, uid limit ${most})) r
      cross join lateral (select ${itemColumns('s')} from sources s where s.ctid = r.place limit 1) i
      union all
     (select row_number() over (order by nth, predicate, key)::int, nth::int, null, null, null, null, null, null, null,
             json_build_object('key', key, 'predicate', predicate, 'rawPredicate', raw_predicate, 'target', target,
                               'statedAt', stated_at)
        from stubs order by nth, predicate, key limit ${stubsMost})`;
}

function toReached(rows: FoundRow[]): ReachedInHop {
  const reached: ReachedInHop = { seed: undefined, items: [], stubs: [] };
  for (const row of rows.sort((a, b) => a.place - b.place)) {
    if (row.stub)
      reached.stubs.push({ ...row.stub, statedAt: new Date(row.stub.statedAt), role: link, via: row.via });
    else if (row.place === 0) reached.seed = row;
    else reached.items.push(row);
  }
  return reached;
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
  /** What links to members name. */
  readonly keys: readonly string[];
  readonly limit: number;
  /** At most so many people and parts. */
  readonly entitiesLimit: number;
}

/** A link of a member, and the member's place. */
interface PlacedLink extends MemberLink {
  readonly nth: number;
}

/**
 * Threads, people and parts of members in their order, and their links to one another. What else they link to is not read:
 * it is most of what there is.
 */
export async function findLinksOf(
  manager: EntityManager,
  { scope }: GraphRead,
  { members, keys, limit, entitiesLimit }: LinksWanted,
): Promise<MemberLink[]> {
  const rows = await query<PlacedLink>(
    manager,
    // A subquery where an array would do: a kept plan looks into an array value by value. Rows come as they are found,
    // member by member: a sort here would hold back those that can be on their way.
    prepared(`with own as materialized (
       select m.nth::int as nth, m.uid, l.role, l.key, l.predicate, l.raw_predicate as "rawPredicate",
              case when l.role = ${entity} then l.target end as target, l.stated_at as "statedAt"
         from unnest($1::bigint[]) with ordinality as m(uid, nth)
         join ${partition('item_links', scope)} l on l.source_uid = m.uid
        where l.role in (${thread}, ${entity})
           or l.role = ${link} and l.key in (select key from unnest($2::uuid[]) as k(key)))
     (select * from own where role <> ${entity} limit $3)
     union all
     (select * from own where role = ${entity} limit $4)`),
    [members.map(({ uid }) => uid), keys, limit, entitiesLimit],
  );
  return rows.sort(inOrder);
}

function inOrder(a: PlacedLink, b: PlacedLink): number {
  return a.nth - b.nth || (saidBy(a) < saidBy(b) ? -1 : 1);
}

function saidBy({ role, predicate, key }: PlacedLink): string {
  return `${role} ${predicate} ${key}`;
}

/** A member, and what a link of it may name. */
export interface LinkWay {
  readonly uid: string;
  readonly key: string;
}

/** Links of members to certain others. */
export function findLinksAlong(
  manager: EntityManager,
  { scope }: GraphRead,
  ways: readonly LinkWay[],
): Promise<MemberLink[]> {
  return query(
    manager,
    `select l.source_uid as uid, l.role, l.key, l.predicate, l.raw_predicate as "rawPredicate", null::jsonb as target,
            l.stated_at as "statedAt"
       from (select distinct uid, key from unnest($1::bigint[], $2::uuid[]) as w(uid, key)) w
       join ${partition('item_links', scope)} l on l.source_uid = w.uid and l.key = w.key and l.role = ${link}
      order by l.predicate, l.key`,
    [ways.map(({ uid }) => uid), ways.map(({ key }) => key)],
  );
}
