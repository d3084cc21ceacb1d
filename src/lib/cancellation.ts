import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs work whose waits (statements, calls to models) end when the signal aborts. */
export function runCancellable<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return signals.run(signal, work);
}

/** The signal of the work that this code runs for; undefined when nothing can cancel it. */
export function currentSignal(): AbortSignal | undefined {
  return signals.getStore();
}
