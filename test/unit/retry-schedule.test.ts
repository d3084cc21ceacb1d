import { describe, expect, test } from '@jest/globals';
import { readRetryAfterMs, retryDelayMs } from '../../src/webhooks/retry-schedule.js';

const documentedSeconds = [5, 30, 120, 600, 3600, 21_600, 86_400];

describe('the schedule', () => {
  test('is the documented one, with up to a tenth of jitter, and then over', () => {
    documentedSeconds.forEach((seconds, n) => {
      expect(retryDelayMs(n + 1, 0, 0)).toBe(seconds * 1000);
      expect(retryDelayMs(n + 1, 0, 1)).toBe(seconds * 1100);
    });
    expect(retryDelayMs(documentedSeconds.length + 1, 0)).toBeUndefined();
    const delays = new Set(Array.from({ length: 50 }, () => retryDelayMs(3, 0)));
    expect(delays.size).toBeGreaterThan(10);
  });

  test('waits as long as a receiver asks for, a day at most, and never less than it says itself', () => {
    expect(retryDelayMs(1, 90_000, 0)).toBe(90_000);
    expect(retryDelayMs(2, 1000, 0)).toBe(30_000);
    expect(retryDelayMs(1, 10 * 86_400_000, 0)).toBe(86_400_000);
  });
});

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['-5', 0],
  ['soon', 0],
  ['9'.repeat(30), 0],
  [undefined, 0],
])('Retry-After %p is %p ms', (header, expected) => {
  expect(readRetryAfterMs(header, new Date('2026-01-01T00:00:00Z'))).toBe(expected);
});
