import type { DataSource } from 'typeorm';
import { v4 as uuidv4 } from 'uuid';
import type { Clock } from '../lib/clock.js';
import { query } from '../postgres/query.js';
import type { DeliveredChange } from './payload.js';
import type { SealedSecrets } from './signing-secrets.js';
import type { WebhookDeliveryStatus } from './webhook.types.js';

/** A delivery that this process holds under a lease and is about to attempt. */
export interface LeasedDelivery extends DeliveredChange {
  readonly accountId: string;
  readonly leaseToken: string;
  /** Counting the coming one: attempts in all, and since it was last queued. */
  readonly attempts: number;
  readonly tries: number;
}

/** Where an account's deliveries go. */
export interface Destination extends SealedSecrets {
  readonly accountId: string;
  readonly url: string;
  readonly registeredAt: Date;
}

/** The outcome of an attempt. */
export interface AttemptResult {
  readonly delivery: LeasedDelivery;
  readonly status: Exclude<WebhookDeliveryStatus, 'pending'>;
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly responseStatus: number | null;
  readonly durationMs: number;
  /** When to try again; null when there is nothing more to try. */
  readonly nextAttemptAt: Date | null;
}

/** An account's share of a claim. */
export interface Turn {
  readonly destination: Destination;
  readonly slots: number;
}

export const destinationsMax = 64;
/** How many due deliveries of an account a claim looks at. */
const lookedAtMax = 200;
// Longer than an attempt can take, so that none needs a heartbeat.
const leaseMs = 30_000;
/** How long a delivery waits, at most, for earlier ones of its item. */
const waitMsMax = 60_000;
/**
 * How soon to look again at what waits for an attempt under way; the end of that attempt releases it at once.
 */
export const lookAgainMs = 2000;
const logEntriesMax = 20;
const rowsMax = 500;

/** What deliveries say whose webhook has been deleted. */
const removed = { code: 'WEBHOOK_DELETED', message: 'the webhook was deleted before this was delivered' };

interface QueueOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
}

/**
 * The queue of deliveries: rows of webhook_deliveries. While a row is leased, next_attempt_at is the end of
 * its lease.
 */
export class DeliveryQueue {
  constructor(private readonly options: QueueOptions) {}

  /** Accounts with due deliveries, in the order of their ids, beginning behind a given one. */
  async findDue(after: string | undefined): Promise<Destination[]> {
    return this.query<Destination>(
      `select account_id as "accountId", url, signing_secret as "signingSecret", previous_secret as "previousSecret",
              previous_until as "previousUntil", registered_at as "registeredAt"
         from webhooks w
        where ($1::uuid is null or account_id > $1) and exists (
          select from webhook_deliveries d where d.account_id = w.account_id and d.status in ('pending', 'failed')
             and d.next_attempt_at <= $2)
        order by account_id limit $3`,
      [after ?? null, this.options.clock.now(), destinationsMax],
    );
  }

  /**
   * Leases due deliveries, at most a given number per account. One whose item has an earlier unsettled
   * delivery is put off until that one is tried again, or until it has waited long enough.
   */
  async claim(turns: readonly Turn[]): Promise<LeasedDelivery[]> {
    for (;;) {
      const claimed = await this.claimOnce(turns);
      const letGo = await this.letGoSettled(turns);
      if (claimed.length > 0 || !letGo) return claimed;
    }
  }

  private async claimOnce(turns: readonly Turn[]): Promise<LeasedDelivery[]> {
    const now = this.options.clock.now();
    const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
    return this.query<LeasedDelivery>(
      `with due as (
         select t.slots, d.* from unnest($1::uuid[], $2::int[], $3::timestamptz[]) as t (account_id, slots, since)
          cross join lateral (
            select account_id, id, database_id, source_uid, previous_uid, sequence, next_attempt_at, queued_at
              from webhook_deliveries d
             where d.account_id = t.account_id and d.status in ('pending', 'failed') and d.next_attempt_at <= $4
               and d.queued_at >= t.since
             order by d.next_attempt_at limit $5 for update skip locked) d),
       judged as (
         select due.*, case when queued_at > $6 then (
             select max(case when p.lease_token is null then p.next_attempt_at else $7 end) from webhook_deliveries p
              where ${isBeforeSql('due')})
           end as held_until from due),
       chosen as (
         select account_id, id, slots, row_number() over (partition by account_id order by next_attempt_at, id) as nth
           from judged where held_until is null),
       put_off as (
         update webhook_deliveries d set next_attempt_at = least(greatest(j.held_until, $7), j.queued_at + $8 * interval '1 ms')
           from judged j where j.held_until is not null and d.account_id = j.account_id and d.id = j.id)
       update webhook_deliveries d
          set lease_token = $9, next_attempt_at = $10, attempts = d.attempts + 1, tries = d.tries + 1
         from chosen c, databases b
        where c.nth <= c.slots and d.account_id = c.account_id and d.id = c.id and b.id = d.database_id
       returning d.account_id as "accountId", d.id, d.doc_id as "docId", b.name as database, d.collection, d.corpus,
         d.indexing_status as "indexingStatus", d.sequence, d.item_error_code as "itemErrorCode",
         d.item_error_message as "itemErrorMessage", d.created_at as "createdAt", d.attempts, d.tries,
         d.lease_token as "leaseToken"`,
      [
        turns.map(({ destination }) => destination.accountId),
        turns.map(({ slots }) => slots),
        turns.map(({ destination }) => destination.registeredAt),
        now,
        lookedAtMax,
        later(-waitMsMax),
        later(lookAgainMs),
        waitMsMax,
        uuidv4(),
        later(leaseMs),
      ],
    );
  }

