import { describe, expect, test } from '@jest/globals';
import { VectorCopy } from '../../src/retrieval/resident/vector-copy.js';
import { VectorMemory } from '../../src/retrieval/resident/vector-memory.js';
import { Random } from '../support/random.js';
import { sendVectors as send } from '../support/vector-rows.js';
import type { VectorRow as Row } from '../support/vector-rows.js';

function nearest(rows: readonly Row[], collectionIds: readonly number[], asked: Float32Array): number[] {
  return rows
    .filter(({ collectionId }) => collectionIds.includes(collectionId))
    .map(({ id, vector }) => ({
      id,
      score: vector.reduce((sum, value, n) => sum + value * (asked[n] ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .map(({ id }) => id);
}

const memory = new VectorMemory();

describe.each([3, 4, 16, 193])('vectors of %i dimensions', (dimensions) => {
  const random = new Random(dimensions);
  // Quarters, whose products and sums are exact: equal scores are equal here and there.
  const makeVector = () => Float32Array.from({ length: dimensions }, () => (random.below(9) - 4) / 4);
  const rows = Array.from({ length: 1000 }, (_, n): Row => ({
    id: n + 1,
    collectionId: random.below(4),
    vector: makeVector(),
  }));
  const store = new VectorCopy(dimensions, memory);
  for (let from = 0; from < rows.length; from += 130) store.append(send(rows.slice(from, from + 130)));
  const ask = (collectionIds: number[], asked: Float32Array, limit: number) =>
    store.nearest(collectionIds, asked, limit).map(({ id }) => id);

  test('the nearest of some collections are found, best first, the older of equals before', () => {
    expect(store.upTo).toBe(1000);
    for (const limit of [1, 7, 50, 2000]) {
      for (const collectionIds of [[0], [1, 3], [0, 1, 2, 3], [9]]) {
        const asked = makeVector();
        expect(ask(collectionIds, asked, limit)).toEqual(nearest(rows, collectionIds, asked).slice(0, limit));
      }
    }
  });

  test('what is not kept is not found', () => {
    const kept = rows.filter(() => random.chance(0.6));
    store.keepOnly(Float64Array.from(kept, ({ id }) => id));
    const asked = makeVector();
    expect(ask([0, 1, 2, 3], asked, 2000)).toEqual(nearest(kept, [0, 1, 2, 3], asked));
    const later: Row = { id: 2000, collectionId: 2, vector: makeVector() };
    store.append(send([later]));
    expect(ask([2], asked, 2000)).toEqual(nearest([...kept, later], [2], asked));
  });
});

test('what a copy leaves behind does not count in the next one', () => {
  const random = new Random(1);
  const rowsOf = (dimensions: number, count: number) =>
    Array.from({ length: count }, (_, n): Row => ({
      id: n + 1,
      collectionId: 1,
      vector: Float32Array.from({ length: dimensions }, () => (random.below(9) - 4) / 4),
    }));
  const before = new VectorCopy(193, memory);
  before.append(send(rowsOf(193, 500)));
  before.release();
  // More than are multiplied at once, and shorter than what lay in their place.
  const rows = rowsOf(3, 9000);
  const copy = new VectorCopy(3, memory);
  copy.append(send(rows));
  const asked = Float32Array.from([1, -0.5, 0.25]);
  expect(copy.nearest([1], asked, 9000).map(({ id }) => id)).toEqual(nearest(rows, [1], asked));
});

test.each([
  ['of any values', () => 1],
  ['of which one value outweighs the others', (n: number) => (n === 0 ? 1000 : 1)],
  ['of very different lengths', (_: number, row: number) => 10 ** (row % 7)],
])('the nearest are exact among vectors %s', (_, weigh) => {
  const [random, dimensions] = [new Random(7), 100];
  const vectorOf = (row: number) =>
    Float32Array.from({ length: dimensions }, (__, n) => (random.next() - 0.5) * weigh(n, row));
  const rows = Array.from({ length: 3000 }, (__, n): Row => ({
    id: n + 1,
    collectionId: n % 2,
    vector: vectorOf(n),
  }));
  const copy = new VectorCopy(dimensions, memory);
  copy.append(send(rows));
  for (const asked of [vectorOf(0), vectorOf(3)])
    expect(copy.nearest([0, 1], asked, 50).map(({ id }) => id)).toEqual(
      nearest(rows, [0, 1], asked).slice(0, 50),
    );
  copy.release();
});
