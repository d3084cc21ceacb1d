import type { DataSource } from 'typeorm';
import { withDatabase } from '../databases/ready-databases.queries.js';
import type { StoredGraph } from '../graph/stored/stored-graph.js';
import { defineJob } from '../jobs/define-job.js';
import type { Job, Wake } from '../jobs/define-job.js';
import { runCancellable } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { isUndefinedTable } from '../postgres/query.js';
import {
  deleteVersion,
  findOldVersions,
  retireDeletedCollection,
  retireExpired,
} from '../sources/deletion/old-versions.queries.js';
import type { OldVersion } from '../sources/deletion/old-versions.queries.js';
import type { Originals } from '../storage/originals.js';
import { StorageFailure } from '../storage/storage-failure.js';
import { removeSomeChunks } from './chunks.queries.js';
import type { EmbeddingCache } from './embedding-cache.js';
import type { IndexingService } from './indexing.service.js';
import type { StoreMaintenance } from './store-maintenance.js';

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

interface RemovalOptions {
  readonly postgres: DataSource;
  readonly originals: Originals;
  readonly logger: Logger;
  readonly graph: StoredGraph;
  readonly maintenance: StoreMaintenance;
}

/** Removes versions that were replaced, with their chunks, counts, graphs and files. */
export function removeOldVersions(options: RemovalOptions): Job {
  return defineJob({
    name: 'remove-old-versions',
    everySeconds: 60,
    concurrency: 1,
    run: async (signal) => {
      const versions = await findOldVersions(options.postgres);
      let removed = 0;
      let failure: StorageFailure | undefined;
      for (const version of versions) {
        if (signal.aborted) break;
        try {
          await runCancellable(signal, () => removeVersion(options, version));
          removed += 1;
        } catch (error) {
          // Its row stays, and the next run tries again.
          if (error instanceof StorageFailure) failure = error;
          // Its tables went with the database, and its row will.
          else if (!isUndefinedTable(error) || (await withDatabase(options.postgres, [version])).length > 0)
            throw error;
        }
      }
      if (failure)
        options.logger.warn({ err: failure, items: versions.length - removed }, 'originals not removed');
      return removed > 0 ? 'worked' : 'idle';
    },
  });
}

/** @throws StorageFailure when its file cannot be removed now */
async function removeVersion(
  { postgres, originals, graph, maintenance }: RemovalOptions,
  version: OldVersion,
): Promise<void> {
  let removed: number;
  do {
    removed = await postgres.transaction((manager) => removeSomeChunks(manager, version, version.uid));
    if (removed > 0) maintenance.touch({ databaseId: version.databaseId, corpus: version.corpus });
  } while (removed > 0);
  await graph.remove(version, version.uid);
  // The row goes last: nobody reads or indexes it any more, and until then it remembers the file.
  if (version.storageKey) await originals.remove([version.storageKey]);
  await deleteVersion(postgres.manager, version);
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
