import { on, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { TestServer, adminKey } from '../support/server.js';
import type { Answer } from '../support/server.js';

// What cannot be taken as it was meant is refused, and named, instead of stored as something else.

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const remember = (memory: Record<string, unknown>) =>
  server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories: [memory] } });
const said = ({ status, body }: Answer) => [status, body.error?.message];

describe('a memory', () => {
  test.each([
    ['database', { database: 'another' }],
    ['collection', { collection: 'another' }],
    ['database', { tenant_id: 'another' }],
    ['collection', { sub_tenant_id: 'another' }],
  ])('that names another %s than its request: %j', async (name, place) => {
    expect(said(await remember({ text: 'plums', ...place }))).toEqual([
      400,
      expect.stringMatching(`^memories\\[0\\].${name} "another" is not that of the request`),
    ]);
    expect((await remember({ text: 'plums', database, collection: 'default' })).status).toBe(202);
  });

  test('is titled by the first words that somebody said', async () => {
    const pairs = [
      { user: ' ', assistant: 'Hello' },
      { user: 'Plums, please', assistant: 'Here' },
    ];
    const answers = [
      await remember({ user_assistant_pairs: pairs }),
      await remember({ text: 'Pears', title: ' ' }),
    ];
    expect(answers.map(({ body }) => body.data.results[0].title)).toEqual(['Plums, please', 'Pears']);
  });

  test.each([
    ['a blank predicate', [{ predicate: ' ', target: { id: 'x' } }]],
    ['two targets in one', [{ target: { id: 'x', provider: 'slack', external_id: 'm' } }]],
  ])('with %s', async (_case, relations) => {
    expect(said(await remember({ text: 'plums', relations }))).toEqual([
      400,
      expect.stringMatching(/^memories\[0\]\.relations\[0\] must hold predicate/),
    ]);
  });
});

describe('a whole number that reading would round', () => {
  const id = '9007199254740993';
  const memories = `[{"text": "plums", "additional_metadata": {"id": ${id}}}]`;
  const problem = expect.stringContaining(`must not hold ${id}, which would be rounded`);
  const json = { 'content-type': 'application/json' };

  test('by REST: in JSON, and in a field of a form', async () => {
    const raw = `{"database": "${database}", "type": "memory", "memories": ${memories}}`;
    expect(said(await server.rest('POST', '/context/ingest', { raw, headers: json }))).toEqual([
      400,
      problem,
    ]);
    const form = new FormData();
    for (const [name, value] of Object.entries({ database, type: 'memory', memories })) form.set(name, value);
    expect(said(await server.rest('POST', '/context/ingest', { form }))).toEqual([400, problem]);
    expect((await remember({ text: 'plums', additional_metadata: { id } })).status).toBe(202);
  });

  test('by GraphQL: in variables, and in the document', async () => {
    const search = (filters: string) =>
      `search(database: "${database}", query: "x", metadataFilters: ${filters}) { queryId }`;
    for (const raw of [
      `{"query": "query($f: JSONObject) { ${search('$f').replaceAll('"', '\\"')} }", "variables": {"f": {"id": ${id}}}}`,
      JSON.stringify({ query: `{ ${search(`{id: ${id}}`)} }` }),
    ]) {
      const { body } = await server.rest('POST', '/graphql', { raw, headers: json });
      expect(body.errors).toMatchObject([{ message: problem, extensions: { code: 'INVALID_INPUT' } }]);
    }
  });
});

test('a whole number that reading would round, over a WebSocket', async () => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const answers = on(socket, 'message');
  const next = async () => JSON.parse(String((await answers.next()).value[0]));
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: adminKey } }));
  expect((await next()).type).toBe('connection_ack');
  const query = `query($f: JSONObject) { search(database: "${database}", query: "x", metadataFilters: $f) { queryId } }`;
  const ask = (id: string) =>
    socket.send(
      `{"id": "${id}", "type": "subscribe", "payload": {"query": ${JSON.stringify(query)}, "variables": {"f": {"id": ${id}}}}}`,
    );
  ask('9007199254740993');
  expect(await next()).toMatchObject({
    type: 'error',
    payload: [
      {
        message: 'message must not hold 9007199254740993, which would be rounded: send it as a string',
        extensions: { code: 'INVALID_INPUT' },
      },
    ],
  });
  // The next one is read by itself.
  ask('9007199254740992');
  expect(await next()).toMatchObject({ type: 'next', payload: { data: { search: {} } } });
  socket.terminate();
});

describe('a URL', () => {
  test('with a path or a parameter that is not UTF-8', async () => {
    const get = async (path: string) => said(await server.rest('GET', path));
    for (const id of ['%zz', '%ff', '50%'])
      expect(await get(`/context/${id}/subgraph?database=${database}`)).toEqual([
        400,
        'path must be percent-encoded UTF-8',
      ]);
    expect(await get(`/context/50%25/subgraph?database=${database}`)).toEqual([200, undefined]);
    expect(await get(`/context/list?database=${database}&collection=%ff`)).toEqual([
      400,
      'collection must be UTF-8',
    ]);
  });

  test('of a webhook is stored as it is called: without blanks around and what stands behind #', async () => {
    const { body } = await server.rest('POST', '/webhooks/indexing', {
      json: { url: ' https://8.8.8.8/hook?a=1#part ' },
    });
    expect(body.data.url).toBe('https://8.8.8.8/hook?a=1');
  });
});

test('a type that the endpoint does not take: those that it does are named', async () => {
  const answer = await server.rest('POST', '/context/ingest', { json: { database, type: '', memories: [] } });
  expect(said(answer)).toEqual([400, 'type must be one of knowledge, memory']);
});

describe('a form', () => {
  const send = (names: readonly string[]) => {
    const parts = names.map((name) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nv\r\n`);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    return server.rest('POST', '/context/ingest', { raw: `${parts.join('')}--x--\r\n`, headers });
  };

  test('of too many parts, or with a name that is none', async () => {
    expect(said(await send(Array.from({ length: 3000 }, (_, n) => `f${n}`)))).toEqual([
      413,
      'the form has more than 1000 parts',
    ]);
    // Without a bound 40,000 of them held the whole server up for half a minute.
    const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' };
    const raw = `${'a=&'.repeat(5000)}database=${database}`;
    expect(said(await server.rest('POST', '/context/ingest', { raw, headers: urlEncoded }))).toEqual([
      413,
      'the form has more than 1000 parts',
    ]);
    expect(said(await send(['__proto__']))).toEqual([400, expect.stringContaining('such as __proto__')]);
  });
});
