import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { ENDPOINTS } from '../../rest-compat/endpoints.js';
import { apiVersion } from '../../rest-compat/response.js';
import {
  EXAMPLES,
  callRoute,
  connectExample,
  exampleProviders,
  logExampleQuery,
  registerExampleWebhook,
  routesOf,
} from '../support/requests.js';
import type { Route } from '../support/requests.js';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start(exampleProviders());
  database = await server.database();
});
afterAll(async () => server.stop());

const routes = routesOf(ENDPOINTS);
const inPath = (route: Route) => route.path.includes('{database}');
const example = (route: Route, name: string) => EXAMPLES[route.operation]?.(name) ?? {};
/** Operations whose example is about an item that is there. */
const aboutKnown = [
  'indexing-status',
  'update-source-metadata',
  'delete-sources',
  'inspect-source',
  'source-chunks',
];
const codeOf = (route: Route, status: number) => route.codes?.[status] ?? 'INVALID_INPUT';
const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

describe.each(named)('%s', (_name, route) => {
  test('without a valid key is 401 in the envelope', async () => {
    for (const key of [
      null,
      'nonsense',
      'test.wrong-secret-of-some-length',
      '.',
      'unknown.0123456789abcdef',
    ]) {
      const answer = await server.rest(route.method, route.path, { key });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(answer.body).toEqual({
        success: false,
        data: null,
        error: { code: 'UNAUTHORIZED', message: expect.any(String) },
        meta: expect.objectContaining({
          request_id: answer.headers.get('x-request-id'),
          latency_ms: expect.any(Number),
          api_version: apiVersion,
        }),
        detail: { success: false, error_code: 'UNAUTHORIZED', message: answer.body.error.message },
      });
    }
  });

  test('refuses an API-Version other than 2', async () => {
    for (const version of ['1', '3', 'x']) {
      const answer = await server.rest(route.method, route.path, { headers: { 'api-version': version } });
      expect([answer.status, answer.body.error.code]).toEqual([400, codeOf(route, 400)]);
      expect(answer.body.error.message).toMatch(/API-Version.*2/);
    }
  });

  test('its example is answered with the documented status, meta and data', async () => {
    const name = route.operation === 'create-database' ? `made-${uuidv7()}` : await server.database();
    if (aboutKnown.includes(route.operation)) await server.remember(name, [{ id: 'known', text: 'a fact' }]);
    if (route.operation === 'send-feedback') await logExampleQuery(server, name);
    if (route.path.startsWith('/webhooks/')) await registerExampleWebhook(server);
    if (route.path.startsWith('/connectors'))
      await connectExample(server, name, { paused: route.operation === 'resume-connector' });
    const answer = await callRoute(server, route, { parameters: example(route, name) });
    expect([answer.status, answer.body.error ?? null]).toEqual([route.status, null]);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    if (route.bare) {
      expect(answer.body).not.toHaveProperty('meta');
      if (route.scope !== 'none') expect(answer.body).toMatchObject({ database: name, tenant_id: name });
      return;
    }
    expect(answer.body).toMatchObject({ success: true, data: expect.any(Object), error: null });
    const { meta } = answer.body;
    expect(meta).toMatchObject({
      request_id: answer.headers.get('x-request-id'),
      latency_ms: expect.any(Number),
      api_version: apiVersion,
    });
    if (route.scope === 'none') expect(meta).not.toHaveProperty('database');
    else expect(meta).toMatchObject({ database: name, tenant_id: name });
    const collection = { 'delete-collection': 'example' }[route.operation] ?? 'default';
    // Of feedback the example names the database alone.
    if (/^(?:none|given|database)$/.test(route.scope)) expect(meta).not.toHaveProperty('collection');
    else expect(meta).toMatchObject({ collection, sub_tenant_id: collection });
    const typed = 'type' in example(route, name);
    expect(meta.source_type).toBe(typed ? 'memory' : undefined);
  });

  test('other methods are 405 with Allow', async () => {
    const served = routes
      .filter((other) => other.path === route.path)
      .flatMap(({ method }): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter(
      (candidate) => !served.includes(candidate),
    )) {
      const answer = await server.rest(method, route.path);
      expect(answer.status).toBe(405);
      if (method !== 'HEAD') expect(answer.body.error.code).toBe('INVALID_INPUT');
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...served].sort());
    }
  });
});

/** What holds for some routes alone. */
const those = (hasIt: (route: Route) => boolean) => named.filter(([, route]) => hasIt(route));

