import { AsyncLocalStorage } from 'node:async_hooks';
import { runUncancelled } from './cancellation.js';

const background = new AsyncLocalStorage<true>();
const readRecentlyMs = 1000;
let lastReadMs = -Infinity;

/**
 * Runs work that nobody waits for: where something has to wait, this does, and it goes on when the request
 * that began it is cancelled.
 */
export function runInBackground<Result>(work: () => Promise<Result>): Promise<Result> {
  return background.run(true, () => runUncancelled(work));
}

/** Whether this code runs as background work. */
export function isInBackground(): boolean {
  return background.getStore() ?? false;
}

/** Notes that somebody is reading, so that background work leaves room for the next read. */
export function noteRead(): void {
  lastReadMs = performance.now();
}

/** Whether somebody has read in this process within the last second. */
export function readRecently(): boolean {
  return performance.now() - lastReadMs < readRecentlyMs;
}
