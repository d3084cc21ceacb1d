import { defineJob } from '../../jobs/define-job.js';
import type { Job } from '../../jobs/define-job.js';
import type { Reembedder } from './reembedder.js';

/**
 * Re-embeds the databases that it was asked for, one batch per run, so that indexing and searches get their
 * turn in between.
 */
export function reembedDatabases(reembedder: Reembedder): Job {
  return defineJob({
    name: 'reembed-databases',
    everySeconds: 15,
    concurrency: 1,
    run: (signal) => reembedder.reembedSome(signal),
  });
}
