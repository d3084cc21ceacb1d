import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer, adminKey } from '../support/server.js';

// A single item of GraphQL is read like its content: by whom its access list allows.

let server: TestServer;
let database: string;
const keyOf = (prefix: string) => `${prefix}.${adminKey.split('.')[1]}`;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const items = [{ id: 'anns', acl: ['ann'] }, { id: 'nobodys', acl: [] }, { id: 'everyones' }].map(
    (item) => ({ ...item, title: `about ${item.id}` }),
  );
  await server.remember(
    database,
    items.map((item) => ({ ...item, text: 'a memory' })),
  );
  const { status } = await server.rest('POST', '/context/ingest', {
    json: { database, app_knowledge: items.map((item) => ({ ...item, content: { text: 'an item' } })) },
  });
  expect(status).toBe(202);
  await server.idle();
  for (const principal of ['ann', 'bob'])
    await server.sql(
      `insert into api_keys (prefix, account_id, secret_hash, name, scopes, principals, created_at)
       select $1, account_id, secret_hash, $1, '{write}', array[$1], created_at from api_keys where prefix = 'test'`,
      [principal],
    );
});
afterAll(async () => server.stop());

test.each(['source', 'memory'])('%s', async (field) => {
  const read = async (id: string, key: string) => {
    const query = `{ ${field}(database: "${database}", id: "${id}") { id title } }`;
    const { body } = await server.rest('POST', '/graphql', { json: { query }, key });
    expect(body.errors).toBeUndefined();
    return body.data[field]?.title ?? null;
  };
  expect(await read('anns', keyOf('ann'))).toBe('about anns');
  expect(await read('anns', adminKey)).toBe('about anns');
  expect(await read('everyones', keyOf('bob'))).toBe('about everyones');
  for (const id of ['anns', 'nobodys', 'missing']) expect(await read(id, keyOf('bob'))).toBeNull();
  expect(await read('nobodys', adminKey)).toBeNull();
});
