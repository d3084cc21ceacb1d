import { counted } from '../../lib/counted.js';
import { bounded, lifecycleOf } from './connector-rows.js';
import type { ConnectorRow } from './connector-rows.js';
import type { ConnectorHealth } from './connector.types.js';
import type { ConnectorError } from './connector-status.types.js';
import type { ListedConnectorRow } from './connectors.queries.js';

/** How a connector fares; the first match counts. */
export function healthOf(row: ListedConnectorRow): `${ConnectorHealth}` {
  const lifecycle = lifecycleOf(row);
  if (lifecycle === 'paused') return 'paused';
  if (lifecycle === 'reconnect') return 'failed';
  if (row.checkingResourceCount > 0) return 'checking';
  const degraded = row.failedResourceCount > 0 || row.lastError !== '' || row.activeResourceCount === 0;
  return degraded ? 'degraded' : 'healthy';
}

/** What keeps a connector from syncing and what to do about it; null when nothing does. */
export function errorOf(row: ConnectorRow): ConnectorError | null {
  if (row.needsReauthAt)
    return {
      message: bounded(row.needsReauthReason),
      action: 'Sign in at the provider again and send the new credentials',
      retryable: false,
      detectedAt: row.needsReauthAt.toISOString(),
    };
  if (row.syncBlockedAt)
    return {
      message: bounded(row.syncBlockedReason),
      action: 'Correct the credentials or the configuration of the connector',
      retryable: false,
      detectedAt: row.syncBlockedAt.toISOString(),
    };
  if (row.lastError === '') return null;
  return {
    message: bounded(row.lastError),
    action: row.lastErrorRetryable
      ? 'Nothing: it is tried again by itself'
      : 'Correct the configuration of the resources that failed',
    retryable: row.lastErrorRetryable,
    detectedAt: row.lastErrorAt?.toISOString() ?? '',
  };
}

/** The state of a connector in a sentence for its user. */
export function messageOf(row: ConnectorRow): string {
  switch (lifecycleOf(row)) {
    case 'paused':
      return 'Paused: nothing is synced until it is resumed';
    case 'reconnect': {
      const error = errorOf(row);
      return `Nothing is synced: ${error?.message}. ${error?.action}`;
    }
    case 'pending_setup':
      return 'Connected: choose the resources that are to be synced';
    case 'ingesting':
      return `The first sync ${row.runId ? 'is under way' : 'is about to begin'}: ${counted(row.resourcesPendingFirstSync, 'resource')} to go`;
    case 'syncing':
      return 'A sync is under way';
    case 'active':
      return row.lastError === ''
        ? `In sync: ${counted(row.activeResourceCount, 'resource')}`
        : `The last sync had errors: ${bounded(row.lastError)}`;
  }
}
