import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import WebSocket from 'ws';
import { EXAMPLES } from '../../playground/src/examples.js';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

/** A multipart GraphQL request of one mutation with files in its `documents` variable. */
async function uploadByGraphql(
  files: Record<string, string | Uint8Array>,
  variables: Record<string, unknown>,
  query = ingestMutation,
) {
  const names = Object.keys(files);
  const form = new FormData();
  form.append(
    'operations',
    JSON.stringify({ query, variables: { ...variables, documents: names.map(() => null) } }),
  );
  form.append(
    'map',
    JSON.stringify(Object.fromEntries(names.map((_, i) => [i, [`variables.documents.${i}`]]))),
  );
  names.forEach((name, i) => form.append(String(i), new Blob([files[name] as never]), name));
  return server.rest('POST', '/graphql', { form });
}

const ingestMutation = `mutation ($input: IngestInput!, $documents: [Upload!]) {
  ingest(input: $input, documents: $documents) { success successCount results { id status errorCode filename } }
}`;

describe('GraphQL', () => {
  test('goes the whole way: creates a database, ingests, follows the status and asks', async () => {
    const created = await server.graphql(
      'mutation { createDatabase(input: {database: "whole-way", databaseMetadataSchema: [{name: "team"}]}) { status database } }',
    );
    expect(created.body).toEqual({ data: { createDatabase: { status: 'accepted', database: 'whole-way' } } });
    await server.idle();
    const ready = await server.graphql(
      '{ database(database: "whole-way") { status infra { readyForIngestion vectorstoreStatus { knowledge memories } } databaseMetadataSchema { name dataType maxLength } } }',
    );
    expect(ready.body.data.database).toEqual({
      status: 'ready',
      infra: { readyForIngestion: true, vectorstoreStatus: { knowledge: true, memories: true } },
      databaseMetadataSchema: [{ name: 'team', dataType: 'VARCHAR', maxLength: 1024 }],
    });
    const ingested = await server.graphql(ingestMutation, {
      input: {
        database: 'whole-way',
        type: 'memory',
        memories: [{ id: 'm', text: 'Deploys happen on Tuesdays.', metadata: { team: 'ops' } }],
      },
    });
    expect(ingested.body.data.ingest).toMatchObject({
      success: true,
      results: [{ id: 'm', status: 'queued' }],
    });
    await server.idle();
    const status = await server.graphql(
      '{ indexingStatus(database: "whole-way", ids: ["m"]) { statuses { id indexingStatus } } }',
    );
    expect(status.body.data.indexingStatus.statuses).toEqual([{ id: 'm', indexingStatus: 'completed' }]);
    const found = await server.graphql(
      `{ search(database: "whole-way", query: "when are deploys", type: memory, maxResults: 1, metadataFilters: {team: ["ops"]}) {
           chunks { id chunkContent relevancyScore metadata lanes { dense sparse } } sources { id title } queryId } }`,
    );
    expect(found.body.data.search).toMatchObject({
      chunks: [{ id: 'm', chunkContent: 'Deploys happen on Tuesdays.', metadata: { team: 'ops' } }],
      sources: [{ id: 'm' }],
    });
    const rest = await server.graphql(
      '{ databaseStats(database: "whole-way") { memoryCollection { rowCount } } collections(database: "whole-way") { nodes { collection } totalCount } }',
    );
    expect(rest.body.data).toEqual({
      databaseStats: { memoryCollection: { rowCount: 1 } },
      collections: { nodes: [{ collection: 'default' }], totalCount: 1 },
    });
    const deleted = await server.graphql('mutation { deleteDatabase(database: "whole-way") { status } }');
    expect(deleted.body.data.deleteDatabase.status).toBe('deletion_scheduled');
  });

  test('lists page by cursor and by number alike', async () => {
    for (let i = 0; i < 3; i += 1) await server.database();
    const all = await server.graphql('{ databases { names totalCount } }');
    const names = all.body.data.databases.names as string[];
    const first = await server.graphql(
      '{ databases(first: 2) { names pageInfo { hasNextPage endCursor } } }',
    );
    expect(first.body.data.databases.names).toEqual(names.slice(0, 2));
    const { endCursor } = first.body.data.databases.pageInfo;
    const next = await server.graphql(
      `{ databases(first: 2, after: "${endCursor}") { names page { page hasPrevious } } }`,
    );
    expect(next.body.data.databases.names).toEqual(names.slice(2, 4));
    const page = await server.graphql('{ databases(page: 2, pageSize: 2) { names } }');
    expect(page.body.data.databases.names).toEqual(names.slice(2, 4));
    const both = await server.graphql('{ databases(first: 2, page: 1) { names } }');
    expect(both.body.errors[0].extensions).toMatchObject({ code: 'INVALID_INPUT', httpStatus: 400 });
  });

  test('errors carry the codes of REST, the request id and GraphQL names of fields', async () => {
    const cases: [string, string, number, RegExp][] = [
      ['{ database(database: "no-such") { status } }', 'DATABASE_NOT_FOUND', 404, /no-such/],
      [
        `{ search(database: "${database}", query: "a", maxResults: 0) { queryId } }`,
        'INVALID_INPUT',
        400,
        /^maxResults must be/,
      ],
      [
        `mutation { ingest(input: {database: "${database}", type: all}) { success } }`,
        'CORPUS_TYPE_UNSUPPORTED',
        400,
        /type/,
      ],
      [`{ search(database: "${database}", query: "a\\u0000") { queryId } }`, 'INVALID_INPUT', 400, /NUL/],
      ['{ nope }', 'INVALID_INPUT', 400, /nope/],
      ['{ database(database: 5) { status } }', 'INVALID_INPUT', 400, /String/],
    ];
    for (const [query, code, httpStatus, message] of cases) {
      const answer = await server.graphql(query);
      expect(answer.body.errors[0].message).toMatch(message);
      expect(answer.body.errors[0].extensions).toMatchObject({
        code,
        httpStatus,
        requestId: answer.headers.get('x-request-id'),
      });
    }
  });

  test.each([
    ['search(database: "DB", query: "a", operator: and) { queryId }', 'operator is only for queryBy text'],
    ['chunks(database: "DB") { message }', 'id or chunkIds is required'],
    [
      'ingest(input: {database: "DB", type: memory, memories: [{id: "a"}]}) { success }',
      'memories[0] needs text or userAssistantPairs',
    ],
    ['ingest(input: {database: "DB"}) { success }', 'documents or appKnowledge must hold at least one item'],
    [
      'updateSourceMetadata(input: {database: "DB", collection: "c", id: "a"}) { updated }',
      'databaseMetadata or additionalMetadata or acl is required',
    ],
    [
      'sendFeedback(input: {requestId: "01a21267-29de-7049-a9cb-ebea819fcaa2"}) { message }',
      'feedback or groundTruth is required',
    ],
    ['addMetadataFields(database: "DB", fields: []) { database }', 'fields must hold at least one field'],
    [
      'addMetadataFields(database: "DB", fields: [{name: "a", maxLength: 0}]) { database }',
      'fields[0].maxLength is 0; it must be 1 to 65535',
    ],
  ])('%s: every field of the message is spelled as here', async (field, message) => {
    const kind = /^(search|chunks)/.test(field) ? 'query' : 'mutation';
    const { body } = await server.graphql(`${kind} { ${field.replace('DB', database)} }`);
    expect(body.errors.map((error: any) => error.message)).toEqual([message]);
  });

  test('without a valid key is 401 in the form of GraphQL', async () => {
    for (const key of [null, 'test.wrong-secret-wrong-secret']) {
      const answer = await server.rest('POST', '/graphql', { json: { query: '{ __typename }' }, key });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(answer.body.errors[0].extensions.code).toBe('UNAUTHORIZED');
    }
  });
});

