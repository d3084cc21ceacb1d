import type { Caller } from '../accounts/caller.js';
import { AppError } from '../errors.js';

/** A webhook tells of all items of an account. @throws AppError FORBIDDEN for a key that may not know of all of them. */
export function checkAccountWide({ databases, principals }: Caller): void {
  if (databases === null && principals === null) return;
  throw new AppError('FORBIDDEN', 'webhooks need a key that is not limited to databases or principals');
}

/** The account has no webhook. */
export function notRegistered(): AppError {
  return new AppError('NOT_FOUND', 'no webhook is registered');
}
