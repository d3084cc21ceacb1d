import { expect, test } from '@jest/globals';
import pg from 'pg';
import { createJobRunner } from '../../src/jobs/runner.js';
import { until } from '../support/api-client.js';
import { startBarePostgres } from '../support/bare-postgres.js';

// The embedded Postgres has no channel.
const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;

onNative(
  'connections that die before they listen are given back to the pool',
  async () => {
    const database = await startBarePostgres();
    const max = 3;
    const pool = new pg.Pool({ ...database.connection, max });
    pool.on('error', () => undefined);
    let failing = false;
    let died = 0;
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
      const cut = (...parameters: unknown[]): unknown => {
        if (!failing || !String(parameters[0]).startsWith('LISTEN')) return query(...parameters);
        died += 1;
        const { stream } = (client as unknown as { connection: { stream: { destroy(error: Error): void } } })
          .connection;
        const answer = query(...parameters);
        stream.destroy(new Error('cut'));
        return answer;
      };
      client.query = cut as typeof client.query;
    });
    const logger = { info: () => undefined, error: () => undefined, debug: () => undefined };
    const backend = { kind: 'postgres', pool, notifications: true } as const;
    const runner = await createJobRunner({ jobs: [], backend, runsJobs: true, logger });
    await runner.start();
    failing = true;
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    );
    // More than the pool has.
    await until(async () => died > 2 * max);
    failing = false;
    await until(async () => runner.ready());
    expect(pool.waitingCount).toBe(0);
    await runner.stop();
    await pool.end();
    await database.close();
  },
  300_000,
);
