import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConnectedAccount, refusal } from '../support/connectors/connected-account.js';
import { otherKey } from '../support/other-account.js';
import { TestServer } from '../support/server.js';

// How requests are read: ids, null and nothing, booleans, pages, headers.

const connected = new ConnectedAccount();
const { create, connect, call, show, configure } = connected;
beforeAll(() => connected.start());
afterAll(connected.stop);
beforeEach(connected.reset);

/** Every endpoint of one connector. */
const ofOne: readonly [string, string, unknown?][] = [
  ['GET', ''],
  ['PATCH', '', { name: 'x' }],
  ['DELETE', ''],
  ['GET', '/discover'],
  ['POST', '/configure', { resources: [{ resource_id: 'general' }] }],
  ['GET', '/resources'],
  ['POST', '/resources', { resource_id: 'general' }],
  ['PATCH', '/resources/general', { acl: [] }],
  ['DELETE', '/resources/general'],
  ['GET', '/status'],
  ['POST', '/pause'],
  ['POST', '/resume'],
  ['POST', '/sync'],
];

describe('ids', () => {
  test.each([
    ['unknown', '01890a5d-ac96-774b-bcce-b302099a8000'],
    ['no UUID', 'nope'],
    ['too long', 'x'.repeat(3000)],
  ])('that are %s are 404 everywhere', async (_case, id) => {
    for (const [method, path, json] of ofOne)
      expect(refusal(await call(method, id, { path, json }))).toEqual([
        404,
        'NOT_FOUND',
        expect.stringContaining('does not exist'),
      ]);
  });

  test('of broken escapes are 400 everywhere', async () => {
    for (const [method, path, json] of ofOne)
      expect(refusal(await call(method, '%E0%A4%A', { path, json }))).toEqual([
        400,
        'INVALID_INPUT',
        'path must be percent-encoded UTF-8',
      ]);
  });

  test('of another account are 404 everywhere, and nothing changes', async () => {
    const id = await connect();
    const before = await show(id);
    for (const [method, path, json] of ofOne)
      expect(refusal(await call(method, id, { path, json, key: otherKey }))).toEqual([
        404,
        'NOT_FOUND',
        `connector "${id}" does not exist`,
      ]);
    expect(await show(id)).toEqual(before);
    expect((await connected.server.rest('GET', '/connectors', { key: otherKey })).body.connectors).toEqual(
      [],
    );
  });

  test('are found in capitals, and answered as they are', async () => {
    const id = await connect();
    const capitals = id.toUpperCase();
    for (const [method, path, json] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['POST', '/configure', { resources: [{ resource_id: 'general' }] }],
      ['DELETE', '/resources/general'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['GET', '/status'],
      ['DELETE', ''],
    ] as const)
      expect((await call(method, capitals, { path, json })).body).toMatchObject({ connector_id: id });
  });

  test('of resources: unknown ones are 404, broken ones 400', async () => {
    const id = await connect();
    for (const [resource, status] of [
      ['general', 404],
      ['%E0%A4%A', 400],
      ['x'.repeat(2000), 404],
    ] as const)
      for (const [method, json] of [['PATCH', { acl: [] }], ['DELETE']] as const)
        expect((await call(method, id, { path: `/resources/${resource}`, json })).status).toBe(status);
  });

  test('broken escapes in a path are read after the key', async () => {
    const answer = await call('GET', '%FF', { key: null });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(answer.headers.get('x-request-id')).toBe(answer.body.meta.request_id);
  });
});

describe('null, empty and nothing', () => {
  test('on creation are the defaults', async () => {
    const fields = ['name', 'collection', 'provider_account_scope', 'auth_type', 'custom_instructions'];
    const plain = await show(await connect());
    for (const none of [null, '']) {
      const sent = Object.fromEntries(fields.map((field) => [field, none]));
      const made = await show(await connect({ ...sent, sync_interval_seconds: none === null ? null : 0 }));
      for (const field of [...fields, 'sync_interval_seconds']) expect(made[field]).toEqual(plain[field]);
    }
    expect(refusal(await create({ provider: null }))).toEqual([400, 'INVALID_INPUT', 'provider is required']);
    expect(refusal(await create({ database: null }))).toEqual([400, 'INVALID_INPUT', 'database is required']);
  });

  test('in a change: null is the default again, what is not named stays', async () => {
    const id = await connect({ name: 'Chat', custom_instructions: 'be brief', sync_interval_seconds: 600 });
    const changed = async (json: unknown) => (await call('PATCH', id, { json })).body;
    expect(await changed({ sync_interval_seconds: null })).toMatchObject({
      name: 'Chat',
      sync_interval_seconds: 3600,
      custom_instructions_updated: false,
    });
    expect(await changed({ custom_instructions: null })).toMatchObject({
      name: 'Chat',
      custom_instructions_updated: true,
    });
    expect(await changed({ name: null, nonsense: [1] })).toMatchObject({ name: 'Scripted' });
    expect(await show(id)).toMatchObject({ name: 'Scripted', custom_instructions: '' });
  });

  test('a character is a character, however many bytes it takes', async () => {
    const id = await connect({ custom_instructions: '😀'.repeat(4000) });
    expect((await show(id)).custom_instructions).toBe('😀'.repeat(4000));
    expect(refusal(await create({ custom_instructions: '😀'.repeat(4001) }))).toEqual([
      400,
      'INVALID_INPUT',
      'custom_instructions has 4001 characters; at most 4000',
    ]);
  });
});

