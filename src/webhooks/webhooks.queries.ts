import type { EntityManager } from 'typeorm';
import { query, queryOne } from '../postgres/query.js';
import type { IndexingStatus } from '../sources/status/indexing-status.js';
import type { SealedSecrets } from './signing-secrets.js';

/** A webhook as it is stored. */
export interface WebhookRow extends SealedSecrets {
  readonly accountId: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly statuses: readonly IndexingStatus[];
}

const columns = `account_id as "accountId", url, event_types as "eventTypes", statuses, signing_secret as "signingSecret",
  previous_secret as "previousSecret", previous_until as "previousUntil"`;

/** An account's webhook; it has one at most. */
export function findWebhook(manager: EntityManager, accountId: string): Promise<WebhookRow | undefined> {
  return queryOne<WebhookRow>(manager, `select ${columns} from webhooks where account_id = $1`, [accountId]);
}

/** The webhook, of any account, whose secret was stored last. */
export function findNewestSigned(manager: EntityManager): Promise<WebhookRow | undefined> {
  return queryOne<WebhookRow>(
    manager,
    `select ${columns} from webhooks where signing_secret is not null order by updated_at desc limit 1`,
  );
}

/** Registers the webhook of an account, or replaces its settings and leaves its secrets. */
export function upsertWebhook(
  manager: EntityManager,
  { accountId, url, eventTypes, statuses }: Omit<WebhookRow, keyof SealedSecrets>,
  now: Date,
): Promise<WebhookRow | undefined> {
  return queryOne<WebhookRow>(
    manager,
    `insert into webhooks (account_id, url, event_types, statuses, registered_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (account_id) do update set url = excluded.url, event_types = excluded.event_types,
       statuses = excluded.statuses, updated_at = excluded.updated_at
     returning ${columns}`,
    [accountId, url, eventTypes, statuses, now],
  );
}

/** Stores a secret; the one before it signs as well until `previousUntil`. */
export function replaceSecret(
  manager: EntityManager,
  accountId: string,
  { secret, previousUntil, now }: { secret: Buffer; previousUntil: Date; now: Date },
): Promise<WebhookRow | undefined> {
  return queryOne<WebhookRow>(
    manager,
    `update webhooks set previous_secret = signing_secret, signing_secret = $2, updated_at = $3,
            previous_until = case when signing_secret is null then null else $4::timestamptz end
      where account_id = $1 returning ${columns}`,
    [accountId, secret, now, previousUntil],
  );
}

/** Removes the secrets of an account's webhook, the previous one too; gives the webhook, if there is one. */
export function deleteSecrets(
  manager: EntityManager,
  accountId: string,
  now: Date,
): Promise<WebhookRow | undefined> {
  return queryOne<WebhookRow>(
    manager,
    `update webhooks set signing_secret = null, previous_secret = null, previous_until = null, updated_at = $2
      where account_id = $1 returning ${columns}`,
    [accountId, now],
  );
}

/** False when the account has no webhook. */
export async function deleteWebhook(manager: EntityManager, accountId: string): Promise<boolean> {
  const deleted = await query(manager, 'delete from webhooks where account_id = $1 returning 1', [accountId]);
  return deleted.length > 0;
}
