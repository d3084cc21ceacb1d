import type { DataSource } from 'typeorm';
import { withDatabase } from '../databases/ready-databases.queries.js';
import { defineJob } from '../jobs/define-job.js';
import type { Job, Wake } from '../jobs/define-job.js';
import { batchesOf } from '../lib/batches-of.js';
import { runCancellable } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import { isUndefinedTable } from '../postgres/query.js';
import { groupByStore } from '../postgres/stores.js';
import {
  findOldVersions,
  retireDeletedCollection,
  retireExpired,
} from '../sources/deletion/old-versions.queries.js';
import type { EmbeddingCache } from './embedding-cache.js';
import type { IndexingService } from './indexing.service.js';
import { removeVersions } from './old-versions.js';
import type { RemovalOptions } from './old-versions.js';
import type { StoreMaintenance } from './store-maintenance.js';

/** Versions that are removed together. */
const versionsMax = 200;

/** Indexes what was ingested, except for large items. */
export function indexSources(indexing: IndexingService): Job {
  return defineJob({
    name: 'index-sources',
    everySeconds: 5,
    // One batch is prepared and embedded while the other is stored.
    concurrency: 2,
    run: (signal) => indexing.indexSome('small', signal),
  });
}

/** Indexes large items, one at a time, beside the others. */
export function indexLargeSources(indexing: IndexingService): Job {
  return defineJob({
    name: 'index-large-sources',
    everySeconds: 5,
    concurrency: 1,
    run: (signal) => indexing.indexSome('large', signal),
  });
}

/** Builds the graphs of items that are searchable without one. */
export function buildGraphs(indexing: IndexingService): Job {
  return defineJob({
    name: 'build-graphs',
    everySeconds: 5,
    // How many items the language model is asked about at a time.
    concurrency: 2,
    run: (signal) => indexing.buildGraphs(signal),
  });
}

/** Ends items that a dependency has held up for too long. */
export function endHopelessSources(indexing: IndexingService): Job {
  return defineJob({
    name: 'end-hopeless-sources',
    everySeconds: 300,
    concurrency: 1,
    run: () => indexing.endHopeless(),
  });
}

/** Removes expired items, which reads do not show any more. */
export function removeExpiredSources(postgres: DataSource, clock: Clock, wake: Wake): Job {
  return defineJob({
    name: 'remove-expired-sources',
    everySeconds: 60,
    concurrency: 1,
    run: async () => {
      const worked = await retireExpired(postgres, clock.now());
      if (worked) wake('remove-old-versions');
      return worked ? 'worked' : 'idle';
    },
  });
}

/** Removes vectors that have not been asked for in a long time. */
export function forgetEmbeddings(embeddings: EmbeddingCache): Job {
  return defineJob({
    name: 'forget-embeddings',
    everySeconds: 3600,
    concurrency: 1,
    run: async () => ((await embeddings.deleteUnused()) ? 'worked' : 'idle'),
  });
}

/** Removes versions that were replaced or deleted, with their chunks, counts, graphs and files. */
export function removeOldVersions(options: RemovalOptions): Job {
  return defineJob({
    name: 'remove-old-versions',
    everySeconds: 60,
    concurrency: 1,
    run: async (signal) => {
      const { postgres } = options;
      let removed = 0;
      for (const [store, versions] of groupByStore(await findOldVersions(postgres), (version) => version)) {
        for (const batch of batchesOf(versions, versionsMax)) {
          if (signal.aborted) break;
          try {
            removed += await runCancellable(signal, () => removeVersions(options, store, batch));
          } catch (error) {
            // Their tables went with the database, and their rows will.
            if (!isUndefinedTable(error) || (await withDatabase(postgres, batch)).length > 0) throw error;
          }
        }
      }
      return removed > 0 ? 'worked' : 'idle';
    },
  });
}

/** Retires the items of deleted collections; `remove-old-versions` does the rest. */
export function purgeCollections(postgres: DataSource, wake: Wake): Job {
  return defineJob({
    name: 'purge-collections',
    everySeconds: 60,
    concurrency: 1,
    run: async () => {
      const worked = await retireDeletedCollection(postgres);
      if (worked) wake('remove-old-versions');
      return worked ? 'worked' : 'idle';
    },
  });
}

/**
 * Looks after stores that were written to: weighs chunks anew when their average length has moved, folds
 * counters, analyses what has grown, and vacuums where nothing else does.
 */
export function maintainStores(maintenance: StoreMaintenance): Job {
  return defineJob({
    name: 'maintain-stores',
    everySeconds: 300,
    concurrency: 1,
    run: async () => ((await maintenance.maintainSome()) ? 'worked' : 'idle'),
  });
}
