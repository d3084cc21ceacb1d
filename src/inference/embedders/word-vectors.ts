import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/*
 * dist/word-vectors.bin, written by scripts/compile-word-vectors.mjs; little-endian, parts without padding:
 *   uint32  magic 0x56575843 ("CXWV"), version 1, rows, dimensions
 *   int32   term id of each row's stem, ascending and unique
 *   float32 weight of each row's stem in a text: 1 for the rarest, and the less the more frequent it is
 *   float32 scale of each row in WordNet and, after all of these, in GloVe: what makes its vector a unit vector; 0 where
 *           the stem has none
 *   int8    vectors of WordNet, row after row, and those of GloVe
 */
export const magic = 0x56575843;
export const version = 1;
const headerBytes = 16;

/** A vector for each row. */
export interface VectorTable {
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

/** Word vectors in shared memory: a worker thread gets `buffer` and reads the same bytes. */
export interface WordVectors {
  readonly buffer: SharedArrayBuffer;
  /** Of the vectors of each table. */
  readonly dimensions: number;
  readonly weights: Float32Array;
  /** What words mean. */
  readonly wordnet: VectorTable;
  /** What they are used with. */
  readonly glove: VectorTable;
  /** The row of a term id, -1 for an unknown one. */
  find(id: number): number;
}

/** Reads compiled word vectors into shared memory. @throws when the file is missing or not of this version. */
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
export function viewWordVectors(buffer: SharedArrayBuffer, file = 'word-vectors.bin'): WordVectors {
  const [found, foundVersion, rows = 0, dimensions = 0] =
    buffer.byteLength < headerBytes ? [] : new Uint32Array(buffer, 0, 4);
  const valuesAt = headerBytes + 16 * rows;
  const length = rows * dimensions;
  if (found !== magic || foundVersion !== version || buffer.byteLength !== valuesAt + 2 * length) {
    throw new Error(`${file} has no word vectors compiled for this version; build again`);
  }
  const numbers = (part: number) => new Float32Array(buffer, headerBytes + 4 * part * rows, rows);
  const ids = new Int32Array(buffer, headerBytes, rows);
  return {
    buffer,
    dimensions,
    weights: numbers(1),
    wordnet: { scales: numbers(2), values: new Int8Array(buffer, valuesAt, length) },
    glove: { scales: numbers(3), values: new Int8Array(buffer, valuesAt + length, length) },
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
