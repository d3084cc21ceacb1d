import type { EntityManager } from 'typeorm';
import { query, queryOne } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { resourceColumns } from '../management/connector-rows.js';
import type { ResourceRow } from '../management/connector-rows.js';
import type { Progress } from './sync-progress.js';
import type { SyncLease } from './sync-queue.js';

const columns: { readonly [field in keyof Progress]: string } = {
  cursor: 'cursor',
  reading: 'reading',
  readRun: 'read_run',
  firstSyncedAt: 'first_synced_at',
  walk: 'walk',
  walkCursor: 'walk_cursor',
  walkedAt: 'walked_at',
  doneRun: 'done_run',
  restartedRun: 'restarted_run',
  attempts: 'attempts',
  retryAt: 'retry_at',
  message: 'message',
  httpStatus: 'http_status',
  retryable: 'retryable',
  health: 'health',
  status: 'status',
  syncBlockedAt: 'sync_blocked_at',
  missingSince: 'missing_since',
  missingLooks: 'missing_looks',
};

/** A resource as it is now; its row stays locked until the transaction ends. */
export async function findForUpdate(
  manager: EntityManager,
  { connectorId, resourceId }: Pick<ResourceRow, 'connectorId' | 'resourceId'>,
): Promise<ResourceRow | undefined> {
  return queryOne<ResourceRow>(
    manager,
    `select ${resourceColumns} from connector_resources r left join databases rd on rd.id = r.database_id
      where r.connector_id = $1 and r.resource_id = $2 for update of r`,
    [connectorId, resourceId],
  );
}

/** Stores the progress of a resource, and with it an assignment in `also` that uses one value, $1. */
export async function saveProgress(
  manager: EntityManager,
  {
    resource: { connectorId, resourceId },
    lease: { token },
    now,
  }: { resource: ResourceRow; lease: SyncLease; now: Date },
  {
    progress,
    also,
  }: { progress: Partial<Progress>; also?: readonly [sql: string, value: unknown] | undefined },
): Promise<void> {
  const { add, values } = new SqlParameters(also ? [also[1]] : []);
  const changes = (Object.keys(columns) as (keyof Progress)[])
    .filter((field) => field in progress)
    .map((field) => `${columns[field]} = ${add(progress[field])}`);
  const assignments = [...(also ? [also[0]] : []), ...changes];
  const at = add(now);
  // Does nothing for a process that has lost the lease.
  await query(
    manager,
    `update connector_resources set ${assignments.map((each) => `${each}, `).join('')}checked_at = ${at}, updated_at = ${at}
      where connector_id = ${add(connectorId)} and resource_id = ${add(resourceId)}
        and exists (select 1 from connectors c where c.id = connector_resources.connector_id and c.lease_token = ${add(token)})`,
    values,
  );
}
