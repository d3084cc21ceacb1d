import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

const columns = () =>
  server.sql(`select table_name, column_name, data_type, is_nullable from information_schema.columns
               where table_schema = 'public' and table_name not like 'pg_%' order by 1, 2`);

test('the last migration can be undone and done again, and leaves the same schema', async () => {
  const before = await columns();
  const { dataSource } = server.running.app.postgres;
  await dataSource.undoLastMigration();
  expect(await columns()).not.toEqual(before);
  expect((await server.rest('GET', '/readyz', { key: null })).status).toBe(503);
  await dataSource.runMigrations();
  expect(await columns()).toEqual(before);
});
