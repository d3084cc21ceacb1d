import { expect, test } from '@jest/globals';
import { queryCodes, storedCodes } from '../../src/retrieval/resident/vector-codes.js';
import { Random } from '../support/random.js';

const product = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.sqrt(Array.from(a).reduce((sum, value, n) => sum + (value - (b[n] ?? 0)) ** 2, 0));

test.each([storedCodes, queryCodes])('codes stand for a vector but for their error (%p)', (encode) => {
  const random = new Random(1);
  const vector = Float32Array.from({ length: 100 }, () => random.next() - 0.5);
  const { values, scale, error } = encode(vector);
  const meant = Array.from(values, (value) => value * scale);
  expect(error).toBeCloseTo(distance(vector, meant), 12);
  expect(error).toBeGreaterThan(0);
  expect(error).toBeLessThan(0.05);
});

test('codes of nothing are nothing', () => {
  for (const encode of [storedCodes, queryCodes])
    expect(encode(new Float32Array(3))).toMatchObject({ scale: 0, error: 0 });
});

test.each([1, 384, 16_000])('the product of codes fits into 32 bits in %i dimensions', (dimensions) => {
  const longest = new Float32Array(dimensions).fill(1);
  const [asked, stored] = [queryCodes(longest), storedCodes(longest)];
  expect(product(asked.values, stored.values)).toBeLessThan(2 ** 31);
  expect(product(asked.values, stored.values) * asked.scale * stored.scale).toBeCloseTo(dimensions, 6);
});
