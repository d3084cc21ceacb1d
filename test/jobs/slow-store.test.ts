import { EventEmitter, once } from 'node:events';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { defineJob } from '../../src/jobs/define-job.js';
import { createJobRunner } from '../../src/jobs/runner.js';
import { startBarePostgres } from '../support/bare-postgres.js';

/** A pool that saves the end of a run only when it is told to. */
class SlowPool extends pg.Pool {
  saveEnds: () => void = () => undefined;
  private readonly maySave = new Promise<void>((resolve) => {
    this.saveEnds = resolve;
  });

  override query = (async (text: string, values?: unknown[]) => {
    const isEndOfRun = text.includes('SET locked_at = $2') && values?.[1] === null;
    if (isEndOfRun) await this.maySave;
    return super.query(text, values);
  }) as pg.Pool['query'];
}

test('a run whose end the store is slow to save is no error, and the job runs again', async () => {
  const database = await startBarePostgres();
  const { connection, notifications } = database;
  const pool = new SlowPool({ ...connection, max: 3 });
  const errors: object[] = [];
  const note = (line: object) => {
    if (JSON.stringify(line).includes('no lockedAt date found')) pool.saveEnds();
  };
  const error = (line: object) => {
    errors.push(line);
    note(line);
  };
  const runs = new EventEmitter();
  const run = async () => {
    runs.emit('run');
    return 'idle' as const;
  };
  const runner = await createJobRunner({
    jobs: [defineJob({ name: 'tick', everySeconds: 0.2, concurrency: 1, run })],
    backend: { kind: 'postgres', pool, notifications },
    logger: { info: note, debug: note, error },
    pollEveryMs: 200,
    runsJobs: true,
  });
  try {
    const first = once(runs, 'run');
    await runner.start();
    await first;
    await once(runs, 'run');
    await once(runs, 'run');
    expect(errors).toEqual([]);
  } finally {
    await runner.stop();
    await pool.end();
    await database.close();
  }
});
