import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/postgres/embedded.js';

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
  const dataDir = await mkdtemp(join(tmpdir(), 'bare-pg-'));
  const server = await startEmbeddedPostgres(dataDir);
  return {
    connection: { host: server.socketFolder, user: 'postgres', database: 'postgres' },
    notifications: false,
    close: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
