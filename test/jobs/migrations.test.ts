import { isDeepStrictEqual } from 'node:util';
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

test('the last migrations, up to one of the schema, can be undone and done again, and leave the same schema', async () => {
  const before = await schema();
  const { dataSource } = server.running.app.postgres;
  // Some move data alone.
  for (let undone = 0; isDeepStrictEqual(await schema(), before); undone += 1) {
    expect(undone).toBeLessThan(5);
    await dataSource.undoLastMigration();
    expect((await server.rest('GET', '/readyz', { key: null })).status).toBe(503);
  }
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

test('steps of average lengths are moved to where they count from, and back', async () => {
  await server.remember(await server.database(), [{ id: 'm', text: 'curlews call' }]);
  const steps = async () =>
    (await server.sql<{ step: number }>('select average_length_step as step from keyword_averages')).map(
      ({ step }) => step,
    );
  const before = await steps();
  expect(Math.min(...before)).toBeGreaterThanOrEqual(100);
  const { dataSource } = server.running.app.postgres;
  for (let undone = 0; (await steps())[0] === before[0]; undone += 1) {
    expect(undone).toBeLessThan(20);
    await dataSource.undoLastMigration();
  }
  expect(await steps()).toEqual(before.map((step) => step - 100));
  await dataSource.runMigrations();
  expect(await steps()).toEqual(before);
});
