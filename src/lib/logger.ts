import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type { Logger } from 'pino';

const redactedPaths = [
  'authorization',
  '*.authorization',
  'headers.authorization',
  // @fastify/multipart tells of the options that it reads a form with.
  '*.headers.authorization',
  'apiKey',
  '*.apiKey',
  'secret',
  '*.secret',
];

/** An error without what drivers attach to it: the parameters of a statement are our users' content. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  };
}

/**
 * Logs JSON lines, on stdout unless told otherwise; keys, secrets and content are removed from every object.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: redactedPaths,
    serializers: { err: serializeError },
  };
  return destination ? pino(options, destination) : pino(options);
}
