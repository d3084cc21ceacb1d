import type { DataSource, EntityManager } from 'typeorm';
import { query, queryOne } from '../postgres/query.js';
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus } from './webhook.types.js';

/** A delivery as it is stored. */
export type DeliveryRow = Omit<WebhookDelivery, 'eventType' | 'attemptLog'> & {
  readonly attemptLog: (Omit<WebhookAttempt, 'at'> & { at: string })[];
};

/** Which deliveries to list: those of an account, all or of one status. */
interface DeliverySelection {
  readonly accountId: string;
  readonly status: WebhookDeliveryStatus | null;
}

const columns = `id as "deliveryId", doc_id as "docId", indexing_status as "indexingStatus", sequence, status, attempts,
  error_code as "errorCode", error_message as "errorMessage", created_at as "createdAt", updated_at as "updatedAt",
  attempt_log as "attemptLog"`;
const selected = 'account_id = $1 and ($2::text is null or status = $2)';
const deletedRowsMax = 500;

/** Newest first, those behind an id. */
export function listDeliveries(
  manager: EntityManager,
  { accountId, status }: DeliverySelection,
  { behind, skip, take }: { behind: string | undefined; skip: number; take: number },
): Promise<DeliveryRow[]> {
  return query<DeliveryRow>(
    manager,
    `select ${columns} from webhook_deliveries
      where ${selected} and ($3::uuid is null or id < $3)
      order by id desc offset $4 limit $5`,
    [accountId, status, behind ?? null, skip, take],
  );
}

/** How many deliveries a list of them has over all its pages. */
export async function countDeliveries(
  manager: EntityManager,
  { accountId, status }: DeliverySelection,
): Promise<number> {
  const row = await queryOne<{ total: number }>(
    manager,
    `select count(*)::int as total from webhook_deliveries where ${selected}`,
    [accountId, status],
  );
  return row?.total ?? 0;
}

/** A delivery of an account. */
export function findDelivery(
  manager: EntityManager,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  return queryOne<DeliveryRow>(
    manager,
    `select ${columns} from webhook_deliveries where account_id = $1 and id = $2`,
    [accountId, deliveryId],
  );
}

/**
 * Queues a failed delivery again, with all of its tries; false when it has not failed. One that is being
 * attempted keeps its lease, and is attempted again when that attempt fails.
 */
export async function requeueDelivery(
  manager: EntityManager,
  { accountId, deliveryId, now }: { accountId: string; deliveryId: string; now: Date },
): Promise<boolean> {
  const queued = await query(
    manager,
    `update webhook_deliveries
        set queued_at = greatest($3, (select registered_at from webhooks where account_id = $1)), updated_at = $3,
            tries = 0, status = case when lease_token is null then 'pending' else status end,
            next_attempt_at = case when lease_token is null then $3 else next_attempt_at end
      where account_id = $1 and id = $2 and status in ('failed', 'permanently_failed') returning 1`,
    [accountId, deliveryId, now],
  );
  return queued.length > 0;
}

/** Removes some deliveries of a database that is being deleted; false when there are none. */
export async function deleteDeliveriesOf(postgres: DataSource, databaseId: number): Promise<boolean> {
  const gone = await query(
    postgres.manager,
    `delete from webhook_deliveries where (account_id, id) in (
       select account_id, id from webhook_deliveries where database_id = $1 limit $2) returning 1`,
    [databaseId, deletedRowsMax],
  );
  return gone.length > 0;
}
