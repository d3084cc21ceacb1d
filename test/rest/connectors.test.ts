import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { ProviderError } from '../../src/connectors/provider.js';
import { ConnectedAccount, refusal } from '../support/connectors/connected-account.js';

const connected = new ConnectedAccount();
const { create, connect, call, show, configure } = connected;
beforeAll(() => connected.start());
afterAll(connected.stop);
beforeEach(connected.reset);

const count = async () => (await connected.server.sql('select 1 from connectors')).length;

describe('POST /connectors', () => {
  test('connects an account: all documented fields, the first sync in five minutes', async () => {
    const { status, body } = await create({ name: 'Chat', provider_account_scope: 'acme' });
    expect(status).toBe(201);
    expect(body).toEqual({
      connector_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      provider: 'scripted',
      name: 'Chat',
      database: connected.database,
      tenant_id: connected.database,
      collection: 'default',
      sub_tenant_id: 'default',
      provider_account_scope: 'acme',
      auth_type: 'api_token',
      custom_instructions: '',
      lifecycle: 'pending_setup',
      status: 'active',
      sync_status: 'idle',
      sync_interval_seconds: 3600,
      active_resource_count: 0,
      resources_pending_first_sync: 0,
      documents_dispatched: 0,
      next_sync_at: expect.stringMatching(/Z$/),
      first_sync_at: body.next_sync_at,
      last_successful_sync_at: '',
      last_attempted_sync_at: '',
      last_error: '',
      message: expect.stringContaining('choose the resources'),
      needs_reauth: false,
      needs_reauth_at: '',
      needs_reauth_reason: '',
      sync_blocked: false,
      sync_blocked_at: '',
      sync_blocked_reason: '',
      paused: false,
      paused_at: '',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(Date.parse(body.next_sync_at) - Date.parse(body.created_at)).toBe(300_000);
    expect(connected.account.count('check')).toBe(1);
    expect(await show(body.connector_id)).toEqual({ ...body, first_sync_at: '' });
  });

  test('takes deprecated names, and says so in headers', async () => {
    const answer = await create({
      database: undefined,
      tenant_id: connected.database,
      sub_tenant_id: 'chat',
    });
    expect([answer.status, answer.body.collection]).toEqual([201, 'chat']);
    expect(answer.headers.get('deprecation')).toBe('true');
  });

  test.each([
    ['no provider', { provider: undefined }, 400, /^provider is required/],
    ['an unknown provider', { provider: 'nothing' }, 400, /^provider must be one of scripted/],
    ['no credentials', { credentials: undefined }, 400, /^credentials is required/],
    ['credentials that are no object', { credentials: 'open sesame' }, 400, /^credentials must be an object/],
    ['an interval out of range', { sync_interval_seconds: 299 }, 400, /300 to 604800, not 299/],
    ['an auth_type of another provider', { auth_type: 'password' }, 400, /api_token, oauth/],
    ['long instructions', { custom_instructions: 'x'.repeat(4001) }, 400, /4001 characters; at most 4000/],
    ['a long name', { name: 'x'.repeat(256) }, 400, /^name has 256/],
    ['a long scope', { provider_account_scope: 'x'.repeat(256) }, 400, /^provider_account_scope has 256/],
    ['an unknown database', { database: 'no-such' }, 404, /no-such/],
    ['a provider that is switched off', { provider: 'switched-off' }, 403, /Switched off is switched off/],
    ['credentials of another shape', { credentials: {} }, 422, /^credentials.secret is required/],
    ['a key too many', { credentials: { secret: 'x', token: 'hush' } }, 422, /^credentials.token is not/],
    ['credentials that are rejected', { credentials: { secret: 'hush' } }, 422, /rejected the credentials/],
  ])('refuses %s and stores nothing', async (_case, more, status, problem) => {
    const answer = await create(more);
    expect(refusal(answer)).toEqual([status, expect.any(String), expect.stringMatching(problem)]);
    expect(JSON.stringify(answer.body)).not.toContain('hush');
    expect(await count()).toBe(0);
  });

  test('of several mistakes the first in order is named', async () => {
    const bad = { sync_interval_seconds: 1, database: 'no-such', credentials: {}, provider: 'switched-off' };
    expect((await create(bad)).status).toBe(400);
    expect((await create({ ...bad, sync_interval_seconds: 0 })).status).toBe(404);
    const wrong = { ...bad, sync_interval_seconds: 0, database: connected.database };
    expect((await create(wrong)).status).toBe(403);
    expect((await create({ ...wrong, provider: 'scripted' })).status).toBe(422);
  });

  test('a provider that fails is 503 with Retry-After, and nothing is stored', async () => {
    connected.account.fail('check', new ProviderError('limited', 'too fast', { retryAfterSeconds: 7 }));
    const limited = await create();
    expect(refusal(limited)).toEqual([503, 'SERVICE_UNAVAILABLE', expect.stringContaining('too fast')]);
    expect(limited.headers.get('retry-after')).toBe('7');
    connected.account.fail('check', new ProviderError('unavailable', 'out of order'));
    expect((await create()).status).toBe(503);
    connected.account.fail('check', new ProviderError('reauth', 'signed out'));
    expect(refusal(await create())).toEqual([422, 'VALIDATION_ERROR', 'signed out']);
    expect(await count()).toBe(0);
  });

  test('with an Idempotency-Key is done once', async () => {
    const headers = { 'idempotency-key': uuidv7() };
    const [first, again] = [await create({}, { headers }), await create({}, { headers })];
    expect(again.body).toEqual(first.body);
    expect(await count()).toBe(1);
    expect((await create({ name: 'other' }, { headers })).status).toBe(409);
  });

  test('a database that is not ready is 422 TENANT_INFRA_NOT_READY', async () => {
    const database = `db-${uuidv7()}`;
    await connected.server.rest('POST', '/databases', { json: { database } });
    expect((await create({ database })).body.error.code).toBe('TENANT_INFRA_NOT_READY');
  });
});

test('credentials stand nowhere in the open: not in rows, not in answers', async () => {
  const id = await connect();
  await configure(id, [{ resource_id: 'general' }]);
  const [row] = await connected.server.sql<{ text: string; credentials: Buffer }>(
    'select to_jsonb(c)::text as text, credentials from connectors c',
  );
  expect(row?.credentials.length).toBeGreaterThan(36);
  expect(row?.text).not.toContain('sesame');
  expect(Buffer.from(row?.credentials ?? []).toString('latin1')).not.toContain('sesame');
  for (const path of ['', '/status', '/resources', '/discover'])
    expect(JSON.stringify((await call('GET', id, { path })).body)).not.toContain('sesame');
});

describe('GET /connectors', () => {
  test('pages in the order of creation, by provider, with the limit and health when asked', async () => {
    const ids = [await connect(), await connect(), await connect()];
    const first = (await connected.server.rest('GET', '/connectors?page_size=2&provider=scripted')).body;
    expect(first.connectors.map((each: any) => each.connector_id)).toEqual(ids.slice(0, 2));
    expect(first.pagination).toEqual({
      page: 1,
      page_size: 2,
      total: 3,
      total_pages: 2,
      has_next: true,
      has_previous: false,
    });
    expect(first.connector_limit).toEqual({ count: 3, limit: null });
    expect(first).not.toHaveProperty('health');
    expect((await connected.server.rest('GET', '/connectors?provider=x')).body.connectors).toEqual([]);
    const unknown = await connected.server.rest('GET', '/connectors?include=everything');
    expect(refusal(unknown)).toEqual([400, 'INVALID_INPUT', expect.stringContaining('health')]);
  });

  test('health: paused before failed before checking before degraded before healthy', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await connect());
    const [paused, failed, checking, degraded, healthy] = ids as [string, string, string, string, string];
    for (const id of [paused, failed, checking, healthy]) await configure(id, [{ resource_id: 'general' }]);
    await connected.endRun(healthy);
    await call('POST', paused, { path: '/pause' });
    await connected.server.sql('update connectors set sync_blocked_at = now() where id = any($1)', [
      [failed, paused],
    ]);
    const { body } = await connected.server.rest('GET', '/connectors?include=health');
    expect(body.health).toEqual({
      [paused]: 'paused',
      [failed]: 'failed',
      [checking]: 'checking',
      [degraded]: 'degraded',
      [healthy]: 'healthy',
    });
  });
});

