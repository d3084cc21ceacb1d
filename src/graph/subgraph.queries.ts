import type { EntityManager } from 'typeorm';
import { partition } from '../postgres/partitions.js';
import { query } from '../postgres/query.js';
import { itemKey } from './entity-key.js';
import { GraphStatement } from './graph-reads.js';
import type { GraphRead } from './graph-reads.js';
import { itemColumns } from './relations.queries.js';
import type { GraphItem } from './relations.queries.js';
import { LinkRole } from './structure.js';
import type { LinkTarget } from './structure.js';

const { name, link, thread } = LinkRole;

/** One step of a traversal. */
export interface Hop {
  /** Members to go on from, in their order. */
  readonly from: readonly GraphItem[];
  /** Members that are known already. */
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
  const { collectionId } = read.scope;
  const statement = new GraphStatement(read);
  const links = partition('item_links', read.scope);
  const uids = statement.place(from.map(({ uid }) => uid));
  const keys = statement.place(from.map(({ id }) => itemKey(collectionId, id)));
  const unseen = `<> all(${statement.place(visited)}::bigint[])`;
  const most = statement.place(limit);
  // By no more than the limit each: whatever is left out comes behind as many others.
  const through = (role: number) =>
    `(select distinct b.stated_at, s.uid from ${links} b join sources s on s.uid = b.source_uid and ${statement.readable('s')}
       where b.key = k.key and b.role = ${role} and b.source_uid ${unseen} order by b.stated_at, s.uid limit ${most})`;
  return query(
    manager,
    `with members as materialized (
       select uid, key, nth from unnest(${uids}::bigint[], ${keys}::uuid[]) with ordinality as m(uid, key, nth)),
     own as materialized (
       select m.nth, l.role, l.key, l.stated_at, l.target ->> 'id' as id
         from members m join ${links} l on l.source_uid = m.uid and l.role in (${name}, ${link}, ${thread})),
     reached as (
       select o.nth, o.stated_at, t.uid from own o join sources t on t.id = o.id and ${statement.readable('t')}
        where o.role = ${link} and o.id is not null and t.uid ${unseen}
       union all
       select k.nth, k.stated_at, r.uid from own k cross join lateral ${through(name)} r
        where k.role = ${link} and k.id is null
       union all
       select k.nth, r.stated_at, r.uid
         from (select nth, key from members union all select nth, key from own where role = ${name}) k
        cross join lateral ${through(link)} r
       union all
       select k.nth, r.stated_at, r.uid
         from (select min(nth) as nth, key from own
                where role = ${thread} and key <> all(${statement.place(threads)}::uuid[]) group by key) k
        cross join lateral ${through(thread)} r)
     select ${itemColumns('s')}, r.nth::int as via
       from (select distinct on (uid) uid, nth, stated_at from reached order by uid, nth, stated_at) r
       join sources s on s.database_id = $1 and s.uid = r.uid
      order by r.nth, r.stated_at, r.uid limit ${most}`,
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
  readonly target: LinkTarget;
  readonly statedAt: Date;
}

/** Names, links and threads of members, in their order. */
export function findLinksOf(
  manager: EntityManager,
  read: GraphRead,
  { uids, limit }: { uids: readonly string[]; limit: number },
): Promise<MemberLink[]> {
  return query(
    manager,
    `select l.source_uid as uid, l.role, l.key, l.predicate, l.raw_predicate as "rawPredicate", l.target,
            l.stated_at as "statedAt"
       from unnest($1::bigint[]) with ordinality as m(uid, nth)
       join ${partition('item_links', read.scope)} l on l.source_uid = m.uid and l.role in (${name}, ${link}, ${thread})
      order by m.nth, l.role, l.predicate, l.key limit $2`,
    [uids, limit],
  );
}

/** Which of these links lead to an item that may be read, by their place in the list. */
export async function findResolved(
  manager: EntityManager,
  read: GraphRead,
  links: readonly Pick<MemberLink, 'key' | 'target'>[],
): Promise<Set<number>> {
  const statement = new GraphStatement(read);
  const ids = statement.place(links.map(({ target }) => target.id ?? null));
  const keys = statement.place(links.map(({ key }) => key));
  const readable = statement.readable('s');
  const rows = await query<{ nth: number }>(
    manager,
    `select k.nth::int as nth from unnest(${ids}::text[], ${keys}::uuid[]) with ordinality as k(id, key, nth)
      where exists (select from sources s where s.id = k.id and ${readable})
         or k.id is null and exists (
           select from ${partition('item_links', read.scope)} b join sources s on s.uid = b.source_uid and ${readable}
            where b.key = k.key and b.role = ${name})`,
    statement.parameters,
  );
  return new Set(rows.map(({ nth }) => nth - 1));
}
