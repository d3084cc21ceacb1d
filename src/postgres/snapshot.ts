import type { DataSource, EntityManager } from 'typeorm';

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
  const begun = runner.query('begin isolation level repeatable read read only');
  const reading = read(runner.manager);
  try {
    const [result] = await Promise.all([reading, begun]);
    return result;
  } finally {
    void Promise.allSettled([begun, reading])
      // Also after a deadline has passed: the connection's next user must not find the transaction open. A
      // failed one is rolled back.
      .then(() => runner.query('commit'))
      .catch(() => undefined)
      .finally(() => runner.release());
  }
}
