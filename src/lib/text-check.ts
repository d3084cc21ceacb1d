import { invalidInput } from '../errors.js';

/**
 * Refuses strings that Postgres cannot store: those with a NUL character or half of a surrogate pair.
 * @throws AppError INVALID_INPUT naming the field.
 */
export function checkText(value: unknown, path = 'request'): void {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) throw invalidInput(path, 'must not contain a NUL character');
    if (!value.isWellFormed()) throw invalidInput(path, 'must be well-formed Unicode');
  } else if (Array.isArray(value)) {
    value.forEach((entry, index) => checkText(entry, `${path}[${index}]`));
  } else if (isPlainObject(value)) {
    for (const [key, entry] of Object.entries(value)) {
      checkText(key, path);
      checkText(entry, path === 'request' ? key : `${path}.${key}`);
    }
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Promise)
  );
}
