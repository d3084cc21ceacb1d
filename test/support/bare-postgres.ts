import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';

/** An empty Postgres database without our schema, for suites that test what stands below it. */
export interface BarePostgres {
  /** JSON, so that it can be handed to another process. */
  readonly connection: { host: string; user: string; database: string } | { connectionString: string };
  /** Whether LISTEN/NOTIFY works. */
  readonly notifications: boolean;
  close(): Promise<void>;
}

/** A throwaway database on the server at TEST_DATABASE_URL, else an embedded one behind a Unix socket. */
export async function startBarePostgres(): Promise<BarePostgres> {
  const url = process.env.TEST_DATABASE_URL;
  return url ? createThrowawayDatabase(url) : startEmbedded();
}

async function createThrowawayDatabase(serverUrl: string): Promise<BarePostgres> {
  const name = `bare_${randomUUID().replaceAll('-', '')}`;
  await execute(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    connection: { connectionString: url.href },
    notifications: true,
    close: () => execute(serverUrl, `drop database ${name} with (force)`),
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function startEmbedded(): Promise<BarePostgres> {
  // pg finds the server by the directory when the socket file has the name that Postgres gives it.
  const host = await mkdtemp(join(tmpdir(), 'bare-pg-'));
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, path: join(host, '.s.PGSQL.5432'), maxConnections: 50 });
  await server.start();
  return {
    connection: { host, user: 'postgres', database: 'postgres' },
    notifications: false,
    close: async () => {
      await server.stop();
      await db.close();
      await rm(host, { recursive: true, force: true });
    },
  };
}
