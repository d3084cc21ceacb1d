import { invalidInput } from '../errors.js';
import { LIMITS } from '../limits.js';

/** The id of an item. @throws AppError INVALID_INPUT naming the field and the bound. */
export function readId(id: string, path: string): string {
  const bytes = Buffer.byteLength(id);
  if (id.trim() === '') throw invalidInput(path, 'must not be empty or white space alone');
  if (bytes > LIMITS.itemIdBytesMax)
    throw invalidInput(path, `has ${bytes} bytes; at most ${LIMITS.itemIdBytesMax}`);
  if (id.includes(',')) throw invalidInput(path, `"${id}" must not contain a comma`);
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(id)) throw invalidInput(path, 'must not contain control characters');
  return id;
}
