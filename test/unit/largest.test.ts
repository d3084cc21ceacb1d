import { expect, test } from '@jest/globals';
import { Largest } from '../../src/retrieval/resident/largest.js';
import { Random } from '../support/random.js';

test.each([
  ['of all kinds', (random: Random) => random.next() - 0.5],
  ['that grow', (_: Random, n: number) => n],
  ['that fall', (_: Random, n: number) => -n],
  ['all alike', () => 0.5],
  ['of few kinds', (random: Random) => random.below(3) - 1],
] as const)('the largest of values %s are found, of equals the first', (_, make) => {
  const random = new Random(3);
  const values = Float32Array.from({ length: 5000 }, (__, n) => make(random, n));
  const inOrder = Array.from(values.keys()).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  for (const limit of [1, 10, 500, 4999, 5000, 9000]) {
    const largest = new Largest(limit);
    let tried = 0;
    values.forEach((value, place) => {
      if (!(value > largest.threshold)) return;
      largest.add(place, value);
      tried += 1;
    });
    expect([...largest.found()].sort((a, b) => a - b)).toEqual(inOrder.slice(0, limit).sort((a, b) => a - b));
    expect(tried).toBeLessThanOrEqual(values.length);
  }
});

test('of nothing nothing is the largest', () => {
  expect([...new Largest(3).found()]).toEqual([]);
});
