import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs work whose waits (statements, calls to models) end when the signal aborts. */
export function runCancellable<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return signals.run(signal, work);
}

/** Runs work that goes on when the request that began it is cancelled: others wait for it too. */
export function runUncancelled<Result>(work: () => Result): Result {
  return signals.exit(work);
}

/** The signal that can cancel the work this code belongs to; undefined when none can. */
export function currentSignal(): AbortSignal | undefined {
  return signals.getStore();
}

/**
 * Waits for work until the signal aborts, whether or not the work listens to it. @throws the signal's reason
 */
export async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** Whether an error says that time was up: the reason of AbortSignal.timeout, or an SDK's own of that name. */
export function isTimeout(error: unknown): boolean {
  return (error as { name?: unknown } | null | undefined)?.name === 'TimeoutError';
}

/**
 * Gives work this many milliseconds, or until the work that it is part of is cancelled; its signal says when.
 * Work that does not listen is abandoned. @throws the signal's reason, a TimeoutError when time is up
 */
export async function withinTime<Result>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(milliseconds);
  const outer = currentSignal();
  const signal = outer ? AbortSignal.any([timeout, outer]) : timeout;
  return untilAborted(signal, work(signal));
}
