import { describe, expect, test } from '@jest/globals';
import { SketchCopy } from '../../src/retrieval/resident/sketch-copy.js';
import { VectorMemory } from '../../src/retrieval/resident/vector-memory.js';
import { Random } from '../support/random.js';
import { sendVectors as send } from '../support/vector-rows.js';
import type { VectorRow as Row } from '../support/vector-rows.js';

const product = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);

function nearest(rows: readonly Row[], asked: Float32Array, limit: number): number[] {
  return rows
    .map(({ id, vector }) => ({ id, score: product(vector, asked) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ id }) => id);
}

const recall = (found: readonly number[], wanted: readonly number[]) =>
  wanted.filter((id) => found.includes(id)).length / wanted.length;

const memory = new VectorMemory();
const count = 3000;

/** As normally distributed as the sum of some values is. */
const normal = (random: Random) => random.next() + random.next() + random.next() + random.next() - 2;

describe.each([
  ['of random values', 192, () => 1],
  ['of which few values say everything', 192, (n: number) => (n % 48 === 0 ? 1 : 0)],
  ['of very different lengths', 384, (_: number, row: number) => 10 ** (row % 3)],
  ['that are not as long as what is mixed', 100, () => 1],
  ['that are long', 1536, () => 1],
] as const)('sketches of vectors %s', (_name, dimensions, weigh) => {
  const random = new Random(dimensions);
  const makeVector = (row: number) =>
    Float32Array.from({ length: dimensions }, (__, n) => normal(random) * weigh(n, row));
  const rows = Array.from({ length: count }, (__, n): Row => ({
    id: n + 1,
    collectionId: random.below(3),
    vector: makeVector(n),
  }));
  const copy = new SketchCopy(dimensions, memory);
  for (let from = 0; from < count; from += 130) copy.append(send(rows.slice(from, from + 130)));
  const nominate = (collectionIds: number[], asked: Float32Array, limit: number) =>
    copy.nominate(collectionIds, asked, limit).map(({ id }) => id);
  const inSome = (collectionIds: number[]) =>
    rows.filter(({ collectionId }) => collectionIds.includes(collectionId));

  test('the nearest are among ten times as many that are nominated', () => {
    expect(copy.upTo).toBe(count);
    for (const collectionIds of [[0], [0, 2], [0, 1, 2]]) {
      const asked = Array.from({ length: 10 }, () => makeVector(0));
      const found = asked.map((vector) =>
        recall(nominate(collectionIds, vector, 200), nearest(inSome(collectionIds), vector, 10)),
      );
      expect(found.reduce((sum, share) => sum + share / found.length, 0)).toBeGreaterThanOrEqual(0.98);
    }
  });

  test('so many are nominated, of the collections that are asked, each once, the likeliest first', () => {
    const asked = makeVector(1);
    const own = inSome([1, 2]);
    expect(nominate([1, 2], asked, count).sort((a, b) => a - b)).toEqual(own.map(({ id }) => id));
    const hits = copy.nominate([1, 2], asked, 100);
    expect(hits).toHaveLength(100);
    expect(hits).toEqual(copy.nominate([1, 2], asked, count).slice(0, 100));
    expect(nominate([7], asked, 100)).toEqual([]);
  });

  test('what they say of a product is right but for a small share of the lengths', () => {
    const asked = makeVector(1);
    const vectors = new Map(rows.map(({ id, vector }) => [id, vector]));
    const lengthOf = (vector: Float32Array) => Math.sqrt(product(vector, vector));
    const off = copy.nominate([0, 1, 2], asked, count).map(({ id, score }) => {
      const vector = vectors.get(id) ?? asked;
      return Math.abs(score - product(vector, asked)) / (lengthOf(vector) * lengthOf(asked));
    });
    expect(off.reduce((sum, share) => sum + share / count, 0)).toBeLessThan(0.4 / Math.sqrt(dimensions));
  });

  test('what is not kept is not nominated, and the rest as before', () => {
    const asked = makeVector(1);
    const before = copy.nominate([0, 1, 2], asked, count);
    const kept = new Set(rows.map(({ id }) => id).filter(() => random.chance(0.6)));
    copy.keepOnly(Float64Array.from(kept));
    expect(copy.nominate([0, 1, 2], asked, count)).toEqual(before.filter(({ id }) => kept.has(id)));
    const later: Row = { id: 5000, collectionId: 2, vector: asked.map((value) => 1000 * value) };
    copy.append(send([later]));
    expect(nominate([2], asked, 1)).toEqual([5000]);
    copy.release();
  });
});

test('a vector of zeros has no product, nor has one with it', () => {
  const copy = new SketchCopy(16, memory);
  const vector = Float32Array.from({ length: 16 }, () => 1);
  copy.append(
    send([
      { id: 1, collectionId: 1, vector: new Float32Array(16) },
      { id: 2, collectionId: 1, vector },
      { id: 3, collectionId: 1, vector: vector.map((value) => -value) },
    ]),
  );
  expect(copy.nominate([1], vector, 3).map(({ id }) => id)).toEqual([2, 1, 3]);
  expect(copy.nominate([1], vector, 3)[1]?.score).toBeCloseTo(0, 6);
  expect(copy.nominate([1], new Float32Array(16), 3).every(({ score }) => Math.abs(score) < 1e-6)).toBe(true);
  copy.release();
});
