import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ItemSizes } from '../../src/retrieval/resident/item-sizes.js';

test('counts as a Map does, also of many items and of large numbers', () => {
  const uids = fc.oneof(
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 1, max: 40 }).map((n) => n * 65_536),
    fc.maxSafeInteger().map((n) => Math.abs(n) + (n === 0 ? 1 : 0)),
  );
  fc.assert(
    fc.property(fc.array(uids, { maxLength: 3_000, size: 'max' }), (added) => {
      const sizes = new ItemSizes();
      const expected = new Map<number, number>();
      for (const uid of added) {
        sizes.add(uid);
        expected.set(uid, (expected.get(uid) ?? 0) + 1);
      }
      for (const [uid, count] of expected) expect(sizes.of(uid)).toBe(count);
      expect(sizes.of(5_001)).toBe(0);
    }),
    { numRuns: 30 },
  );
});
