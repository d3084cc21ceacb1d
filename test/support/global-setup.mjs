// Makes the folder of a run, and in it one migrated template that every test file copies: a data directory for the embedded
// Postgres, or, when TEST_DATABASE_URL names a native server, a template database on it.
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
} from 'node:fs';
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
    await makeEmbedded(template);
  }
}

/** Copying it takes a tenth of a server's start, so it holds only what a server reads. */
async function makeEmbedded(template) {
  const postgres = await openPostgres({ databaseUrl: undefined, dataDir: template, databasePoolSize: 5 }, []);
  const query = (statement) => postgres.dataSource.query(statement);
  // Recovery begins at this checkpoint, so the log of all that was before is not needed.
  await query('select pg_switch_wal()');
  await query('checkpoint');
  const [{ log }] = await query('select pg_walfile_name(pg_current_wal_lsn()) as log');
  const others = await query('select oid from pg_database where datname <> current_database()');
  await postgres.close();
  rmSync(join(template, 'postgres-socket'), { recursive: true, force: true });
  const folder = join(template, 'postgres');
  // A start fills all of them with zeros: of 128 MB, that is half of its time.
  appendFileSync(join(folder, 'postgresql.conf'), 'shared_buffers = 16MB\n');
  // The templates of Postgres itself. The folders stay: at its start it looks into each.
  for (const { oid } of others) emptyFolder(join(folder, 'base', String(oid)), () => true);
  emptyFolder(join(folder, 'pg_wal'), (name) => /^[0-9A-F]{24}$/.test(name) && name !== log);
  withoutZeros(join(folder, 'pg_wal', log));
}

function emptyFolder(folder, goes) {
  for (const name of readdirSync(folder).filter(goes)) rmSync(join(folder, name));
}

/** Leaves out the zeros at a log's end; copyEmbedded() gives it its length back. */
function withoutZeros(log) {
  const bytes = readFileSync(log);
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  truncateSync(log, end);
}

export async function onServer(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