test.each(those(({ scope, makesDatabase }) => scope !== 'none' && !makesDatabase))(
  '%s: an unknown database is 404 with the code of the route',
  async (_name, route) => {
    const answer = await callRoute(server, route, { parameters: example(route, 'no-such') });
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe(
      route.path.startsWith('/tenants') ? 'NOT_FOUND' : 'DATABASE_NOT_FOUND',
    );
  },
);

test.each(those((route) => !/^(?:none|given)$/.test(route.scope) && !inPath(route)))(
  '%s: a missing or empty database is 400 naming it',
  async (_name, route) => {
    const parameters = example(route, '');
    for (const [refused, problem] of [
      [
        await server.rest(route.method, route.path, route.method === 'GET' ? {} : { json: {} }),
        'is required',
      ],
      [await callRoute(server, route, { parameters }), 'must not be empty'],
    ] as const) {
      expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_INPUT']);
      expect(refused.body.error.message).toMatch(`database ${problem}`);
    }
  },
);

test.each(those(({ scope }) => scope !== 'none'))(
  '%s: a database under two names with different values is 400',
  async (_name, route) => {
    if (inPath(route)) {
      const path = route.path.replace('{database}', database);
      const contradicting = await server.rest(route.method, `${path}?tenant_id=other`);
      expect([contradicting.status, contradicting.body.error.code]).toEqual([400, codeOf(route, 400)]);
      expect(contradicting.body.error.message).toMatch(/database/);
      return;
    }
    const query = (tenant: string) => `${route.path}?database=${database}&tenant_id=${tenant}`;
    const different = await server.rest(route.method, query('other'));
    expect(different.status).toBe(400);
    expect(different.body.error.message).toMatch(/database and its other name tenant_id/);
    expect(different.body.detail).toMatchObject({
      deprecated: true,
      deprecated_field: 'tenant_id',
      preferred_field: 'database',
    });
  },
);

