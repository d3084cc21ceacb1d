import type { DataSource } from 'typeorm';
import { runUncancelled } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import { queryOne } from '../postgres/query.js';

const windowMs = 60_000;
const blocksPerWindow = 20;
const bucketsRememberedMax = 10_000;
/** Clocks of processes differ by less. */
const toleratedMs = 10_000;
/** A window that begins later than now was begun before the clock was set back. */
const isOver = '(w.started_at <= $5 or w.started_at > $6)';

/** The state of a bucket after a request. */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left in this window, as far as this process knows. */
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetSeconds: number;
}

interface Window {
  readonly endsAtMs: number;
  /** Tokens that this process has taken and not used. */
  held: number;
  /** Tokens that no process had taken when this one last asked. */
  untaken: number;
}

interface RateLimiterOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
}

/**
 * Limits the requests of a minute, in windows that begin with the first of them. All processes together never
 * let more through: each takes tokens from Postgres in blocks, so one that holds none may refuse up to a
 * block too early.
 */
export class RateLimiter {
  private readonly windows = new Map<string, Window>();
  private readonly asking = new Map<string, Promise<Window>>();

  constructor(private readonly options: RateLimiterOptions) {}

  /** Takes a token of the bucket if one is left, and says how many are. */
  async take(bucket: string, limit: number): Promise<RateState> {
    let window = this.current(bucket);
    while (!window || (window.held === 0 && window.untaken > 0)) window = await this.askOnce(bucket, limit);
    const allowed = window.held > 0;
    if (allowed) window.held -= 1;
    return {
      allowed,
      limit,
      remaining: window.held + window.untaken,
      resetSeconds: Math.max(1, Math.ceil((window.endsAtMs - this.nowMs()) / 1000)),
    };
  }

  private nowMs(): number {
    return this.options.clock.now().getTime();
  }

  private current(bucket: string): Window | undefined {
    const window = this.windows.get(bucket);
    const leftMs = window ? window.endsAtMs - this.nowMs() : 0;
    // More is left only when the clock was set back meanwhile.
    return leftMs > 0 && leftMs <= windowMs + toleratedMs ? window : undefined;
  }

  /** Requests that find no token at the same time wait for one block. */
  private askOnce(bucket: string, limit: number): Promise<Window> {
    const pending = this.asking.get(bucket);
    if (pending) return pending;
    const asked = runUncancelled(() => this.takeBlock(bucket, limit)).finally(() =>
      this.asking.delete(bucket),
    );
    this.asking.set(bucket, asked);
    return asked;
  }

  private async takeBlock(bucket: string, limit: number): Promise<Window> {
    const block = Math.max(1, Math.floor(limit / blocksPerWindow));
    const now = this.options.clock.now();
    const row = await queryOne<{ startedAt: Date; taken: number; granted: number }>(
      this.options.postgres.manager,
      `insert into rate_windows as w (bucket, started_at, taken, granted)
       values ($1, $2, least($3::int, $4::int), least($3::int, $4::int))
       on conflict (bucket) do update set
         started_at = case when ${isOver} then $2 else w.started_at end,
         granted = case when ${isOver} then least($3::int, $4::int)
                        else greatest(0, least($3::int, $4::int - w.taken)) end,
         taken = case when ${isOver} then least($3::int, $4::int)
                      else greatest(w.taken, least(w.taken + $3::int, $4::int)) end
       returning started_at as "startedAt", taken, granted`,
      [bucket, now, block, limit, new Date(now.getTime() - windowMs), new Date(now.getTime() + toleratedMs)],
    );
    if (!row) throw new Error('an upsert returned no row');
    const window: Window = {
      endsAtMs: row.startedAt.getTime() + windowMs,
      held: row.granted,
      untaken: Math.max(0, limit - row.taken),
    };
    this.remember(bucket, window);
    return window;
  }

  private remember(bucket: string, window: Window): void {
    if (this.windows.size >= bucketsRememberedMax) this.forgetEnded();
    this.windows.set(bucket, window);
  }

  private forgetEnded(): void {
    for (const [bucket, { endsAtMs }] of this.windows) {
      if (endsAtMs <= this.nowMs()) this.windows.delete(bucket);
    }
  }
}
