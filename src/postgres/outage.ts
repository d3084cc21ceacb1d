import { errorCodeOf } from './query.js';

/** Classes of SQLSTATE that say nothing about the statement: connection, resources, operator, system. */
const outageClasses = ['08', '53', '57', '58'];
const deadlock = '40P01';
/** Serialization failure, deadlock, a lock that did not come in time, a primary that became a standby: the same again may succeed. */
const transientStates = new Set(['40001', deadlock, '55P03', '25006']);
/** Codes of the system when the server or its connection is gone. */
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
// What pg, its pool and TypeORM throw without a code, the last when a transaction's connection died between two statements.
const connectionMessages =
  /^(connection terminated|timeout (expired|exceeded)|client (was closed|has encountered a connection error)|query ?runner already released)/i;

/** Whether a statement failed because Postgres is away or has no room, and not for what was asked of it. */
export function isStoreUnavailable(error: unknown): boolean {
  const code = errorCodeOf(error);
  if (code === undefined || !isSqlState(code)) return isConnectionLost(error);
  return outageClasses.includes(code.slice(0, 2)) || transientStates.has(code);
}

/** Whether the connection ended, so that nobody knows if a COMMIT under way was done. */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCodeOf(error);
  if (code === undefined) return error instanceof Error && connectionMessages.test(error.message);
  return connectionCodes.has(code) || code.startsWith('08') || code.startsWith('57P');
}

/** Whether Postgres ended a transaction so that others which waited for it, as it did for them, may go on. */
export function isDeadlock(error: unknown): boolean {
  return errorCodeOf(error) === deadlock;
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !connectionCodes.has(code);
}
