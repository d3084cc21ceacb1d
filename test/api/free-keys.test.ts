import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';
import type { CallOptions } from '../support/server.js';

// Keys that mean something to JavaScript are keys like any other of metadata, in whatever form a request comes.

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const json = { 'content-type': 'application/json' };
const metadata = '{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"toString":"z","k":2}';

const ingest = 'mutation ($input: IngestInput!) { ingest(input: $input) { success } }';
const input = (id: string) =>
  `{"database":"${database}","type":"memory","memories":[{"id":"${id}","text":"tea","additionalMetadata":${metadata}}]}`;
const operations = (id: string) => `{"query":"${ingest}","variables":{"input":${input(id)}}}`;

async function stored(id: string): Promise<string> {
  const list = await server.rest('GET', `/context/list?database=${database}&type=memory&ids=${id}`);
  const [row] = list.body.data.user_memories;
  const read = await server.graphql(
    `{ memory(database: "${database}", id: "${id}") { additionalMetadata } }`,
  );
  expect(read.body.data.memory.additionalMetadata).toEqual(row.additional_metadata);
  return JSON.stringify(row.additional_metadata);
}

describe('metadata keeps keys such as __proto__ and constructor', () => {
  test.each<[string, (id: string) => [string, CallOptions]]>([
    ['json', (id) => ['/graphql', { headers: json, raw: operations(id) }]],
    [
      'multipart',
      (id) => {
        const form = new FormData();
        form.append('operations', operations(id));
        form.append('map', '{}');
        return ['/graphql', { form }];
      },
    ],
    [
      'literal',
      (id) => {
        const written = metadata.replace(/"(\w+)":/g, '$1:');
        const literal = `{id: "${id}", text: "tea", additionalMetadata: ${written}}`;
        const query = `mutation { ingest(input: {database: "${database}", type: memory, memories: [${literal}]}) { success } }`;
        return ['/graphql', { json: { query } }];
      },
    ],
    [
      'rest',
      (id) => [
        '/context/ingest',
        { headers: json, raw: input(id).replace('additionalMetadata', 'additional_metadata') },
      ],
    ],
  ])('sent as %s', async (id, request) => {
    const [path, options] = request(id);
    const answer = await server.rest('POST', path, options);
    expect([answer.status < 300, answer.body.errors]).toEqual([true, undefined]);
    await server.idle();
    const sorted = (text: string) => Object.entries(JSON.parse(text) as object).sort();
    expect(sorted(await stored(id))).toEqual(sorted(metadata));
    expect([({} as any).x, ({} as any).y]).toEqual([undefined, undefined]);
  });

  test('an edit takes them too', async () => {
    await server.remember(database, [{ id: 'edited', text: 'tea' }]);
    const query =
      'mutation ($m: JSONObject) { updateSourceMetadata(input: {database: \\"DB\\", collection: \\"default\\", id: \\"edited\\", additionalMetadata: $m}) { additionalMetadataKeys } }';
    const raw = `{"query":"${query.replace('DB', database)}","variables":{"m":{"__proto__":{"x":1}}}}`;
    const answer = await server.rest('POST', '/graphql', { headers: json, raw });
    expect(answer.body).toEqual({
      data: { updateSourceMetadata: { additionalMetadataKeys: ['__proto__'] } },
    });
    expect(await stored('edited')).toBe('{"__proto__":{"x":1}}');
  });

  test('elsewhere they are names that are not known', async () => {
    const send = async (raw: string) => server.rest('POST', '/graphql', { headers: json, raw });
    const beside = await send('{"query": "{ __typename }", "__proto__": {"operationName": "None"}}');
    expect(beside.body).toEqual({ data: { __typename: 'Query' } });
    const none = await send('{"__proto__": {"query": "{ __typename }"}}');
    expect([none.status, none.body.errors[0].message]).toEqual([400, 'query must be a GraphQL document']);
    const inside = await send(operations('inside').replace('"type"', '"__proto__":{},"type"'));
    expect([inside.status, inside.body.errors[0].message]).toEqual([
      400,
      expect.stringMatching(/"__proto__" is not defined by type "IngestInput"/),
    ]);
  });
});
