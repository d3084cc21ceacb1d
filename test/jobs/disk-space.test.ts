import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../support/api-client.js';
import { Random } from '../support/random.js';
import { TestServer } from '../support/server.js';
import { termSumsSql } from '../support/store-view.js';
import { ToyEmbedder } from '../support/toy-embedder.js';

// Content comes and goes: the disk that it took is used again.

const cycles = 6;
const growthMax = 1.2;
const files = 20;
const memories = 300;
const wordsOfFile = 1000;
const wordsOfMemory = 30;
const vocabulary = 3000;
const kibibyte = 1024;
const isNative = Boolean(process.env['TEST_DATABASE_URL']);

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start({ embedder: new ToyEmbedder() });
  database = await server.database();
});
afterAll(async () => server.stop());

const ids = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind}-${n}`);

async function add(cycle: number): Promise<void> {
  const random = new Random(cycle);
  const word = () => `w${random.below(vocabulary)}`;
  const text = (words: number) => Array.from({ length: words }, word).join(' ');
  const documents = Object.fromEntries(ids('file', files).map((id) => [`${id}.txt`, text(wordsOfFile)]));
  const document_metadata = JSON.stringify(ids('file', files).map((id) => ({ id, metadata: { cycle } })));
  const uploaded = await server.upload(database, documents, { document_metadata });
  expect(uploaded.body.data.success_count).toBe(files);
  const facts = ids('memory', memories).map((id, n) => ({
    id,
    text: `I like ${text(wordsOfMemory)}.`,
    infer: n % 10 === 0,
  }));
  const remembered = await server.remember(database, facts);
  expect(remembered.body.data.success_count).toBe(memories);
}

async function remove(): Promise<void> {
  for (const [type, all] of [
    ['knowledge', ids('file', files)],
    ['memory', ids('memory', memories)],
  ] as const) {
    const answer = await server.rest('DELETE', '/context', { json: { database, type, ids: all } });
    expect(answer.body.data.deleted_count).toBe(all.length);
  }
  await server.idle();
}

/** What a native Postgres does when it finds the time: what a session may still see would stay, so none is to look. */
async function autovacuum(): Promise<void> {
  if (!isNative) return;
  await until(async () => {
    const looking = await server.sql(
      `select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null`,
    );
    return looking.length === 0;
  });
  await server.sql('vacuum (analyze)');
}

function bytesOfFolder(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true });
  const sizes = entries.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return bytesOfFolder(path);
    return entry.isFile() ? statSync(path).size : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Tables with their indexes. */
async function bytesOfTables(): Promise<number> {
  const [row] = await server.sql<{ bytes: number }>(
    `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return row?.bytes ?? 0;
}

/** All that is kept: the database, whole, and the originals. */
async function bytesOnDisk(): Promise<number> {
  if (!isNative) {
    // Without the log, which is as long as what is written between two checkpoints, however long the server has run.
    return bytesOfFolder(server.dataDir) - bytesOfFolder(join(server.dataDir, 'postgres', 'pg_wal'));
  }
  const [row] = await server.sql<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  return (row?.bytes ?? 0) + bytesOfFolder(join(server.dataDir, 'files'));
}

/** Rows that anything of the content left behind; of counters those that do not add up to nothing. */
async function rowsLeft(): Promise<Record<string, number>> {
  const tables = await server.sql<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and (relname ~ '_(knowledge|memory)$' or relname in ('sources', 'facts', 'metadata_vectors'))`,
  );
  const left: Record<string, number> = {};
  for (const { name } of tables) {
    const rows = name.startsWith('term_frequencies_') ? `(${termSumsSql(name)}) t` : name;
    const [row] = await server.sql<{ rows: number }>(`select count(*)::int as rows from ${rows}`);
    if (row?.rows) left[name] = row.rows;
  }
  return left;
}

// Filled, because what is empty is given back to the disk only where nothing stands behind it, which is a matter of luck;
// from the second time on, because what is taken back takes room too.
test(`filled for the ${cycles}th time, the disk holds at most ${growthMax} times what it did the second time`, async () => {
  const disk: number[] = [];
  const tables: number[] = [];
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    await add(cycle);
    await autovacuum();
    disk.push(await bytesOnDisk());
    tables.push(await bytesOfTables());
    await remove();
    await autovacuum();
    expect(await rowsLeft()).toEqual({});
  }
  expect(bytesOfFolder(join(server.dataDir, 'files'))).toBeLessThan(kibibyte);
  const growth = ([, second = 0, ...later]: number[]) => Math.max(...later) / second;
  expect(growth(disk)).toBeLessThanOrEqual(growthMax);
  // What every database holds before anything is in it, most of a small one, must not hide it.
  expect(growth(tables)).toBeLessThanOrEqual(growthMax);
}, 300_000);
