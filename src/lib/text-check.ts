import { invalidInput } from '../errors.js';
import { LIMITS } from '../limits.js';
import { characterCount } from './characters.js';
import { roundedNumber } from './exact-json.js';

/**
 * Refuses what Postgres cannot store (strings with a NUL character or half of a surrogate pair, numbers that
 * are not finite), and JSON nested so deep that walking it would exhaust the stack. @throws AppError
 * INVALID_INPUT naming the field
 */
export function checkText(value: unknown, path = 'request'): void {
  const refusal = refusalOf(value, 0);
  if (!refusal) return;
  const { place, problem } = refusal;
  // What stands in the request itself is named without it.
  const whole = path === 'request' && place.startsWith('.') ? place.slice(1) : path + place;
  throw invalidInput(problem === tooDeep ? headOf(whole) : whole, problem);
}

/** What is wrong with a value, and where in it. */
interface Refusal {
  readonly place: string;
  readonly problem: string;
}

const tooDeep = `must nest at most ${LIMITS.nestingMax} deep`;

/** Places are put together on the way back from what is wrong: to name those of all values took most of the time. */
function refusalOf(value: unknown, depth: number): Refusal | undefined {
  if (depth > LIMITS.nestingMax) return { place: '', problem: tooDeep };
  if (typeof value === 'string') return refusalOfText(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { place: '', problem: 'must be a finite number' };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const refusal = refusalOf(value[index], depth + 1);
      if (refusal) return { ...refusal, place: `[${index}]${refusal.place}` };
    }
  } else if (isPlainObject(value)) {
    for (const key of Object.keys(value)) {
      const ofKey = refusalOfText(key);
      if (ofKey) return ofKey;
      const refusal = refusalOf(value[key], depth + 1);
      if (refusal) return { ...refusal, place: `.${key}${refusal.place}` };
    }
  }
  return undefined;
}

function refusalOfText(text: string): Refusal | undefined {
  if (text.includes('\u0000')) return { place: '', problem: 'must not contain a NUL character' };
  return text.isWellFormed() ? undefined : { place: '', problem: 'must be well-formed Unicode' };
}

/** Refuses JSON text with a whole number that reading would round. @throws AppError INVALID_INPUT naming where it stood */
export function checkNumbers(json: string, path: string): void {
  const rounded = roundedNumber(json);
  if (rounded !== undefined) throw invalidInput(path, roundedProblem(rounded));
}

/** What is wrong with a whole number that reading would round, to be said behind the name of its field. */
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
export function checkDepth(value: unknown, path: string): void {
  if (!nestsWithin(value, LIMITS.nestingMax)) throw invalidInput(headOf(path), tooDeep);
}

function nestsWithin(value: unknown, levels: number): boolean {
  if (levels < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((entry) => nestsWithin(entry, levels - 1));
  const entries = value as Readonly<Record<string, unknown>>;
  return Object.keys(entries).every((key) => nestsWithin(entries[key], levels - 1));
}

/** The head of a path: the whole would be as long as a value is deep. */
function headOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Promise)
  );
}
