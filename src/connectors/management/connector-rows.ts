import { LIMITS } from '../../limits.js';
import type { JsonObject } from '../../sources/source.types.js';
import type { ConnectorResourceStatus, ConnectorSyncMode } from '../resources/connector-resource.types.js';
import type { ConnectorResourceHealthStatus } from './connector-status.types.js';
import type { ConnectorLifecycle } from './connector.types.js';

/** A connector as it is stored. */
export interface ConnectorRow {
  readonly id: string;
  readonly accountId: string;
  readonly databaseId: number;
  readonly database: string;
  readonly provider: string;
  readonly name: string;
  readonly collection: string;
  readonly providerAccountScope: string;
  readonly authType: string;
  readonly customInstructions: string;
  readonly syncIntervalSeconds: number;
  readonly pausedAt: Date | null;
  readonly needsReauthAt: Date | null;
  readonly needsReauthReason: string;
  readonly syncBlockedAt: Date | null;
  readonly syncBlockedReason: string;
  readonly lastError: string;
  readonly lastErrorAt: Date | null;
  readonly lastErrorRetryable: boolean;
  readonly nextSyncAt: Date;
  readonly firstSyncAt: Date | null;
  readonly lastAttemptedSyncAt: Date | null;
  readonly lastSuccessfulSyncAt: Date | null;
  /** Objects sent so far: an update counts again, and deletions are not subtracted. */
  readonly documentsDispatched: number;
  /** The id of the sync that is under way. */
  readonly runId: string | null;
  readonly runObjects: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly activeResourceCount: number;
  /** The number of active resources that have not been synced successfully yet. */
  readonly resourcesPendingFirstSync: number;
}

/** Columns of a ConnectorRow; `c` is the connector, `d` its database. */
export const connectorColumns = `c.id, c.account_id as "accountId", c.database_id as "databaseId", d.name as database, c.provider, c.name,
  c.collection, c.provider_account_scope as "providerAccountScope", c.auth_type as "authType",
  c.custom_instructions as "customInstructions", c.sync_interval_seconds as "syncIntervalSeconds", c.paused_at as "pausedAt",
  c.needs_reauth_at as "needsReauthAt", c.needs_reauth_reason as "needsReauthReason", c.sync_blocked_at as "syncBlockedAt",
  c.sync_blocked_reason as "syncBlockedReason", c.last_error as "lastError", c.last_error_at as "lastErrorAt",
  c.last_error_retryable as "lastErrorRetryable", c.next_sync_at as "nextSyncAt", c.first_sync_at as "firstSyncAt",
  c.last_attempted_sync_at as "lastAttemptedSyncAt", c.last_successful_sync_at as "lastSuccessfulSyncAt",
  c.documents_dispatched::float8 as "documentsDispatched", c.run_id as "runId", c.run_objects as "runObjects",
  c.created_at as "createdAt", c.updated_at as "updatedAt",
  (select count(*)::int from connector_resources r where r.connector_id = c.id and r.status <> 'failed') as "activeResourceCount",
  (select count(*)::int from connector_resources r where r.connector_id = c.id and r.status = 'active'
     and r.first_synced_at is null) as "resourcesPendingFirstSync"`;

/** A resource as it is stored. */
export interface ResourceRow {
  readonly connectorId: string;
  readonly resourceId: string;
  readonly resourceType: string;
  readonly displayName: string;
  readonly status: Exclude<`${ConnectorResourceStatus}`, 'paused'>;
  readonly databaseId: number | null;
  /** The name of the resource's own database, if it has one. */
  readonly database: string | null;
  readonly collection: string | null;
  readonly customInstructions: string | null;
  readonly providerMetadata: JsonObject | null;
  readonly filters: JsonObject;
  readonly metadata: JsonObject;
  readonly additionalMetadata: JsonObject;
  readonly acl: string[] | null;
  readonly syncMode: `${ConnectorSyncMode}`;
  /** As configured; `backfillOldest` follows from it. */
  readonly lookbackDays: number;
  readonly backfillOldest: Date;
  readonly cursor: string;
  readonly firstSyncedAt: Date | null;
  readonly walk: number;
  readonly walkCursor: string | null;
  readonly walkedAt: Date | null;
  readonly providerAcl: string[] | null;
  readonly health: `${ConnectorResourceHealthStatus}`;
  readonly message: string;
  readonly retryable: boolean;
  readonly httpStatus: number | null;
  readonly checkedAt: Date | null;
  readonly objectsSeen: number;
  readonly syncBlockedAt: Date | null;
  readonly reading: boolean;
  readonly stepRun: string | null;
  readonly readRun: string | null;
  readonly attempts: number;
  readonly doneRun: string | null;
  /** The last sync in which reading began anew, its place being too old. */
  readonly restartedRun: string | null;
  /** Of a resource that its provider does not find: since when, and how many syncs have looked. */
  readonly missingSince: Date | null;
  readonly missingLooks: number;
  /** The last whole walk of which it is known that it shows less than the one before: filters were changed. */
  readonly believedWalk: number;
}

/** Columns of a ResourceRow; `r` is the resource, `rd` its own database (left join). */
export const resourceColumns = `r.connector_id as "connectorId", r.resource_id as "resourceId", r.resource_type as "resourceType",
  r.display_name as "displayName", r.status, r.database_id as "databaseId", rd.name as database, r.collection,
  r.custom_instructions as "customInstructions", r.provider_metadata as "providerMetadata", r.filters, r.metadata,
  r.additional_metadata as "additionalMetadata", r.acl, r.sync_mode as "syncMode",
  r.lookback_days as "lookbackDays", r.backfill_oldest as "backfillOldest",
  r.cursor, r.first_synced_at as "firstSyncedAt", r.walk, r.walk_cursor as "walkCursor", r.walked_at as "walkedAt",
  r.provider_acl as "providerAcl", r.health, r.message, r.retryable, r.http_status as "httpStatus", r.checked_at as "checkedAt",
  r.objects_seen::float8 as "objectsSeen", r.sync_blocked_at as "syncBlockedAt", r.reading, r.step_run as "stepRun",
  r.read_run as "readRun", r.attempts, r.done_run as "doneRun", r.restarted_run as "restartedRun",
  r.missing_since as "missingSince", r.missing_looks as "missingLooks", r.believed_walk as "believedWalk"`;

/** The lifecycle state of a connector; the first match counts. */
export function lifecycleOf(row: ConnectorRow): `${ConnectorLifecycle}` {
  if (row.pausedAt) return 'paused';
  if (row.needsReauthAt || row.syncBlockedAt) return 'reconnect';
  if (row.activeResourceCount === 0) return 'pending_setup';
  if (row.resourcesPendingFirstSync > 0) return 'ingesting';
  return row.runId ? 'syncing' : 'active';
}

/** An error message, shortened to what is stored and shown. */
export function bounded(reason: string): string {
  return reason.slice(0, LIMITS.syncErrorCharactersMax);
}

/** The context that the credentials of a connector are sealed for. */
export function credentialsContext(connectorId: string): string {
  return `connector:${connectorId}`;
}
