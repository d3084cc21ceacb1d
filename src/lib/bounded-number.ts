import { invalidInput } from '../errors.js';

/**
 * Returns a number if it lies between 1 and `max`. @throws AppError INVALID_INPUT naming the field and the
 * limits
 */
export function boundedNumber(value: number, field: string, max: number): number {
  if (value < 1 || value > max) throw invalidInput(field, `must be 1 to ${max}, not ${value}`);
  return value;
}