describe('uploads', () => {
  test('files travel as variables and are indexed', async () => {
    const answer = await uploadByGraphql(
      { 'a.md': '# Owls\n\nOwls hunt at night.', 'b.txt': 'Larks sing at dawn.', 'c.heic': 'x' },
      { input: { database, documentMetadata: [{ id: 'owls' }, { id: 'larks' }, { id: 'photo' }] } },
    );
    expect(answer.body.data.ingest).toEqual({
      success: false,
      successCount: 2,
      results: [
        { id: 'owls', status: 'queued', errorCode: null, filename: 'a.md' },
        { id: 'larks', status: 'queued', errorCode: null, filename: 'b.txt' },
        { id: 'photo', status: 'failed', errorCode: 'E1002', filename: 'c.heic' },
      ],
    });
    await server.idle();
    const found = await server.graphql(
      `{ search(database: "${database}", query: "owls") { chunks { id } } }`,
    );
    expect(found.body.data.search.chunks[0].id).toBe('owls');
  });

  test('a file over 50 MB is refused by name and nothing is stored', async () => {
    const answer = await uploadByGraphql(
      { 'big.txt': new Uint8Array(52_428_801).fill(97) },
      { input: { database } },
    );
    expect(answer.body.errors[0]).toMatchObject({
      message: expect.stringMatching(/"big\.txt" is larger than 52428800 bytes/),
      extensions: { httpStatus: 413 },
    });
  });

  test('an operation that fails before it reads its files leaves the connection usable', async () => {
    for (let i = 0; i < 3; i += 1) {
      const failed = await uploadByGraphql(
        { 'a.txt': 'x'.repeat(300_000) },
        {},
        'mutation ($documents: [Upload!]) { nope(d: $documents) }',
      );
      expect(failed.body.errors[0].extensions.code).toBe('INVALID_INPUT');
      const next = await server.graphql('{ __typename }');
      expect(next.body.data).toEqual({ __typename: 'Query' });
    }
  });

  test('a file that two fields take is refused to the second, which says to send it twice', async () => {
    const answer = await uploadByGraphql(
      { 'shared.txt': 'quartz' },
      { database },
      `mutation ($database: String!, $documents: [Upload!]) {
        a: ingest(input: {database: $database, collection: "a"}, documents: $documents) { successCount }
        b: ingest(input: {database: $database, collection: "b"}, documents: $documents) { successCount }
      }`,
    );
    expect(answer.body.data).toEqual({ a: { successCount: 1 }, b: null });
    expect(answer.body.errors).toMatchObject([
      {
        path: ['b'],
        message:
          'documents must hold a file of their own: send "shared.txt" once for each place that it goes to',
        extensions: { code: 'INVALID_INPUT' },
      },
    ]);
  });

  test('files are read in the charset of their part, and called what it calls them, as over REST', async () => {
    const query = ingestMutation;
    const variables = { input: { database }, documents: [null, null, null] };
    const send = async (...files: string[]) => {
      const places = {
        0: ['variables.documents.0'],
        1: ['variables.documents.1'],
        2: ['variables.documents.2'],
      };
      const parts = [
        `name="operations"\r\n\r\n${JSON.stringify({ query, variables })}`,
        `name="map"\r\n\r\n${JSON.stringify(places)}`,
        ...files.map((file, n) => `name="${n}"; ${file}`),
      ];
      const raw = `${parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--x--\r\n`;
      return server.rest('POST', '/graphql', {
        raw: new Uint8Array(Buffer.from(raw, 'latin1')),
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      });
    };
    const cyrillic =
      'filename="a.txt"\r\nContent-Type: text/plain; charset=windows-1251\r\n\r\n\xcf\xee\xf7\xf2\xe0';
    const raw = 'filename="caf\xc3\xa9.txt"\r\n\r\nx';
    const escaped = 'filename="a.txt"; filename*=UTF-8\'\'na%C3%AFve.txt\r\n\r\nx';
    const { body } = await send(cyrillic, raw, escaped);
    const results = body.data.ingest.results as { id: string; filename: string }[];
    expect(results.map(({ filename }) => filename)).toEqual(['a.txt', 'café.txt', 'naïve.txt']);
    await server.idle();
    const read = await server.rest('GET', `/context/inspect?database=${database}&id=${results[0]?.id}`);
    expect(read.body.data.content).toBe('Почта');
    const misnamed = await send(cyrillic, raw.replace('\xc3\xa9', '\xe9'), escaped);
    expect([misnamed.status, misnamed.body.errors[0].message]).toEqual([
      400,
      '1 must have its names in UTF-8',
    ]);
  });

  test('text in the place of a file is refused', async () => {
    const answer = await server.graphql(ingestMutation, { input: { database }, documents: ['x'] });
    expect(answer.body.errors[0].message).toMatch(/multipart/);
  });
});

