import { MongoClient } from 'mongodb';
import pg from 'pg';
import type { JobRunnerBackend } from '../../src/jobs/job-store.js';
import { startBarePostgres } from './bare-postgres.js';
import { startMongoServer } from './mongo-server.js';

/** One store that several processes, or what stands for them here, connect to. */
export interface JobStore {
  connect(): { backend: JobRunnerBackend; close(): Promise<void> };
  /** The same as connect(), as the source of an ES module that defines `backend`. */
  readonly connectSource: string;
  documentNames(): Promise<string[]>;
  /** Leaves every document locked, as a process does that is killed between locking and running. */
  lockAll(): Promise<void>;
  /** Sets every schedule and lock hours ahead, as a clock does that is set back afterwards. */
  putAhead(): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function openPostgresStore(): Promise<JobStore> {
  const database = await startBarePostgres();
  const { connection, notifications } = database;
  const admin = new pg.Pool({ ...connection, max: 1 });
  return {
    connect: () => {
      const pool = new pg.Pool({ ...connection, max: 3 });
      return { backend: { kind: 'postgres', pool, notifications }, close: () => pool.end() };
    },
    connectSource: `import pg from 'pg';
      const pool = new pg.Pool(${JSON.stringify(connection)});
      const backend = { kind: 'postgres', pool, notifications: ${notifications} };`,
    documentNames: async () => {
      const { rows } = await admin.query<{ name: string }>('select name from agenda_jobs order by name');
      return rows.map((row) => row.name);
    },
    lockAll: async () => {
      await admin.query('update agenda_jobs set locked_at = now()');
    },
    putAhead: async () => {
      await admin.query(
        `update agenda_jobs set next_run_at = now() + interval '5 hours', locked_at = now() + interval '5 hours'`,
      );
    },
    clear: async () => {
      await admin.query('drop table if exists agenda_jobs');
    },
    close: async () => {
      await admin.end();
      await database.close();
    },
  };
}

export async function openMongoStore(): Promise<JobStore> {
  const server = process.env.TEST_MONGODB_URL ? undefined : await startMongoServer();
  const url = new URL(process.env.TEST_MONGODB_URL ?? server?.url ?? '');
  url.pathname = `/runner_contract_${process.pid}`;
  const client = await MongoClient.connect(url.href);
  const documents = client.db().collection('agenda_jobs');
  return {
    connect: () => ({ backend: { kind: 'mongodb', url: url.href }, close: () => Promise.resolve() }),
    connectSource: `const backend = { kind: 'mongodb', url: '${url.href}' };`,
    documentNames: async () =>
      (await documents.find().sort({ name: 1 }).toArray()).map((doc) => String(doc.name)),
    lockAll: async () => {
      await documents.updateMany({}, { $set: { lockedAt: new Date() } });
    },
    putAhead: async () => {
      const inFiveHours = new Date(Date.now() + 5 * 3_600_000);
      await documents.updateMany({}, { $set: { nextRunAt: inFiveHours, lockedAt: inFiveHours } });
    },
    clear: async () => {
      await client.db().dropDatabase();
    },
    close: async () => {
      await client.db().dropDatabase();
      await client.close();
      await server?.close();
    },
  };
}
