import { defineJob } from '../jobs/define-job.js';
import type { Job } from '../jobs/define-job.js';
import type { QueryLog } from './query-log.js';

/** The job that deletes queries that are too old for feedback. Feedback itself is kept. */
export function forgetOldQueries(queryLog: QueryLog): Job {
  return defineJob({
    name: 'forget-old-queries',
    everySeconds: 3600,
    concurrency: 1,
    run: async () => ((await queryLog.deleteOld()) ? 'worked' : 'idle'),
  });
}
