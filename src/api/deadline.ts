import { setMaxListeners } from 'node:events';
import type { GraphQLSchema } from 'graphql';
import { AppError } from '../errors.js';
import { runCancellable } from '../lib/cancellation.js';
import type { RequestContext } from './request-context.js';

/** Runs a read until it is done, its request's deadline passes or its client has gone. */
export type LimitedRead = <Result>(read: () => Promise<Result>) => Promise<Result>;

const retryAfterSeconds = 1;

/** The reads of one request share one deadline; `closed` aborts when the client has gone. */
export function limitReads(timeoutMs: number, closed?: AbortSignal): LimitedRead {
  let signal: AbortSignal | undefined;
  return async (read) => {
    signal ??= deadline(timeoutMs, closed);
    return race(signal, timeoutMs, read);
  };
}

function deadline(timeoutMs: number, closed: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = closed ? AbortSignal.any([timeout, closed]) : timeout;
  // Each field of a request and each statement under way listens: more than ten are no leak.
  setMaxListeners(0, signal);
  return signal;
}

function race<Result>(signal: AbortSignal, timeoutMs: number, read: () => Promise<Result>): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const expire = () => reject(expiry(signal, timeoutMs));
    if (signal.aborted) {
      expire();
      return;
    }
    signal.addEventListener('abort', expire, { once: true });
    runCancellable(signal, read)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', expire));
  });
}

function expiry(signal: AbortSignal, timeoutMs: number): AppError {
  const timedOut = (signal.reason as { name?: string } | undefined)?.name === 'TimeoutError';
  const message = timedOut ? `the deadline of ${timeoutMs} ms has passed` : 'the client has gone';
  return new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds });
}

/** Puts every query of the schema under the deadline of its request; writes are never cut off half-way. */
export function limitQueries(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = (...parameters) => {
      const context = parameters[2] as RequestContext;
      return context.limitRead(async (): Promise<unknown> => resolve(...parameters));
    };
  }
  return schema;
}
