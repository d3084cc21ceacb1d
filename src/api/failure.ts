import { unwrapResolverError } from '@apollo/server/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import type { App } from '../app.js';
import { AppError } from '../errors.js';
import type { Logger } from '../lib/logger.js';
import { LIMITS } from '../limits.js';
import { isStoreUnavailable } from '../postgres/outage.js';
import { discardRest } from './discard-rest.js';

const retryAfterSeconds = 2;

/**
 * Turns any error into the one to answer with: expected errors pass, the others lose what they say about our
 * internals.
 */
export function toAppError(error: unknown): AppError {
  const refused = fromHttpError(error);
  if (refused) return refused;
  const cause = unwrapResolverError(error);
  if (cause instanceof AppError) return cause;
  if (cause instanceof GraphQLError) return fromGraphQLError(cause);
  if (isStoreUnavailable(cause)) {
    return new AppError('SERVICE_UNAVAILABLE', 'the store is unavailable; try again', {
      retryAfterSeconds,
      cause,
    });
  }
  return new AppError('INTERNAL_ERROR', 'an unexpected error happened; quote the request id to support', {
    cause,
  });
}

/** What GraphQL itself refuses (syntax, unknown fields, values of the wrong type) is INVALID_INPUT. */
function fromGraphQLError(error: GraphQLError): AppError {
  if (error.originalError instanceof AppError) return error.originalError;
  // Without locations it has nothing to do with the document: an unexpected error that was wrapped on its
  // way.
  if (error.originalError && !error.locations) return toAppError(error.originalError);
  return new AppError('INVALID_INPUT', withoutValues(error));
}

/** What is wrong and where, without the values that were sent: they may be credentials, or hold some. */
function withoutValues({ message, originalError }: GraphQLError): string {
  const reason = originalError?.message ?? message;
  const [variable] = /^Variable "\$\w+"/.exec(message) ?? [];
  const isCoerced = variable !== undefined && originalError && message.endsWith(`; ${reason}`);
  const [place = ''] = isCoerced ? (/ at "[^"]*"$/.exec(message.slice(0, -reason.length - 2)) ?? []) : [];
  const [expected] = /^Expected value of type "[^"]*"(?=, found )/.exec(message) ?? [];
  if (expected !== undefined) return reason === message ? expected : `${expected}; ${withoutValue(reason)}`;
  return isCoerced
    ? `${variable} got an invalid value${place}; ${withoutValue(reason)}`
    : withoutValue(message);
}

/** A message of a scalar of GraphQL's own, which ends with the value. */
function withoutValue(said: string): string {
  // The bound keeps the time for values that repeat this in proportion to their length.
  return said.replace(/(cannot represent [\w -]{0,50}value): .*$/s, '$1');
}

/** A refusal by the HTTP framework itself; undefined for any other error. */
function fromHttpError(error: unknown): AppError | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error) || !('message' in error))
    return undefined;
  const message = String(error.message);
  switch (error.statusCode) {
    case 413:
      return new AppError(
        'PAYLOAD_TOO_LARGE',
        `the body is too large: at most ${LIMITS.jsonBodyBytesMax} bytes`,
      );
    case 415:
      return new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        `${message}: the Content-Type must be application/json, or that of a form for POST /context/ingest and uploads at /graphql`,
      );
    case 400:
    case 406:
      return new AppError('INVALID_INPUT', message);
    default:
      return undefined;
  }
}

/** Logs what is not the caller's fault, with its cause: an error if it is ours or the store's, else a warning. */
export function logFault(logger: Logger, error: AppError, requestId: string): void {
  if (error.status < 500 || error.isExpected) return;
  const isOurs = error.kind === 'INTERNAL_ERROR' || isStoreUnavailable(error.cause);
  logger[isOurs ? 'error' : 'warn'](
    { requestId, code: error.code, err: error.cause ?? error },
    'request failed',
  );
}

/** A failed request, as the error handlers of both APIs get it. */
export interface FailedRequest {
  readonly error: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Returns the error to answer with; logs faults, sets the headers of the failure, and discards the rest of
 * the request.
 */
export function noteFailure(app: App, { error, request, reply }: FailedRequest): AppError {
  const appError = toAppError(error);
  request.asked.failures.add(appError.kind);
  logFault(app.logger, appError, request.id);
  discardRest(request, reply);
  if (appError.status === 401) void reply.header('www-authenticate', 'Bearer');
  const { limit, retryAfterSeconds } = appError;
  if (retryAfterSeconds) void reply.header('retry-after', retryAfterSeconds);
  // Replaces what admission said about the key's own limit.
  if (limit !== undefined)
    void reply.headers({
      'ratelimit-limit': limit,
      'ratelimit-remaining': 0,
      'ratelimit-reset': retryAfterSeconds,
    });
  return appError;
}
