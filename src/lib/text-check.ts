import { invalidInput } from '../errors.js';
import { LIMITS } from '../limits.js';
import { characterCount } from './characters.js';
import { roundedNumber } from './exact-json.js';

/**
 * Refuses what Postgres cannot store (strings with a NUL character or half of a surrogate pair, numbers that
 * are not finite), and JSON nested so deep that walking it would exhaust the stack. @throws AppError
 * INVALID_INPUT naming the field
 */
export function checkText(value: unknown, path = 'request', depth = 0): void {
  refuseTooDeep(path, depth);
  if (typeof value === 'string') {
    if (value.includes('\u0000')) throw invalidInput(path, 'must not contain a NUL character');
    if (!value.isWellFormed()) throw invalidInput(path, 'must be well-formed Unicode');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalidInput(path, 'must be a finite number');
  } else if (Array.isArray(value)) {
    value.forEach((entry, index) => checkText(entry, `${path}[${index}]`, depth + 1));
  } else if (isPlainObject(value)) {
    for (const [key, entry] of Object.entries(value)) {
      checkText(key, path);
      checkText(entry, path === 'request' ? key : `${path}.${key}`, depth + 1);
    }
  }
}

/** Refuses JSON text with a whole number that reading would round. @throws AppError INVALID_INPUT naming where it stood */
export function checkNumbers(json: string, path: string): void {
  const rounded = roundedNumber(json);
  if (rounded !== undefined) throw invalidInput(path, roundedProblem(rounded));
}

export function roundedProblem(number: string): string {
  const shown = number.length > 40 ? `${number.slice(0, 40)}…` : number;
  return `must not hold ${shown}, which would be rounded: send it as a string`;
}

/** Returns a text if it is not too long. @throws AppError INVALID_INPUT naming the field and the limit */
export function boundedText(text: string, path: string, charactersMax: number): string {
  const characters = characterCount(text);
  if (characters <= charactersMax) return text;
  throw invalidInput(path, `has ${characters} characters; at most ${charactersMax}`);
}

/** C0 (U+0000..U+001F), DEL and C1 (U+0080..U+009F); no id or name may have any. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Refuses JSON nested too deep to be compared or walked. @throws AppError INVALID_INPUT naming the field */
export function checkDepth(value: unknown, path: string, depth = 0): void {
  refuseTooDeep(path, depth);
  if (typeof value !== 'object' || value === null) return;
  for (const entry of Object.values(value)) checkDepth(entry, path, depth + 1);
}

function refuseTooDeep(path: string, depth: number): void {
  if (depth <= LIMITS.nestingMax) return;
  // Only the head of the path: the whole would be as long as the value is deep.
  throw invalidInput(path.split(/[.[]/, 1)[0] ?? path, `must nest at most ${LIMITS.nestingMax} deep`);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Promise)
  );
}
