import type { EntityManager } from 'typeorm';
import { query, queryOne } from '../../postgres/query.js';
import type { JsonObject } from '../../sources/source.types.js';
import { resourceColumns } from '../management/connector-rows.js';
import type { ResourceRow } from '../management/connector-rows.js';
import type { ReadResource, ReadResourceUpdate } from './connector-resource-request.js';

/** A resource that is ready to be stored: checked, and described by its provider. */
export type NewResource = Omit<ReadResource, 'name'> & {
  readonly displayName: string;
  readonly providerMetadata: JsonObject;
};

const table = 'connector_resources r left join databases rd on rd.id = r.database_id';

/** Resources of a connector in the order of their configuration; `ids` selects some. */
export async function findResources(
  manager: EntityManager,
  connectorId: string,
  ids: readonly string[] | null = null,
): Promise<ResourceRow[]> {
  return query<ResourceRow>(
    manager,
    `select ${resourceColumns} from ${table}
      where r.connector_id = $1 and ($2::text[] is null or r.resource_id = any($2))
      order by r.created_at, r.resource_id`,
    [connectorId, ids],
  );
}

/**
 * Stores resources, new ones and new settings of existing ones: reading goes on where it was, unless older
 * things are wanted than before, or elsewhere. A sync that is under way reads all of them (again).
 */
export async function saveResources(
  manager: EntityManager,
  { connectorId, resources, now }: { connectorId: string; resources: readonly NewResource[]; now: Date },
): Promise<void> {
  await query(
    manager,
    `insert into connector_resources as r (connector_id, resource_id, resource_type, display_name, status, database_id,
       collection, custom_instructions, provider_metadata, filters, metadata, additional_metadata, acl, sync_mode,
       lookback_days, backfill_oldest, acl_pending, walk, created_at, updated_at)
     select $1, e."resourceId", e."resourceType", e."displayName", 'active', e."databaseId", e.collection,
            e."customInstructions", e."providerMetadata", e.filters, e.metadata, e."additionalMetadata", e.acl, e."syncMode",
            e."lookbackDays", e."backfillOldest",
            exists (select 1 from connector_items i where i.connector_id = $1 and i.resource_id = e."resourceId"),
            -- Of one that was removed, items may have stayed.
            (select coalesce(max(walk), 0) from connector_items i where i.connector_id = $1 and i.resource_id = e."resourceId"), $3, $3
       from jsonb_to_recordset($2::jsonb) as e("resourceId" text, "resourceType" text, "displayName" text, "databaseId" integer,
              collection text, "customInstructions" text, "providerMetadata" jsonb, filters jsonb, metadata jsonb,
              "additionalMetadata" jsonb, acl text[], "syncMode" text, "lookbackDays" integer, "backfillOldest" timestamptz)
     on conflict (connector_id, resource_id) do update set
       resource_type = excluded.resource_type, display_name = excluded.display_name, status = 'active',
       database_id = excluded.database_id, collection = excluded.collection,
       custom_instructions = excluded.custom_instructions, provider_metadata = excluded.provider_metadata,
       filters = excluded.filters, metadata = excluded.metadata, additional_metadata = excluded.additional_metadata,
       acl = excluded.acl, acl_pending = r.acl_pending or excluded.acl is distinct from r.acl, sync_mode = excluded.sync_mode,
       lookback_days = excluded.lookback_days, backfill_oldest = excluded.backfill_oldest, ${rereadSql(`excluded.backfill_oldest < r.backfill_oldest or ${moved}`)},
       ${believedSql('excluded.filters', 'excluded.backfill_oldest')},
       sync_blocked_at = null, ${missingReset}, attempts = 0, retry_at = null, done_run = null, updated_at = excluded.updated_at`,
    [connectorId, JSON.stringify(resources), now],
  );
}

