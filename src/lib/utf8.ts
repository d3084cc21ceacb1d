import { isUtf8 } from 'node:buffer';
import { invalidInput } from '../errors.js';

/** Decodes UTF-8, without a byte order mark. @throws AppError INVALID_INPUT naming what is not UTF-8 */
export function readUtf8(bytes: Buffer, name: string): string {
  // Decoding would replace invalid bytes with U+FFFD, and that would be stored.
  if (!isUtf8(bytes)) throw invalidInput(name, 'must be UTF-8');
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
