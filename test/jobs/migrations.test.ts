import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

const schema = () =>
  server.sql(`select relname, relkind, attname, format_type(atttypid, atttypmod) as type, attnotnull, attstorage
                from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
               where relnamespace = 'public'::regnamespace order by relname, attnum`);

test('the last migration can be undone and done again, and leaves the same schema', async () => {
  const before = await schema();
  const { dataSource } = server.running.app.postgres;
  await dataSource.undoLastMigration();
  expect(await schema()).not.toEqual(before);
  expect((await server.rest('GET', '/readyz', { key: null })).status).toBe(503);
  await dataSource.runMigrations();
  expect(await schema()).toEqual(before);
});

test('what databases hold outlives both directions', async () => {
  const database = await server.database();
  await server.remember(database, [{ id: 'm', text: 'curlews call' }]);
  const search = async () =>
    (await server.rest('POST', '/query', { json: { database, query: 'who calls', type: 'memory' } })).body
      .data.chunks;
  const partitions = async () => (await server.sql('select 1 from pg_inherits')).length;
  const { dataSource } = server.running.app.postgres;
  const before = await search();
  expect(before).toHaveLength(1);
  for (let undone = 0; (await partitions()) === 0; undone += 1) {
    expect(undone).toBeLessThan(20);
    await dataSource.undoLastMigration();
  }
  expect(await partitions()).toBe(6);
  await dataSource.runMigrations();
  expect(await partitions()).toBe(0);
  expect(await search()).toEqual(before);
});
