import type { VectorRows } from '../../src/retrieval/resident/vector-rows.js';

/** A chunk with its vector. */
export interface VectorRow {
  readonly id: number;
  readonly collectionId: number;
  readonly vector: Float32Array;
}

/** Rows as vector_send writes them. */
export function sendVectors(rows: readonly VectorRow[]): VectorRows {
  const vectors = rows.map(({ vector }) => {
    const bytes = Buffer.alloc(4 + vector.length * 4);
    bytes.writeUInt16BE(vector.length);
    vector.forEach((value, n) => bytes.writeFloatBE(value, 4 + n * 4));
    return bytes;
  });
  return {
    dimensions: rows[0]?.vector.length ?? 0,
    ids: rows.map(({ id }) => id),
    collectionIds: rows.map(({ collectionId }) => collectionId),
    vectors: Buffer.concat(vectors),
  };
}
