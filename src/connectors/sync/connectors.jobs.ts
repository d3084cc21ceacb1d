import { defineJob } from '../../jobs/define-job.js';
import type { Job, Wake } from '../../jobs/define-job.js';
import type { ItemCleanup } from './item-cleanup.js';
import type { SyncQueue } from './sync-queue.js';
import type { SyncRun } from './sync-run.js';

/** Syncs connectors that are due; each is synced by one process at a time. */
export function syncConnectors(queue: SyncQueue, run: SyncRun): Job {
  return defineJob({
    name: 'sync-connectors',
    everySeconds: 5,
    concurrency: 4,
    run: async (signal) => {
      const lease = await queue.claim();
      if (lease === undefined) return 'idle';
      if (lease) await run.runSlice(lease, signal);
      return 'worked';
    },
  });
}

/** Deletes items that are gone from their accounts. */
export function removeGoneItems(cleanup: ItemCleanup): Job {
  return defineJob({
    name: 'remove-gone-items',
    everySeconds: 15,
    concurrency: 1,
    run: async () => ((await cleanup.removeSomeGone()) ? 'worked' : 'idle'),
  });
}

/** Gives items the current access lists of their resources. */
export function applyConnectorAcls(cleanup: ItemCleanup): Job {
  return defineJob({
    name: 'apply-connector-acls',
    everySeconds: 15,
    concurrency: 1,
    run: async () => ((await cleanup.applySomeAccessLists()) ? 'worked' : 'idle'),
  });
}

/** Removes what is left of deleted connectors. */
export function purgeConnectors(cleanup: ItemCleanup, wake: Wake): Job {
  return defineJob({
    name: 'purge-connectors',
    everySeconds: 60,
    concurrency: 1,
    run: async () => {
      const worked = await cleanup.purgeSome();
      if (worked) wake('remove-gone-items');
      return worked ? 'worked' : 'idle';
    },
  });
}
