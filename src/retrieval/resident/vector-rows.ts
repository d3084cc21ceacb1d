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

/** One of them. */
export interface VectorRow {
  readonly id: number;
  readonly collectionId: number;
  /** Overwritten by that of the next row. */
  readonly vector: Float32Array;
}

/** Hands out the rows in turn. */
export function* eachVector({ dimensions, ids, collectionIds, vectors }: VectorRows): Generator<VectorRow> {
  const view = new DataView(vectors.buffer, vectors.byteOffset, vectors.byteLength);
  const vector = new Float32Array(dimensions);
  for (const [row, id] of ids.entries()) {
    const from = row * (headerBytes + dimensions * valueBytes) + headerBytes;
    for (let n = 0; n < dimensions; n += 1) vector[n] = view.getFloat32(from + n * valueBytes);
    yield { id, collectionId: collectionIds[row] ?? 0, vector };
  }
}
