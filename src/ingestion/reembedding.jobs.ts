import { defineJob } from '../jobs/define-job.js';
import type { Job } from '../jobs/define-job.js';
import type { Reembedder } from './reembedder.js';

/** Embeds databases anew that were asked for, one batch a run: indexing and searches get their turn in between. */
export function reembedDatabases(reembedder: Reembedder): Job {
  return defineJob({
    name: 'reembed-databases',
    everySeconds: 15,
    concurrency: 1,
    run: (signal) => reembedder.reembedSome(signal),
  });
}
