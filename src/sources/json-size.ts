import { invalidInput } from '../errors.js';
import type { JsonObject } from './source.types.js';

/** Bounds an object by its compact JSON in UTF-8. @throws AppError INVALID_INPUT with actual and maximum bytes. */
export function checkJsonBytes(value: JsonObject, path: string, bytesMax: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > bytesMax) throw invalidInput(path, `has ${bytes} bytes as compact JSON; at most ${bytesMax}`);
}
