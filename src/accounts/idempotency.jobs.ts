import type { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import type { Job } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import { query } from '../postgres/query.js';
import { answerKeptMs } from './idempotency.service.js';

const rowsMax = 500;

/** Forgets what was answered to requests with an Idempotency-Key more than a day ago. */
export function purgeIdempotencyKeys(postgres: DataSource, clock: Clock): Job {
  return defineJob({
    name: 'purge-idempotency-keys',
    everySeconds: 3600,
    concurrency: 1,
    run: async () => {
      const removed = await query(
        postgres.manager,
        `delete from idempotency_keys where ctid = any(array(
           select ctid from idempotency_keys where created_at <= $1 limit ${rowsMax})) returning 1`,
        [new Date(clock.now().getTime() - answerKeptMs)],
      );
      return removed.length > 0 ? 'worked' : 'idle';
    },
  });
}
