import { isDeadlock } from './outage.js';

const attemptsMax = 5;

/**
 * Runs a transaction, and again when Postgres ended it to undo a deadlock: nothing of it was done, and the other side goes
 * on. For requests, whose sender would be told to try again; jobs are tried again anyway. `run` begins anew each time.
 */
export async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isDeadlock(error) || attempt === attemptsMax) throw error;
    }
  }
}
