// Makes the folder of a run, and in it one migrated template that every test file copies: a data directory for the embedded
// Postgres, or, when TEST_DATABASE_URL names a native server, a template database on it.
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const { openPostgres } = await import('../../dist/src/postgres/postgres.js');

export default async function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-test-'));
  // Clusters that tests make belong to another user.
  chmodSync(folder, 0o711);
  process.env.TEST_RUN_FOLDER = folder;
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (serverUrl) {
    const name = `ctx_template_${process.pid}`;
    await onServer(serverUrl, `create database ${name}`);
    process.env.TEST_TEMPLATE = name;
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    const postgres = await openPostgres({ databaseUrl: url.href, dataDir: folder, databasePoolSize: 5 }, []);
    await postgres.close();
  } else {
    const template = join(folder, 'template');
    process.env.TEST_TEMPLATE = template;
    const postgres = await openPostgres(
      { databaseUrl: undefined, dataDir: template, databasePoolSize: 5 },
      [],
    );
    await postgres.close();
    rmSync(join(template, 'postgres-socket'), { recursive: true, force: true });
    // A start fills all of them with zeros: of 128 MB, that is half of its time.
    appendFileSync(join(template, 'postgres', 'postgresql.conf'), 'shared_buffers = 16MB\n');
  }
}

export async function onServer(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
