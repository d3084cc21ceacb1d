import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect, expectRefused, refusal } from '../support/graphql.js';
import { TestServer, adminKey } from '../support/server.js';
import type { CallOptions } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

describe('requests that are not GraphQL', () => {
  const json = { 'content-type': 'application/json' };
  const form = (operations: string, map = '{}', file = ''): FormData => {
    const data = new FormData();
    data.append('operations', operations);
    data.append('map', map);
    if (file) data.append('0', new Blob([file]), 'a.txt');
    return data;
  };
  const bomb = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const withFilter = (filter: string) =>
    `{"query": "query ($f: JSONObject) { search(database: \\"x\\", query: \\"q\\", metadataFilters: $f) { queryId } }", "variables": {"f": ${filter}}}`;
  const named = 'query A { __typename } query B { __typename }';
  const persisted = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };

  test.each<[string, CallOptions, number, RegExp]>([
    ['an array', { json: [{ query: '{ __typename }' }] }, 400, /batches are not served/],
    ['an empty array', { json: [] }, 400, /batches are not served/],
    ['an empty body', { headers: json, raw: '' }, 400, /empty/],
    ['no body', {}, 400, /body must be a JSON object/],
    ['null', { json: null }, 400, /body must be a JSON object/],
    ['a string', { json: '{ __typename }' }, 400, /body must be a JSON object/],
    ['a number', { json: 5 }, 400, /body must be a JSON object/],
    ['no query', { json: {} }, 400, /query must be a GraphQL document/],
    ['an empty query', { json: { query: '' } }, 400, /query must be a GraphQL document/],
    ['a query that is no text', { json: { query: 5 } }, 400, /query must be a GraphQL document/],
    ['JSON that does not parse', { headers: json, raw: '{"query": ' }, 400, /not valid JSON/],
    ['text/plain', { headers: { 'content-type': 'text/plain' }, raw: '{}' }, 415, /Unsupported Media Type/],
    ['a compressed body', { headers: { 'content-encoding': 'br' }, json: {} }, 415, /^Content-Encoding "br"/],
    ['a form', { form: new URLSearchParams({ query: '{ __typename }' }) }, 415, /Unsupported Media Type/],
    [
      'application/graphql',
      { headers: { 'content-type': 'application/graphql' }, raw: '{ a }' },
      415,
      /Media/,
    ],
    ['a body over 32 MiB', { json: { query: 'x'.repeat(33_554_433) } }, 413, /at most 33554432 bytes/],
    [
      'text for variables',
      { json: { query: '{ __typename }', variables: '{}' } },
      400,
      /variables must be an obj/,
    ],
    [
      'a list for variables',
      { json: { query: '{ __typename }', variables: [] } },
      400,
      /variables must be an obj/,
    ],
    [
      'a list for extensions',
      { json: { query: '{ __typename }', extensions: [] } },
      400,
      /extensions must be/,
    ],
    [
      'a number for a name',
      { json: { query: named, operationName: 5 } },
      400,
      /operationName must be a string/,
    ],
    ['a name of no operation', { json: { query: named, operationName: 'C' } }, 400, /operationName .* "C"/],
    ['NUL in a name', { json: { query: named, operationName: 'A\0' } }, 400, /operationName must name/],
    ['no name where there are two', { json: { query: named } }, 400, /operationName must name/],
    [
      'no operation',
      { json: { query: 'fragment F on Query { __typename }' } },
      400,
      /must have one operation/,
    ],
    ['a type definition', { json: { query: 'type A { a: Int }' } }, 400, /must have one operation/],
    ['a syntax error', { json: { query: '{ databases {' } }, 400, /Syntax Error/],
    ['NUL in a document', { json: { query: '{ __typename }\0' } }, 400, /Syntax Error/],
    [
      'NUL in a text',
      { json: { query: '{ database(database: "\\u0000") { status } }' } },
      400,
      /document .* NUL/,
    ],
    [
      'NUL in a variable',
      { json: { query: '{ __typename }', variables: { q: ['\0'] } } },
      400,
      /variables.q.* NUL/,
    ],
    ['half a character', { json: { query: '{ __typename }', variables: { q: '\ud800' } } }, 400, /Unicode/],
    ['an unknown field', { json: { query: '{ databses { names } }' } }, 400, /Did you mean "databases"/],
    [
      'an unknown directive',
      { json: { query: '{ ... @defer { __typename } }' } },
      400,
      /Unknown directive "@defer"/,
    ],
    [
      'a missing variable',
      { json: { query: 'query ($d: String!) { database(database: $d) { status } }' } },
      400,
      /"\$d"/,
    ],
    [
      'a variable of another type',
      { json: { query: 'query ($n: Int) { databases(first: $n) { names } }', variables: { n: 'x' } } },
      400,
      /"\$n"/,
    ],
    [
      'an object of another type',
      {
        json: {
          query: 'mutation ($i: CreateDatabaseInput!) { createDatabase(input: $i) { status } }',
          variables: { i: { databse: 'x' } },
        },
      },
      400,
      /"\$i"/,
    ],
    [
      'a subscription',
      { json: { query: 'subscription { indexingStatusChanged(database: "x") { id } }' } },
      400,
      /WebSocket/,
    ],
    ['a persisted query', { json: { extensions: persisted } }, 400, /^PersistedQueryNotSupported$/],
    [
      'a query to persist',
      { json: { query: '{ __typename }', extensions: persisted } },
      400,
      /^PersistedQueryNotSupported$/,
    ],
    [
      'variables 1,000 deep',
      { headers: json, raw: withFilter(bomb(1000)) },
      400,
      /variables must nest at most 64/,
    ],
    ['variables 100,000 deep', { headers: json, raw: withFilter(bomb(100_000)) }, 400, /variables must nest/],
    ['a multipart array', { form: form('[{"query": "{ __typename }"}]') }, 400, /batches are not served/],
    ['multipart JSON that does not parse', { form: form('{') }, 400, /operations must be valid JSON/],
    [
      'multipart variables 100,000 deep',
      { form: form(withFilter(bomb(100_000))) },
      400,
      /operations must nest/,
    ],
    [
      'multipart variables too deep, and a file',
      { form: form(withFilter(bomb(100)), '{"0": ["variables.d"]}', 'x'.repeat(3_000_000)) },
      400,
      /operations must nest/,
    ],
    [
      'one file in two places',
      {
        form: form(
          '{"query": "{ __typename }", "variables": {"d": [null, null]}}',
          '{"0": ["variables.d.0", "variables.d.1"]}',
          'x',
        ),
      },
      400,
      /^map must put each file in one place, not in 2; send it once for each$/,
    ],
    [
      'multipart without a boundary',
      { headers: { 'content-type': 'multipart/form-data' }, raw: 'x' },
      400,
      /multipart/,
    ],
    [
      'multipart that ends early',
      { headers: { 'content-type': 'multipart/form-data; boundary=x' }, raw: '--x\r\n' },
      400,
      /multipart/,
    ],
  ])('%s', async (_what, options, status, message) => {
    expectRefused(await server.rest('POST', '/graphql', options), status, message);
  });

  test.each<[string, string, number, RegExp]>([
    [
      'a mutation',
      'query=mutation{createDatabase(input:{database:"by-get"}){status}}',
      405,
      /GET serves queries only/,
    ],
    ['nothing', '', 400, /query must be a GraphQL document/],
    ['two queries', 'query={__typename}&query={__typename}', 400, /query must be sent once/],
    ['variables that do not parse', 'query={__typename}&variables={', 400, /variables must be a JSON object/],
    ['variables that are a list', 'query={__typename}&variables=[]', 400, /variables must be an object/],
    ['a persisted query', 'extensions={"persistedQuery":{"version":1}}', 400, /^PersistedQueryNotSupported$/],
    ['too much', `query={${'...{'.repeat(64)}__typename${'}'.repeat(65)}`, 400, /nest brackets/],
  ])('by GET: %s', async (_what, search, status, message) => {
    expectRefused(await server.rest('GET', `/graphql?${encodeURI(search)}`), status, message);
    const created = await server.graphql('{ database(database: "by-get") { status } }');
    expect(created.body.errors[0].extensions.code).toBe('DATABASE_NOT_FOUND');
  });

  test('a query by GET is served, with variables and a name', async () => {
    const search = new URLSearchParams({
      query: `query A { __typename } query B($d: String!) { database(database: $d) { database } }`,
      operationName: 'B',
      variables: JSON.stringify({ d: database }),
    });
    const answer = await server.rest('GET', `/graphql?${search.toString()}`, {
      headers: { 'content-type': 'text/plain' },
    });
    expect([answer.status, answer.body]).toEqual([200, { data: { database: { database } } }]);
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    '%s is answered with the methods served',
    async (method) => {
      const answer = await server.rest(method, '/graphql');
      expectRefused(answer, 405, /does not serve .*it serves GET, HEAD, POST/);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    },
  );

  test.each([
    ['*/*', 'application/json'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
    ['application/json, application/graphql-response+json', 'application/json'],
    ['multipart/mixed; deferSpec=20220824, application/json', 'application/json'],
    ['application/graphql-response+json;q=0, application/*', 'application/json'],
  ])('Accept: %s is answered as %s', async (accept, type) => {
    const answer = await server.rest('POST', '/graphql', {
      json: { query: '{ __typename }' },
      headers: { accept },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
  });

  test.each([
    'multipart/mixed; deferSpec=20220824',
    'multipart/mixed',
    'text/event-stream',
    'application/json;q=0',
  ])('Accept: %s is refused before anything is executed', async (accept) => {
    const json = { query: 'mutation { createDatabase(input: {database: "not-accepted"}) { status } }' };
    expectRefused(
      await server.rest('POST', '/graphql', { json, headers: { accept } }),
      400,
      /^Accept must allow/,
    );
    const created = await server.graphql('{ database(database: "not-accepted") { status } }');
    expect(created.body.errors[0].extensions.code).toBe('DATABASE_NOT_FOUND');
  });

  test('an API-Version other than 2 is refused before anything is executed, after the key', async () => {
    const json = { query: 'mutation { createDatabase(input: {database: "of-version-3"}) { status } }' };
    const send = (version: string, more: CallOptions = {}) =>
      server.rest('POST', '/graphql', { json, headers: { 'api-version': version }, ...more });
    for (const version of ['1', '3', '2.0.1', 'x'])
      expectRefused(await send(version), 400, /^API-Version ".+" is not served; send 2$/);
    expect((await send('3', { key: null })).status).toBe(401);
    const created = await server.graphql('{ database(database: "of-version-3") { status } }');
    expect(created.body.errors[0].extensions.code).toBe('DATABASE_NOT_FOUND');
    expect((await send('2', { json: { query: '{ __typename }' } })).status).toBe(200);
  });

  test('a Host header that makes no URL does not matter', async () => {
    const body = '{"query": "{ __typename }"}';
    const socket = send('Content-Type: application/json', body, body.length);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('an array of requests with files is refused before they have come', async () => {
    const body = `${part('operations', '\r\n\r\n[{"query": "{ __typename }"}]\r\n')}--x\r\n`;
    const socket = send('Content-Type: multipart/form-data; boundary=x', body, 1_000_000);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 [^]*batches are not served/);
    socket.destroy();
  });

  test('a file that is cut off leaves nothing', async () => {
    const body =
      part('operations', '\r\n\r\n{"query": "{ __typename }", "variables": {"d": null}}\r\n') +
      part('map', '\r\n\r\n{"0": ["variables.d"]}\r\n') +
      part('0', '; filename="a.txt"\r\n\r\nthe beginning of a file');
    const socket = send('Content-Type: multipart/form-data; boundary=x', body, 1_000_000);
    const incoming = () => readdirSync(join(server.dataDir, 'incoming')).length;
    await until(() => incoming() === 1);
    socket.destroy();
    await until(() => incoming() === 0);
  });

  test('an empty operation name is none', async () => {
    const query = '{ __typename }';
    const posted = await server.rest('POST', '/graphql', {
      json: { query, operationName: '', variables: null },
    });
    const got = await server.rest('GET', `/graphql?query=${encodeURI(query)}&operationName=&variables=`);
    for (const { body } of [posted, got]) expect(body).toEqual({ data: { __typename: 'Query' } });
  });

  test('what is skipped, or not included, is not answered', async () => {
    const query = `query ($yes: Boolean!, $no: Boolean!) {
      a: viewer @include(if: $yes) { __typename @skip(if: $yes) account @include(if: $yes) }
      b: viewer @skip(if: $yes) { account } c: viewer @include(if: $no) { account }
      sources(database: "${database}") { nodes { id } ... @include(if: $no) { totalCount } } }`;
    const { body } = await server.graphql(query, { yes: true, no: false });
    expect(body).toEqual({ data: { a: { account: expect.any(String) }, sources: { nodes: [] } } });
  });

  test('a bare word in JSON is refused, wherever it stands', async () => {
    for (const json of ['{team: RED}', '{team: {in: [RED]}}', '{team: ["red", RED]}']) {
      const query = `{ search(database: "${database}", query: "q", metadataFilters: ${json}) { queryId } }`;
      const { body } = await server.graphql(query);
      expect(body.errors[0]).toMatchObject({
        message: 'JSONObject cannot hold the bare word RED: write it in quotation marks',
        extensions: { code: 'INVALID_INPUT', httpStatus: 400 },
      });
    }
    const { body } = await server.graphql(
      `query ($team: JSON) { search(database: "${database}", query: "q", metadataFilters: {team: ["blue", $team]}) { chunks { id } } }`,
      { team: 'red' },
    );
    expect(body).toEqual({ data: { search: { chunks: [] } } });
  });

  test('messages spell arguments as GraphQL does, and keys of JSON as they were sent', async () => {
    const own = await server.database();
    const message = async (query: string): Promise<string> =>
      (await server.graphql(query)).body.errors[0].message;
    const add = (fields: string) =>
      `mutation { addMetadataFields(database: "${own}", fields: [${fields}]) { addedFields } }`;
    expect(await message(add('{name: "a", maxLength: 0}'))).toMatch(/maxLength is 0/);
    const added = await server.graphql(add('{name: "due_date", dataType: "INT64"}, {name: "dueDate"}'));
    expect(added.body.errors).toBeUndefined();
    expect(
      await message(
        `mutation { ingest(input: {database: "${own}", type: memory, memories: [{id: "a", text: "b", metadata: {due_date: "soon"}}]}) { results { id } } }`,
      ),
    ).toMatch(/metadata\.due_date must be/);
  });

  test('operations of graphql-ws that fail are named like those of HTTP', async () => {
    const client = connect(server);
    for (const payload of [
      { query: '{ databases {' },
      { query: '{ databses { names } }' },
      { query: named },
      { query: named, operationName: 'C' },
      { query: 'query ($n: Int) { databases(first: $n) { names } }', variables: { n: 'x' } },
      { query: '{ __typename }', variables: { q: '\0' } },
      { query: '{ __typename }', variables: JSON.parse(bomb(1000)) },
    ]) {
      const extensions = {
        code: 'INVALID_INPUT',
        httpStatus: 400,
        requestId: expect.stringMatching(/^.{36}$/),
      };
      expect(await refusal(client, payload)).toMatchObject([{ extensions }]);
    }
    expect((await client.iterate({ query: '{ __typename }' }).next()).value.errors).toBeUndefined();
    await client.dispose();
  });
});

function part(name: string, text: string): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"${text}`;
}

/** Posts text over a connection of its own, with a Host header that is none. */
function send(contentType: string, body: string, length: number): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connectSocket(Number(port), hostname);
  const head = ['POST /graphql HTTP/1.1', 'Host: [', `Authorization: Bearer ${adminKey}`, contentType];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n${body}`);
  return socket;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}
