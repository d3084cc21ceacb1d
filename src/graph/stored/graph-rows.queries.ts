import type { EntityManager } from 'typeorm';
import { query, queryOne } from '../../postgres/query.js';
import { storeTable } from '../../postgres/stores.js';
import type { Store } from '../../postgres/stores.js';
import type { LeasedVersion } from '../../sources/status/lease.js';
import type { NewMention, NewRelationGroup } from '../item-graph.js';
import type { ItemLink } from '../structure.js';
import { roomBehind } from './group-positions.js';

/** How many rows one statement writes; few, so that none occupies the embedded Postgres for long. */
export const graphRowsMax = 200;
export const graphRowsMaxEmbedded = 50;

/** The version that a row belongs to. */
export interface OfVersion extends Pick<LeasedVersion, 'uid' | 'leaseToken'> {
  readonly collectionId: number;
  readonly statedAt: Date;
}
export type GroupRow = OfVersion & NewRelationGroup & { readonly position: string };
export type LinkRow = OfVersion & ItemLink & { readonly position: string };
export type MentionRow = OfVersion & NewMention;

// Excludes versions that another worker has taken over.
const held = `held as materialized (
  select s.uid from sources s join unnest($2::bigint[], $3::uuid[]) as v(uid, lease_token) using (uid, lease_token)
   where s.database_id = $1 and s.latest order by s.uid for update of s)`;

// 3 ** 27 is the greatest power of three within roomBehind.
const gallopSteps = 27;

/**
 * For each moment asked for, free positions at or after it, ascending. There may be fewer than asked for,
 * but at least one. The first free position is found by steps that triple until one is free, then by
 * halving. This keeps positions dense, and takes logarithmic time however many are taken.
 */
export async function findFreePositions(
  manager: EntityManager,
  store: Store,
  wanted: readonly { readonly collectionId: number; readonly from: number; readonly count: number }[],
): Promise<string[][]> {
  const isTaken = (position: string) =>
    `exists (select from ${storeTable('relation_groups', store)} g where g.collection_id = w.collection_id and g.position = ${position})`;
  const rows = await query<{ positions: string[] }>(
    manager,
    `select array(
       with recursive stepped as (
         select coalesce(min(step), ${gallopSteps + 1}) as step from generate_series(0, ${gallopSteps}) as step
          where not ${isTaken('w.from_position + (3::numeric ^ step)::bigint - 1')}),
       ends(taken, free) as (
         select case when step = 0 then w.from_position - 1 else w.from_position + (3::numeric ^ (step - 1))::bigint - 1 end,
                case when step > ${gallopSteps} then w.from_position + ${roomBehind - 1} else w.from_position + (3::numeric ^ step)::bigint - 1 end
           from stepped
         union all
         select case when m.is_taken then m.middle else e.taken end, case when m.is_taken then e.free else m.middle end
           from ends e
          cross join lateral (select (e.taken + e.free) / 2 as middle) h
          cross join lateral (select h.middle, ${isTaken('h.middle')} as is_taken) m
          where e.free - e.taken > 1)
       select p.at::text from (select min(free) as first from ends) f, generate_series(f.first, f.first + 2 * w.count + 16) as p(at)
        where not ${isTaken('p.at')}
        order by p.at limit w.count) as positions
       from unnest($1::int[], $2::bigint[], $3::int[]) with ordinality as w(collection_id, from_position, count, nth)
      order by w.nth`,
    [
      wanted.map(({ collectionId }) => collectionId),
      wanted.map(({ from }) => from),
      wanted.map(({ count }) => count),
    ],
  );
  return rows.map(({ positions }) => positions);
}

/** The result of storing groups. */
export interface StoredGroups {
  /** Versions that are still held under the lease. */
  readonly held: ReadonlySet<string>;
  /** The positions that were stored, as `collection:position`. */
  readonly stored: ReadonlySet<string>;
}

/**
 * Stores groups of relations. A group is skipped if its position has been taken meanwhile, or
 * its version is no longer held.
 */
