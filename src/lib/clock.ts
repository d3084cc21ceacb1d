/** The time of day; tests replace it, so that nothing has to sleep. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
