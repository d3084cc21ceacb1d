import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeEach(async () => {
  await server?.stop();
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const hourAgo = new Date(Date.now() - 3_700_000);
const path = (...names: string[]) => join(server.dataDir, ...names);

/** A file that was written more than an hour ago. */
function oldFile(...names: string[]): string {
  const file = path(...names);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'left behind');
  utimesSync(file, hourAgo, hourAgo);
  return file;
}

async function keptFile(): Promise<string> {
  await server.upload(database, { 'kept.md': 'words' });
  await server.idle();
  const [row] = await server.sql<{ key: string }>('select storage_key as key from sources');
  return path('files', row?.key ?? '');
}

test('old files that no item names are removed, and no others', async () => {
  const kept = await keptFile();
  utimesSync(kept, hourAgo, hourAgo);
  const orphan = oldFile('files', 'ab', '00000000-0000-7000-8000-0000000000ab');
  const upload = oldFile('incoming', 'cut-off');
  // Its transaction may still be under way.
  const fresh = path('files', 'ab', '11111111-0000-7000-8000-0000000000ab');
  writeFileSync(fresh, 'new');
  const arriving = path('incoming', 'arriving');
  writeFileSync(arriving, 'new');
  await server.idle();
  expect([orphan, upload, kept, fresh, arriving].map((file) => existsSync(file))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('a file counts from the moment that it was kept, not from its upload', async () => {
  const kept = await keptFile();
  await server.sql('delete from sources');
  await server.idle();
  expect(existsSync(kept)).toBe(true);
  utimesSync(kept, hourAgo, hourAgo);
  await server.idle();
  expect(existsSync(kept)).toBe(false);
});

test('files of another database are left alone', async () => {
  const kept = await keptFile();
  // The same DATA_DIR with another DATABASE_URL: its rows do not name these files.
  await server.sql('delete from sources');
  utimesSync(kept, hourAgo, hourAgo);
  writeFileSync(path('files', 'owner'), 'ffffffff-0000-7000-8000-000000000000');
  await server.idle();
  expect(existsSync(kept)).toBe(true);
});

test('an owner that was not written, as on a full disk, is written at the next start', async () => {
  const orphan = oldFile('files', 'ab', '00000000-0000-7000-8000-0000000000ab');
  await server.stop();
  writeFileSync(path('files', 'owner'), '');
  server = await TestServer.start({ after: server });
  await server.idle();
  expect(existsSync(orphan)).toBe(false);
});

test('a request that fails leaves no file behind, unless its commit may have been done', async () => {
  const files = () =>
    readdirSync(path('files'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name !== 'owner',
    );
  await server.sql(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = tg_argv[0]; end $$`,
  );
  const refuseWith = (code: string) =>
    server.sql(
      `create or replace trigger refuse before insert on sources for each row execute function refuse('${code}')`,
    );
  await refuseWith('P0001');
  expect((await server.upload(database, { 'a.md': 'words' })).status).toBe(500);
  expect(files()).toHaveLength(0);
  await refuseWith('53100');
  expect((await server.upload(database, { 'a.md': 'words' })).status).toBe(503);
  expect(files()).toHaveLength(0);
  await refuseWith('08006');
  expect((await server.upload(database, { 'a.md': 'words' })).status).toBe(503);
  expect(files()).toHaveLength(1);
});
