import {
  getCreateIndexesSQL,
  getCreateTableSQL,
  getUpdateTimestampTriggerSQL,
  PostgresJobRepository,
  PostgresNotificationChannel,
} from '@agendajs/postgres-backend';
import type { JobRepository, NotificationChannel } from 'agenda';
import type pg from 'pg';

/** Where the schedules are kept: our own Postgres, or MongoDB. */
export type JobRunnerBackend =
  /** `notifications`: LISTEN/NOTIFY works and one connection of the pool may be kept for it (not on PGlite). */
  { kind: 'postgres'; pool: pg.Pool; notifications: boolean } | { kind: 'mongodb'; url: string };

/** Connected by the runner, which also disconnects it. */
export interface JobStore {
  readonly repository: JobRepository;
  readonly channel: NotificationChannel | undefined;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

const tableName = 'agenda_jobs';

/** The store of a backend, not connected yet. */
export async function openJobStore(backend: JobRunnerBackend): Promise<JobStore> {
  if (backend.kind === 'postgres') return openPostgresStore(backend.pool, backend.notifications);
  // A driver that is loaded only by those who use it.
  const { openMongoStore } = await import('./mongo-job-store.js');
  return openMongoStore(backend.url, tableName);
}

/**
 * Creates Agenda's table with Agenda's own statements, so that it has all columns, but in one transaction
 * under a lock: Agenda runs them one by one, and processes that start together on a new database would break
 * each other's.
 */
async function createPostgresTable(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('${tableName}'))`);
    await client.query(getCreateTableSQL(tableName));
    for (const sql of getCreateIndexesSQL(tableName)) await client.query(sql);
    await client.query(getUpdateTimestampTriggerSQL(tableName));
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/**
 * The channel loses track of a connection that dies before it listens. It is given back here; else the pool
 * would lack it for ever.
 */
function openChannel(pool: pg.Pool): NotificationChannel {
  const channel = new PostgresNotificationChannel({ pool });
  const held = channel as unknown as { listenClient: pg.PoolClient | undefined };
  const connect = channel.connect.bind(channel);
  channel.connect = () =>
    connect().catch((error: unknown) => {
      held.listenClient?.release(true);
      held.listenClient = undefined;
      throw error;
    });
  return channel;
}

function openPostgresStore(pool: pg.Pool, notifications: boolean): JobStore {
  const repository = new PostgresJobRepository({ pool, tableName, ensureSchema: false });
  return {
    repository,
    channel: notifications ? openChannel(pool) : undefined,
    async connect() {
      await createPostgresTable(pool);
      await repository.connect();
    },
    // The pool belongs to the caller.
    disconnect: () => Promise.resolve(),
  };
}
