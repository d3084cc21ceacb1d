/** The time of day; tests replace it, so that nothing has to sleep. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * Longer than any lease, or wait for the next try of an item. A time further ahead was written before the clock was
 * set back, and says nothing.
 */
const waitMsMax = 900_000;

/** The time from which on leases and waits are not to be believed. */
export function unbelievableFrom(now: Date): Date {
  return new Date(now.getTime() + waitMsMax);
}
