import { invalidInput } from '../../errors.js';
import { hasControlCharacter } from '../../lib/text-check.js';
import { LIMITS } from '../../limits.js';

/** Characters that are percent-encoded in ids made of other ids. */
export const encodedInIds = /[\p{Cc},%]/gu;

/** Checks the id of an item. @throws AppError INVALID_INPUT naming the field and the limit */
export function readId(id: string, path: string): string {
  const bytes = Buffer.byteLength(id);
  if (id.trim() === '') throw invalidInput(path, 'must not be empty or white space alone');
  if (bytes > LIMITS.itemIdBytesMax)
    throw invalidInput(path, `has ${bytes} bytes; at most ${LIMITS.itemIdBytesMax}`);
  if (id.includes(',')) throw invalidInput(path, `"${id}" must not contain a comma`);
  if (hasControlCharacter(id)) throw invalidInput(path, 'must not contain control characters');
  return id;
}
