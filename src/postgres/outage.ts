import { errorCodeOf } from './query.js';

/**
 * Classes of SQLSTATE that say nothing about the statement itself: connection, resources, operator, system.
 */
const outageClasses = ['08', '53', '57', '58'];
const deadlock = '40P01';
/**
 * Serialization failure, deadlock, lock not available, a primary that became a standby: the same statement
 * may succeed later.
 */
const transientStates = new Set(['40001', deadlock, '55P03', '25006']);
/** System error codes for a server or connection that is gone. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
// Errors of pg, its pool and TypeORM that have no code; the last one means that a transaction's connection
// died between two statements.
const connectionMessages =
  /^(connection terminated|timeout (expired|exceeded)|client (was closed|has encountered a connection error)|query ?runner already released)/i;

/** Whether a statement failed because Postgres is away or has no room, and not because of what was asked. */
export function isStoreUnavailable(error: unknown): boolean {
  const code = errorCodeOf(error);
  if (code === undefined || !isSqlState(code)) return isConnectionLost(error);
  return outageClasses.includes(code.slice(0, 2)) || transientStates.has(code);
}

/** Whether the connection ended, so that nobody knows whether a COMMIT under way succeeded. */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCodeOf(error);
  if (code === undefined) return error instanceof Error && connectionMessages.test(error.message);
  return connectionCodes.has(code) || code.startsWith('08') || code.startsWith('57P');
}

/** Whether Postgres ended a transaction to resolve a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return errorCodeOf(error) === deadlock;
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !connectionCodes.has(code);
}
