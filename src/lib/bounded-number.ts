import { invalidInput } from '../errors.js';

/**
 * Returns a number if it lies between 1 and `max`. @throws AppError INVALID_INPUT naming the field and the
 * limits
 */
export function boundedNumber(value: number, field: string, max: number): number {
  if (value < 1 || value > max) throw invalidInput(field, `must be 1 to ${max}, not ${value}`);
  return value;
}

/** How many entries a list may have, and what they are called. */
export interface CountBounds {
  readonly noun: string;
  readonly min?: number;
  readonly max: number;
}

/**
 * Refuses a list that has too many entries, or too few. @throws AppError INVALID_INPUT naming the field, the
 * number and the limits
 */
export function checkCount(count: number, field: string, { noun, min = 0, max }: CountBounds): void {
  if (count >= min && count <= max) return;
  const limits = min === 0 ? 'at most' : `it must be ${min} to`;
  throw invalidInput(field, `has ${count} ${noun}; ${limits} ${max}`);
}
