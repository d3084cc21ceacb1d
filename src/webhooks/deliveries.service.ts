import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../accounts/caller.js';
import { AppError } from '../errors.js';
import type { Wake } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import { KEY_FORMS, keyBehind } from '../lib/list-cursor.js';
import type { ListOrder } from '../lib/list-cursor.js';
import { cutPage, numberedPage, pageRange, rowsOf } from '../lib/page.types.js';
import type { Page, PageRange } from '../lib/page.types.js';
import { countDeliveries, findDelivery, listDeliveries, requeueDelivery } from './deliveries.queries.js';
import type { DeliveryRow } from './deliveries.queries.js';
import { statusChangedEvent } from './payload.js';
import { checkAccountWide, notRegistered } from './refusals.js';
import { WebhookDeliveryStatus, deliveryPageSizes } from './webhook.types.js';
import type {
  RetryDeliveryPayload,
  WebhookDeliveriesArgs,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookDeliveryFilter,
} from './webhook.types.js';
import { findWebhook } from './webhooks.queries.js';

const statusOfFilter: Readonly<Record<WebhookDeliveryFilter, WebhookDeliveryStatus>> = {
  ...WebhookDeliveryStatus,
  delivered: WebhookDeliveryStatus.completed,
};

interface DeliveriesOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly wake: Wake;
}

/** Deliveries, which are counted when that is selected. */
export type LazilyCounted = Omit<WebhookDeliveryConnection, 'totalCount' | 'page'> & {
  readonly totalCount: Promise<number>;
  readonly page: Promise<Page>;
};

/** The log of an account's deliveries. */
export class DeliveriesService {
  constructor(private readonly options: DeliveriesOptions) {}

  /** Deliveries, newest first; counted only if their number is asked for. */
  async list(caller: Caller, args: WebhookDeliveriesArgs): Promise<LazilyCounted> {
    checkAccountWide(caller);
    const range = pageRange(args, deliveryPageSizes);
    const order: ListOrder<DeliveryRow> = {
      list: `deliveries.${caller.accountId}`,
      keyOf: ({ deliveryId }) => [deliveryId],
      forms: [KEY_FORMS.uuid],
    };
    const [behind] = keyBehind(range.cursor, order) ?? [];
    const { skip, take } = rowsOf(range);
    const { manager } = this.options.postgres;
    const selection = {
      accountId: caller.accountId,
      status: args.status ? statusOfFilter[args.status] : null,
    };
    const rows = await listDeliveries(manager, selection, { behind, skip, take });
    const { nodes, pageInfo } = cutPage(rows, range, order);
    return withCount(
      {
        nodes: nodes.map(toDelivery),
        pageInfo,
        count: nodes.length,
        nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      },
      range,
      () => countDeliveries(manager, selection),
    );
  }

  /** @throws AppError NOT_FOUND */
  async find(caller: Caller, deliveryId: string): Promise<WebhookDelivery> {
    checkAccountWide(caller);
    const row = isUuid(deliveryId)
      ? await findDelivery(this.options.postgres.manager, caller.accountId, deliveryId)
      : undefined;
    if (!row) throw notFound(deliveryId);
    return toDelivery(row);
  }

  /**
   * Queues a failed delivery again, with all of its tries. @throws AppError NOT_FOUND, DELIVERY_NOT_FAILED
   */
  async retry(caller: Caller, deliveryId: string): Promise<RetryDeliveryPayload> {
    const { status } = await this.find(caller, deliveryId);
    const { postgres, clock, wake } = this.options;
    const { accountId } = caller;
    if (!(await findWebhook(postgres.manager, accountId))) throw notRegistered();
    const queued = await requeueDelivery(postgres.manager, { accountId, deliveryId, now: clock.now() });
    if (!queued)
      throw new AppError('DELIVERY_NOT_FAILED', `the delivery is ${status}; only one that failed is retried`);
    wake('send-webhooks');
    return { deliveryId, queued: true, message: 'It is delivered again soon' };
  }
}

/** A list whose total and page are computed only when they are selected. */
function withCount(
  list: Omit<WebhookDeliveryConnection, 'totalCount' | 'page'>,
  range: PageRange,
  count: () => Promise<number>,
): LazilyCounted {
  let counted: Promise<number> | undefined;
  const total = () => (counted ??= count());
  return {
    ...list,
    get totalCount() {
      return total();
    },
    get page() {
      return total().then((found) => numberedPage(range, found, list.pageInfo));
    },
  };
}

function notFound(deliveryId: string): AppError {
  return new AppError('NOT_FOUND', `delivery "${deliveryId.slice(0, 100)}" does not exist`);
}

function toDelivery({ attemptLog, ...row }: DeliveryRow): WebhookDelivery {
  return {
    ...row,
    eventType: statusChangedEvent,
    attemptLog: attemptLog.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
  };
}
