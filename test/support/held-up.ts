import pg from 'pg';
import { until } from './api-client.js';
import type { TestServer } from './server.js';

/** Holds work up at a table, which a native Postgres locks against it, and does something else meanwhile. */
export async function whileHeldUp<T>(
  { server, table, mode }: { server: TestServer; table: string; mode: 'share' | 'access exclusive' },
  work: () => Promise<T>,
  meanwhile: (blocker: pg.Client) => Promise<unknown>,
): Promise<T> {
  const blocker = new pg.Client({ connectionString: server.databaseUrl });
  await blocker.connect();
  try {
    await blocker.query(`begin; lock table ${table} in ${mode} mode`);
    const done = work();
    await until(async () => {
      const waiting = `select 1 from pg_locks where relation = '${table}'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      return (await blocker.query(waiting)).rowCount === 1;
    });
    await meanwhile(blocker);
    await blocker.query('commit');
    return await done;
  } finally {
    await blocker.end();
  }
}
