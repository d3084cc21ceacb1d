import pgvector from 'pgvector';
import type { DataSource } from 'typeorm';
import { queryOne } from './query.js';

/**
 * A vector as SQL text with six decimals: half the bytes of full precision, and no ranking depends on the
 * seventh.
 */
export function vectorText(vector: Float32Array): string {
  return pgvector.toSql(Array.from(vector, (value) => Math.round(value * 1e6) / 1e6)) as string;
}

/** The OIDs of pgvector's types in this Postgres. */
export interface VectorTypes {
  readonly vector: number;
  readonly sparsevec: number;
}

const known = new WeakMap<DataSource, Promise<VectorTypes>>();

/** Asks for the OIDs of pgvector's types, once per data source. */
export function vectorTypes(postgres: DataSource): Promise<VectorTypes> {
  let found = known.get(postgres);
  if (!found) {
    found = askVectorTypes(postgres);
    known.set(postgres, found);
    found.catch(() => known.delete(postgres));
  }
  return found;
}

async function askVectorTypes(postgres: DataSource): Promise<VectorTypes> {
  const row = await queryOne<VectorTypes>(
    postgres.manager,
    `select 'vector'::regtype::oid::int as vector, 'sparsevec'::regtype::oid::int as sparsevec`,
  );
  if (!row) throw new Error('a select without a table returned no row');
  return row;
}

// Parameters that are buffers are sent to Postgres in its binary format. Vectors as text took half of the
// time of storing them, on either side.

/** A one-dimensional array in the binary form that array_recv reads. */
export function binaryArray(elementType: number, elements: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(20);
  header.writeInt32BE(1, 0);
  header.writeInt32BE(0, 4);
  header.writeInt32BE(elementType, 8);
  header.writeInt32BE(elements.length, 12);
  header.writeInt32BE(1, 16);
  const parts: Buffer[] = [header];
  for (const element of elements) {
    const length = Buffer.alloc(4);
    length.writeInt32BE(element.length);
    parts.push(length, element);
  }
  return Buffer.concat(parts);
}

/** A vector in the binary form that vector_recv reads. */
export function binaryVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 + 4 * vector.length);
  bytes.writeInt16BE(vector.length, 0);
  for (const [index, value] of vector.entries()) bytes.writeFloatBE(value, 4 + 4 * index);
  return bytes;
}

/** A sparse vector in the binary form that sparsevec_recv reads; `indices` ascend and begin at 0. */
export function binarySparseVector(
  dimensions: number,
  indices: ArrayLike<number>,
  values: ArrayLike<number>,
): Buffer {
  const count = indices.length;
  const bytes = Buffer.alloc(12 + 8 * count);
  bytes.writeInt32BE(dimensions, 0);
  bytes.writeInt32BE(count, 4);
  for (let n = 0; n < count; n += 1) {
    bytes.writeInt32BE(indices[n] ?? 0, 12 + 4 * n);
    bytes.writeFloatBE(values[n] ?? 0, 12 + 4 * (count + n));
  }
  return bytes;
}
