import { defineJob } from '../../jobs/define-job.js';
import type { Job } from '../../jobs/define-job.js';
import type { VectorIndexes } from './vector-indexes.js';

/** Builds the vector indexes of stores that have outgrown exact scanning. */
export function buildVectorIndexes(vectorIndexes: VectorIndexes): Job {
  return defineJob({
    name: 'build-vector-indexes',
    everySeconds: 60,
    concurrency: 1,
    run: async (signal) => ((await vectorIndexes.buildSome(signal)) ? 'worked' : 'idle'),
  });
}
