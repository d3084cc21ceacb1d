/** Rows as Postgres returns them. `vectors` holds them one after another in the form of vector_send. */
export interface VectorRows {
  readonly dimensions: number;
  readonly ids: readonly number[];
  readonly collectionIds: readonly number[];
  readonly vectors: Uint8Array;
}

// The header of vector_send: the number of dimensions and an unused number, of 16 bits each.
const headerBytes = 4;
const valueBytes = 4;

/** One row of VectorRows. */
export interface VectorRow {
  readonly id: number;
  readonly collectionId: number;
  /** The same array for every row: overwritten by the next one. */
  readonly vector: Float32Array;
}

/** Yields the rows one by one. */
export function* eachVector({ dimensions, ids, collectionIds, vectors }: VectorRows): Generator<VectorRow> {
  const view = new DataView(vectors.buffer, vectors.byteOffset, vectors.byteLength);
  const vector = new Float32Array(dimensions);
  for (const [row, id] of ids.entries()) {
    const from = row * (headerBytes + dimensions * valueBytes) + headerBytes;
    for (let n = 0; n < dimensions; n += 1) vector[n] = view.getFloat32(from + n * valueBytes);
    yield { id, collectionId: collectionIds[row] ?? 0, vector };
  }
}
