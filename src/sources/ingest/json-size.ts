import { invalidInput } from '../../errors.js';
import type { JsonObject } from '../source.types.js';

/**
 * Limits an object by the bytes of its compact JSON in UTF-8. @throws AppError INVALID_INPUT with the actual
 * and the maximum bytes
 */
export function checkJsonBytes(value: JsonObject, path: string, bytesMax: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > bytesMax) throw invalidInput(path, `has ${bytes} bytes as compact JSON; at most ${bytesMax}`);
}
