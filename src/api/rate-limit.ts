import type { FastifyReply } from 'fastify';
import type { Caller } from '../accounts/caller.js';
import type { App } from '../app.js';
import { AppError } from '../errors.js';

/** Requests that a key makes at once: one, or the root fields of a GraphQL operation. */
export interface SentRequests {
  readonly caller: Caller;
  readonly requests: number;
  /** The answer whose headers say how many are left. */
  readonly reply?: FastifyReply;
}

/** Counts requests against the limit of their key. @throws AppError RATE_LIMITED when it has none left */
export async function countRequests(app: App, { caller, requests, reply }: SentRequests): Promise<void> {
  const limit = app.config.rateLimitPerMinute;
  if (limit === 0) return;
  for (let counted = 0; counted < requests; counted += 1) {
    const state = await app.services.rateLimiter.take(`key:${caller.keyPrefix}`, limit);
    void reply?.headers({
      'ratelimit-limit': state.limit,
      'ratelimit-remaining': state.remaining,
      'ratelimit-reset': state.resetSeconds,
    });
    if (state.allowed) continue;
    throw new AppError(
      'RATE_LIMITED',
      `this key may send ${limit} requests a minute; wait ${state.resetSeconds} s`,
      { retryAfterSeconds: state.resetSeconds },
    );
  }
}