test.each(those(({ path, canonical }) => path !== canonical))(
  '%s: a deprecated route says so in meta and headers',
  async (_name, route) => {
    const answer = await server.rest(route.method, route.path, route.method === 'GET' ? {} : { json: {} });
    expect(answer.headers.get('deprecation')).toBe('true');
    expect(answer.headers.get('warning')).toMatch(/^299 - ".*deprecated/);
    expect(answer.body.meta.deprecation).toContainEqual({
      deprecated: true,
      message: expect.stringContaining(route.canonical),
      deprecated_since: '2.0.1',
    });
  },
);

test.each(those(({ body }) => body !== 'none'))(
  '%s: a body of another content type is 415, one that is not JSON 400',
  async (_name, route) => {
    const xml = await server.rest(route.method, route.path, {
      raw: '<a/>',
      headers: { 'content-type': 'application/xml' },
    });
    expect([xml.status, xml.body.error.code]).toEqual([415, 'INVALID_INPUT']);
    const path = route.path.replace('{database}', database);
    for (const raw of ['{', '[1]', '"text"', 'null{']) {
      const broken = await server.rest(route.method, path, {
        raw,
        headers: { 'content-type': 'application/json' },
      });
      expect([broken.status, broken.body.error.code]).toEqual([400, codeOf(route, 400)]);
    }
  },
);

describe('the transport', () => {
  test('a JSON body is UTF-8, with or without a byte order mark', async () => {
    const send = (bytes: Buffer) =>
      fetch(`${server.url}/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
        body: new Uint8Array(bytes),
      });
    const json = JSON.stringify({ database, query: 'Käse' });
    expect((await send(Buffer.from(`\uFEFF${json}`))).status).toBe(200);
    const latin = await send(Buffer.from(json, 'latin1'));
    const body: any = await latin.json();
    expect([latin.status, body.error]).toEqual([
      400,
      { code: 'INVALID_INPUT', message: 'body must be UTF-8' },
    ]);
  });

  test('API-Version 2 is served, and equal values under two names are one', async () => {
    const path = `/databases/status?database=${database}&tenant_id=${database}`;
    const answer = await server.rest('GET', path, { headers: { 'api-version': '2' } });
    expect([answer.status, answer.body.data.database]).toEqual([200, database]);
    const filters = { team: 'a' };
    const both = await server.rest('POST', `/query?metadata_filters=${JSON.stringify(filters)}`, {
      json: { database, query: 'a', metadata_filters: filters },
    });
    expect(both.status).toBe(200);
  });

  test('a GET is served whatever content type it names', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await server.rest('GET', '/databases', { headers })).status).toBe(200);
  });

  test.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'cut off in a field',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
    ],
    [
      'cut off in a file',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="documents"; filename="a.txt"\r\n\r\nb',
    ],
  ])('a form %s is 400', async (_case, contentType, raw) => {
    const answer = await server.rest('POST', '/context/ingest', {
      raw,
      headers: { 'content-type': contentType },
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('of several mistakes the first in order is named: content type, type, database, then the rest', async () => {
    const ingest = (body: Record<string, unknown>, contentType = 'application/json') =>
      server.rest('POST', '/context/ingest', {
        raw: JSON.stringify(body),
        headers: { 'content-type': contentType },
      });
    const wrong = {
      type: 'all',
      database: 'no-such',
      memories: [{ id: 'a,b' }],
      document_metadata: [{ title: 'x' }],
    };
    expect((await ingest(wrong, 'text/plain')).status).toBe(415);
    expect((await ingest(wrong)).body.error.code).toBe('CORPUS_TYPE_UNSUPPORTED');
    expect((await ingest({ ...wrong, database: undefined })).body.error.code).toBe('CORPUS_TYPE_UNSUPPORTED');
    expect((await ingest({ ...wrong, type: 'knowledge' })).body.error.code).toBe('DATABASE_NOT_FOUND');
    const known = await ingest({ ...wrong, type: 'knowledge', database });
    expect([known.status, known.body.error.message]).toEqual([400, expect.stringMatching(/title/)]);
    const query = { database: 'no-such', query: 'x', max_results: 'many' };
    expect((await server.rest('POST', '/query', { json: query })).body.error.code).toBe('DATABASE_NOT_FOUND');
    const path = '/databases/no-such/metadata-schema';
    expect((await server.rest('PATCH', path, { json: { add_fields: 'x' } })).status).toBe(404);
  });

  test('an unknown route is 404 NOT_FOUND with a key and 401 without', async () => {
    const answer = await server.rest('GET', '/nowhere');
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect((await server.rest('GET', '/nowhere', { key: null })).status).toBe(401);
  });

  test('the request id is our own, on every answer; the client id is echoed', async () => {
    const answer = await server.rest('GET', '/databases', { headers: { 'x-request-id': 'mine-1' } });
    expect(answer.headers.get('x-request-id')).toBe(answer.body.meta.request_id);
    expect(answer.body.meta.request_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(answer.headers.get('x-client-request-id')).toBe('mine-1');
    expect((await server.rest('GET', '/healthz', { key: null })).headers.get('x-request-id')).toMatch(/-7/);
  });

  test('migrated requests have no deprecation', async () => {
    const answer = await server.rest('GET', '/databases');
    expect(answer.body.meta.deprecation).toBeUndefined();
    expect(answer.headers.get('deprecation')).toBeNull();
  });

  test('a JSON body over 32 MiB is 413', async () => {
    const raw = JSON.stringify({ database, query: 'x'.repeat(33_554_432) });
    const answer = await server.rest('POST', '/query', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.body.error.code]).toEqual([413, 'INVALID_INPUT']);
  });

  test('/healthz and /readyz need no key', async () => {
    expect((await server.rest('GET', '/healthz', { key: null })).status).toBe(200);
    expect((await fetch(`${server.url}/healthz`, { method: 'HEAD' })).status).toBe(200);
    const ready = await server.rest('GET', '/readyz', { key: null });
    expect(ready.body).toMatchObject({ database: true, migrations: true });
    expect((await fetch(`${server.url}/readyz`, { method: 'HEAD' })).status).toBe(ready.status);
  });

  test('a key without the scope is 403, one that expired or was revoked 401', async () => {
    await server.sql(
      `insert into api_keys (prefix, account_id, secret_hash, name, scopes, expires_at, revoked_at, created_at)
       select 'reader', account_id, secret_hash, 'reader', '{read}', null, null, created_at from api_keys where prefix = 'test'`,
    );
    const key = 'reader.0123456789abcdef0123456789abcdef';
    const attempt = () => server.rest('POST', '/databases', { json: { database: 'forbidden' }, key });
    const refused = await attempt();
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect((await server.rest('GET', '/databases', { key })).status).toBe(200);
    await server.sql(`update api_keys set expires_at = $1 where prefix = 'reader'`, [server.clock.now()]);
    expect((await attempt()).status).toBe(401);
    await server.sql(`update api_keys set expires_at = null, revoked_at = $1 where prefix = 'reader'`, [
      server.clock.now(),
    ]);
    expect((await attempt()).status).toBe(401);
  });
});
