import { isDeadlock } from './outage.js';

const attemptsMax = 5;

/**
 * Runs a transaction, and runs it again when Postgres ended it because of a deadlock: nothing of it was done,
 * and the other side goes on. For requests, whose sender would otherwise be told to try again; jobs are
 * repeated anyway. `run` must begin from scratch each time.
 */
export async function retryOnDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isDeadlock(error) || attempt === attemptsMax) throw error;
    }
  }
}
