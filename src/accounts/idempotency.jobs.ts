import type { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import type { Job } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import { deleteSomeKeys } from './idempotency.queries.js';
import { answerKeptMs } from './idempotency.service.js';

/** Deletes what was answered to requests with an Idempotency-Key more than a day ago. */
export function purgeIdempotencyKeys(postgres: DataSource, clock: Clock): Job {
  return defineJob({
    name: 'purge-idempotency-keys',
    everySeconds: 3600,
    concurrency: 1,
    run: async () => {
      const oldest = new Date(clock.now().getTime() - answerKeptMs);
      return (await deleteSomeKeys(postgres.manager, oldest)) ? 'worked' : 'idle';
    },
  });
}