test('purge is read from query and body, and nothing but a boolean', async () => {
  for (const [path, json, purge] of [
    ['', undefined, false],
    ['?purge=false', undefined, false],
    ['?purge=0', undefined, false],
    ['?purge=1', undefined, true],
    ['', { purge: true }, true],
    ['', { purge: null }, false],
  ] as const) {
    const id = await connect();
    expect((await call('DELETE', id, { path, json })).body).toEqual({ connector_id: id, deleted: true });
    expect(await connected.server.sql('select purge from connectors where id = $1', [id])).toEqual([
      { purge },
    ]);
  }
  const id = await connect();
  for (const [path, json] of [
    ['?purge=yes', undefined],
    ['', { purge: 'true' }],
    ['?purge=true', { purge: false }],
  ] as const)
    expect(refusal(await call('DELETE', id, { path, json }))).toEqual([
      400,
      'INVALID_INPUT',
      expect.stringMatching(/^purge/),
    ]);
  expect((await call('GET', id)).status).toBe(200);
});

test('actions take an empty body, and one of unknown keys', async () => {
  const id = await connect();
  const headers = { 'content-type': 'application/json' };
  expect((await call('POST', id, { path: '/pause', raw: '', headers })).status).toBe(200);
  expect((await call('POST', id, { path: '/resume', json: { why: 'because' } })).status).toBe(200);
  expect(
    (await call('POST', id, { path: '/sync', raw: 'a=b', headers: { 'content-type': 'text/csv' } })).status,
  ).toBe(415);
});

describe('lists', () => {
  test('pages have bounds, and past the end there is nothing', async () => {
    await connect();
    const list = (query: string) => connected.server.rest('GET', `/connectors?${query}`);
    for (const query of ['page=0', 'page=x', 'page_size=0', 'page_size=1001'])
      expect(refusal(await list(query))).toEqual([400, 'INVALID_INPUT', expect.stringMatching(/^page/)]);
    expect((await list('page=2')).body).toEqual({
      connectors: [],
      connector_limit: { count: 1, limit: null },
      pagination: { page: 2, page_size: 100, total: 1, total_pages: 1, has_next: false, has_previous: true },
    });
  });

  test('in GraphQL take first and after, or page and pageSize', async () => {
    const ids = [await connect(), await connect(), await connect()];
    const ask = async (args: string) => {
      const fields =
        'nodes { connectorId } totalCount pageInfo { hasNextPage endCursor } page { page total }';
      return (await connected.server.graphql(`{ connectors(${args}) { ${fields} } }`)).body;
    };
    const first = (await ask('first: 2')).data.connectors;
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const rest = (await ask(`first: 2, after: "${first.pageInfo.endCursor}"`)).data.connectors;
    expect([...first.nodes, ...rest.nodes].map(({ connectorId }) => connectorId)).toEqual(ids);
    expect(rest.pageInfo.hasNextPage).toBe(false);
    expect((await ask('page: 2, pageSize: 1')).data.connectors).toMatchObject({
      nodes: [{ connectorId: ids[1] }],
      page: { page: 2, total: 3 },
    });
    expect((await ask('first: 1, page: 1')).errors[0].extensions.code).toBe('INVALID_INPUT');
  });
});

