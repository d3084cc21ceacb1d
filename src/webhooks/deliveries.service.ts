import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../accounts/caller.js';
import { AppError } from '../errors.js';
import type { Wake } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import { KEY_FORMS, keyBehind } from '../lib/list-cursor.js';
import type { ListOrder } from '../lib/list-cursor.js';
import { cutPage, numberedPage, pageRange, rowsOf } from '../lib/page.types.js';
import type { PageRange } from '../lib/page.types.js';
import { query, queryOne } from '../postgres/query.js';
import { checkAccountWide, notRegistered } from './account-wide.js';
import { statusChangedEvent } from './payload.js';
import { WebhookDeliveryFilter, WebhookDeliveryStatus, deliveryPageSizes } from './webhook.types.js';
import type {
  RetryDeliveryPayload,
  WebhookAttempt,
  WebhookDeliveriesArgs,
  WebhookDelivery,
  WebhookDeliveryConnection,
} from './webhook.types.js';

interface DeliveriesOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly wake: Wake;
}

type DeliveryRow = Omit<WebhookDelivery, 'eventType' | 'attemptLog'> & {
  readonly attemptLog: (Omit<WebhookAttempt, 'at'> & { at: string })[];
};

const columns = `id as "deliveryId", doc_id as "docId", indexing_status as "indexingStatus", sequence, status, attempts,
  error_code as "errorCode", error_message as "errorMessage", created_at as "createdAt", updated_at as "updatedAt",
  attempt_log as "attemptLog"`;
const ofStatus = '($2::text is null or status = $2)';

/** The log of an account's deliveries. */
export class DeliveriesService {
  constructor(private readonly options: DeliveriesOptions) {}

  /** Deliveries, newest first; counted only if their number is asked for. */
  async list(caller: Caller, args: WebhookDeliveriesArgs): Promise<WebhookDeliveryConnection> {
    checkAccountWide(caller);
    const range = pageRange(args, deliveryPageSizes);
    const order: ListOrder<DeliveryRow> = {
      list: `deliveries.${caller.accountId}`,
      keyOf: ({ deliveryId }) => [deliveryId],
      forms: [KEY_FORMS.uuid],
    };
    const [behind] = keyBehind(range.cursor, order) ?? [];
    const { skip, take } = rowsOf(range);
    const where = [caller.accountId, statusOf(args.status)];
    const rows = await query<DeliveryRow>(
      this.options.postgres.manager,
      `select ${columns} from webhook_deliveries
        where account_id = $1 and ${ofStatus} and ($3::uuid is null or id < $3)
        order by id desc offset $4 limit $5`,
      [...where, behind ?? null, skip, take],
    );
    const { nodes, pageInfo } = cutPage(rows, range, order);
    return withCount(
      {
        nodes: nodes.map(toDelivery),
        pageInfo,
        count: nodes.length,
        nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      },
      range,
      () => this.count(where),
    );
  }

  /** @throws AppError NOT_FOUND */
  async find(caller: Caller, deliveryId: string): Promise<WebhookDelivery> {
    checkAccountWide(caller);
    const row = isUuid(deliveryId)
      ? await queryOne<DeliveryRow>(
          this.options.postgres.manager,
          `select ${columns} from webhook_deliveries where account_id = $1 and id = $2`,
          [caller.accountId, deliveryId],
        )
      : undefined;
    if (!row) throw notFound(deliveryId);
    return toDelivery(row);
  }

  /**
   * Queues a failed delivery again, with all of its tries. @throws AppError NOT_FOUND, DELIVERY_NOT_FAILED
   */
  async retry(caller: Caller, deliveryId: string): Promise<RetryDeliveryPayload> {
    const { status } = await this.find(caller, deliveryId);
    const { manager } = this.options.postgres;
    const [registered] = await query(manager, 'select 1 from webhooks where account_id = $1', [
      caller.accountId,
    ]);
    if (!registered) throw notRegistered();
    // A delivery that is being attempted keeps its lease.
    const queued = await query(
      manager,
      `update webhook_deliveries
          set queued_at = $3, updated_at = $3, tries = 0, status = case when lease_token is null then 'pending' else status end,
              next_attempt_at = case when lease_token is null then $3 else next_attempt_at end
        where account_id = $1 and id = $2 and status in ('failed', 'permanently_failed') returning 1`,
      [caller.accountId, deliveryId, this.options.clock.now()],
    );
    if (queued.length === 0)
      throw new AppError('DELIVERY_NOT_FAILED', `the delivery is ${status}; only one that failed is retried`);
    this.options.wake('send-webhooks');
    return { deliveryId, queued: true, message: 'It is delivered again soon' };
  }

  private async count(where: readonly unknown[]): Promise<number> {
    const row = await queryOne<{ total: number }>(
      this.options.postgres.manager,
      `select count(*)::int as total from webhook_deliveries where account_id = $1 and ${ofStatus}`,
      where,
    );
    return row?.total ?? 0;
  }
}

/** A list whose total and page are computed only when they are selected. */
function withCount(
  list: Omit<WebhookDeliveryConnection, 'totalCount' | 'page'>,
  range: PageRange,
  count: () => Promise<number>,
): WebhookDeliveryConnection {
  let counted: Promise<number> | undefined;
  const total = () => (counted ??= count());
  const lazily = {
    ...list,
    get totalCount() {
      return total();
    },
    get page() {
      return total().then((found) => numberedPage(range, found, list.pageInfo));
    },
  };
  return lazily as unknown as WebhookDeliveryConnection;
}

function statusOf(filter: WebhookDeliveryFilter | null | undefined): string | null {
  return filter === WebhookDeliveryFilter.delivered ? WebhookDeliveryStatus.completed : (filter ?? null);
}

function notFound(deliveryId: string): AppError {
  return new AppError('NOT_FOUND', `there is no delivery "${deliveryId.slice(0, 100)}"`);
}

function toDelivery({ attemptLog, ...row }: DeliveryRow): WebhookDelivery {
  return {
    ...row,
    eventType: statusChangedEvent,
    attemptLog: attemptLog.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
  };
}
