import { invalidInput } from '../errors.js';
import { checkNumbers } from './text-check.js';

/** The value of JSON text; undefined when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The value of JSON text that a caller sent. @throws AppError INVALID_INPUT naming its place: for text that is
 * none (`problem`), and for a number that reading would round
 */
export function parseJson(text: string, path: string, problem = 'must be valid JSON'): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw invalidInput(path, problem);
  checkNumbers(text, path);
  return value;
}
