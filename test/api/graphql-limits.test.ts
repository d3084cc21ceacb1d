import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery, print } from 'graphql';
import { operationDocument } from '../../rest-compat/operations.js';
import { readConfig } from '../../src/config.js';
import { connect, expectRefused, refusal } from '../support/graphql.js';
import { ABUSES, doubling, repeat } from '../support/graphql-documents.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let closed: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  closed = await TestServer.start({ environment: { GRAPHQL_INTROSPECTION: 'false' } });
  database = await server.database();
});
afterAll(async () => {
  await server.stop();
  await closed.stop();
});

describe('bounds', () => {
  test.each(ABUSES)('over HTTP: $what', async ({ query, variables, message }) => {
    expectRefused(await server.graphql(query, variables), 400, message);
  });

  test('a long value that repeats what messages say is refused at once', async () => {
    const value = ' cannot represent '.repeat(14_000);
    const startedMs = performance.now();
    const answer = await server.graphql(`mutation { ingest(input: "${value}") { success } }`);
    expectRefused(answer, 400, /^Expected value of type "IngestInput!"/);
    // It took half a minute on a busy machine when each of them was followed to the end.
    expect(performance.now() - startedMs).toBeLessThan(3000);
  });

  test('fragments that come to no field cost no more than the document is long', async () => {
    // Walked one by one, 2 to the power of 60 spreads would never end.
    expectRefused(await server.graphql(doubling(60, '...Missing')), 400, /^Unknown fragment "Missing"/);
  });

  test('over graphql-ws: all of them, and the connection stays', async () => {
    const client = connect(server);
    for (const { what, query, variables, message } of ABUSES) {
      const errors = await refusal(client, { query, variables: variables ?? {} });
      expect([what, errors]).toEqual([
        what,
        [
          expect.objectContaining({
            message: expect.stringMatching(message),
            extensions: {
              code: 'INVALID_INPUT',
              httpStatus: 400,
              requestId: expect.stringMatching(/^.{36}$/),
            },
          }),
        ],
      ]);
    }
    const answer = await client.iterate({ query: '{ __typename }' }).next();
    expect(answer.value).toEqual({ data: { __typename: 'Query' } });
    await client.dispose();
  });

  test('a refused mutation creates nothing', async () => {
    const before = await server.graphql('{ databases { totalCount } }');
    const mutation = `mutation { ${repeat(21, (i) => `a${i}: createDatabase(input: {database: "refused-${i}"}) { status }`)} }`;
    expectRefused(await server.graphql(mutation), 400, /at most 20 root fields, not 21/);
    expect((await server.graphql('{ databases { totalCount } }')).body).toEqual(before.body);
  });

  test('the introspection query is served, over both', async () => {
    const query = getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    });
    const answer = await server.graphql(query);
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.data.__schema.queryType).toEqual({ name: 'Query', kind: 'OBJECT' });
    const client = connect(server);
    expect((await client.iterate({ query }).next()).value).toEqual(answer.body);
    await client.dispose();
  });

  test('operations of REST with as much as they may ask are served', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => `item-${i}`);
    const operations: [string, Record<string, unknown>][] = [
      ['ingest', { type: 'memory', memories: many.map((id) => ({ id, text: id })) }],
      ['ingest', { app_knowledge: many.map((id) => ({ id, content: { text: id } })) }],
      ['indexing-status', { ids: many }],
      ['query', { query: 'q', max_results: 250, ids: many, collections: many.slice(0, 100) }],
      ['list-databases', { page: 1, page_size: 1000 }],
      ['list-collections', { page: 1, page_size: 1000 }],
    ];
    for (const [operation, variables] of operations) {
      const document = print(operationDocument(operation));
      const answer = await server.graphql(document, { database, ...variables });
      expect([operation, answer.status, answer.body.errors]).toEqual([operation, 200, undefined]);
    }
  });
});

describe('GRAPHQL_INTROSPECTION', () => {
  test.each([
    [undefined, true],
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('%s means %s', (value, expected) => {
    expect(readConfig({ GRAPHQL_INTROSPECTION: value }).graphqlIntrospection).toBe(expected);
  });

  test('anything else stops the start', () => {
    expect(() => readConfig({ GRAPHQL_INTROSPECTION: 'maybe' })).toThrow(/GRAPHQL_INTROSPECTION/);
  });

  const questions: [string, Record<string, unknown>?][] = [
    ['{ __schema { queryType { name } } }'],
    ['{ __type(name: "Query") { name } }'],
    ['{ a: __typename ...F } fragment F on Query { ... { b: __schema { description } } }'],
    [getIntrospectionQuery()],
  ];
  test.each(questions)('off refuses %s', async (query) => {
    expect((await server.graphql(query)).body.errors).toBeUndefined();
    expectRefused(
      await closed.graphql(query),
      400,
      /introspection is switched off: __(schema|type) is not served/,
    );
    const client = connect(closed);
    expect(await refusal(client, { query })).toMatchObject([
      {
        message: expect.stringMatching(/switched off/),
        extensions: { code: 'INVALID_INPUT', httpStatus: 400 },
      },
    ]);
    await client.dispose();
  });

  test('off still serves __typename', async () => {
    const query = '{ __typename databases { __typename } }';
    const data = { __typename: 'Query', databases: { __typename: 'DatabaseConnection' } };
    expect((await closed.graphql(query)).body).toEqual({ data });
    const client = connect(closed);
    expect((await client.iterate({ query }).next()).value).toEqual({ data });
    await client.dispose();
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['a field', '{ databses { names } }', {}],
    ['an argument', '{ databases(firts: 1) { names } }', {}],
    ['a type', 'query ($t: SourceTyp) { __typename }', {}],
    ['an enum value', '{ search(database: "x", query: "q", type: knowledg) { queryId } }', {}],
    [
      'an enum value in a variable',
      'query ($t: SourceType) { search(database: "x", query: "q", type: $t) { queryId } }',
      { t: 'knowledg' },
    ],
    ['an input field', 'mutation { createDatabase(input: {database: "x", databse: "x"}) { status } }', {}],
    [
      'an input field in a variable',
      'mutation ($i: CreateDatabaseInput!) { createDatabase(input: $i) { status } }',
      { i: { database: 'x', databse: 'x' } },
    ],
  ])('off suggests nothing for %s', async (_what, query, variables) => {
    expectRefused(await server.graphql(query, variables), 400, /Did you mean/);
    expectRefused(await closed.graphql(query, variables), 400, /^(?!.*Did you mean).+$/s);
    const client = connect(closed);
    expect(JSON.stringify(await refusal(client, { query, variables }))).toMatch(
      /^(?!.*Did you mean).*INVALID_INPUT/s,
    );
    await client.dispose();
  });
});
