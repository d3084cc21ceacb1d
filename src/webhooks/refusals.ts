import type { Caller } from '../accounts/caller.js';
import { AppError } from '../errors.js';

/**
 * Webhooks report on all items of an account, so a key that may not know all of them is refused. @throws
 * AppError FORBIDDEN
 */
export function checkAccountWide({ databases, principals }: Caller): void {
  if (databases === null && principals === null) return;
  throw new AppError('FORBIDDEN', 'webhooks need a key that is not limited to databases or principals');
}

/** The error for an account without a webhook. */
export function notRegistered(): AppError {
  return new AppError('NOT_FOUND', 'no webhook is registered');
}

/** The error for a value that a webhook cannot be registered with. */
export function unprocessable(field: string, problem: string): AppError {
  return new AppError('UNPROCESSABLE', `${field} ${problem}`, { field });
}
