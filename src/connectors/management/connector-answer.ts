import { defaultCollection } from '../../databases/collections.service.js';
import type { ConnectorResource } from '../resources/connector-resource.types.js';
import { errorOf, healthOf, messageOf } from './connector-health.js';
import { bounded, lifecycleOf } from './connector-rows.js';
import type { ConnectorRow, ResourceRow } from './connector-rows.js';
import type { ConnectorStatus } from './connector-status.types.js';
import type { Connector, ConnectorSyncStatus } from './connector.types.js';
import type { ListedConnectorRow } from './connectors.queries.js';

/** The only value; `lifecycle` has taken its place. */
const deprecatedStatus = 'active';

/** A connector in the form in which it is answered. */
export function toConnector(row: ListedConnectorRow): Connector {
  return {
    connectorId: row.id,
    provider: row.provider,
    name: row.name,
    database: row.database,
    collection: row.collection === '' ? defaultCollection : row.collection,
    providerAccountScope: row.providerAccountScope,
    authType: row.authType,
    customInstructions: row.customInstructions,
    lifecycle: lifecycleOf(row),
    status: deprecatedStatus,
    syncStatus: syncStatusOf(row),
    health: healthOf(row),
    syncIntervalSeconds: row.syncIntervalSeconds,
    activeResourceCount: row.activeResourceCount,
    resourcesPendingFirstSync: row.resourcesPendingFirstSync,
    documentsDispatched: row.documentsDispatched,
    nextSyncAt: nextSyncOf(row),
    firstSyncAt: timeText(row.firstSyncAt),
    lastSuccessfulSyncAt: timeText(row.lastSuccessfulSyncAt),
    lastAttemptedSyncAt: timeText(row.lastAttemptedSyncAt),
    lastError: bounded(row.lastError),
    message: messageOf(row),
    needsReauth: row.needsReauthAt !== null,
    needsReauthAt: timeText(row.needsReauthAt),
    needsReauthReason: bounded(row.needsReauthReason),
    syncBlocked: row.syncBlockedAt !== null,
    syncBlockedAt: timeText(row.syncBlockedAt),
    syncBlockedReason: bounded(row.syncBlockedReason),
    paused: row.pausedAt !== null,
    pausedAt: timeText(row.pausedAt),
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  };
}

/** The status of a connector and its resources. */
export function toStatus(row: ConnectorRow, resources: readonly ResourceRow[]): ConnectorStatus {
  const active = resources.filter(({ status }) => status === 'active');
  // Between syncs, a resource is done if its last reading succeeded.
  const isDone = (resource: ResourceRow) =>
    row.runId === null
      ? resource.health === 'ok' || resource.health === 'empty'
      : resource.doneRun === row.runId;
  return {
    connectorId: row.id,
    provider: row.provider,
    status: deprecatedStatus,
    lifecycle: lifecycleOf(row),
    syncStatus: syncStatusOf(row),
    lastSuccessfulSyncAt: timeText(row.lastSuccessfulSyncAt),
    lastAttemptedSyncAt: timeText(row.lastAttemptedSyncAt),
    nextSyncAt: nextSyncOf(row),
    error: errorOf(row),
    progress: {
      objectsSent: row.runObjects,
      resourcesDone: active.filter(isDone).length,
      resourcesTotal: active.length,
    },
    resources: resources.map((resource) => ({
      resourceId: resource.resourceId,
      displayName: resource.displayName,
      status: resource.health,
      objectsSeen: resource.objectsSeen,
      message: resource.message,
      retryable: resource.retryable,
      httpStatus: resource.httpStatus,
      checkedAt: timeText(resource.checkedAt),
    })),
  };
}

/** A resource in the form in which it is answered. */
export function toResource(
  { pausedAt }: Pick<ConnectorRow, 'pausedAt'>,
  row: ResourceRow,
): ConnectorResource {
  const isPaused = pausedAt !== null && row.status === 'active';
  return {
    connectorId: row.connectorId,
    resourceId: row.resourceId,
    resourceType: row.resourceType,
    displayName: row.displayName,
    status: isPaused ? 'paused' : row.status,
    providerCursor: row.firstSyncedAt ? row.cursor : '',
    databaseOverride: row.database ?? '',
    collectionOverride: row.collection ?? '',
    customInstructions: row.customInstructions,
    providerMetadata: row.providerMetadata,
    filters: { ...row.filters, lookback_days: row.lookbackDays },
    metadata: row.metadata,
    additionalMetadata: row.additionalMetadata,
    syncMode: row.syncMode,
    backfillOldest: timeText(row.backfillOldest),
    syncBlocked: row.syncBlockedAt !== null,
    acl: row.acl,
  };
}

/** While its connector is paused a sync rests. */
function syncStatusOf({ runId, pausedAt }: ConnectorRow): `${ConnectorSyncStatus}` {
  return runId !== null && pausedAt === null ? 'syncing' : 'idle';
}

/** Null while the connector waits for somebody to mend it: no sync is planned then. */
function nextSyncOf({ syncBlockedAt, needsReauthAt, nextSyncAt }: ConnectorRow): string {
  return timeText((syncBlockedAt ?? needsReauthAt) ? null : nextSyncAt);
}

/** A time as answers about connectors spell it: ISO 8601; empty when there is none. */
export function timeText(time: Date | null): string {
  return time?.toISOString() ?? '';
}
