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
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: redactedPaths });
}
