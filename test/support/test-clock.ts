import type { Clock } from '../../src/lib/clock.js';

/** A clock that moves only when a test says so. */
export class TestClock implements Clock {
  private time = new Date('2026-01-01T00:00:00Z').getTime();

  now(): Date {
    // Every reading differs, as those of a real clock do.
    this.time += 1;
    return new Date(this.time);
  }

  advance(seconds: number): void {
    this.time += seconds * 1000;
  }
}
