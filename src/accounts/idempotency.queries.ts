import type { EntityManager } from 'typeorm';
import { query, queryOne } from '../postgres/query.js';
import type { IdempotentRequest, KeptAnswer } from './idempotency.service.js';

/** A claimed key. */
export interface ClaimedKey {
  /** What the ids made for the request are drawn from. */
  readonly idSeed: Buffer;
  /** When the request was made for the first time. */
  readonly createdAt: Date;
}

const ofRequest = 'account_id = $1 and key = $2';

/**
 * Claims the key of a request. One stored before `oldest` begins anew; else its request must be the same, not
 * answered, and not claimed by anybody who still works on it. Undefined where the key cannot be claimed.
 */
export function claimKey(
  manager: EntityManager,
  { caller, key, hash }: IdempotentRequest,
  { idSeed, leaseUntil, now, oldest }: { idSeed: Buffer } & Record<'leaseUntil' | 'now' | 'oldest', Date>,
): Promise<ClaimedKey | undefined> {
  return queryOne<ClaimedKey>(
    manager,
    `insert into idempotency_keys as k (account_id, key, request_hash, id_seed, lease_until, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id, key) do update set
       request_hash = excluded.request_hash, lease_until = excluded.lease_until, answer = null,
       id_seed = case when k.created_at <= $7 then excluded.id_seed else k.id_seed end,
       created_at = case when k.created_at <= $7 then excluded.created_at else k.created_at end
     where k.created_at <= $7
        or (k.answer is null and k.lease_until <= $6 and k.request_hash = excluded.request_hash)
     returning id_seed as "idSeed", created_at as "createdAt"`,
    [caller.accountId, key, hash, idSeed, leaseUntil, now, oldest],
  );
}

/** The digest of the request that a key was used for, and its answer, where it has one. */
export function findAnswer(
  manager: EntityManager,
  { caller, key }: IdempotentRequest,
): Promise<{ hash: Buffer; answer: KeptAnswer | null } | undefined> {
  return queryOne(manager, `select request_hash as hash, answer from idempotency_keys where ${ofRequest}`, [
    caller.accountId,
    key,
  ]);
}

/** Keeps the answer of a request, for when it is sent again under the same key. */
export async function storeAnswer(
  manager: EntityManager,
  { caller, key }: IdempotentRequest,
  answer: KeptAnswer,
): Promise<void> {
  const sql = `update idempotency_keys set answer = $3 where ${ofRequest}`;
  await query(manager, sql, [caller.accountId, key, JSON.stringify(answer)]);
}

/** From then on the same request, if it was not answered, can be claimed again, with the same ids. */
export async function setLease(
  manager: EntityManager,
  { caller, key }: IdempotentRequest,
  until: Date,
): Promise<void> {
  const sql = `update idempotency_keys set lease_until = $3 where ${ofRequest} and answer is null`;
  await query(manager, sql, [caller.accountId, key, until]);
}

/** Deletes the key of a request that was not answered. */
export async function deleteKey(manager: EntityManager, { caller, key }: IdempotentRequest): Promise<void> {
  const sql = `delete from idempotency_keys where ${ofRequest} and answer is null`;
  await query(manager, sql, [caller.accountId, key]);
}

/** Deletes a batch of the keys that were stored until `oldest`; false when there were none. */
export async function deleteSomeKeys(manager: EntityManager, oldest: Date): Promise<boolean> {
  const deleted = await query(
    manager,
    `delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at <= $1 limit 500)) returning 1`,
    [oldest],
  );
  return deleted.length > 0;
}
