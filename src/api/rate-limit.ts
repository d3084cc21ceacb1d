import type { FastifyReply } from 'fastify';
import type { Caller } from '../accounts/caller.js';
import type { App } from '../app.js';
import { AppError } from '../errors.js';

/**
 * Counts a request of a key, and says in the answer's headers how many are left.
 * @throws AppError RATE_LIMITED when there are none.
 */
export async function countRequest(app: App, caller: Caller, reply?: FastifyReply): Promise<void> {
  const limit = app.config.rateLimitPerMinute;
  if (limit === 0) return;
  const state = await app.services.rateLimiter.take(`key:${caller.keyPrefix}`, limit);
  void reply?.headers({
    'ratelimit-limit': state.limit,
    'ratelimit-remaining': state.remaining,
    'ratelimit-reset': state.resetSeconds,
  });
  if (state.allowed) return;
  throw new AppError(
    'RATE_LIMITED',
    `this key may send ${limit} requests a minute; wait ${state.resetSeconds} s`,
    { retryAfterSeconds: state.resetSeconds },
  );
}
