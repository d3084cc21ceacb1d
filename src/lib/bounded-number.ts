import { invalidInput } from '../errors.js';

/** A number from 1 to `max`, as it was given. @throws AppError INVALID_INPUT naming the field and the bounds. */
export function boundedNumber(value: number, field: string, max: number): number {
  if (value < 1 || value > max) throw invalidInput(field, `must be 1 to ${max}, not ${value}`);
  return value;
}
