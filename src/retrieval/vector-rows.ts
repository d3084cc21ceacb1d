/** Rows as Postgres hands them out: `vectors` holds one after another what vector_send makes. */
export interface VectorRows {
  readonly dimensions: number;
  readonly ids: readonly number[];
  readonly collectionIds: readonly number[];
  readonly vectors: Uint8Array;
}

// Of vector_send: the number of dimensions and an unused number, 16 bits each.
const headerBytes = 4;
const valueBytes = 4;

/** Hands out the vector of each row in turn; it is overwritten by the next. */
export function* eachVector({ dimensions, ids, vectors }: VectorRows): Generator<Float32Array> {
  const view = new DataView(vectors.buffer, vectors.byteOffset, vectors.byteLength);
  const vector = new Float32Array(dimensions);
  for (let row = 0; row < ids.length; row += 1) {
    const from = row * (headerBytes + dimensions * valueBytes) + headerBytes;
    for (let n = 0; n < dimensions; n += 1) vector[n] = view.getFloat32(from + n * valueBytes);
    yield vector;
  }
}
