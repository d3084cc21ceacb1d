import type { DataSource } from 'typeorm';
import type { Clock } from '../lib/clock.js';
import { query } from '../postgres/query.js';
import { readAcl } from '../sources/acl.js';
import type { DeletionService } from '../sources/deletion.service.js';
import { replaceAccessLists } from '../sources/source-metadata.queries.js';

interface ItemCleanupOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly deletion: DeletionService;
}

interface GoneItem {
  readonly connectorId: string;
  readonly resourceId: string;
  readonly databaseId: number;
  readonly collection: string;
  readonly id: string;
  /** Another resource brings it too. */
  readonly shared: boolean;
}

const rowsAtOnce = 200;
const busyRetryMs = 10_000;

/** What follows from a sync or a change of settings, in small steps: deletions, access lists, the end of a connector. */
export class ItemCleanup {
  constructor(private readonly options: ItemCleanupOptions) {}

  /** Deletes some items that are gone from their accounts. @returns false when there are none to be deleted now */
  async removeSomeGone(): Promise<boolean> {
    const { postgres, clock, deletion } = this.options;
    const now = clock.now();
    const gone = await query<GoneItem>(
      postgres.manager,
      `select i.connector_id as "connectorId", i.resource_id as "resourceId", i.database_id as "databaseId", i.collection,
              i.item_id as id, ${sharedSql} as shared
         from connector_items i where i.gone and (i.gone_retry_at is null or i.gone_retry_at <= $1) limit ${rowsAtOnce}`,
      [now],
    );
    for (const items of groupsOf(gone)) {
      const [first] = items;
      const own = items.filter(({ shared }) => !shared).map(({ id }) => id);
      const busy = first && own.length > 0 ? await deletion.deleteSettled(first, own) : new Set<string>();
      await this.forget(items, busy);
    }
    return gone.length > 0;
  }

  /** Gives some items the access lists that hold for them now. @returns false when all have theirs */
  async applySomeAccessLists(): Promise<boolean> {
    const { postgres, clock } = this.options;
    const [resource] = await query<PendingResource>(
      postgres.manager,
      `select connector_id as "connectorId", resource_id as "resourceId", acl, provider_acl as "providerAcl"
         from connector_resources where acl_pending limit 1`,
    );
    if (!resource) return false;
    const { connectorId, resourceId } = resource;
    const acl = readAcl(resource.acl ?? undefined, 'acl') ?? null;
    const providerAcl = readAcl(resource.providerAcl ?? undefined, 'acl') ?? null;
    await postgres.transaction(async (manager) => {
      const items = await query<StaleItem>(
        manager,
        `select database_id as "databaseId", collection, item_id as id, coalesce($3, readers, $4) as acl from connector_items
          where connector_id = $1 and resource_id = $2 and not gone and digest <> '' and acl is distinct from coalesce($3, readers, $4)
          order by database_id, collection, item_id limit ${rowsAtOnce} for update`,
        [connectorId, resourceId, acl, providerAcl],
      );
      for (const group of groupsOf(items)) {
        const [first] = group;
        if (first) await replaceAccessLists(manager, { ...first, now: clock.now() }, group);
      }
      await query(
        manager,
        `update connector_items i set acl = coalesce($3, i.readers, $4)
          where connector_id = $1 and resource_id = $2 and item_id = any($5) and not gone`,
        [connectorId, resourceId, acl, providerAcl, items.map(({ id }) => id)],
      );
      // What was said meanwhile stays pending.
      if (items.length < rowsAtOnce)
        await query(
          manager,
          `update connector_resources set acl_pending = false where connector_id = $1 and resource_id = $2
              and acl is not distinct from $3 and provider_acl is not distinct from $4`,
          [connectorId, resourceId, resource.acl, resource.providerAcl],
        );
    });
    return true;
  }

  /** Removes some of what is left of deleted connectors. @returns false when nothing can be removed now */
  async purgeSome(): Promise<boolean> {
    const { postgres, clock } = this.options;
    const [deleted] = await query<{ id: string; purge: boolean }>(
      postgres.manager,
      // A slice that has not noticed yet may still bring items.
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

  private async forget(items: readonly GoneItem[], busy: ReadonlySet<string>): Promise<void> {
    const { postgres, clock } = this.options;
    const now = clock.now();
    for (const { connectorId, resourceId, databaseId, collection, id } of items) {
      const key = [connectorId, resourceId, databaseId, collection, id];
      const where = `connector_id = $1 and resource_id = $2 and database_id = $3 and collection = $4 and item_id = $5 and gone`;
      if (busy.has(id))
        await query(postgres.manager, `update connector_items set gone_retry_at = $6 where ${where}`, [
          ...key,
          new Date(now.getTime() + busyRetryMs),
        ]);
      else await query(postgres.manager, `delete from connector_items where ${where}`, key);
    }
  }
}

/** Forgets some of what connectors brought into a database that is being purged. @returns false when nothing is left */
export async function forgetConnectors(postgres: DataSource, databaseId: number): Promise<boolean> {
  const rows = await query(
    postgres.manager,
    `delete from connector_items where ctid = any(array(
       select ctid from connector_items where database_id = $1 limit ${rowsAtOnce})) returning 1`,
    [databaseId],
  );
  return rows.length > 0;
}

interface PendingResource {
  readonly connectorId: string;
  readonly resourceId: string;
  readonly acl: string[] | null;
  readonly providerAcl: string[] | null;
}

interface StaleItem {
  readonly databaseId: number;
  readonly collection: string;
  readonly id: string;
  readonly acl: string[] | null;
}

const sharedSql = `exists (select 1 from connector_items o where o.database_id = i.database_id and o.item_id = i.item_id
  and o.collection = i.collection and not o.gone and (o.connector_id, o.resource_id) <> (i.connector_id, i.resource_id))`;

/** By where they went. */
function groupsOf<Item extends { databaseId: number; collection: string }>(items: readonly Item[]): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = `${item.databaseId} ${item.collection}`;
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups.values()];
}
