import type { DataSource } from 'typeorm';
import { defineJob } from '../../jobs/define-job.js';
import type { Job } from '../../jobs/define-job.js';
import { batchesOf } from '../../lib/batches-of.js';
import type { Logger } from '../../lib/logger.js';
import { query } from '../../postgres/query.js';
import type { Originals } from '../../storage/originals.js';
import { StorageFailure } from '../../storage/storage-failure.js';
import type { UploadSpool } from '../../storage/upload-spool.js';
import { ownsOriginals } from './originals-owner.js';

interface OrphanOptions {
  readonly postgres: DataSource;
  readonly originals: Originals;
  readonly uploads: UploadSpool;
  readonly logger: Logger;
}

const keysMax = 1000;

/**
 * Removes files that no row names: of requests whose server was killed, or whose commit failed with its outcome unknown,
 * and of rows whose removal was cut off.
 */
export function removeOrphanedFiles(options: OrphanOptions): Job {
  return defineJob({
    name: 'remove-orphaned-files',
    everySeconds: 3600,
    concurrency: 1,
    run: async (signal) => {
      try {
        await sweep(options, signal);
      } catch (error) {
        if (!(error instanceof StorageFailure)) throw error;
        options.logger.warn({ err: error }, 'orphaned files could not be removed; the next run goes on');
      }
      return 'idle';
    },
  });
}

async function sweep(options: OrphanOptions, signal: AbortSignal): Promise<void> {
  const { originals, uploads, logger } = options;
  await uploads.removeAbandoned();
  if (!(await ownsOriginals(options))) {
    logger.warn('the files in DATA_DIR or S3_BUCKET belong to another database: none are swept');
    return;
  }
  for await (const keys of originals.keysKeptLongAgo()) {
    if (signal.aborted) break;
    for (const some of batchesOf(keys, keysMax)) await removeUnnamed(options, some);
  }
}

async function removeUnnamed({ postgres, originals, logger }: OrphanOptions, keys: string[]): Promise<void> {
  const unnamed = await query<{ key: string }>(
    postgres.manager,
    `select key from unnest($1::text[]) as k(key) where not exists (select 1 from sources where storage_key = key)`,
    [keys],
  );
  await originals.remove(unnamed.map(({ key }) => key));
  if (unnamed.length > 0) logger.info({ files: unnamed.length }, 'files without an item removed');
}
