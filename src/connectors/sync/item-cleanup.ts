import type { DataSource, EntityManager } from 'typeorm';
import type { Wake } from '../../jobs/define-job.js';
import { addToList } from '../../lib/add-to-list.js';
import type { Clock } from '../../lib/clock.js';
import { query } from '../../postgres/query.js';
import type { DeletionService } from '../../sources/deletion/deletion.service.js';
import { replaceAccessLists } from '../../sources/metadata/source-metadata.queries.js';
import { staleListSql } from './synced-items.queries.js';

interface ItemCleanupOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly deletion: DeletionService;
  readonly wake: Wake;
}

/** An item, as a resource brought it. */
interface ResourceItem {
  readonly connectorId: string;
  readonly resourceId: string;
  readonly databaseId: number;
  readonly collection: string;
  readonly id: string;
  readonly acl?: string[] | null;
}

const rowsAtOnce = 200;
const busyRetryMs = 10_000;

/**
 * Does in small steps what follows from syncs and changed settings: deletions, access lists, the removal of
 * connectors.
 */
export class ItemCleanup {
  constructor(private readonly options: ItemCleanupOptions) {}

  /**
   * Deletes some items that are gone from their accounts. @returns false when there is nothing to delete now
   */
  async removeSomeGone(): Promise<boolean> {
    const { postgres, clock, wake } = this.options;
    const gone = await query<ResourceItem>(
      postgres.manager,
      `select connector_id as "connectorId", resource_id as "resourceId", database_id as "databaseId", collection, item_id as id
         from connector_items where gone and (gone_retry_at is null or gone_retry_at <= $1) limit ${rowsAtOnce}`,
      [clock.now()],
    );
    for (const items of groupsOf(gone)) await this.remove(items);
    if (gone.length === 0) return false;
    wake('remove-old-versions');
    // A purge continues once the items it had marked are gone.
    wake('purge-connectors');
    return true;
  }

  /** Gives some items their current access lists. @returns false when all have them */
  async applySomeAccessLists(): Promise<boolean> {
    const { postgres, clock } = this.options;
    const [resource] = await query<Pick<ResourceItem, 'connectorId' | 'resourceId'>>(
      postgres.manager,
      `select connector_id as "connectorId", resource_id as "resourceId" from connector_resources where acl_pending limit 1`,
    );
    if (!resource) return false;
    const { connectorId, resourceId } = resource;
    const isLast = await postgres.transaction(async (manager) => {
      const items = await query<ResourceItem & { acl: string[] | null }>(
        manager,
        `select i.connector_id as "connectorId", i.resource_id as "resourceId", i.database_id as "databaseId", i.collection,
                i.item_id as id, coalesce(r.acl, i.readers, r.provider_acl) as acl
           from connector_items i join connector_resources r using (connector_id, resource_id)
          where connector_id = $1 and resource_id = $2 and not i.gone and ${staleListSql}
          order by i.database_id, i.collection, i.item_id limit ${rowsAtOnce} for update of i`,
        [connectorId, resourceId],
      );
      for (const group of groupsOf(items)) {
        const [first] = group;
        if (first) await replaceAccessLists(manager, { ...first, now: clock.now() }, group);
      }
      await query(manager, `update connector_items i set acl = n.acl from ${namedRows('$1', 'where')}`, [
        JSON.stringify(items),
      ]);
      return items.length < rowsAtOnce;
    });
    if (isLast) await this.endPending(resource);
    return true;
  }

  /**
   * Lists that changed meanwhile stay pending: a writer changes items first and then the resource, which is
   * locked here.
   */
  private async endPending({
    connectorId,
    resourceId,
  }: Pick<ResourceItem, 'connectorId' | 'resourceId'>): Promise<void> {
    await this.options.postgres.transaction(async (manager) => {
      await query(
        manager,
        'select 1 from connector_resources where connector_id = $1 and resource_id = $2 for update',
        [connectorId, resourceId],
      );
      await query(
        manager,
        `update connector_resources r set acl_pending = false where connector_id = $1 and resource_id = $2 and not exists (
           select 1 from connector_items i
            where i.connector_id = $1 and i.resource_id = $2 and not i.gone and ${staleListSql})`,
        [connectorId, resourceId],
      );
    });
  }

