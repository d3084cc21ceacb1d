const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** What is waited after each failed try; after one more there is none. */
const delaysMs = [5 * seconds, 30 * seconds, 2 * minutes, 10 * minutes, hours, 6 * hours, 24 * hours];
/** The most that a receiver may ask for with Retry-After. */
const retryAfterMsMax = 24 * hours;
const jitterShare = 0.1;

/**
 * How long to wait after a number of failed tries: up to a tenth longer than the schedule says, so that what failed
 * together does not come back together, and no less than the receiver asks for. Undefined when it was the last try.
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
