import type { DataSource, EntityManager } from 'typeorm';

/**
 * Runs statements that read, all in one state of the database: what is replaced meanwhile is for each of them what it was for the
 * first.
 */
export async function inSnapshot<Result>(
  postgres: DataSource,
  read: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  const runner = postgres.createQueryRunner();
  try {
    await runner.query('begin isolation level repeatable read read only');
    const result = await read(runner.manager).catch(async (error: unknown) => {
      // Also when a deadline has passed: the next user of the connection is not to find it open.
      await runner.query('rollback').catch(() => undefined);
      throw error;
    });
    await runner.query('commit');
    return result;
  } finally {
    await runner.release();
  }
}
