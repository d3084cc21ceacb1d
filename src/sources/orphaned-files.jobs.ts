import type { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import type { Job } from '../jobs/define-job.js';
import type { Logger } from '../lib/logger.js';
import { query, queryOne } from '../postgres/query.js';
import type { LocalStorage } from '../storage/local-storage.js';

interface OrphanOptions {
  readonly postgres: DataSource;
  readonly storage: LocalStorage;
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
      const { postgres, storage, logger } = options;
      await storage.removeAbandoned();
      // The first account stands for the database: it moves with a dump, and no other database has it.
      const first = await queryOne<{ id: string }>(
        postgres.manager,
        'select id from accounts order by created_at, id limit 1',
      );
      if (!first || !(await storage.isOwnedBy(first.id))) {
        logger.warn('the files in DATA_DIR belong to another database: none are swept');
        return 'idle';
      }
      for await (const keys of storage.keysKeptLongAgo()) {
        if (signal.aborted) break;
        for (let start = 0; start < keys.length; start += keysMax) {
          await removeUnnamed(options, keys.slice(start, start + keysMax));
        }
      }
      return 'idle';
    },
  });
}

async function removeUnnamed({ postgres, storage, logger }: OrphanOptions, keys: string[]): Promise<void> {
  const unnamed = await query<{ key: string }>(
    postgres.manager,
    `select key from unnest($1::text[]) as k(key) where not exists (select 1 from sources where storage_key = key)`,
    [keys],
  );
  for (const { key } of unnamed) await storage.remove(key);
  if (unnamed.length > 0) logger.info({ files: unnamed.length }, 'files without an item removed');
}
