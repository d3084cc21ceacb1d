import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../src/connectors/provider.js';
import { ConnectedAccount, refusal } from '../support/connectors/connected-account.js';

const connected = new ConnectedAccount();
const { connect, call, show, configure, resources } = connected;
beforeAll(() => connected.start());
afterAll(connected.stop);
let id: string;
beforeEach(async () => {
  await connected.reset();
  id = await connect();
});

const general = { resource_id: 'general' };
const day = 86_400_000;
const stored = () => connected.server.sql<any>('select * from connector_resources order by resource_id');

describe('GET /connectors/{id}/discover', () => {
  const discover = (query = '') => call('GET', id, { path: `/discover${query}` });

  test('pages through what the provider has', async () => {
    const first = await discover('?limit=2');
    expect(first.body).toEqual({
      provider: 'scripted',
      resources: ['general', 'random'].map((each) => ({
        id: each,
        name: `#${each}`,
        resource_type: 'channel',
        metadata: { members: 3 },
      })),
      next_cursor: '2',
      has_more: true,
    });
    const last = await discover(`?limit=2&cursor=${first.body.next_cursor}`);
    expect(last.body).toMatchObject({ resources: [{ id: 'third' }], next_cursor: null, has_more: false });
  });

  test('422 when the credentials are rejected, 503 with Retry-After when the provider fails', async () => {
    for (const limit of [0, 101]) expect((await discover(`?limit=${limit}`)).status).toBe(400);
    connected.account.fail('discover', new ProviderError('credentials', 'rejected'));
    expect(refusal(await discover())).toEqual([422, 'VALIDATION_ERROR', 'rejected']);
    connected.account.fail('discover', new ProviderError('expired', 'cannot go on'));
    expect(refusal(await discover('?cursor=nonsense'))).toEqual([
      400,
      'INVALID_INPUT',
      'cursor is not one that this list returned, or is too old: begin without it',
    ]);
    connected.account.fail('discover', new ProviderError('unavailable', 'out of order'));
    const failed = await discover();
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '30']);
  });
});