describe('the subscription', () => {
  const connect = (authorization: string | undefined): Client =>
    createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: authorization ? { authorization } : {},
    });

  test('tells every change of an item, in order, and of no other', async () => {
    const client = connect(`Bearer ${adminKey}`);
    const changes = client.iterate({
      query: `subscription { indexingStatusChanged(database: "${database}", ids: ["watched"]) { id type collection indexingStatus errorCode } }`,
    });
    // The first event can only come once the subscription stands: ask for it before anything is ingested.
    const first = changes.next();
    await subscribed(client, database);
    await server.remember(database, [
      { id: 'unwatched', text: 'b' },
      { id: 'watched', text: 'a' },
    ]);
    const seen = [(await first).value, ...(await take(changes, 3))];
    expect(seen.map((result: any) => result.data.indexingStatusChanged.indexingStatus)).toEqual([
      'queued',
      'processing',
      'graph_creation',
      'completed',
    ]);
    expect(seen[0].data.indexingStatusChanged).toMatchObject({
      id: 'watched',
      type: 'memory',
      collection: 'default',
      errorCode: '',
    });
    await client.dispose();
  });

  test('takes the key alone too', async () => {
    const client = connect(adminKey);
    expect((await client.iterate({ query: '{ __typename }' }).next()).value.data).toEqual({
      __typename: 'Query',
    });
    await client.dispose();
  });

  test('is refused without a valid key, and for a database of another account', async () => {
    for (const authorization of [
      undefined,
      'Bearer wrong.wrong-wrong-wrong-wrong',
      'wrong.wrong-wrong-wrong-wrong',
    ]) {
      const client = connect(authorization);
      const refused = client.iterate({ query: '{ __typename }' }).next();
      await expect(refused).rejects.toMatchObject({ code: 4403 });
    }
    const client = connect(`Bearer ${adminKey}`);
    const answer = client
      .iterate({ query: 'subscription { indexingStatusChanged(database: "no-such") { id } }' })
      .next();
    expect((await answer).value.errors).toMatchObject([{ extensions: { code: 'DATABASE_NOT_FOUND' } }]);
    await client.dispose();
  });

  /** Operations of one connection are served in order: when a later one has answered, an earlier subscription stands. */
  async function subscribed(client: Client, name: string): Promise<void> {
    await client.iterate({ query: `{ database(database: "${name}") { status } }` }).next();
    await server.graphql(`{ database(database: "${name}") { status } }`);
  }

  async function take(iterator: AsyncIterator<any>, count: number): Promise<any[]> {
    const values: any[] = [];
    for (let i = 0; i < count; i += 1) values.push((await iterator.next()).value);
    return values;
  }
});

describe('the playground', () => {
  test('GET /graphql gives browsers a page that needs nothing from elsewhere, without a key', async () => {
    const page = await server.rest('GET', '/graphql', { key: null, headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/text\/html/);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'self'/);
    const links = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(0);
    for (const link of links.filter((candidate) => !candidate.startsWith('data:'))) {
      expect(link).toMatch(/^\/graphql\/assets\//);
      const asset = await server.rest('GET', link, { key: null });
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([
        200,
        expect.stringContaining('immutable'),
      ]);
    }
  });

  test('its example operations fit the schema', () => {
    const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(5);
    for (const example of EXAMPLES) expect(validate(schema, parse(example.query))).toEqual([]);
  });
});
