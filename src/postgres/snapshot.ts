import type { DataSource, EntityManager } from 'typeorm';

/**
 * Runs statements that read, all in one state of the database: what is replaced meanwhile is for each of them what it was for the
 * first. Nobody waits for the beginning, behind which the first statement is sent at once, nor for the end, which tells nothing.
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
      // Also when a deadline has passed: the next user of the connection is not to find it open. What has failed is rolled back.
      .then(() => runner.query('commit'))
      .catch(() => undefined)
      .finally(() => runner.release());
  }
}
