import { expect, test } from '@jest/globals';
import { readRetryAfterMs } from '../../src/lib/retry-after.js';

test.each([
  ['120', 120_000],
  [['120', '5'], 120_000],
  ['0', 0],
  ['1.5', 1500],
  [' 2 ', 2000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['soon', undefined],
  ['9'.repeat(30), undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('%j asks for %p ms', (header, expected) => {
  expect(readRetryAfterMs(header, new Date('2026-01-01T00:00:00Z'))).toBe(expected);
});
