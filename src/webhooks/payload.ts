import type { Corpus } from '../postgres/stores.js';
import type { IndexingStatus } from '../sources/status/indexing-status.js';

/** The only kind of event. */
export const statusChangedEvent = 'indexing.status_changed';

/** A status change, as it is delivered to a receiver. */
export interface DeliveredChange {
  readonly id: string;
  readonly docId: string;
  readonly database: string;
  readonly collection: string;
  readonly corpus: Corpus;
  readonly indexingStatus: IndexingStatus;
  readonly sequence: number;
  readonly itemErrorCode: string;
  readonly itemErrorMessage: string;
  readonly createdAt: Date;
}

/** The body of a delivery; the same bytes at every attempt. */
export function payloadOf(change: DeliveredChange, more: Readonly<Record<string, unknown>> = {}): Buffer {
  const { docId, database, collection, indexingStatus, itemErrorCode, itemErrorMessage } = change;
  return Buffer.from(
    JSON.stringify({
      event: statusChangedEvent,
      delivery_id: change.id,
      id: docId,
      doc_id: docId,
      database,
      collection,
      type: change.corpus,
      indexing_status: indexingStatus,
      status: indexingStatus,
      sequence: change.sequence,
      timestamp: change.createdAt.toISOString(),
      ...(itemErrorCode ? { error_code: itemErrorCode, error_message: itemErrorMessage } : {}),
      tenant_id: database,
      sub_tenant_id: collection,
      ...more,
    }),
  );
}
