import type { DataSource, EntityManager } from 'typeorm';
import { errorCodeOf } from './query.js';

/** SQLSTATE of a statement in a transaction in which another has failed. */
const failedBefore = '25P02';

/**
 * Runs statements that read, all in one snapshot of the database: what is replaced meanwhile looks the same
 * to each. No time is spent on waiting for BEGIN, which the first statement follows at once, or for COMMIT,
 * which tells nothing.
 */
export async function inSnapshot<Result>(
  postgres: DataSource,
  read: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  const runner = postgres.createQueryRunner();
  await runner.connect();
  const start = () => {
    const begun = runner.query('begin isolation level repeatable read read only');
    const reading = read(runner.manager);
    const ended = Promise.allSettled([begun, reading])
      // Also after a deadline has passed: the connection's next user must not find the transaction open. A
      // failed one is rolled back.
      .then(() => runner.query('commit'))
      .catch(() => undefined);
    return { result: Promise.all([reading, begun]).then(([result]) => result), ended };
  };
  let last = start();
  try {
    return await last.result;
  } catch (error) {
    // The plan that was kept of a statement is outdated, and asking anew (keepPlans) needs a new transaction.
    if (errorCodeOf(error) !== failedBefore) throw error;
    await last.ended;
    last = start();
    return await last.result;
  } finally {
    void last.ended.finally(() => runner.release());
  }
}