describe('GET /connectors/providers', () => {
  test('lists them, and describes one with the schema of its credentials', async () => {
    const { body } = await connected.server.rest('GET', '/connectors/providers');
    expect(body).toEqual({
      providers: [
        {
          provider: 'scripted',
          name: 'Scripted',
          category: 'messaging',
          auth_types: ['api_token', 'oauth'],
          supported: true,
          supports_acl: true,
          webhook_support: false,
          default_sync_interval_seconds: 3600,
          min_sync_interval_seconds: 300,
          max_sync_interval_seconds: 604_800,
        },
        expect.objectContaining({ provider: 'switched-off', supported: false }),
      ],
    });
    const one = await connected.server.rest('GET', '/connectors/providers?id=scripted');
    expect(one.body).toEqual({
      provider: 'scripted',
      connector_type: 'messaging',
      indexed_object_types: ['message'],
      searchable_fields: ['body'],
      filterable_fields: ['native_id'],
      credential_schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { secret: { type: 'string', minLength: 1, description: 'Open sesame' } },
        required: ['secret'],
        additionalProperties: false,
      },
      filter_schema: expect.objectContaining({ type: 'object' }),
      setup_guide: 'Say **open sesame**.',
    });
    expect((await connected.server.rest('GET', '/connectors/providers?id=x')).status).toBe(404);
  });
});

