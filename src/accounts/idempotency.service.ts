import { createHash, randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import { underHeartbeat } from '../lib/heartbeat.js';
import { dayMs } from '../lib/units.js';
import type { Caller } from './caller.js';
import { claimKey, deleteKey, findAnswer, setLease, storeAnswer } from './idempotency.queries.js';
import type { ClaimedKey } from './idempotency.queries.js';

/** How long an answer is kept. */
export const answerKeptMs = dayMs;
// After a server was killed, its requests can be repeated this much later.
const leaseMs = 20_000;
const heartbeatMs = 1000;
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

  /** Does the work of a claimed request, which stays claimed however long that takes. */
  whileClaimed<Result>(request: IdempotentRequest, work: () => Promise<Result>): Promise<Result> {
    // Where Postgres does not answer the work ends as well.
    const beat = () => setLease(this.options.postgres.manager, request, this.leaseEnd).catch(() => undefined);
    return underHeartbeat({ everyMs: heartbeatMs, beat }, work);
  }

  /** Keeps the answer of a claimed request. */
  keep(request: IdempotentRequest, answer: KeptAnswer): Promise<void> {
    return storeAnswer(this.options.postgres.manager, request, answer);
  }

  /**
   * Gives up the claim of a request that failed; `keepsIds` when something may have been stored under its
   * ids.
   */
  release(request: IdempotentRequest, { keepsIds }: { keepsIds: boolean }): Promise<void> {
    const { postgres, clock } = this.options;
    return keepsIds ? setLease(postgres.manager, request, clock.now()) : deleteKey(postgres.manager, request);
  }

  private get leaseEnd(): Date {
    return new Date(this.options.clock.now().getTime() + leaseMs);
  }

  private tryToClaim(request: IdempotentRequest): Promise<ClaimedKey | undefined> {
    const { postgres, clock } = this.options;
    const now = clock.now();
    return claimKey(postgres.manager, request, {
      idSeed: randomBytes(seedBytes),
      leaseUntil: this.leaseEnd,
      now,
      oldest: new Date(now.getTime() - answerKeptMs),
    });
  }

  private async find(request: IdempotentRequest): Promise<KeptAnswer | undefined> {
    const row = await findAnswer(this.options.postgres.manager, request);
    const { key, hash } = request;
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
      isExpected: true,
    });
  }
}

/** UUIDv7s with the time of the first claim, their random part drawn from its seed. */
function idsFrom({ idSeed, createdAt }: ClaimedKey): () => string {
  let made = 0;
  return () => {
    made += 1;
    const random = createHash('sha256').update(idSeed).update(String(made)).digest();
    return uuidv7({ msecs: createdAt.getTime(), random });
  };
}
