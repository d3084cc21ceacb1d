import type { DataSource } from 'typeorm';
import type { StoredGraph } from '../graph/stored-graph.js';
import { defineJob } from '../jobs/define-job.js';
import type { Job, Wake } from '../jobs/define-job.js';
import {
  deleteVersion,
  findOldVersions,
  retireDeletedCollection,
  retireExpired,
} from '../sources/old-versions.js';
import type { OldVersion } from '../sources/old-versions.js';
import type { Clock } from '../lib/clock.js';
import type { LocalStorage } from '../storage/local-storage.js';
import { removeSomeChunks } from './chunks.queries.js';
import type { EmbeddingCache } from './embedding-cache.js';
import type { IndexingService } from './indexing.service.js';
import type { StoreMaintenance } from './store-maintenance.js';

/** Indexes what was ingested: all but large items. */
export function indexSources(indexing: IndexingService): Job {
  return defineJob({
    name: 'index-sources',
    everySeconds: 5,
    // One batch is prepared and embedded while the other is stored.
    concurrency: 2,
    run: (signal) => indexing.indexSome(false, signal),
  });
}

/** Indexes large items, one at a time, beside the others. */
export function indexLargeSources(indexing: IndexingService): Job {
  return defineJob({
    name: 'index-large-sources',
    everySeconds: 5,
    concurrency: 1,
    run: (signal) => indexing.indexSome(true, signal),
  });
}

/** Ends items that something they depend on has held up for too long. */
export function endHopelessSources(indexing: IndexingService): Job {
  return defineJob({
    name: 'end-hopeless-sources',
    everySeconds: 300,
    concurrency: 1,
    run: () => indexing.endHopeless(),
  });
}

/** Removes items whose time to live is over; reads have not shown them since. */
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

/** Forgets vectors that nothing has asked for in a long time. */
export function forgetEmbeddings(embeddings: EmbeddingCache): Job {
  return defineJob({
    name: 'forget-embeddings',
    everySeconds: 3600,
    concurrency: 1,
    run: async () => ((await embeddings.forgetSome()) ? 'worked' : 'idle'),
  });
}

interface RemovalOptions {
  readonly postgres: DataSource;
  readonly graph: StoredGraph;
  readonly storage: LocalStorage;
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
      for (const version of versions) {
        if (signal.aborted) break;
        await removeVersion(options, version);
      }
      return versions.length > 0 ? 'worked' : 'idle';
    },
  });
}

async function removeVersion(
  { postgres, storage, graph, maintenance }: RemovalOptions,
  version: OldVersion,
): Promise<void> {
  let removed: number;
  do {
    removed = await postgres.transaction((manager) => removeSomeChunks(manager, version, version.uid));
    maintenance.touch({ databaseId: version.databaseId, corpus: version.corpus }, removed);
  } while (removed > 0);
  await graph.remove(version, version.uid);
  // The file last: a row without its file could not be indexed, a file without its row only takes space.
  await deleteVersion(postgres.manager, version);
  if (version.storageKey) await storage.remove(version.storageKey);
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

/** Weighs chunks anew when the average length of a store has moved, folds its counters, and vacuums where nobody else does. */
export function maintainStores(maintenance: StoreMaintenance): Job {
  return defineJob({
    name: 'maintain-stores',
    everySeconds: 300,
    concurrency: 1,
    run: async () => ((await maintenance.maintainSome()) ? 'worked' : 'idle'),
  });
}
