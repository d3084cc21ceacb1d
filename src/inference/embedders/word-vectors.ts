import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/*
 * dist/wordnet.bin, written by scripts/compile-wordnet.mjs; little-endian, parts without padding:
 *   uint32  magic 0x4e575843 ("CXWN"), version 1, rows, dimensions
 *   int32   term id of each row's stem, ascending and unique
 *   float32 information of each row: how rare the stem is in glosses, as a logarithm
 *   float32 scale of each row: what makes its vector a unit vector
 *   int8    vectors, row after row
 */
const magic = 0x4e575843;
const version = 1;
const headerBytes = 16;

/** Word vectors in shared memory: a worker thread gets `buffer` and reads the same bytes. */
export interface WordVectors {
  readonly buffer: SharedArrayBuffer;
  readonly dimensions: number;
  readonly information: Float32Array;
  readonly scales: Float32Array;
  readonly values: Int8Array;
  /** The row of a term id, -1 when WordNet does not know it. */
  find(id: number): number;
}

/** Reads a compiled WordNet into shared memory. @throws when the file is missing or not of this version. */
export function readWordVectors(file: string): WordVectors {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const buffer = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(buffer);
    let read = 0;
    for (let more = 1; read < size && more > 0; read += more) {
      more = readSync(descriptor, bytes, read, size - read, read);
    }
    return viewWordVectors(buffer, file);
  } finally {
    closeSync(descriptor);
  }
}

/** Views on a buffer that was read; costs nothing. @throws when it is not of this version or cut short. */
export function viewWordVectors(buffer: SharedArrayBuffer, file = 'the compiled WordNet'): WordVectors {
  const [found, foundVersion, rows = 0, dimensions = 0] =
    buffer.byteLength < headerBytes ? [] : new Uint32Array(buffer, 0, 4);
  const valuesAt = headerBytes + 12 * rows;
  if (found !== magic || foundVersion !== version || buffer.byteLength !== valuesAt + rows * dimensions) {
    throw new Error(`${file} is no WordNet compiled for this version; build again`);
  }
  const ids = new Int32Array(buffer, headerBytes, rows);
  return {
    buffer,
    dimensions,
    information: new Float32Array(buffer, headerBytes + 4 * rows, rows),
    scales: new Float32Array(buffer, headerBytes + 8 * rows, rows),
    values: new Int8Array(buffer, valuesAt, rows * dimensions),
    find: (id) => findAscending(ids, id),
  };
}

function findAscending(ids: Int32Array, id: number): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = ids[middle] ?? 0;
    if (value === id) return middle;
    if (value < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
