import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { refusePrincipals } from '../../accounts/caller.js';
import type { Caller } from '../../accounts/caller.js';
import { AppError } from '../../errors.js';
import { rowsOf } from '../../lib/page.types.js';
import type { PageRange } from '../../lib/page.types.js';
import { query, queryOne } from '../../postgres/query.js';
import { lockByName } from '../../postgres/transaction-lock.js';
import type { ReadUpdate } from './connector-request.js';
import { connectorColumns } from './connector-rows.js';
import type { ConnectorRow } from './connector-rows.js';

/** A connector with the counts that its health depends on. */
export interface ListedConnectorRow extends ConnectorRow {
  /** Active resources that have not been read yet, and those whose last reading failed. */
  readonly checkingResourceCount: number;
  readonly failedResourceCount: number;
}

const columns = `${connectorColumns},
  (select count(*)::int from connector_resources r where r.connector_id = c.id and r.status = 'active'
     and r.health = 'checking') as "checkingResourceCount",
  (select count(*)::int from connector_resources r where r.connector_id = c.id
     and (r.health = 'failed' or r.status = 'failed')) as "failedResourceCount"`;

// SQL: connectors of the account $1 that a key limited to the databases $2 (null for all) may see: both the
// connector's own database and those of its resources must be among them.
const visible = `from connectors c join databases d on d.id = c.database_id
  where c.account_id = $1 and c.deleted_at is null and d.status <> 'deleting' and ($2::text[] is null or (d.name = any($2)
    and not exists (select 1 from connector_resources r join databases rd on rd.id = r.database_id
                     where r.connector_id = c.id and rd.name <> all($2))))`;

/**
 * Refuses keys with principals: connectors are about what everybody in an account may read. @throws AppError
 * FORBIDDEN
 */
export function refuseForConnectors(caller: Caller): void {
  refusePrincipals(caller, 'a connector');
}

/**
 * Finds a connector; the answer is the same for one that does not exist and one that the caller may not know
 * of. @throws AppError NOT_FOUND, FORBIDDEN
 */
export async function findConnector(
  manager: EntityManager,
  caller: Caller,
  { id, lock = false }: { id: string; lock?: boolean },
): Promise<ListedConnectorRow> {
  refuseForConnectors(caller);
  const row = isUuid(id)
    ? await queryOne<ListedConnectorRow>(
        manager,
        `select ${columns} ${visible} and c.id = $3 ${lock ? 'for update of c' : ''}`,
        [caller.accountId, caller.databases, id],
      )
    : undefined;
  if (!row) throw new AppError('NOT_FOUND', `connector "${id}" does not exist`);
  return row;
}

/**
 * Unblocks a connector, which is then tried again; `reauth` also ends the need to sign in again. Its old
 * error is not shown any more.
 */
export async function unblock(
  manager: EntityManager,
  { id, reauth, now }: { id: string; reauth: boolean; now: Date },
): Promise<void> {
  const isOver =
    '(sync_blocked_at is not null or needs_reauth_at is not null) and ($2 or needs_reauth_at is null)';
  await query(
    manager,
    `update connectors set failures = 0, sync_blocked_at = null, sync_blocked_reason = '',
            needs_reauth_at = case when $2 then null else needs_reauth_at end,
            needs_reauth_reason = case when $2 then '' else needs_reauth_reason end,
            last_error = case when ${isOver} then '' else last_error end,
            last_error_at = case when ${isOver} then null else last_error_at end, updated_at = $3
      where id = $1`,
    [id, reauth, now],
  );
}

/** Connectors in the order of their creation, and their total. */
export async function listConnectors(
  manager: EntityManager,
  caller: Caller,
  {
    provider,
    range,
    behind: [createdAt, id] = [],
  }: { provider: string | null; range: PageRange; behind: readonly string[] | undefined },
): Promise<{ rows: ListedConnectorRow[]; total: number }> {
  const { skip, take } = rowsOf(range);
  const ofCaller = [caller.accountId, caller.databases, provider];
  const ofProvider = '($3::text is null or c.provider = $3)';
  const rows = await query<ListedConnectorRow>(
    manager,
    `select ${columns} ${visible} and ${ofProvider} and ($6::timestamptz is null or (c.created_at, c.id) > ($6, $7::uuid))
      order by c.created_at, c.id offset $4 limit $5`,
    [...ofCaller, skip, take, createdAt === undefined ? null : new Date(Number(createdAt)), id],
  );
  const counted = await queryOne<{ total: number }>(
    manager,
    `select count(*)::int as total ${visible} and ${ofProvider}`,
    ofCaller,
  );
  return { rows, total: counted?.total ?? 0 };
}

