import { beforeEach, expect, test } from '@jest/globals';
import { ResidentCopies } from '../../src/retrieval/resident/resident-copies.js';

const table = 'chunk_vectors_1_memory';
const limit = 10;
let copies: ResidentCopies;

beforeEach(() => {
  copies = new ResidentCopies();
});

/** One vector of two values, as vector_send writes them. */
function rows(id: number) {
  const vectors = Buffer.alloc(12);
  vectors.writeUInt16BE(2);
  vectors.writeFloatBE(1, 4);
  return { dimensions: 2, ids: [id], collectionIds: [1], vectors };
}

const search = (upTo: number) => {
  const found = copies.nearest({ table, upTo, collectionIds: [1], vector: Float32Array.of(1, 0), limit });
  return found?.nominated ?? found?.hits.map(({ id }) => id);
};

test.each([false, true])(
  'what does not continue a copy is refused, so that none has gaps or repetitions (sketched: %p)',
  (sketched) => {
    const append = (after: number, id: number) =>
      copies.appendVectors({ table, after, rows: rows(id), sketched });
    expect(append(0, 3)).toBe(true);
    expect(append(0, 3)).toBe(false);
    expect(append(4, 5)).toBe(false);
    expect(search(3)).toEqual([3]);
    expect(search(5)).toBeUndefined();
    copies.drop({ table });
    expect(append(3, 5)).toBe(false);
    expect(search(0)).toBeUndefined();
    expect(append(0, 5)).toBe(true);
    expect(search(5)).toEqual([5]);
  },
);

test('what was removed is forgotten, and nothing else', () => {
  for (const id of [3, 5])
    copies.appendVectors({ table, after: id === 3 ? 0 : 3, rows: rows(id), sketched: false });
  expect(search(5)?.toSorted()).toEqual([3, 5]);
  copies.keepOnly({ table, ids: Float64Array.of(5) });
  expect(search(5)).toEqual([5]);
});
