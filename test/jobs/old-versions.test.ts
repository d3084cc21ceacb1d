import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { statementsOf } from '../support/asked-statements.js';
import { TestServer } from '../support/server.js';

// What was deleted or replaced is removed in the background, as fast as it may be stored.

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

const remember = (database: string, count: number, text: string) =>
  server.remember(
    database,
    Array.from({ length: count }, (_, n) => ({
      id: `m${n}`,
      text: `Mira Holm works at Nordlicht ${n}. ${text}`,
    })),
  );
const tables = ['chunks', 'chunk_vectors', 'relation_groups', 'entity_mentions'];
const stored = async (databaseId: number) =>
  Promise.all(
    tables.map(async (table) => (await server.sql(`select from ${table}_${databaseId}_memory`)).length),
  );
const versions = async (databaseId: number) =>
  (await server.sql('select from sources where database_id = $1', [databaseId])).length;

test('what is deleted or replaced together is removed together', async () => {
  const database = await server.database();
  const id = await server.databaseId(database);
  await remember(database, 60, 'First edition.');
  await server.idle();
  const ids = Array.from({ length: 30 }, (_, n) => `m${n}`);
  const statements = await statementsOf(server, async () => {
    await remember(database, 60, 'Second edition.');
    await server.rest('DELETE', '/context', { json: { database, type: 'memory', ids } });
    await server.idle();
  });
  // For the replaced and for the deleted: some, those of the graph, and none left.
  expect(statements.filter((sql) => sql.includes(`delete from chunks_${id}_memory`)).length).toBeLessThan(12);
  expect(await versions(id)).toBe(30);
  const [chunks, vectors, groups, mentions] = await stored(id);
  expect([chunks, vectors]).toEqual([30, 30]);
  expect(groups).toBeGreaterThan(0);
  expect(mentions).toBe(2 * 30);
});

// The embedded Postgres serves one process.
const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;

onNative('what another process is removing is left to it, and removed if that one is killed', async () => {
  const database = await server.database();
  const id = await server.databaseId(database);
  await remember(database, 2, '');
  await server.idle();
  const before = await stored(id);
  const other = new pg.Client({ connectionString: server.databaseUrl });
  await other.connect();
  try {
    await server.rest('DELETE', '/context', { json: { database, type: 'memory', ids: ['m0', 'm1'] } });
    await other.query('begin');
    await other.query('select from sources where database_id = $1 for update', [id]);
    await server.idle();
    expect([await versions(id), await stored(id)]).toEqual([2, before]);
  } finally {
    await other.end();
  }
  server.clock.advance(61);
  await server.idle();
  expect([await versions(id), await stored(id)]).toEqual([0, tables.map(() => 0)]);
});
