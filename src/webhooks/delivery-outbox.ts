import type { ChangesSql } from '../sources/status/status-outbox.js';

// A delivery's id is a UUIDv7 whose first random digits are the sequence, so that ordering by id is ordering
// by time, even within a statement. Its other random digits are a digest of the version, unique for a time
// and sequence: random numbers took a fifth of the cost of a row.
const digestSql = `substr(lpad(to_hex(hashint8extended(c.uid, c.sequence)), 16, '0'), 2)`;
const idSql = `(lpad(to_hex((date_part('epoch', c.status_updated_at) * 1000)::bigint), 12, '0') || '700' || c.sequence
  || '8' || ${digestSql})::uuid`;

/**
 * SQL that makes a delivery of each change that the account's webhook asks for; without a webhook it does
 * nothing. By its `queued_at` a delivery belongs to the registration before it, even if the clock was set back since.
 */
export function insertDeliveriesSql(changes: ChangesSql): string {
  return `insert into webhook_deliveries (account_id, id, database_id, source_uid, previous_uid, sequence, corpus, collection,
       doc_id, indexing_status, item_error_code, item_error_message, next_attempt_at, queued_at, created_at, updated_at)
     select w.account_id, ${idSql}, c.database_id,
            c.uid, c.previous_uid, c.sequence, c.corpus, c.collection, c.id, c.indexing_status, c.error_code, c.error_message, c.status_updated_at,
            greatest(c.status_updated_at, w.registered_at), c.status_updated_at, c.status_updated_at
       from (${changes}) as c
       join databases d on d.id = c.database_id join webhooks w on w.account_id = d.account_id
      where c.indexing_status = any(w.statuses)`;
}
