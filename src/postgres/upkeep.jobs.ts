import type { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import type { Job } from '../jobs/define-job.js';
import { mebibyte } from '../lib/units.js';
import { query, queryOne } from './query.js';

// The more is written between checkpoints, the longer one takes, and a start after a crash.
const checkpointAboveBytes = 32 * mebibyte;
const vacuumAboveDeadRows = 10_000;
// Counts rows that were only added, so that no vacuum has to read a whole catalog for the first time.
const vacuumAboveNewRows = 20_000;
/**
 * Tables that all databases share and that change with jobs or with the making and removing of databases;
 * stores are maintained one by one.
 */
export const sharedTables: readonly string[] = [
  'pg_attribute',
  'pg_class',
  'pg_constraint',
  'pg_depend',
  'pg_index',
  'pg_statistic',
  'pg_type',
  'databases',
  'collections',
  'embedding_cache',
  'facts',
  'feedback',
  'keyword_averages',
  'queries',
  'rate_windows',
  'idempotency_keys',
  'agenda_jobs',
  'webhooks',
  'webhook_deliveries',
  'connectors',
  'connector_items',
  'connector_resources',
  'connector_syncs',
];

/**
 * Does what a native Postgres has background processes for: without checkpoints its log would grow until it
 * stops.
 */
export function maintainEmbeddedPostgres({ manager }: DataSource): Job {
  return defineJob({
    name: 'maintain-postgres',
    everySeconds: 10,
    concurrency: 1,
    run: async () => {
      const log = await queryOne<{ due: boolean }>(
        manager,
        `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1::bigint as due from pg_control_checkpoint()`,
        [checkpointAboveBytes],
      );
      if (log?.due) await query(manager, 'checkpoint');
      const due = await query<{ name: string }>(
        manager,
        `select relid::regclass::text as name from pg_stat_all_tables
          where relid = any(array(select to_regclass(name) from unnest($1::text[]) as name))
            and (n_dead_tup > $2 or n_ins_since_vacuum > $3)`,
        [sharedTables, vacuumAboveDeadRows, vacuumAboveNewRows],
      );
      for (const { name } of due) await query(manager, `vacuum ${name}`);
      return 'idle';
    },
  });
}
