import { dayMs, hourMs, minuteMs, secondMs } from '../lib/units.js';

/** Delays after the first, second, … failed try; after the last one there are no more tries. */
const delaysMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, dayMs];
/** The longest Retry-After of a receiver that is honoured. */
const retryAfterMsMax = dayMs;
const jitterShare = 0.1;

/**
 * How long to wait after this many failed tries: up to a tenth longer than the schedule says, so that
 * deliveries that failed together do not return together, and at least as long as the receiver asks.
 * Undefined after the last try.
 */
export function retryDelayMs(
  tries: number,
  retryAfterMs: number,
  random = Math.random(),
): number | undefined {
  const delay = delaysMs[tries - 1];
  if (delay === undefined) return undefined;
  return Math.max(Math.round(delay * (1 + jitterShare * random)), Math.min(retryAfterMs, retryAfterMsMax));
}
