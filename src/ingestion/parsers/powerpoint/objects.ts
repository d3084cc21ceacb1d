import { inflateSync } from 'node:zlib';
import type { InnerFile } from '../parser.js';
import type { PersistedDocument } from './persist.js';
import { numberAt, recordsWithin, recordTypes, type PowerPointRecord } from './records.js';

const persistIdAt = 16;
const compressed = 1;
/** A compressed object begins with its size. */
const sizeBytes = 4;
const objectBytesMax = 50 * 1024 * 1024;

/** The objects of other programs within a binary presentation, each a file. */
export function presentedObjects({ document, find }: PersistedDocument): InnerFile[] {
  return recordsWithin(document, recordTypes.objectAtom)
    .map((atom) => find(numberAt(atom, persistIdAt)))
    .filter((record) => record?.type === recordTypes.objectStorage)
    .flatMap((record, index) => {
      const bytes = record && contentOf(record);
      return bytes ? [{ name: `Object ${index + 1}`, bytes }] : [];
    });
}

/** Undefined for an object that is damaged, or would fill the memory. */
function contentOf({ instance, body }: PowerPointRecord): Buffer | undefined {
  if (instance !== compressed) return body;
  try {
    return inflateSync(body.subarray(sizeBytes), { maxOutputLength: objectBytesMax });
  } catch {
    return undefined;
  }
}
