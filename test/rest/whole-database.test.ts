import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer, adminKey } from '../support/server.js';
import type { Answer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.remember(database, [{ id: 'bobs', text: 'otters', acl: ['bob'] }]);
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, databases, principals, created_at)
     select k.prefix, account_id, secret_hash, k.prefix, '{admin}', k.databases::text[], k.principals::text[], created_at
       from api_keys, (values ('ann', null, '{ann}'), ('listed', '{${database},listed}', null),
                              ('elsewhere', '{listed}', '{ann}')) as k(prefix, databases, principals)
      where api_keys.prefix = 'test'`,
  );
});
afterAll(async () => server.stop());

const keyOf = (prefix: string) => `${prefix}.${adminKey.split('.')[1]}`;
const state = async () => [
  await server.sql('select name, status, metadata_schema, reembedding from databases order by name'),
  await server.sql('select name, deleting from collections order by id'),
];

const changes: [string, (key: string) => Promise<Answer>][] = [
  ['deletes', (key) => server.rest('DELETE', `/databases?database=${database}`, { key })],
  [
    'deletes a collection of',
    (key) => server.rest('DELETE', `/databases/collections?database=${database}&collection=default`, { key }),
  ],
  [
    'adds fields to the schema of',
    (key) =>
      server.rest('PATCH', `/databases/${database}/metadata-schema`, {
        json: { add_fields: [{ name: 'team' }] },
        key,
      }),
  ],
];
const embedAnew = (key: string) =>
  server.graphql(
    'mutation ($database: String!) { reembedDatabase(database: $database) { database } }',
    { database },
    key,
  );

test.each(changes)(
  'a key with principals never %s a database: it may not know of all items',
  async (_does, change) => {
    const before = await state();
    expect(await change(keyOf('ann'))).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', message: expect.stringMatching(/not limited to principals/) } },
    });
    expect(await change(keyOf('elsewhere'))).toMatchObject({
      status: 404,
      body: { error: { code: 'DATABASE_NOT_FOUND' } },
    });
    expect(await state()).toEqual(before);
  },
);

test('nor does it embed one anew', async () => {
  const before = await state();
  const { body } = await embedAnew(keyOf('ann'));
  expect(body.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', httpStatus: 403 });
  expect(await state()).toEqual(before);
});

test('it creates databases, which hold nothing of others', async () => {
  const created = await server.rest('POST', '/databases', { json: { database: 'anns' }, key: keyOf('ann') });
  expect(created.status).toBe(202);
});

test('a key that is limited to databases alone does all of it', async () => {
  const key = keyOf('listed');
  expect((await embedAnew(key)).body.errors).toBeUndefined();
  for (const [, change] of [...changes].reverse()) expect([200, 202]).toContain((await change(key)).status);
});