describe('headers and envelopes', () => {
  test('success is bare, with a request id; deprecated names are told in headers alone', async () => {
    const id = await connect();
    const plain = await call('GET', id);
    expect(plain.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(plain.headers.get('deprecation')).toBeNull();
    for (const name of ['success', 'data', 'meta', 'error']) expect(plain.body).not.toHaveProperty(name);
    const used = await configure(id, [{ resource_id: 'general', tenant_id: connected.database }]);
    expect(used.headers.get('deprecation')).toBe('true');
    expect(used.headers.get('warning')).toBe('299 - "The field tenant_id is deprecated; use database"');
    expect(used.body).not.toHaveProperty('meta');
    const [resource] = await connected.resources(id);
    expect(resource).toMatchObject({
      database_override: connected.database,
      tenant_id_override: connected.database,
    });
  });

  test('failures are enveloped, with what was deprecated about the request', async () => {
    const refused = await create({ tenant_id: connected.database, database: undefined, provider: 'x' });
    const deprecated = { deprecated: true, deprecated_field: 'tenant_id', preferred_field: 'database' };
    expect(refused.body).toEqual({
      success: false,
      data: null,
      error: { code: 'INVALID_INPUT', message: expect.stringMatching(/^provider must be/) },
      meta: {
        request_id: refused.headers.get('x-request-id'),
        latency_ms: expect.any(Number),
        api_version: '2.0.1',
        deprecation: [expect.objectContaining({ ...deprecated, deprecated_since: '2.0.1' })],
      },
      detail: expect.objectContaining({ success: false, error_code: 'INVALID_INPUT', ...deprecated }),
    });
    expect(refusal(await create({ tenant_id: 'another' }))[0]).toBe(400);
  });

  test('names in the query string do as well, another version and another content type do not', async () => {
    const { server, database, account } = connected;
    const json = { provider: 'scripted', credentials: { secret: account.secret } };
    const made = await server.rest('POST', `/connectors?tenant_id=${database}&sub_tenant_id=q`, { json });
    expect(made.body).toMatchObject({ database, collection: 'q', sub_tenant_id: 'q' });
    expect((await create({}, { headers: { 'api-version': '1' } })).status).toBe(400);
    const form = new URLSearchParams({ provider: 'scripted', database });
    expect(refusal(await server.rest('POST', '/connectors', { form }))).toEqual([
      415,
      'INVALID_INPUT',
      expect.any(String),
    ]);
  });
});

describe('the providers of this server', () => {
  // open-points 9: what credentials hold.
  const documented: Readonly<Record<string, readonly string[]>> = {
    rss: [],
    web: [],
    filesystem: [],
    s3: ['endpoint', 'region', 'access_key_id', 'secret_access_key'],
    imap: ['host', 'port', 'tls', 'user', 'password'],
    slack: ['access_token'],
    github: ['access_token'],
    notion: ['access_token'],
    linear: ['api_key'],
    jira: ['site_url', 'email', 'api_token'],
    confluence: ['site_url', 'email', 'api_token'],
    'google-drive': ['client_id', 'client_secret', 'refresh_token'],
    gmail: ['client_id', 'client_secret', 'refresh_token'],
  };

  test('are all documented ones, each with its credentials, bounds and a guide', async () => {
    const server = await TestServer.start();
    try {
      const { providers } = (await server.rest('GET', '/connectors/providers')).body;
      expect(providers.map(({ provider }: any) => provider).sort()).toEqual(Object.keys(documented).sort());
      for (const each of providers) {
        expect(each).toMatchObject({
          supported: each.provider !== 'filesystem',
          webhook_support: false,
          auth_types: expect.arrayContaining([expect.any(String)]),
        });
        expect(each.min_sync_interval_seconds).toBeLessThanOrEqual(each.default_sync_interval_seconds);
        expect(each.max_sync_interval_seconds).toBeGreaterThanOrEqual(each.default_sync_interval_seconds);
        const one = (await server.rest('GET', `/connectors/providers?id=${each.provider}`)).body;
        expect(one.connector_type).toBe(each.category);
        expect(one.credential_schema).toMatchObject({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
        });
        const fields = Object.keys(one.credential_schema.properties ?? {});
        expect([each.provider, fields]).toEqual([
          each.provider,
          expect.arrayContaining([...(documented[each.provider] ?? [])]),
        ]);
        expect(one.setup_guide).not.toBe('');
        expect(one.indexed_object_types).not.toEqual([]);
      }
      const database = await server.database();
      const json = { provider: 'filesystem', database, credentials: {} };
      expect(refusal(await server.rest('POST', '/connectors', { json }))).toEqual([
        403,
        'FORBIDDEN',
        expect.stringContaining('switched off'),
      ]);
      const feed = await server.rest('POST', '/connectors', { json: { ...json, provider: 'rss' } });
      expect([feed.status, feed.body.name]).toEqual([201, expect.stringMatching(/RSS/i)]);
    } finally {
      await server.stop();
    }
  });
});
