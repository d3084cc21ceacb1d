import type { DataSource } from 'typeorm';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { queryOne } from './query.js';

interface DatabaseClockOptions {
  readonly postgres: DataSource;
  readonly logger: Logger;
}

const readEveryMs = 10_000;
/** Clocks that differ by less count as right; an answer that takes longer says too little. */
const toleratedMs = 1000;

/**
 * The time of Postgres, so that processes whose own clocks differ agree on when a lease ends. Between readings, and while
 * Postgres is away, it goes on by itself: setting the clock of the process's machine does not change it.
 */
export class DatabaseClock implements Clock {
  /** The time when `performance.now()` was 0. */
  private originMs = Date.now() - performance.now();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: DatabaseClockOptions) {}

  /** Reads the time, now and from time to time. */
  async start(): Promise<void> {
    // An outage of Postgres is reported by whoever needs it.
    await this.read().catch(() => undefined);
    if (!this.closed) this.timer = setTimeout(() => void this.start(), readEveryMs).unref();
  }

  now(): Date {
    return new Date(Math.floor(this.originMs + performance.now()));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private async read(): Promise<void> {
    const { postgres, logger } = this.options;
    const askedAt = performance.now();
    const row = await queryOne<{ ms: number }>(
      postgres.manager,
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    );
    const answeredAt = performance.now();
    if (!row || answeredAt - askedAt > toleratedMs) return;
    const originMs = row.ms - (askedAt + answeredAt) / 2;
    const behindMs = Math.round(originMs - this.originMs);
    if (Math.abs(behindMs) <= toleratedMs) return;
    this.originMs = originMs;
    logger.warn(
      { behindMs },
      'the clock of Postgres says another time than that of this process, and counts',
    );
  }
}
