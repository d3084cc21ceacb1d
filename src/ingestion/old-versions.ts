import type { DataSource } from 'typeorm';
import type { StoredGraph } from '../graph/stored/stored-graph.js';
import { forEachConcurrently } from '../lib/for-each-concurrently.js';
import type { Logger } from '../lib/logger.js';
import type { Store } from '../postgres/stores.js';
import { deleteVersions, lockOldVersions } from '../sources/deletion/old-versions.queries.js';
import type { OldVersion } from '../sources/deletion/old-versions.queries.js';
import type { Originals } from '../storage/originals.js';
import { StorageFailure } from '../storage/storage-failure.js';
import { removeSomeChunks } from './chunks.queries.js';
import type { StoreMaintenance } from './store-maintenance.js';

/** What old versions are removed with. */
export interface RemovalOptions {
  readonly postgres: DataSource;
  readonly originals: Originals;
  readonly logger: Logger;
  readonly graph: StoredGraph;
  readonly maintenance: StoreMaintenance;
}

const filesAtOnce = 8;

/**
 * Removes old versions of a store with all that is stored of them; returns how many are gone. Their rows go last:
 * until then they remember what is left.
 */
export async function removeVersions(
  options: RemovalOptions,
  store: Store,
  versions: readonly OldVersion[],
): Promise<number> {
  const empty = await emptyVersions(options, store, versions);
  const gone = await removeFiles(options, empty);
  const uids = gone.map(({ uid }) => uid);
  if (uids.length > 0) await deleteVersions(options.postgres.manager, store.databaseId, uids);
  return gone.length;
}

/**
 * Removes chunks and graphs, some in each transaction; returns the versions that have none left. Those that
 * another process is removing are left to it.
 */
async function emptyVersions(
  { postgres, graph, maintenance }: RemovalOptions,
  store: Store,
  versions: readonly OldVersion[],
): Promise<OldVersion[]> {
  const uids = versions.map(({ uid }) => uid);
  for (;;) {
    const { held, removed } = await postgres.transaction(async (manager) => {
      const held = await lockOldVersions(manager, store.databaseId, uids);
      const chunks = await removeSomeChunks(manager, store, held);
      return { held, removed: chunks || (await graph.removeSome(manager, store, held)) };
    });
    if (removed === 0) {
      const empty = new Set(held);
      return versions.filter(({ uid }) => empty.has(uid));
    }
    maintenance.touch(store);
  }
}

/** Removes the originals of versions; returns the versions whose file is gone. The next run tries the others again. */
async function removeFiles(
  { originals, logger }: RemovalOptions,
  versions: readonly OldVersion[],
): Promise<OldVersion[]> {
  const gone: OldVersion[] = [];
  let failure: StorageFailure | undefined;
  await forEachConcurrently(versions, filesAtOnce, async (version) => {
    try {
      if (version.storageKey) await originals.remove([version.storageKey]);
      gone.push(version);
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      failure = error;
    }
  });
  if (failure) logger.warn({ err: failure, items: versions.length - gone.length }, 'originals not removed');
  return gone;
}
