import { pino } from 'pino';
import type { Logger } from 'pino';

export type { Logger } from 'pino';

const redactedPaths = [
  'authorization',
  '*.authorization',
  'headers.authorization',
  'apiKey',
  '*.apiKey',
  'secret',
  '*.secret',
];

/** JSON lines on stdout; keys and secrets are cut out of every object that is logged. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: redactedPaths,
    serializers: { err: describeError },
  });
}

/** What an error says of itself, not what it carries: errors of SQL hold the statement's parameters, the content of callers. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
