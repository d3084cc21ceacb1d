import type { EntityManager } from 'typeorm';
import { query, queryOne } from '../../postgres/query.js';
import type { Acl } from '../../sources/acl.js';
import type { ShownItems } from './sync-progress.js';

/** The place that a resource's items go to. */
export interface ItemTarget {
  readonly connectorId: string;
  readonly resourceId: string;
  readonly databaseId: number;
  readonly collection: string;
}

/** What was noted about an item that has been synced before. */
export interface KnownItem {
  readonly id: string;
  readonly version: string | null;
  /** Empty when it has not been sent yet. */
  readonly digest: Buffer;
  readonly readers: string[] | null;
  /** The access list that it last got from its resource or the provider; null when neither had one. */
  readonly acl: readonly (string | null)[] | null;
  readonly gone: boolean;
}

/** An item that the provider shows. */
export interface SeenItem {
  readonly id: string;
  readonly version: string | null;
  readonly readers: readonly string[] | null;
}

/** An item that has been sent to be indexed. */
export interface SentItem extends SeenItem {
  readonly digest: Buffer;
  readonly acl: Acl;
  /** Whether it was accepted. If not, the stored item and its access list are as they were. */
  readonly stored: boolean;
}

/** SQL: whether an item `i` of a resource `r` has another access list than it should have now. */
export const staleListSql = `i.acl is distinct from coalesce(r.acl, i.readers, r.provider_acl)`;

/**
 * SQL: whether the note about an item `i` no longer counts: its collection has been deleted since, or its
 * resource was added (again) since and the item is missing. The note about an item that was itself deleted
 * counts, so that it stays away until its source changes.
 */
const forgottenSql = `(not exists (
    select 1 from collections k
     where k.database_id = i.database_id and k.name = i.collection and not k.deleting and k.created_at <= i.synced_at)
  or exists (
    select 1 from connector_resources r
     where r.connector_id = i.connector_id and r.resource_id = i.resource_id and r.created_at > i.synced_at)
  and not exists (
    select 1 from sources s join collections k on k.id = s.collection_id
     where s.database_id = i.database_id and k.name = i.collection and not k.deleting and s.corpus = 'knowledge'
       and s.id = i.item_id and s.latest))`;

const target = `connector_id = $1 and resource_id = $2 and database_id = $3 and collection = $4`;

function targetValues({ connectorId, resourceId, databaseId, collection }: ItemTarget): unknown[] {
  return [connectorId, resourceId, databaseId, collection];
}