describe('PATCH /connectors/{id}', () => {
  const patch = (id: string, json: unknown) => call('PATCH', id, { json });

  test('changes what is sent and nothing else', async () => {
    const id = await connect({ name: 'before', custom_instructions: 'be brief' });
    const answer = await patch(id, { sync_interval_seconds: 7200 });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        connector_id: id,
        name: 'before',
        sync_interval_seconds: 7200,
        next_sync_at: expect.any(String),
        min_sync_interval_seconds: 300,
        max_sync_interval_seconds: 604_800,
        custom_instructions_updated: false,
        credentials_updated: false,
      },
    ]);
    const before = await show(id);
    expect(before).toMatchObject({ custom_instructions: 'be brief', sync_interval_seconds: 7200 });
    await patch(id, { custom_instructions: '', name: 'after' });
    expect(await show(id)).toMatchObject({
      name: 'after',
      custom_instructions: '',
      sync_interval_seconds: 7200,
      next_sync_at: before.next_sync_at,
    });
  });

  test('another interval counts from the last sync', async () => {
    const id = await connect();
    const now = connected.server.clock.now();
    await connected.server.sql('update connectors set last_attempted_sync_at = $2 where id = $1', [id, now]);
    const { body } = await patch(id, { sync_interval_seconds: 600 });
    expect(Date.parse(body.next_sync_at)).toBe(now.getTime() + 600_000);
    connected.server.clock.advance(3600);
    const late = await patch(id, { sync_interval_seconds: 600 });
    expect(Date.parse(late.body.next_sync_at)).toBeGreaterThan(now.getTime() + 3_600_000);
  });

  test.each([
    [{}, 400, /at least one of name/],
    [{ nonsense: 1 }, 400, /at least one of name/],
    [{ sync_interval_seconds: 604_801 }, 400, /604800/],
    [{ credentials: null }, 400, /^credentials must be an object/],
    [{ name: 'x', provider: 'scripted' }, 400, /^provider is not accepted/],
    [{ name: 'x', tenant_id: 'other' }, 400, /^tenant_id is not accepted/],
    [{ name: 'x', credentials: { secret: 'hush' } }, 422, /rejected/],
  ])('%j is refused and changes nothing', async (json, status, problem) => {
    const id = await connect();
    const before = await connected.server.sql('select * from connectors');
    const answer = await patch(id, json);
    expect(refusal(answer)).toEqual([status, expect.any(String), expect.stringMatching(problem)]);
    expect(await connected.server.sql('select * from connectors')).toEqual(before);
  });

  test('new credentials are tried, and a blocked connector goes on at once', async () => {
    const id = await connect();
    await connected.server.sql(
      `update connectors set sync_blocked_at = now(), sync_blocked_reason = 'rejected', needs_reauth_at = now(),
              needs_reauth_reason = 'signed out', failures = 3 where id = $1`,
      [id],
    );
    expect(await show(id)).toMatchObject({
      lifecycle: 'reconnect',
      sync_blocked: true,
      sync_blocked_reason: 'rejected',
      needs_reauth: true,
      message: expect.stringContaining('signed out'),
    });
    connected.account.fail('check', new ProviderError('unavailable', 'out of order'));
    const credentials = { secret: connected.account.secret };
    expect((await patch(id, { credentials })).status).toBe(503);
    expect(await show(id)).toMatchObject({ lifecycle: 'reconnect' });
    expect((await patch(id, { credentials })).body).toMatchObject({ credentials_updated: true });
    const after = await show(id);
    expect(after).toMatchObject({ lifecycle: 'pending_setup', needs_reauth: false, sync_blocked: false });
    expect(Date.parse(after.next_sync_at)).toBeLessThanOrEqual(connected.server.clock.now().getTime());
  });
});

describe('DELETE /connectors/{id}', () => {
  test('hides it and erases its credentials at once', async () => {
    const id = await connect();
    const answer = await call('DELETE', id, { path: '?purge=true' });
    expect([answer.status, answer.body]).toEqual([200, { connector_id: id, deleted: true }]);
    expect(await connected.server.sql('select credentials, purge from connectors')).toEqual([
      { credentials: null, purge: true },
    ]);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/sync'],
      ['GET', '/status'],
      ['GET', '/resources'],
    ] as const)
      expect(refusal(await call(method, id, { path }))).toEqual([404, 'NOT_FOUND', expect.any(String)]);
    expect((await connected.server.rest('GET', '/connectors')).body.connectors).toEqual([]);
  });

  test('a connector whose database is being deleted is gone too', async () => {
    const database = await connected.server.database();
    const id = await connect({ database });
    await connected.server.rest('DELETE', `/databases?database=${database}`);
    expect((await call('GET', id)).status).toBe(404);
    await connected.server.idle();
    expect(await count()).toBe(0);
  });
});
