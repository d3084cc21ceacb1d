import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { statementsOf } from '../support/asked-statements.js';
import { TestServer } from '../support/server.js';

// What a key asked for last is read together with the key. Every request reads it anew.

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());
beforeEach(async () => {
  database = await server.database();
  await server.remember(database, [{ id: 'otter', text: 'otters hold hands' }], { collection: 'zoo' });
});

async function query(collection = 'zoo') {
  const { status, body } = await server.rest('POST', '/query', {
    json: { database, collection, type: 'memory', query: 'otters' },
  });
  return { status, code: body.error?.code, ids: body.data?.chunks.map(({ id }: { id: string }) => id) };
}

/** The statements of some work that read a database by its name. */
async function readsOfDatabase(work: () => Promise<unknown>): Promise<string[]> {
  return (await statementsOf(server, work)).filter((sql) => /from databases d/.test(sql));
}

test('asking for the same again takes one statement fewer', async () => {
  await query();
  const [together, ...more] = await readsOfDatabase(query);
  expect(together).toContain('from api_keys');
  expect(more).toEqual([]);
  const apart = await readsOfDatabase(() => query('other'));
  expect(apart).toHaveLength(2);
});

test('what has changed since the last request is seen', async () => {
  expect(await query()).toMatchObject({ status: 200, ids: ['otter'] });
  await server.sql(`update databases set status = 'failed' where name = $1`, [database]);
  expect(await query()).toMatchObject({ status: 422, code: 'TENANT_INFRA_NOT_READY' });
  await server.sql(`update databases set status = 'ready' where name = $1`, [database]);
  await server.rest('DELETE', '/databases/collections', { json: { database, collection: 'zoo' } });
  expect(await query()).toMatchObject({ status: 200, ids: [] });
  await server.remember(database, [{ id: 'seal', text: 'no otters here' }], { collection: 'zoo' });
  expect(await query()).toMatchObject({ status: 200, ids: ['seal'] });
  await server.rest('DELETE', '/databases', { json: { database } });
  expect(await query()).toMatchObject({ status: 404, code: 'DATABASE_NOT_FOUND' });
  await server.idle();
  await server.rest('POST', '/databases', { json: { database } });
  await server.idle();
  expect(await query()).toMatchObject({ status: 200, ids: [] });
});

test('what one field of a mutation has written is seen by the next', async () => {
  await query();
  const { body } = await server.graphql(
    `mutation ($database: String!) {
      gone: deleteCollection(database: $database, collection: "zoo") { status }
      left: deleteSources(database: $database, collection: "zoo", type: memory, ids: ["otter"]) {
        deletedCount
      }
    }`,
    { database },
  );
  expect(body.errors?.map(({ extensions }: any) => extensions.code)).toEqual(['NOT_FOUND']);
});

test('a key that may not touch a database does not see it because another one asks for it', async () => {
  await query();
  const made = await server.graphql(
    `mutation { createApiKey(input: { name: "other", scopes: [read], databases: ["elsewhere"] }) { key } }`,
  );
  const { key } = made.body.data.createApiKey;
  const asked = { json: { database, collection: 'zoo', type: 'memory', query: 'otters' }, key };
  for (let turn = 0; turn < 2; turn += 1)
    expect((await server.rest('POST', '/query', asked)).status).toBe(404);
});