  /** Removes some of what is left of deleted connectors. @returns false when nothing can be removed now */
  async purgeSome(): Promise<boolean> {
    const { postgres, clock } = this.options;
    const [deleted] = await query<{ id: string; purge: boolean }>(
      postgres.manager,
      // A slice that has not noticed the deletion yet may still bring items.
      `select id, purge from connectors c where deleted_at is not null and (lease_until is null or lease_until <= $1)
          and not (purge and exists (select 1 from connector_items i where i.connector_id = c.id and i.gone))
        order by deleted_at limit 1`,
      [clock.now()],
    );
    if (!deleted) return false;
    const sql = deleted.purge
      ? `update connector_items set gone = true where not gone and ctid = any(array(
           select ctid from connector_items where connector_id = $1 and not gone limit ${rowsAtOnce})) returning 1`
      : `delete from connector_items where ctid = any(array(
           select ctid from connector_items where connector_id = $1 limit ${rowsAtOnce})) returning 1`;
    const changed = await query(postgres.manager, sql, [deleted.id]);
    if (changed.length > 0) return true;
    await query(
      postgres.manager,
      'delete from connectors c where id = $1 and not exists (select 1 from connector_items i where i.connector_id = c.id)',
      [deleted.id],
    );
    return true;
  }

  /**
   * Deletes items of one collection that are still gone, together with what was noted of them: an item that
   * comes back has to wait, and is then new.
   */
  private async remove(items: readonly ResourceItem[]): Promise<void> {
    const { postgres, clock, deletion } = this.options;
    const rows = JSON.stringify(items);
    await postgres.transaction(async (manager) => {
      const gone = await query<ResourceItem>(
        manager,
        `select i.connector_id as "connectorId", i.resource_id as "resourceId", i.database_id as "databaseId", i.collection,
                i.item_id as id, i.acl
           from connector_items i join ${namedRows('$1')} where i.gone order by i.item_id for update of i`,
        [rows],
      );
      const [first] = gone;
      if (!first) return;
      const ids = [...new Set(gone.map(({ id }) => id))];
      const busy = await deletion.deleteSettled(manager, { ...first, ids }, () => findShared(manager, gone));
      const now = clock.now();
      await handOver(manager, gone);
      const isBusy = ({ id }: ResourceItem) => busy.has(id);
      await query(
        manager,
        `update connector_items i set gone_retry_at = $2 from ${namedRows('$1', 'where')}`,
        [JSON.stringify(gone.filter(isBusy)), new Date(now.getTime() + busyRetryMs)],
      );
      await query(manager, `delete from connector_items i using ${namedRows('$1', 'where')}`, [
        JSON.stringify(gone.filter((each) => !isBusy(each))),
      ]);
    });
  }
}

/** Removes some of the notes about a database that is being purged. @returns false when none are left */
export async function deleteConnectorsOf(postgres: DataSource, databaseId: number): Promise<boolean> {
  const rows = await query(
    postgres.manager,
    `delete from connector_items where ctid = any(array(
       select ctid from connector_items where database_id = $1 limit ${rowsAtOnce})) returning 1`,
    [databaseId],
  );
  return rows.length > 0;
}

/** SQL: items from a JSON parameter, as rows `n`. */
const itemsSql = (parameter: string) =>
  `jsonb_to_recordset(${parameter}::jsonb)
    as n("connectorId" uuid, "resourceId" text, "databaseId" integer, collection text, id text, acl text[])`;

/** SQL: rows `i` of connector_items with the keys of rows `n`. */
function namedRows(parameter: string, condition: 'on' | 'where' = 'on'): string {
  return `${itemsSql(parameter)} ${condition} i.connector_id = n."connectorId" and i.resource_id = n."resourceId" and i.database_id = n."databaseId"
      and i.collection = n.collection and i.item_id = n.id`;
}

/** SQL: rows `o` of connector_items about the same items as rows `n`, whichever resource brought them. */
const sameItemSql = 'o.database_id = n."databaseId" and o.collection = n.collection and o.item_id = n.id';

/**
 * Which of the items another resource brings too. Resources that were removed do not count: nothing would
 * notice when theirs is gone.
 */
async function findShared(manager: EntityManager, items: readonly ResourceItem[]): Promise<Set<string>> {
  const shared = await query<{ id: string }>(
    manager,
    `select distinct o.item_id as id from connector_items o, ${itemsSql('$1')} where ${sameItemSql} and not o.gone and exists (
       select 1 from connector_resources r where r.connector_id = o.connector_id and r.resource_id = o.resource_id)`,
    [JSON.stringify(items)],
  );
  return new Set(shared.map(({ id }) => id));
}

/**
 * Hands items over to another resource that brings them too: its access list holds at once, its content when
 * it is shown again.
 */
async function handOver(manager: EntityManager, items: readonly ResourceItem[]): Promise<void> {
  await query(
    manager,
    `with others as (
       update connector_items o set version = null, digest = '', acl = n.acl from ${itemsSql('$1')}
        where ${sameItemSql} and not o.gone returning o.connector_id, o.resource_id)
     update connector_resources r set acl_pending = true from others
      where r.connector_id = others.connector_id and r.resource_id = others.resource_id`,
    [JSON.stringify(items)],
  );
}

/** Groups items by the place they went to. */
function groupsOf<Item extends { databaseId: number; collection: string }>(items: readonly Item[]): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) addToList(groups, `${item.databaseId} ${item.collection}`, item);
  return [...groups.values()];
}
