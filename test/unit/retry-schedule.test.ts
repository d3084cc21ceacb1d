import { describe, expect, test } from '@jest/globals';
import { retryDelayMs } from '../../src/webhooks/retry-schedule.js';

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
