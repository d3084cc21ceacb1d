import { expect, test } from '@jest/globals';
import { validate, version } from 'uuid';
import { unorderedUuid } from '../../src/lib/unordered-uuid.js';

test('thousands of ids are of version 7, of now, and all different', () => {
  const before = Date.now();
  const ids = Array.from({ length: 3000 }, unorderedUuid);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids.map((id) => id.slice(14))).size).toBe(ids.length);
  const times = ids.map((id) => parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
  expect(Math.min(...times)).toBeGreaterThanOrEqual(before);
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
});
