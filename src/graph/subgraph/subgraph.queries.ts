import type { EntityManager } from 'typeorm';
import { prepared } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { storeTable } from '../../postgres/stores.js';
import { GraphStatement } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import { itemColumns } from '../relations/relations.queries.js';
import type { GraphItem } from '../relations/relations.queries.js';
import { LinkRole } from '../structure.js';
import type { AuxiliaryLink } from './auxiliary.queries.js';

const { name, link, thread, entity } = LinkRole;

/** An item by its id, and the key that links to that id use. */
export interface KeyedItem {
  readonly id: string;
  readonly key: string;
}

/** One step of a traversal. */
export interface Hop {
  /** Members to continue from, in their order. Unreadable ones lead nowhere. */
  readonly from: readonly KeyedItem[];
  /** The uids of all members found so far. */
  readonly visited: readonly string[];
  /** Threads whose members are all known. */
  readonly threads: readonly string[];
  readonly limit: number;
  readonly stubsLimit: number;
  /** Whether this is the first step. Then the item that it starts from is returned too. */
  readonly isFirst: boolean;
}

/** An item that was reached in a step. `via` is the place, from 1, of the member that it was reached from. */
export interface ReachedItem extends GraphItem {
  readonly via: number;
}

/**
 * A link to an item that does not exist or may not be read. `via` is the place
 * of the member that has the link.
 */
export interface ReachedStub extends Omit<MemberLink, 'uid'> {
  readonly via: number;
}

/** The result of one step. */
export interface ReachedInHop {
  /** The item that the first step starts from. */
  seed: GraphItem | undefined;
  readonly items: ReachedItem[];
  readonly stubs: ReachedStub[];
}

/** An item or a stub with its place among its kind; the start item has place 0. */
type FoundRow = { readonly place: number } & (
  (ReachedItem & { readonly stub: null }) | { readonly via: number; readonly stub: StoredStub }
);

interface StoredStub extends Omit<ReachedStub, 'via' | 'role' | 'statedAt'> {
  /** ISO 8601. */
  readonly statedAt: string;
}

/**
 * The items one hop away: those that the members link to, those that link to them, and those in their
 * threads. They come in the order of the members, for each with the earliest link first. A thread is
 * stored as one row per message, so that a long thread does not become a clique. The members' links to
 * missing items are returned as stubs.
 */
export async function findReached(
  manager: EntityManager,
  read: GraphRead,
  { from, visited, threads, limit, stubsLimit, isFirst }: Hop,
): Promise<ReachedInHop> {
  const statement = new GraphStatement(read);
  const links = storeTable('item_links', read.scope);
  const ids = statement.add(from.map(({ id }) => id));
  const keys = statement.add(from.map(({ key }) => key));
  const known = statement.add(visited);
  // A subquery instead of an array: the cached plan would search an array value by value.
  const unseen = `not in (select uid from seen)`;
  const most = statement.add(limit);
  // A row keeps its ctid throughout a statement, which saves a second look-up. Each part is limited to the
  // limit of the whole: what it leaves out would come after as many others. The order is that of the index, so
  // no more links are read of an item that has a hundred thousand.
  const through = (role: number) =>
    `(select distinct on (b.stated_at, b.source_uid) b.stated_at, s.uid, s.ctid as place
        from ${statement.seenIn('item_links', 'b')}
       where b.key = k.key and b.role = ${role} and b.source_uid ${unseen}
       order by b.stated_at, b.source_uid limit ${most})`;
  const rows = await query<FoundRow>(
    manager,
    prepared(`with members as materialized (
       select f.uid, f.ctid as place, m.key, m.nth from unnest(${ids}::text[], ${keys}::uuid[]) with ordinality as m(id, key, nth)
         cross join lateral ${statement.seenById('m.id')} f),
     seen as materialized (
       select uid from unnest(${known}::bigint[]) as v(uid) union all select uid from members),
     own as materialized (
       select m.nth, l.role, l.key, l.predicate, l.raw_predicate, l.stated_at, l.target
         from members m join ${links} l on l.source_uid = m.uid and l.role in (${name}, ${link}, ${thread})),
     by_id as materialized (
       select o.nth, o.key, o.predicate, o.raw_predicate, o.stated_at, o.target, t.uid, t.ctid as place
         from own o left join lateral ${statement.seenById("o.target ->> 'id'")} t on true
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
                where role = ${thread} and key <> all(${statement.add(threads)}::uuid[]) group by key) k
        cross join lateral ${through(thread)} r),
     stubs as (
       select nth, key, predicate, raw_predicate, stated_at, target from by_id where uid is null
       union all
       select nth, key, predicate, raw_predicate, stated_at, target from by_name k
        where not exists (select from ${statement.seenIn('item_links', 'b')}
                           where b.key = k.key and b.role = ${name}))
     ${selectFound({ isFirst: statement.add(isFirst), most, stubsMost: statement.add(stubsLimit) })}`),
    statement.values,
  );
  return toReached(rows);
}

interface FoundBounds {
  readonly isFirst: string;
  readonly most: string;
  readonly stubsMost: string;
}

/**
 * SQL: up to `most` of `reached`, up to `stubsMost` of `stubs`, and in the first step the start item.
 * Rows carry their places, because sorting everything here would hold back rows that could be sent while
 * others are still being looked up.
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

/** A row of item_links that belongs to a member. */
export interface MemberLink {
  readonly uid: string;
  readonly role: number;
  readonly key: string;
  readonly predicate: string;
  readonly rawPredicate: string;
  /** The target of a link that leads to no member, or the properties of a person or part. */
  readonly target: AuxiliaryLink['target'] | null;
  readonly statedAt: Date;
}

/** Which links are read. */
interface LinksWanted {
  readonly members: readonly GraphItem[];
  /** The keys that links to members use. */
  readonly keys: readonly string[];
  readonly limit: number;
  /** The limit for people and parts. */
  readonly entitiesLimit: number;
}

/** A link, and the place of its member. */
interface PlacedLink extends MemberLink {
  readonly nth: number;
}

/**
 * The threads, people and parts of members, in the order of members, and the links between members. Other
 * links are not read: they are the bulk.
 */
export async function findLinksOf(
  manager: EntityManager,
  { scope }: GraphRead,
  { members, keys, limit, entitiesLimit }: LinksWanted,
): Promise<MemberLink[]> {
  const rows = await query<PlacedLink>(
    manager,
    // A subquery instead of an array: the cached plan would search an array value by value. Rows come as
    // they are found, member by member: sorting here would hold back rows that could already be sent.
    prepared(`with own as materialized (
       select m.nth::int as nth, m.uid, l.role, l.key, l.predicate, l.raw_predicate as "rawPredicate",
              case when l.role = ${entity} then l.target end as target, l.stated_at as "statedAt"
         from unnest($1::bigint[]) with ordinality as m(uid, nth)
         join ${storeTable('item_links', scope)} l on l.source_uid = m.uid
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

/** A member, and a key that a link of it may use. */
export interface LinkWay {
  readonly uid: string;
  readonly key: string;
}

/** The links of members with given keys. */
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
       join ${storeTable('item_links', scope)} l on l.source_uid = w.uid and l.key = w.key and l.role = ${link}
      order by l.predicate, l.key`,
    [ways.map(({ uid }) => uid), ways.map(({ key }) => key)],
  );
}