  /**
   * Releases what a claim has just put off because of a delivery that was settled at the same moment: whoever
   * settled it looked before, and will not look again. False when there was none.
   */
  private async letGoSettled(turns: readonly Turn[]): Promise<boolean> {
    const now = this.options.clock.now();
    const letGo = await this.query(
      `update webhook_deliveries d set next_attempt_at = $2
        where d.account_id = any($1) and d.status = 'pending' and d.tries = 0 and d.next_attempt_at > $2
          and d.next_attempt_at <= $3 and not exists (select from webhook_deliveries p where ${isBeforeSql('d')})
       returning 1`,
      [turns.map(({ destination }) => destination.accountId), now, new Date(now.getTime() + lookAgainMs)],
    );
    return letGo.length > 0;
  }

  /**
   * Stores the outcomes of attempts whose lease still holds, and releases what waited for those that are
   * settled.
   */
  async finish(results: readonly AttemptResult[]): Promise<void> {
    const now = this.options.clock.now();
    const rows = results.map(({ delivery, ...result }) => ({
      ...result,
      accountId: delivery.accountId,
      id: delivery.id,
      leaseToken: delivery.leaseToken,
      logged: {
        at: now,
        attempt: delivery.attempts,
        responseStatus: result.responseStatus,
        errorCode: result.errorCode,
        errorMessage: result.errorMessage,
        durationMs: result.durationMs,
      },
    }));
    await this.query(
      `with done as (
         update webhook_deliveries d
            set status = case when ${isAskedAgainSql} then 'pending' else r.status end, error_code = r."errorCode",
                error_message = r."errorMessage", lease_token = null, updated_at = $2,
                next_attempt_at = case when ${isAskedAgainSql} then $2 else coalesce(r."nextAttemptAt", d.next_attempt_at) end,
                attempt_log = (case when jsonb_array_length(d.attempt_log) < $3 then d.attempt_log else d.attempt_log - 0 end)
                  || r.logged
           from jsonb_to_recordset($1::jsonb) as r ("accountId" uuid, id uuid, "leaseToken" uuid, status text,
                "errorCode" text, "errorMessage" text, "nextAttemptAt" timestamptz, logged jsonb)
          where d.account_id = r."accountId" and d.id = r.id and d.lease_token = r."leaseToken"
         returning d.account_id, d.database_id, d.source_uid, d.status)
       update webhook_deliveries d set next_attempt_at = $2
         from done
        where done.status in ('completed', 'permanently_failed') and d.database_id = done.database_id
          and (d.source_uid = done.source_uid or d.previous_uid = done.source_uid)
          and d.account_id = done.account_id and d.status = 'pending' and d.tries = 0`,
      [JSON.stringify(rows), now, logEntriesMax],
    );
  }

  /** Gives back a delivery that was not attempted because this process stops; no try is used up. */
  async release({ accountId, id, leaseToken }: LeasedDelivery): Promise<void> {
    await this.query(
      `update webhook_deliveries
          set lease_token = null, next_attempt_at = $4, attempts = attempts - 1, tries = tries - 1
        where account_id = $1 and id = $2 and lease_token = $3`,
      [accountId, id, leaseToken, this.options.clock.now()],
    );
  }

  /** Ends some deliveries whose webhook has been deleted; false when there are none. */
  async endOrphaned(): Promise<boolean> {
    const ended = await this.query(
      `update webhook_deliveries set status = 'permanently_failed', lease_token = null, updated_at = $1,
              error_code = $2, error_message = $3
        where (account_id, id) in (
          select d.account_id, d.id from accounts a left join webhooks w on w.account_id = a.id
           cross join lateral (
             select account_id, id from webhook_deliveries d
              where d.account_id = a.id and d.status in ('pending', 'failed')
                and (w.account_id is null or d.queued_at < w.registered_at) limit $4 for update skip locked) d
           limit $4)
       returning 1`,
      [this.options.clock.now(), removed.code, removed.message, rowsMax],
    );
    return ended.length > 0;
  }

  /** Removes some deliveries that are older than `before`; false when there are none. */
  async deleteOld(before: Date): Promise<boolean> {
    // Ids begin with the time at which they were made.
    const digits = before.getTime().toString(16).padStart(12, '0').padEnd(32, '0');
    const gone = await this.query(
      `delete from webhook_deliveries where (account_id, id) in (
         select d.account_id, d.id from accounts a cross join lateral (
           select account_id, id from webhook_deliveries d where d.account_id = a.id and d.id < $1::uuid
            order by id limit $2) d
          limit $2)
       returning 1`,
      [digits, rowsMax],
    );
    return gone.length > 0;
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return query<Row>(this.options.postgres.manager, sql, parameters);
  }
}

/** SQL: while an attempt that failed was under way, the delivery was queued again. */
const isAskedAgainSql = `(d.tries = 0 and r.status <> 'completed')`;

/** SQL: a delivery p must be settled before another one. */
function isBeforeSql(other: string): string {
  return `p.database_id = ${other}.database_id and p.account_id = ${other}.account_id
    and p.status in ('pending', 'failed') and p.source_uid in (${other}.source_uid, ${other}.previous_uid)
    and (p.source_uid, p.sequence) < (${other}.source_uid, ${other}.sequence)`;
}