describe('POST /connectors/{id}/configure', () => {
  test('saves what the provider knows and begins the first sync', async () => {
    const answer = await configure(id, [
      { ...general, metadata: { team: 'chat' }, additional_metadata: { a: 1 }, acl: ['Ann@example.com'] },
      {
        resource_id: 'random',
        name: 'Noise',
        collection: 'noise',
        filters: { word: 'x', lookback_days: 90 },
      },
    ]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        connector_id: id,
        configured: 2,
        backfill: true,
        first_sync_at: expect.stringMatching(/Z$/),
        message: '2 resources are configured; a sync is under way',
        warnings: [],
      },
    ]);
    expect(await show(id)).toMatchObject({
      lifecycle: 'ingesting',
      sync_status: 'syncing',
      active_resource_count: 2,
      resources_pending_first_sync: 2,
    });
    const [first, second] = await resources(id);
    expect(first).toEqual({
      connector_id: id,
      resource_id: 'general',
      resource_type: 'channel',
      display_name: '#general',
      status: 'active',
      provider_cursor: '',
      database_override: '',
      tenant_id_override: '',
      collection_override: '',
      sub_tenant_id_override: '',
      provider_metadata: { members: 3 },
      filters: { lookback_days: 30 },
      metadata: { team: 'chat' },
      additional_metadata: { a: 1 },
      sync_mode: 'rescan',
      backfill_oldest: expect.any(String),
      sync_blocked: false,
      acl: ['user_email:ann@example.com'],
    });
    expect(second).toMatchObject({
      display_name: 'Noise',
      collection_override: 'noise',
      sub_tenant_id_override: 'noise',
      filters: { word: 'x', lookback_days: 90 },
    });
    expect(second).not.toHaveProperty('acl');
    expect(second).not.toHaveProperty('custom_instructions');
    expect(Date.parse(first.backfill_oldest) - Date.parse(second.backfill_oldest)).toBe(60 * day);
  });

  test.each([
    ['nothing', [], /1 to 500 entries, not 0/],
    ['too many', Array.from({ length: 501 }, (_, n) => ({ resource_id: `${n}` })), /not 501/],
    ['one twice', [general, general], /^resources\[1\].resource_id is in the list twice/],
    ['an empty id', [{ resource_id: ' ' }], /^resources\[0\].resource_id must not be empty/],
    ['a long id', [{ resource_id: 'x'.repeat(513) }], /513 characters; at most 512/],
    ['an unknown mode', [{ ...general, sync_mode: 'x' }], /sync_mode must be one of rescan, new_only/],
    ['an unknown filter', [{ ...general, filters: { words: 1 } }], /^resources\[0\].filters.words is not/],
    ['a filter of another type', [{ ...general, filters: { word: 1 } }], /filters.word must be a string$/],
    ['a lookback out of range', [{ ...general, filters: { lookback_days: 3651 } }], /1 to 3650/],
    ['undeclared metadata', [{ ...general, metadata: { nope: 1 } }], /metadata.nope is not declared/],
    ['metadata of another type', [{ ...general, metadata: { size: 'x' } }], /metadata.size/],
    [
      'long additional metadata',
      [{ ...general, additional_metadata: { a: 'x'.repeat(600) } }],
      /additional_metadata has \d+ bytes .*512/,
    ],
    ['long instructions', [{ ...general, custom_instructions: 'x'.repeat(4001) }], /at most 4000/],
    ['an empty principal', [{ ...general, acl: [''] }], /acl\[0\]/],
  ])('refuses %s and saves nothing', async (_case, list, problem) => {
    expect(refusal(await configure(id, list))).toEqual([
      400,
      'INVALID_INPUT',
      expect.stringMatching(problem),
    ]);
    expect(await stored()).toEqual([]);
    expect(connected.account.count('describe')).toBe(0);
    expect(await show(id)).toMatchObject({ sync_status: 'idle' });
  });

  test('one resource that the provider refuses: 422 naming it, none is saved; a failure is 503', async () => {
    const both = [general, { resource_id: 'not there' }];
    expect(refusal(await configure(id, both))).toEqual([
      422,
      'VALIDATION_ERROR',
      expect.stringMatching(/^resource "not there": there is no/),
    ]);
    connected.account.fail('describe', new ProviderError('unavailable', 'out of order'));
    expect(refusal(await configure(id, [general]))).toEqual([503, 'SERVICE_UNAVAILABLE', expect.any(String)]);
    expect((await configure(id, [{ ...general, database: 'no-such' }])).status).toBe(404);
    expect(await stored()).toEqual([]);
  });

  test('again: the place is kept, metadata is merged, what is not sent stays', async () => {
    const whole = { metadata: { team: 'a' }, custom_instructions: 'be brief', acl: ['ann'] };
    await configure(id, [{ ...general, ...whole, collection: 'chat' }, { resource_id: 'random' }]);
    await connected.endRun(id);
    const [before] = await resources(id);
    connected.server.clock.advance(3600);
    await configure(id, [{ ...general, metadata: { size: 2 } }]);
    const [after, other] = await resources(id);
    expect(after).toMatchObject({
      provider_cursor: '7',
      metadata: { team: 'a', size: 2 },
      custom_instructions: 'be brief',
      acl: ['ann'],
      collection_override: 'chat',
      backfill_oldest: before.backfill_oldest,
    });
    expect(other.resource_id).toBe('random');
    await configure(id, [{ ...general, acl: ['*'] }]);
    expect((await resources(id))[0]).not.toHaveProperty('acl');
  });

  test('a longer lookback reads anew, a shorter one does not', async () => {
    await configure(id, [general]);
    await connected.endRun(id);
    await configure(id, [general], { lookback_days: 10 });
    expect((await resources(id))[0]).toMatchObject({ provider_cursor: '7', filters: { lookback_days: 10 } });
    await configure(id, [general], { lookback_days: 60 });
    expect((await resources(id))[0]).toMatchObject({ provider_cursor: '', filters: { lookback_days: 60 } });
  });

  test('it unblocks a connector; a paused one waits, and says so', async () => {
    await connected.server.sql('update connectors set sync_blocked_at = now(), paused_at = now()');
    const { body } = await configure(id, [general]);
    expect(body.warnings).toEqual([expect.stringContaining('resumed')]);
    expect(await show(id)).toMatchObject({ lifecycle: 'paused', sync_blocked: false, sync_status: 'idle' });
    expect((await resources(id))[0]).toMatchObject({ status: 'paused' });
  });
});

