/** How a lease is extended while something is done under it. */
interface Heartbeat {
  readonly everyMs: number;
  /** Extends the lease once. It does not throw. */
  readonly beat: () => Promise<unknown>;
}

/** Does work and extends its lease meanwhile, one beat at a time; when it returns none is under way. */
export async function underHeartbeat<Result>(
  { everyMs, beat }: Heartbeat,
  work: () => Promise<Result>,
): Promise<Result> {
  let beating: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    beating ??= beat().finally(() => (beating = undefined));
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await beating;
  }
}