/** How many connectors the caller may know of, not counting `except`. */
export async function countConnectors(
  manager: EntityManager,
  { accountId, databases }: Pick<Caller, 'accountId' | 'databases'>,
  except: string | null = null,
): Promise<number> {
  const counted = await queryOne<{ total: number }>(
    manager,
    `select count(*)::int as total ${visible} and c.id is distinct from $3`,
    [accountId, databases, except],
  );
  return counted?.total ?? 0;
}

/** Holds up other creations of connectors in the account until the transaction ends. */
export async function lockConnectors(manager: EntityManager, accountId: string): Promise<void> {
  await lockByName(manager, `connectors:${accountId}`);
}

/** A new connector; its credentials are sealed. */
interface NewConnectorRow extends Pick<
  ConnectorRow,
  | 'id'
  | 'accountId'
  | 'databaseId'
  | 'provider'
  | 'name'
  | 'collection'
  | 'providerAccountScope'
  | 'authType'
  | 'customInstructions'
  | 'syncIntervalSeconds'
  | 'nextSyncAt'
  | 'createdAt'
> {
  readonly credentials: Buffer;
}

/** If the creation is a repetition by Idempotency-Key, the row may exist, and stays. */
export async function insertConnector(manager: EntityManager, row: NewConnectorRow): Promise<void> {
  await query(
    manager,
    `insert into connectors (id, account_id, database_id, provider, name, collection, provider_account_scope, auth_type,
       credentials, custom_instructions, sync_interval_seconds, next_sync_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) on conflict (id) do nothing`,
    [
      row.id,
      row.accountId,
      row.databaseId,
      row.provider,
      row.name,
      row.collection,
      row.providerAccountScope,
      row.authType,
      row.credentials,
      row.customInstructions,
      row.syncIntervalSeconds,
      row.nextSyncAt,
      row.createdAt,
    ],
  );
}

/**
 * Changes what is given; a setting that is undefined stays. With new credentials, whoever syncs with the old ones loses the
 * lease: what these are refused for does not count any more.
 */
export async function updateConnector(
  manager: EntityManager,
  id: string,
  {
    name,
    customInstructions,
    syncIntervalSeconds,
    credentials,
    nextSyncAt,
    now,
  }: Omit<ReadUpdate, 'credentials'> & {
    readonly credentials: Buffer | undefined;
    readonly nextSyncAt: Date;
    readonly now: Date;
  },
): Promise<void> {
  await query(
    manager,
    `update connectors set updated_at = $2, name = coalesce($3, name), custom_instructions = coalesce($4, custom_instructions),
       sync_interval_seconds = coalesce($5, sync_interval_seconds), credentials = coalesce($6, credentials),
       lease_token = case when $6::bytea is null then lease_token end, lease_until = case when $6::bytea is null then lease_until end,
       next_sync_at = $7 where id = $1`,
    [id, now, name, customInstructions, syncIntervalSeconds, credentials, nextSyncAt],
  );
}

/** Begins a pause: no sync of the connector starts until it is resumed. */
export async function markPaused(manager: EntityManager, id: string, now: Date): Promise<void> {
  await query(manager, 'update connectors set paused_at = $2, updated_at = $2 where id = $1', [id, now]);
}

/** Ends a pause; the next sync is due at once. */
export async function markResumed(manager: EntityManager, id: string, now: Date): Promise<void> {
  await query(
    manager,
    'update connectors set paused_at = null, next_sync_at = $2, updated_at = $2 where id = $1',
    [id, now],
  );
}

/** Hides a connector, and erases its credentials. */
export async function markDeleted(
  manager: EntityManager,
  id: string,
  { purge, now }: { purge: boolean; now: Date },
): Promise<void> {
  await query(
    manager,
    'update connectors set deleted_at = $2, updated_at = $2, credentials = null, purge = $3 where id = $1',
    [id, now, purge],
  );
}

/** The sealed credentials, of any account, that were stored last. */
export function findNewestCredentials(
  manager: EntityManager,
): Promise<{ readonly id: string; readonly credentials: Buffer } | undefined> {
  return queryOne(
    manager,
    `select id, credentials from connectors where credentials is not null and deleted_at is null
      order by updated_at desc limit 1`,
  );
}
