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

// More than there are since what is looked for.
const migrationsMax = 40;

/** Undoes the last migrations, at most so many, until something holds. */
async function undoUntil(holds: () => Promise<boolean>, most: number): Promise<void> {
  for (let undone = 0; !(await holds()); undone += 1) {
    expect(undone).toBeLessThan(most);
    await server.running.app.postgres.dataSource.undoLastMigration();
    expect((await server.rest('GET', '/readyz', { key: null })).status).toBe(503);
  }
}

const redo = () => server.running.app.postgres.dataSource.runMigrations();

test('the last migrations, up to one of the schema, can be undone and done again, and leave the same schema', async () => {
  const before = await schema();
  // Some move data alone.
  await undoUntil(async () => !isDeepStrictEqual(await schema(), before), 5);
  await redo();
  expect(await schema()).toEqual(before);
});

test('what databases hold outlives both directions', async () => {
  const database = await server.database();
  await server.remember(database, [{ id: 'm', text: 'curlews call' }]);
  const search = async () =>
    (await server.rest('POST', '/query', { json: { database, query: 'who calls', type: 'memory' } })).body
      .data.chunks;
  const partitions = async () => (await server.sql('select 1 from pg_inherits')).length;
  const before = await search();
  expect(before).toHaveLength(1);
  await undoUntil(async () => (await partitions()) > 0, migrationsMax);
  expect(await partitions()).toBe(6);
  await redo();
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
  await undoUntil(async () => (await steps())[0] !== before[0], migrationsMax);
  expect(await steps()).toEqual(before.map((step) => step - 100));
  await redo();
  expect(await steps()).toEqual(before);
});
