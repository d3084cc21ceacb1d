import { createHash, randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import { query, queryOne } from '../postgres/query.js';
import type { Caller } from './caller.js';

/** How long an answer is kept. */
export const answerKeptMs = 24 * 3_600_000;
// Longer than a request runs once it has been read. After a server was killed, its requests can be repeated
// this much later.
const leaseMs = 20_000;
const seedBytes = 16;

/**
 * A request with an Idempotency-Key; the digest covers everything that it asks for and what its API key may
 * do.
 */
export interface IdempotentRequest {
  readonly caller: Caller;
  readonly key: string;
  readonly hash: Buffer;
}

/** How a request was answered. */
export interface KeptAnswer {
  readonly data: unknown;
}

/** The first request does the work; whoever repeats it gets its answer. */
export type Claim =
  { readonly answered: KeptAnswer } | { readonly answered?: undefined; readonly newId: () => string };

interface ClaimedRow {
  readonly idSeed: Buffer;
  readonly createdAt: Date;
}

interface IdempotencyOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
}

/** Remembers the answers to requests with an Idempotency-Key for a day. */
export class IdempotencyService {
  constructor(private readonly options: IdempotencyOptions) {}

  /**
   * Claims the key, or finds the answer kept for it. The ids made for a claimed request are the same when it
   * is repeated after a crash. @throws AppError IDEMPOTENCY_CONFLICT when the key stands for another request,
   * REQUEST_UNDER_WAY while the first one runs
   */
  async claim(request: IdempotentRequest): Promise<Claim> {
    for (;;) {
      const claimed = await this.tryToClaim(request);
      if (claimed) return { newId: idsFrom(claimed) };
      const answered = await this.find(request);
      if (answered) return { answered };
    }
  }

  /** Keeps the answer of a claimed request. */
  async keep({ caller, key }: IdempotentRequest, answer: KeptAnswer): Promise<void> {
    await query(
      this.options.postgres.manager,
      'update idempotency_keys set answer = $3 where account_id = $1 and key = $2',
      [caller.accountId, key, JSON.stringify(answer)],
    );
  }

  /**
   * Gives up the claim of a request that failed; `keepsIds` when something may have been stored under its
   * ids.
   */
  async release({ caller, key }: IdempotentRequest, { keepsIds }: { keepsIds: boolean }): Promise<void> {
    const ofRequest = 'account_id = $1 and key = $2 and answer is null';
    await (keepsIds
      ? query(
          this.options.postgres.manager,
          `update idempotency_keys set lease_until = $3 where ${ofRequest}`,
          [caller.accountId, key, this.options.clock.now()],
        )
      : query(this.options.postgres.manager, `delete from idempotency_keys where ${ofRequest}`, [
          caller.accountId,
          key,
        ]));
  }

  private tryToClaim({ caller, key, hash }: IdempotentRequest): Promise<ClaimedRow | undefined> {
    const now = this.options.clock.now();
    const [leaseUntil, oldest] = [now.getTime() + leaseMs, now.getTime() - answerKeptMs].map(
      (ms) => new Date(ms),
    );
    return queryOne<ClaimedRow>(
      this.options.postgres.manager,
      `insert into idempotency_keys as k (account_id, key, request_hash, id_seed, lease_until, created_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (account_id, key) do update set
         request_hash = excluded.request_hash, lease_until = excluded.lease_until, answer = null,
         id_seed = case when k.created_at <= $7 then excluded.id_seed else k.id_seed end,
         created_at = case when k.created_at <= $7 then excluded.created_at else k.created_at end
       where k.created_at <= $7
          or (k.answer is null and k.lease_until <= $6 and k.request_hash = excluded.request_hash)
       returning id_seed as "idSeed", created_at as "createdAt"`,
      [caller.accountId, key, hash, randomBytes(seedBytes), leaseUntil, now, oldest],
    );
  }

  private async find({ caller, key, hash }: IdempotentRequest): Promise<KeptAnswer | undefined> {
    const row = await queryOne<{ hash: Buffer; answer: KeptAnswer | null }>(
      this.options.postgres.manager,
      `select request_hash as hash, answer from idempotency_keys where account_id = $1 and key = $2`,
      [caller.accountId, key],
    );
    if (!row) return undefined;
    if (!row.hash.equals(hash)) {
      throw new AppError(
        'IDEMPOTENCY_CONFLICT',
        `Idempotency-Key "${key}" was used for another request, or by an API key with other rights`,
      );
    }
    if (row.answer) return row.answer;
    throw new AppError('REQUEST_UNDER_WAY', `the request with Idempotency-Key "${key}" is still under way`, {
      retryAfterSeconds: 1,
    });
  }
}

/** UUIDv7s with the time of the first claim, their random part drawn from its seed. */
function idsFrom({ idSeed, createdAt }: ClaimedRow): () => string {
  let made = 0;
  return () => {
    made += 1;
    const random = createHash('sha256').update(idSeed).update(String(made)).digest();
    return uuidv7({ msecs: createdAt.getTime(), random });
  };
}
