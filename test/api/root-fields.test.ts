import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

describe('a root field that fails', () => {
  test('leaves what the mutations before it have made, and shown once, in the answer; those behind it run', async () => {
    const { status, body } = await server.graphql(
      `mutation ($database: String!) {
        made: createApiKey(input: {name: "web", scopes: [read]}) { key }
        failed: createDatabase(input: {database: $database}) { status }
        fed: deleteCollection(database: $database, collection: "none") { status }
      }`,
      { database },
    );
    expect(status).toBe(200);
    expect(body.data).toEqual({
      made: { key: expect.stringMatching(/^ctx_\w+\.\S+$/) },
      failed: null,
      fed: { status: 'deletion_scheduled' },
    });
    expect(body.errors).toMatchObject([
      { path: ['failed'], extensions: { code: 'DATABASE_ALREADY_EXISTS', httpStatus: 409 } },
    ]);
    const asked = await server.graphql('{ viewer { orgId } }', {}, body.data.made.key);
    expect(asked.body.data.viewer.orgId).toEqual(expect.any(String));
  });

  test('leaves the other reads of a page in the answer', async () => {
    const { body } = await server.graphql(
      `query ($database: String!) {
        database(database: $database) { status }
        databaseStats(database: "no-such") { message }
        search(database: $database, query: "") { queryId }
      }`,
      { database },
    );
    expect(body.data).toEqual({ database: { status: 'ready' }, databaseStats: null, search: null });
    expect(body.errors.map(({ path, extensions }: any) => [path, extensions.code]).sort()).toEqual([
      [['databaseStats'], 'DATABASE_NOT_FOUND'],
      [['search'], 'INVALID_INPUT'],
    ]);
  });

  test('may be null by the schema, which says so: all of them, and what each is for', async () => {
    const { body } = await server.graphql(
      '{ __schema { queryType { ...Root } mutationType { ...Root } } } fragment Root on __Type { description fields { name description type { kind } } }',
    );
    const { queryType, mutationType } = body.data.__schema;
    for (const root of [queryType, mutationType]) {
      expect(root.description).toMatch(/A field that fails is null/);
      expect(root.fields.filter(({ type }: any) => type.kind === 'NON_NULL')).toEqual([]);
      expect(root.fields.filter(({ description }: any) => !description)).toEqual([]);
    }
  });
});