describe('…/resources', () => {
  const change = (json: unknown, resource = 'general') =>
    call('PATCH', id, { path: `/resources/${encodeURIComponent(resource)}`, json });

  test('POST adds one, or configures it anew', async () => {
    const add = (json: unknown) => call('POST', id, { path: '/resources', json });
    const added = await add({ ...general, sync_mode: 'new_only', sub_tenant_id: 'chat', lookback_days: 7 });
    expect([added.status, added.body]).toMatchObject([
      201,
      {
        resource_id: 'general',
        sync_mode: 'new_only',
        collection_override: 'chat',
        filters: { lookback_days: 7 },
      },
    ]);
    expect(await show(id)).toMatchObject({ sync_status: 'syncing' });
    expect((await add({ ...general, name: 'Renamed' })).body).toMatchObject({ display_name: 'Renamed' });
    expect(await stored()).toHaveLength(1);
    expect(refusal(await add({ resource_id: 'gone' }))).toEqual([
      422,
      'VALIDATION_ERROR',
      expect.any(String),
    ]);
    expect(refusal(await add({ ...general, filters: { x: 1 } }))[2]).toMatch(/^filters.x/);
  });

  test('PATCH changes what is sent, and marks access lists that are behind', async () => {
    await configure(id, [{ ...general, custom_instructions: 'be brief', metadata: { team: 'a' } }]);
    const answer = await change({ acl: [], custom_instructions: '', metadata: { size: 1 } });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        connector_id: id,
        resource_id: 'general',
        acl: [],
        metadata: { team: 'a', size: 1 },
        custom_instructions_updated: true,
        acl_updated: true,
        filters_updated: false,
        metadata_updated: true,
        additional_metadata_updated: false,
      },
    ]);
    expect(answer.body).not.toHaveProperty('custom_instructions');
    expect((await stored())[0]).toMatchObject({ acl: [], acl_pending: true });
  });

  test('PATCH refuses bad changes and changes nothing', async () => {
    await configure(id, [general]);
    const before = await stored();
    for (const [json, problem] of [
      [{}, /at least one of custom_instructions/],
      [{ filters: { words: 1 } }, /^filters.words/],
      [{ metadata: { nope: 1 } }, /^metadata.nope/],
      [{ additional_metadata: { a: 'x'.repeat(600) } }, /512/],
    ] as const)
      expect(refusal(await change(json))).toEqual([400, 'INVALID_INPUT', expect.stringMatching(problem)]);
    expect((await change({ acl: [] }, 'not there')).status).toBe(404);
    expect(await stored()).toEqual(before);
  });

  test('ids of any characters can be named in a path', async () => {
    const odd = `https://example.com/feed?a=1&b=/#${'ü'.repeat(400)}`;
    connected.account.addResource(odd);
    expect((await configure(id, [{ resource_id: odd }])).status).toBe(200);
    expect((await change({ acl: ['ann'] }, odd)).body).toMatchObject({ resource_id: odd, acl: ['ann'] });
    const path = `/resources/${encodeURIComponent(odd)}`;
    const removed = await call('DELETE', id, { path });
    expect(removed.body).toEqual({ connector_id: id, resource_id: odd, deleted: true });
    expect((await call('DELETE', id, { path })).status).toBe(404);
    expect(await show(id)).toMatchObject({ active_resource_count: 0, lifecycle: 'pending_setup' });
  });
});