/** Changes one resource, and returns it. */
export async function updateResource(
  manager: EntityManager,
  { connectorId, resourceId }: Pick<ResourceRow, 'connectorId' | 'resourceId'>,
  { update, now }: { update: ReadResourceUpdate; now: Date },
): Promise<ResourceRow | undefined> {
  await query(
    manager,
    `update connector_resources r set custom_instructions = $3, acl = $4,
            acl_pending = r.acl_pending or r.acl is distinct from $4, filters = $5, metadata = $6, additional_metadata = $7,
            lookback_days = $8, backfill_oldest = $9, ${rereadSql('$9::timestamptz < r.backfill_oldest')},
            ${believedSql('$5', '$9')}, ${revived}, updated_at = $10
      where connector_id = $1 and resource_id = $2`,
    [
      connectorId,
      resourceId,
      update.customInstructions,
      update.acl,
      update.filters,
      update.metadata,
      update.additionalMetadata,
      update.lookbackDays,
      update.backfillOldest,
      now,
    ],
  );
  const [row] = await findResources(manager, connectorId, [resourceId]);
  return row;
}

/** Has resources that had failed read again: the cause may have been removed. */
export async function reviveResources(manager: EntityManager, connectorId: string): Promise<void> {
  await query(
    manager,
    `update connector_resources r set ${revived} where connector_id = $1 and status = 'failed'`,
    [connectorId],
  );
}

/** Removes a resource; what it has synced stays. @returns whether it existed */
export async function removeResource(
  manager: EntityManager,
  connectorId: string,
  resourceId: string,
): Promise<boolean> {
  const removed = await query(
    manager,
    'delete from connector_resources where connector_id = $1 and resource_id = $2 returning 1',
    [connectorId, resourceId],
  );
  return removed.length > 0;
}

/** Has resources whose items went into a deleted collection read from the beginning. */
export async function rereadCollection(
  manager: EntityManager,
  databaseId: number,
  collection: string,
): Promise<void> {
  await query(
    manager,
    `update connector_resources r set cursor = '', reading = false, walk_cursor = null, walked_at = null from connectors c
      where c.id = r.connector_id and coalesce(r.database_id, c.database_id) = $1 and coalesce(r.collection, c.collection) = $2`,
    [databaseId, collection],
  );
}

/** How many resources a connector has, of whatever status. */
export async function countResources(manager: EntityManager, connectorId: string): Promise<number> {
  const counted = await queryOne<{ total: number }>(
    manager,
    'select count(*)::int as total from connector_resources where connector_id = $1',
    [connectorId],
  );
  return counted?.total ?? 0;
}

/** SQL: looks at what was not found are counted from here. */
const missingReset = 'missing_since = null, missing_looks = 0';

/** SQL: gives a failed resource another try; changes nothing for others. */
const revived = `status = case r.status when 'failed' then 'active' else r.status end, sync_blocked_at = null, ${missingReset},
       done_run = case r.status when 'failed' then null else r.done_run end`;

/** SQL: whether items go to another database or collection than before. */
const moved = `exists (select 1 from connectors c where c.id = r.connector_id
         and (coalesce(excluded.database_id, c.database_id), coalesce(excluded.collection, c.collection))
             <> (coalesce(r.database_id, c.database_id), coalesce(r.collection, c.collection)))`;

/** SQL: believes the next whole walk, which may show less, and that under way: other filters hold, or a later beginning. */
function believedSql(filters: string, oldest: string): string {
  return `believed_walk = case when r.filters is distinct from ${filters}::jsonb or ${oldest}::timestamptz > r.backfill_oldest
         then r.walk + 1 else r.believed_walk end`;
}

/** SQL: has a resource read from the beginning under a condition: older things are wanted than before, or elsewhere. */
function rereadSql(condition: string): string {
  return `cursor = case when ${condition} then '' else r.cursor end, reading = r.reading and not (${condition}),
       walk_cursor = case when ${condition} then null else r.walk_cursor end,
       walked_at = case when ${condition} then null else r.walked_at end`;
}
