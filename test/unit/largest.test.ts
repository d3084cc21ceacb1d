import { expect, test } from '@jest/globals';
import { findLargest } from '../../src/retrieval/largest.js';
import { Random } from '../support/random.js';

test.each([
  ['of all kinds', (random: Random) => random.next() - 0.5],
  ['all alike', () => 0.5],
  ['of few kinds', (random: Random) => random.below(3) - 1],
  ['at the bounds', (random: Random) => (random.chance(0.5) ? 1 : -1)],
] as const)('the largest of values %s are found, and few that are less', (_, make) => {
  const random = new Random(3);
  const values = Float32Array.from({ length: 5000 }, () => make(random));
  const sorted = values.slice().sort().reverse();
  for (const limit of [1, 10, 500, 4999, 5000, 9000]) {
    const found = findLargest(values, { limit, bound: 1 });
    expect(found.length).toBeGreaterThanOrEqual(Math.min(limit, values.length));
    const least = sorted[Math.min(limit, values.length) - 1] ?? 0;
    const places = new Set(found);
    values.forEach((value, place) => {
      if (value >= least) expect(places.has(place)).toBe(true);
      else if (places.has(place)) expect(least - value).toBeLessThanOrEqual(2 / 4094);
    });
  }
});

test('of nothing nothing is the largest, and of zeros any', () => {
  expect(findLargest(new Float32Array(), { limit: 3, bound: 1 })).toEqual([]);
  expect(findLargest(new Float32Array(3), { limit: 2, bound: 0 }).length).toBeGreaterThanOrEqual(2);
});