export async function insertGroups(
  manager: EntityManager,
  store: Store,
  { rows, versions }: { readonly rows: readonly GroupRow[]; readonly versions: readonly OfVersion[] },
): Promise<StoredGroups> {
  // Inserted in the order of positions, so that concurrent writers do not deadlock.
  const row = await queryOne<{ held: string[]; stored: string[] }>(
    manager,
    `with ${held},
     stored as (
       insert into ${storeTable('relation_groups', store)} (database_id, collection_id, source_uid, position, stated_at,
         chunk_uuid, source_entity, target_entity, source, target, relations)
       select $1, r."collectionId", r.uid, r.position, r."statedAt",
         (select c.chunk_uuid from ${storeTable('chunks', store)} c where c.source_uid = r.uid and c.position = r.chunk),
         r."sourceEntity", r."targetEntity", r.source, r.target, r.relations
         from jsonb_to_recordset($4::jsonb) as r(uid bigint, "collectionId" int, position bigint, "statedAt" timestamptz,
           chunk int, "sourceEntity" uuid, "targetEntity" uuid, source jsonb, target jsonb, relations jsonb)
         join held h on h.uid = r.uid
        order by r."collectionId", r.position
       on conflict (collection_id, position) do nothing returning collection_id, position)
     select array(select uid::text from held) as held,
            array(select collection_id || ':' || position from stored) as stored`,
    [store.databaseId, ...leasesOf(versions), JSON.stringify(rows)],
  );
  return { held: new Set(row?.held), stored: new Set(row?.stored) };
}

/** Stores links of items, for versions that are held under the lease. */
export async function insertLinks(
  manager: EntityManager,
  store: Store,
  rows: readonly LinkRow[],
): Promise<void> {
  await query(
    manager,
    `with ${held}
     insert into ${storeTable('item_links', store)} (database_id, collection_id, source_uid, position, stated_at, role, key,
       predicate, raw_predicate, target)
     select $1, r."collectionId", r.uid, r.position, r."statedAt", r.role, r.key, r.predicate, r."rawPredicate", r.target
       from jsonb_to_recordset($4::jsonb) as r(uid bigint, "collectionId" int, position bigint, "statedAt" timestamptz,
         role smallint, key uuid, predicate text, "rawPredicate" text, target jsonb)
       join held h on h.uid = r.uid`,
    [store.databaseId, ...leasesOf(rows), JSON.stringify(rows)],
  );
}

/** Stores mentions of entities, for versions that are held under the lease. */
export async function insertMentions(
  manager: EntityManager,
  store: Store,
  rows: readonly MentionRow[],
): Promise<void> {
  await query(
    manager,
    `with ${held}
     insert into ${storeTable('entity_mentions', store)} (database_id, collection_id, source_uid, entity_id, is_alias, chunks,
       name_key, name, type, namespace, identifier, provider)
     select $1, r."collectionId", r.uid, r."entityId", r."isAlias",
            array(select c::int from jsonb_array_elements_text(r.chunks) as c), r."nameKey", r.name, r.type, r.namespace,
            r.identifier, r.provider
       from jsonb_to_recordset($4::jsonb) as r(uid bigint, "collectionId" int, "entityId" uuid, "isAlias" boolean,
         chunks jsonb, "nameKey" text, name text, type text, namespace text, identifier text, provider text)
       join held h on h.uid = r.uid`,
    [store.databaseId, ...leasesOf(rows), JSON.stringify(rows)],
  );
}

/** Removes up to 200 rows of each kind of the graphs of versions; returns how many. */
export async function removeSomeOfGraph(
  manager: EntityManager,
  store: Store,
  sourceUids: readonly string[],
): Promise<number> {
  const remove = (table: string) =>
    `delete from ${table} where ctid = any(array(select ctid from ${table} where source_uid = any($1::bigint[]) limit ${graphRowsMax})) returning 1`;
  const row = await queryOne<{ removed: number }>(
    manager,
    `with groups as (${remove(storeTable('relation_groups', store))}),
          links as (${remove(storeTable('item_links', store))}),
          mentions as (${remove(storeTable('entity_mentions', store))})
     select (select count(*) from groups)::int + (select count(*) from links)::int
          + (select count(*) from mentions)::int as removed`,
    [sourceUids],
  );
  return row?.removed ?? 0;
}

/** The graph that was supplied with a version, or that it inherited; undefined if there is none. */
export function findSuppliedGraph(
  manager: EntityManager,
  databaseId: number,
  uid: string,
): Promise<{ graph: unknown } | undefined> {
  return queryOne(
    manager,
    'select supplied_graph as graph from sources where database_id = $1 and uid = $2 and supplied_graph is not null',
    [databaseId, uid],
  );
}

/** The parameters $2 and $3 of `held`. */
function leasesOf(rows: readonly OfVersion[]): [string[], string[]] {
  const leases = new Map(rows.map(({ uid, leaseToken }) => [uid, leaseToken]));
  return [[...leases.keys()], [...leases.values()]];
}