/** What is noted of items in their target, by item id; those that were never synced there are missing. */
export async function findKnown(
  manager: EntityManager,
  to: ItemTarget,
  ids: readonly string[],
): Promise<Map<string, KnownItem>> {
  if (ids.length === 0) return new Map();
  const rows = await query<KnownItem>(
    manager,
    `select id, case when not forgotten then version end as version, case when forgotten then '' else digest end as digest,
            readers, acl, gone
       from (select item_id as id, version, digest, readers, acl, gone, ${forgottenSql} as forgotten
               from connector_items i where ${target} and item_id = any($5)) as known`,
    [...targetValues(to), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The versions of items in a collection, by item id: as the resource knows them, else as another that brings them too.
 * Connectors to one account share items.
 */
export async function findHolders(
  manager: EntityManager,
  { connectorId, resourceId, databaseId, collection }: ItemTarget,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await query<{ id: string; version: string }>(
    manager,
    `select distinct on (item_id) item_id as id, version from connector_items
      where database_id = $3 and collection = $4 and item_id = any($5) and version is not null and not gone
      order by item_id, (connector_id = $1 and resource_id = $2) desc`,
    [connectorId, resourceId, databaseId, collection, ids],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/**
 * Notes items before they are sent, so that a purge knows of them whatever happens. Until they have been sent
 * their stored state is unknown: they are sent again even if they change back, and the noted access list is
 * one that no item can have. New items count as seen.
 */
export async function noteSending(
  manager: EntityManager,
  to: ItemTarget,
  { items, walk, now }: { items: readonly Pick<SentItem, 'id' | 'acl'>[]; walk: number; now: Date },
): Promise<void> {
  await query(
    manager,
    `with noted as (
     insert into connector_items as i (connector_id, resource_id, database_id, collection, item_id, digest, acl, walk, synced_at)
     select $1, $2, $3, $4, n.id, '', case when n.listed then array[null]::text[] end, $6, $7
       from jsonb_to_recordset($5::jsonb) as n(id text, listed boolean)
     on conflict (connector_id, resource_id, database_id, collection, item_id)
       do update set gone = false, gone_retry_at = null, walk = excluded.walk, version = null, digest = '',
                     acl = coalesce(i.acl, excluded.acl)
     returning xmax = 0 as is_new)
     update connector_resources set objects_seen = objects_seen + (select count(*) from noted where is_new)
      where connector_id = $1 and resource_id = $2`,
    [
      ...targetValues(to),
      JSON.stringify(items.map(({ id, acl }) => ({ id, listed: acl !== null }))),
      walk,
      now,
    ],
  );
}

/** Notes items that have been sent; to be called in a transaction. */
export async function noteSent(
  manager: EntityManager,
  to: ItemTarget,
  { items, now }: { items: readonly SentItem[]; now: Date },
): Promise<void> {
  const rows = items.map(({ digest, ...item }) => ({ ...item, digest: digest.toString('hex') }));
  await query(
    manager,
    `update connector_items i set version = n.version, readers = n.readers, digest = decode(n.digest, 'hex'),
            acl = case when n.stored then n.acl else i.acl end, synced_at = $6
       from jsonb_to_recordset($5::jsonb) as n(id text, version text, readers text[], acl text[], digest text, stored boolean)
      where ${target} and i.item_id = n.id`,
    [...targetValues(to), JSON.stringify(rows), now],
  );
  const ids = items.map(({ id }) => id);
  await noteStaleLists(manager, to, ids);
}

const resourceAddedSql =
  '(select r.created_at from connector_resources r where r.connector_id = $1 and r.resource_id = $2)';

/** Notes that items still exist as they are known, including those of a resource that was added again. */
export async function noteSeen(
  manager: EntityManager,
  to: ItemTarget,
  { seen, walk }: { seen: readonly SeenItem[]; walk: number },
): Promise<void> {
  if (seen.length === 0) return;
  await query(
    manager,
    `update connector_items i set version = n.version, readers = n.readers, walk = $6, gone = false, gone_retry_at = null,
            synced_at = greatest(i.synced_at, ${resourceAddedSql})
       from jsonb_to_recordset($5::jsonb) as n(id text, version text, readers text[])
      where ${target} and i.item_id = n.id
        and (i.walk <> $6 or i.gone or i.version is distinct from n.version or i.readers is distinct from n.readers
             or i.synced_at < ${resourceAddedSql})`,
    [...targetValues(to), JSON.stringify(seen), walk],
  );
  const ids = seen.map(({ id }) => id);
  await noteStaleLists(manager, to, ids);
}

// Marks access lists as pending: readers may have changed, and a list that was set while an item was being
// sent has not reached it.
async function noteStaleLists(manager: EntityManager, to: ItemTarget, ids: readonly string[]): Promise<void> {
  await query(
    manager,
    `update connector_resources r set acl_pending = true where connector_id = $1 and resource_id = $2 and not acl_pending
        and exists (select 1 from connector_items i where ${target} and i.item_id = any($5) and ${staleListSql})`,
    [...targetValues(to), ids],
  );
}

/** Marks items of a resource as to be deleted, wherever they went. @returns how many */
export async function noteGone(
  manager: EntityManager,
  { connectorId, resourceId }: Pick<ItemTarget, 'connectorId' | 'resourceId'>,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await query(
    manager,
    `update connector_items set gone = true where connector_id = $1 and resource_id = $2 and item_id = any($3) and not gone
     returning 1`,
    [connectorId, resourceId, ids],
  );
  return rows.length;
}

/**
 * Marks items that a resource has brought to a place as to be deleted where it had put them before; there they were
 * counted as seen already. @returns how many
 */
export async function noteMoved(
  manager: EntityManager,
  to: ItemTarget,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0 || !(await isSpread(manager, to))) return 0;
  // Whether an item is here already is looked up one by one: a join might read all items of the resource for each.
  const rows = await query(
    manager,
    `with moved as (
       update connector_items i set gone = true
        where i.connector_id = $1 and i.resource_id = $2 and (i.database_id, i.collection) <> ($3, $4)
          and i.item_id = any($5) and not i.gone
          and (select true from connector_items where ${target} and item_id = i.item_id and not gone) returning 1),
     counted as (
       update connector_resources set objects_seen = greatest(objects_seen - (select count(*) from moved), 0)
        where connector_id = $1 and resource_id = $2 and exists (select 1 from moved))
     select 1 from moved`,
    [...targetValues(to), ids],
  );
  return rows.length;
}

/** Whether items of a resource are in more than one place: the first and the last place in the key's order tell. */
async function isSpread(manager: EntityManager, { connectorId, resourceId }: ItemTarget): Promise<boolean> {
  const place = (direction: string) =>
    `(select (database_id, collection) from connector_items where connector_id = $1 and resource_id = $2
       order by connector_id ${direction}, resource_id ${direction}, database_id ${direction}, collection ${direction} limit 1)`;
  const row = await queryOne<{ isSpread: boolean | null }>(
    manager,
    `select ${place('asc')} <> ${place('desc')} as "isSpread"`,
    [connectorId, resourceId],
  );
  return row?.isSpread ?? false;
}

/** SQL: whether an id was cut to a digest, which tells nothing of how it began. */
const isCutSql = `item_id ~ '(~|sha256:)[0-9a-f]{64}$'`;

/** A part of a resource that could not be listed: items whose ids begin so, and are less than `before`, if it is there. */
interface UnlistedPart {
  readonly prefix: string;
  readonly before: string | null;
}

/** Notes that items of some parts were not looked for, and are not to be taken for gone. */
export async function noteUnlisted(
  manager: EntityManager,
  { connectorId, resourceId }: Pick<ItemTarget, 'connectorId' | 'resourceId'>,
  { parts, walk }: { parts: readonly UnlistedPart[]; walk: number },
): Promise<void> {
  if (parts.length === 0) return;
  await query(
    manager,
    `update connector_items set walk = $4 where connector_id = $1 and resource_id = $2 and walk < $4 and not gone
        and (${isCutSql} or exists (
          select 1 from jsonb_to_recordset($3::jsonb) as part(prefix text, before text)
           where starts_with(item_id, prefix) and (before is null or item_id < before collate "C")))`,
    [connectorId, resourceId, JSON.stringify(parts), walk],
  );
}

/** How many of a resource's items a whole walk has shown, and how many it has not. */
export async function countShown(
  manager: EntityManager,
  { connectorId, resourceId }: Pick<ItemTarget, 'connectorId' | 'resourceId'>,
  walk: number,
): Promise<ShownItems> {
  const row = await queryOne<ShownItems>(
    manager,
    `select count(*) filter (where walk >= $3)::int as shown, count(*) filter (where walk < $3)::int as missing
       from connector_items where connector_id = $1 and resource_id = $2 and not gone`,
    [connectorId, resourceId, walk],
  );
  return row ?? { shown: 0, missing: 0 };
}

/** Marks what a whole walk has not shown as to be deleted. */
export async function noteUnseen(
  manager: EntityManager,
  { connectorId, resourceId }: Pick<ItemTarget, 'connectorId' | 'resourceId'>,
  walk: number,
): Promise<void> {
  await query(
    manager,
    'update connector_items set gone = true where connector_id = $1 and resource_id = $2 and walk < $3 and not gone',
    [connectorId, resourceId, walk],
  );
}