describe('pause, resume, sync, status', () => {
  const post = (path: string) => call('POST', id, { path });

  test('pause and resume, each once', async () => {
    await configure(id, [general]);
    const paused = await post('/pause');
    expect([paused.status, paused.body]).toEqual([
      200,
      { connector_id: id, paused: true, paused_at: expect.stringMatching(/Z$/) },
    ]);
    expect(await show(id)).toMatchObject({ lifecycle: 'paused', sync_status: 'idle', paused: true });
    expect(refusal(await post('/pause'))).toEqual([409, 'INVALID_INPUT', expect.stringMatching(/already/)]);
    expect(refusal(await post('/sync'))).toEqual([409, 'INVALID_INPUT', expect.stringMatching(/paused/)]);
    const resumed = await post('/resume');
    expect([resumed.status, resumed.body]).toEqual([200, { connector_id: id, paused: false }]);
    // The sync that was under way goes on.
    expect(await show(id)).toMatchObject({ lifecycle: 'ingesting', sync_status: 'syncing', paused: false });
    expect(refusal(await post('/resume'))).toEqual([
      409,
      'INVALID_INPUT',
      expect.stringMatching(/not paused/),
    ]);
  });

  test('sync begins a run; one that is under way goes on', async () => {
    expect(refusal(await post('/sync'))).toEqual([409, 'INVALID_INPUT', expect.stringMatching(/no active/)]);
    await configure(id, [general]);
    await connected.endRun(id);
    expect(await show(id)).toMatchObject({ lifecycle: 'active', sync_status: 'idle' });
    const begun = await post('/sync');
    expect([begun.status, begun.body]).toEqual([
      202,
      { workflow_id: `connector-sync-${id}`, run_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
    expect(await show(id)).toMatchObject({ lifecycle: 'syncing', sync_status: 'syncing' });
    expect((await post('/sync')).body).toEqual({ workflow_id: `connector-sync-${id}`, run_id: '' });
    await connected.server.sql(
      `update connectors set sync_blocked_at = now(), sync_blocked_reason = 'rejected'`,
    );
    expect(refusal(await post('/sync'))).toEqual([409, 'INVALID_INPUT', expect.stringMatching(/rejected/)]);
  });

  test('status tells errors, progress and each resource', async () => {
    await configure(id, [general, { resource_id: 'random' }]);
    await connected.server.sql(
      `update connectors set run_objects = 5, last_error = 'random: out of order', last_error_at = '2026-01-02'`,
    );
    await connected.server.sql(
      `update connector_resources r set done_run = c.run_id, health = 'ok', objects_seen = 5, checked_at = '2026-01-02'
         from connectors c where c.id = r.connector_id and r.resource_id = 'general'`,
    );
    expect((await call('GET', id, { path: '/status' })).body).toMatchObject({
      connector_id: id,
      provider: 'scripted',
      status: 'active',
      lifecycle: 'ingesting',
      sync_status: 'syncing',
      error: {
        message: 'random: out of order',
        action: expect.stringContaining('tried again'),
        retryable: true,
        detected_at: '2026-01-02T00:00:00.000Z',
      },
      progress: { objects_sent: 5, resources_done: 1, resources_total: 2 },
      resources: [
        {
          resource_id: 'general',
          display_name: '#general',
          status: 'ok',
          objects_seen: 5,
          http_status: null,
        },
        { resource_id: 'random', status: 'checking', checked_at: '' },
      ],
    });
  });
});

test('MAX_SYNCS_PER_DAY: the next one is 429 until midnight', async () => {
  const limited = new ConnectedAccount();
  await limited.start({ MAX_SYNCS_PER_DAY: '1' });
  try {
    await limited.reset();
    const one = await limited.connect();
    await limited.configure(one, [general]);
    await limited.endRun(one);
    const refused = await limited.call('POST', one, { path: '/sync' });
    expect(refusal(refused)).toEqual([
      429,
      'RATE_LIMITED',
      expect.stringMatching(/no further sync today \(at most 1 a day\)/),
    ]);
    const wait = Number(refused.headers.get('retry-after'));
    expect(refused.headers.get('ratelimit-limit')).toBe('1');
    expect(refused.headers.get('ratelimit-reset')).toBe(String(wait));
    const more = await limited.configure(one, [{ resource_id: 'random' }]);
    expect(more.body).toMatchObject({
      configured: 1,
      warnings: [expect.stringContaining('syncs of the day')],
    });
    limited.server.clock.advance(wait);
    expect((await limited.call('POST', one, { path: '/sync' })).status).toBe(202);
  } finally {
    await limited.stop();
  }
});
