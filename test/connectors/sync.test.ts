import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../src/connectors/provider.js';
import { Connected } from '../support/connectors/connected.js';
import { ScriptedAccount, scriptedProvider } from '../support/connectors/scripted-provider.js';
import { TestServer } from '../support/server.js';

const hour = 3600;
const day = 24 * hour;

let server: TestServer;
let database: string;
let account: ScriptedAccount;
/** Its reads show everything each time. */
let whole: ScriptedAccount;

beforeAll(async () => {
  account = new ScriptedAccount();
  whole = new ScriptedAccount();
  server = await TestServer.start({
    connectorProviders: [
      scriptedProvider(account),
      scriptedProvider(whole, { id: 'whole', tells: 'all', versions: true }),
    ],
  });
});
afterAll(() => server.stop());

let number = 0;
/** Resources of this test alone. */
let a: string;
let b: string;

beforeEach(async () => {
  number += 1;
  [a, b] = [`a${number}`, `b${number}`];
  for (const each of [account, whole]) {
    each.mend();
    each.calls.length = 0;
    each.addResource(a);
    each.addResource(b);
  }
  database = await server.database();
});

// Schedules of one test would be due in the next.
afterEach(async () => {
  const { body } = await server.rest('GET', '/connectors');
  for (const { connector_id: id } of body.connectors) await server.rest('DELETE', `/connectors/${id}`);
});

const connect = async (options: Partial<Parameters<typeof Connected.make>[1]> = {}) => {
  const connected = await Connected.make(server, { database, resources: [a], ...options });
  return connected;
};
const write = (count: number, from = 1) => {
  for (let index = from; index < from + count; index += 1)
    account.write(a, `${a}-${String(index).padStart(2, '0')}`);
};
const itemIds = (count: number) =>
  Array.from({ length: count }, (_, index) => `scripted:${a}-${String(index + 1).padStart(2, '0')}`);

describe('a sync', () => {
  test('brings each object once, with who it is and where it comes from', async () => {
    write(7);
    const connected = await connect();
    expect(await connected.fields()).toMatchObject({ lifecycle: 'ingesting', sync_status: 'syncing' });
    await server.idle();
    const items = await connected.items();
    expect(items.map(({ id }) => id)).toEqual(itemIds(7));
    expect(items[0]).toMatchObject({
      title: `text of ${a}-01`,
      app_kind: 'message',
      app_provider: 'scripted',
      app_external_id: `${a}-01`,
      additional_metadata: {
        connector_id: connected.id,
        provider: 'scripted',
        resource_id: a,
        native_id: `${a}-01`,
      },
    });
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'active',
      sync_status: 'idle',
      documents_dispatched: 7,
      active_resource_count: 1,
      resources_pending_first_sync: 0,
      last_error: '',
    });
    const [resource] = await connected.resources();
    expect(resource).toMatchObject({ resource_id: a, status: 'active' });
    expect(resource?.['provider_cursor']).not.toBe('');
    expect(await connected.status()).toMatchObject({
      error: null,
      progress: { objects_sent: 7 },
      resources: [{ resource_id: a, status: 'ok', objects_seen: 7 }],
    });
  });

  test('reads only what is new the next time, on its schedule', async () => {
    write(7);
    const connected = await connect();
    await server.idle();
    account.calls.length = 0;
    write(2, 8);
    await connected.pass(hour - 10);
    expect(account.count('read')).toBe(0);
    await connected.pass(20);
    expect(account.count('read')).toBe(1);
    expect(account.count('load')).toBe(2);
    expect(await connected.ids()).toEqual(itemIds(9));
    await connected.pass(hour);
    expect(await connected.status()).toMatchObject({ resources: [{ status: 'empty', objects_seen: 0 }] });
    expect(await connected.fields()).toMatchObject({ documents_dispatched: 9 });
  });

  test('replaces what was edited, and does not send again what has not changed', async () => {
    write(3);
    const connected = await connect();
    await server.idle();
    account.write(a, `${a}-02`, { text: 'text of the second edition' });
    account.write(a, `${a}-03`);
    await connected.sync();
    expect(await connected.ids()).toEqual(itemIds(3));
    expect((await connected.items())[1]).toMatchObject({ title: 'text of the second edition' });
    expect(await connected.fields()).toMatchObject({ documents_dispatched: 4 });
  });

  test('marks items with what their resource says, the schema first', async () => {
    database = await server.database({
      database_metadata_schema: [{ name: 'provider' }, { name: 'team' }],
    });
    write(1);
    const connected = await connect({
      connector: { collection: 'all', provider_account_scope: 'acme' },
      resources: [
        { resource_id: a, collection: 'own', metadata: { team: 'core' }, additional_metadata: { x: 1 } },
      ],
    });
    await server.idle();
    expect(await connected.items('own')).toMatchObject([
      {
        id: `scripted:acme:${a}-01`,
        metadata: { provider: 'scripted', team: 'core' },
        additional_metadata: {
          connector_id: connected.id,
          resource_id: a,
          provider_account_scope: 'acme',
          x: 1,
        },
      },
    ]);
  });

  test('connects threads and replies of one account, not of two', async () => {
    const thread = { fields: { thread_id: 't1' } };
    account.write(a, `${a}-01`, { item: thread });
    account.write(a, `${a}-02`, { item: { fields: { thread_id: 't1', parent_id: `${a}-01` } } });
    await connect({ connector: { provider_account_scope: 'one' } });
    const two = await connect({ connector: { provider_account_scope: 'two' } });
    await server.idle();
    expect(await two.ids()).toHaveLength(4);
    const { body } = await server.rest(
      'GET',
      `/context/${encodeURIComponent(`scripted:one:${a}-01`)}/subgraph?database=${database}`,
    );
    const members = (body.data.sources as { source_id: string }[]).map((member) => member.source_id).sort();
    expect(members).toEqual([`scripted:one:${a}-01`, `scripted:one:${a}-02`]);
  });
});

describe('what is gone or edited without a word', () => {
  test('is seen by a walk a day later', async () => {
    write(8);
    const connected = await connect();
    await server.idle();
    account.remove(a, `${a}-08`);
    account.writeSilently(a, `${a}-01`, { text: 'text of an edit' });
    await connected.pass(hour);
    expect(account.count('walk')).toBe(0);
    expect(await connected.ids()).toEqual(itemIds(8));
    await connected.pass(day);
    expect(account.count('walk')).toBe(3);
    expect(await connected.ids()).toEqual(itemIds(7));
    expect((await connected.items())[0]).toMatchObject({ title: 'text of an edit' });
    account.calls.length = 0;
    await connected.pass(hour);
    expect(account.count('walk')).toBe(0);
  });

  test('what is added while a walk goes on stays', async () => {
    write(7);
    const connected = await connect();
    await server.idle();
    server.clock.advance(day);
    const gate = account.hold('walk');
    const idle = server.idle();
    await gate.entered;
    // Before the place where the walk is, so that it does not meet it.
    account.write(a, `${a}-00`);
    gate.open();
    await idle;
    await connected.sync();
    expect(await connected.ids()).toEqual([`scripted:${a}-00`, ...itemIds(7)]);
  });

  test('is seen at once where every sync shows everything, and only what has changed is loaded', async () => {
    for (const id of ['1', '2', '3', '4', '5']) whole.write(a, `${a}-${id}`);
    const connected = await connect({ provider: 'whole' });
    await server.idle();
    expect(whole.count('load')).toBe(5);
    whole.remove(a, `${a}-2`);
    whole.write(a, `${a}-4`, { text: 'changed' });
    await connected.sync();
    expect(whole.count('load')).toBe(6);
    expect(await connected.ids()).toEqual(['1', '3', '4', '5'].map((id) => `whole:${a}-${id}`));
    whole.write(a, `${a}-2`);
    await connected.sync();
    expect(await connected.ids()).toHaveLength(5);
  });

  test('a walk that fails in the middle deletes nothing', async () => {
    for (const id of ['1', '2', '3', '4', '5']) whole.write(a, `${a}-${id}`);
    const connected = await connect({ provider: 'whole' });
    await server.idle();
    whole.remove(a, `${a}-1`);
    const gate = whole.hold('read');
    const sync = connected.sync();
    await gate.entered;
    whole.fail('read', new ProviderError('unavailable', 'out of order'), { times: 100 });
    gate.open();
    await sync;
    expect(await connected.ids()).toHaveLength(5);
    whole.mend();
    await connected.pass(hour);
    expect(await connected.ids()).toHaveLength(4);
  });

  test('stays while another resource has it', async () => {
    for (const resource of [a, b]) whole.write(resource, 'shared', { text: 'the same' });
    const connected = await connect({ provider: 'whole', resources: [a, b] });
    await server.idle();
    whole.remove(a, 'shared');
    await connected.sync();
    expect(await connected.ids()).toEqual(['whole:shared']);
    whole.remove(b, 'shared');
    await connected.sync();
    expect(await connected.ids()).toEqual([]);
  });

  test('sync_mode new_only takes what is new and leaves the rest', async () => {
    write(2);
    const connected = await connect({ resources: [{ resource_id: a, sync_mode: 'new_only' }] });
    await server.idle();
    account.write(a, `${a}-01`, { text: 'edited' });
    account.remove(a, `${a}-02`);
    write(1, 3);
    await connected.pass(day + hour);
    expect(account.count('walk')).toBe(0);
    expect(await connected.ids()).toEqual(itemIds(3));
    expect((await connected.items())[0]).toMatchObject({ title: `text of ${a}-01` });
  });
});

describe('a provider that fails', () => {
  test('429: waits as long as it says, then goes on where it was', async () => {
    write(7);
    const connected = await connect();
    account.fail(
      'read',
      new ProviderError('limited', 'slow down', { retryAfterSeconds: 120, httpStatus: 429 }),
    );
    await server.idle();
    expect(await connected.fields()).toMatchObject({ sync_status: 'syncing', lifecycle: 'ingesting' });
    expect(account.count('read')).toBe(1);
    await connected.pass(110);
    expect(account.count('read')).toBe(1);
    await connected.pass(20);
    expect(await connected.ids()).toEqual(itemIds(7));
    expect(await connected.fields()).toMatchObject({ sync_status: 'idle', last_error: '' });
  });

  test('a resource that is out of order does not stop the others, and is tried again', async () => {
    write(4);
    account.write(b, `${b}-1`);
    const connected = await connect({ resources: [a, b] });
    account.fail('read', new ProviderError('unavailable', 'Scripted answered 503'), {
      times: 100,
      resourceId: a,
    });
    await server.idle();
    expect(await connected.ids()).toEqual([`scripted:${b}-1`]);
    expect(await connected.fields()).toMatchObject({ sync_status: 'syncing' });
    for (let tries = 0; tries < 4; tries += 1) await connected.pass(60);
    expect(await connected.fields()).toMatchObject({
      sync_status: 'idle',
      lifecycle: 'ingesting',
      sync_blocked: false,
    });
    expect((await connected.fields())['last_error']).toContain('Scripted answered 503');
    const { resources } = await connected.status();
    expect(resources).toMatchObject([
      { resource_id: a, status: 'failed', retryable: true },
      { resource_id: b, status: 'ok' },
    ]);
    account.mend();
    await connected.pass(hour);
    expect(await connected.ids()).toEqual([...itemIds(4), `scripted:${b}-1`]);
    expect(await connected.fields()).toMatchObject({ last_error: '', lifecycle: 'active' });
  });

  test('a resource that may not be read is given up, the others go on', async () => {
    write(1);
    account.write(b, `${b}-1`);
    const connected = await connect({ resources: [a, b] });
    account.fail('read', new ProviderError('refused', 'invite the app to #a', { httpStatus: 403 }), {
      resourceId: a,
    });
    await server.idle();
    expect(await connected.fields()).toMatchObject({
      sync_blocked: false,
      active_resource_count: 1,
      lifecycle: 'active',
    });
    const { resources } = await connected.status();
    expect(resources).toMatchObject([
      { status: 'failed', message: 'invite the app to #a', retryable: false, http_status: 403 },
      { status: 'ok' },
    ]);
    expect(await connected.resources()).toMatchObject([
      { status: 'failed', sync_blocked: true },
      { status: 'active' },
    ]);
  });

  test('nothing that can be read blocks the connector, until it is configured anew', async () => {
    write(1);
    const connected = await connect();
    account.fail('read', new ProviderError('refused', 'invite the app', { httpStatus: 403 }));
    await server.idle();
    expect(await connected.fields()).toMatchObject({ lifecycle: 'reconnect', sync_blocked: true });
    expect((await connected.fields())['sync_blocked_reason']).toContain('invite the app');
    await connected.post('configure', { resources: [{ resource_id: a }] });
    await server.idle();
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active', sync_blocked: false });
    expect(await connected.ids()).toEqual(itemIds(1));
  });

  test.each([
    ['credentials', { sync_blocked: true, needs_reauth: false }],
    ['reauth', { sync_blocked: false, needs_reauth: true }],
  ] as const)('rejected %s stop the schedule until there are others', async (kind, flags) => {
    write(2);
    const connected = await connect();
    await server.idle();
    account.fail('read', new ProviderError(kind, 'sign in again'), { times: 100 });
    await connected.pass(hour);
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'reconnect',
      ...flags,
      last_error: 'sign in again',
    });
    account.calls.length = 0;
    await connected.pass(day);
    expect(account.calls).toEqual([]);
    account.mend();
    const patched = await server.rest('PATCH', `/connectors/${connected.id}`, {
      json: { credentials: { secret: 'open sesame' } },
    });
    expect(patched.status).toBe(200);
    await server.idle();
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'active',
      sync_blocked: false,
      needs_reauth: false,
    });
  });

  test('a cursor that is too old begins anew, and nothing is stored twice', async () => {
    write(5);
    const connected = await connect();
    await server.idle();
    account.fail('read', new ProviderError('expired', 'the cursor is too old'));
    write(1, 6);
    await connected.sync();
    expect(await connected.ids()).toEqual(itemIds(6));
    expect(await connected.fields()).toMatchObject({ documents_dispatched: 6 });
  });

  test('an object that cannot be loaded does not hold up the others for ever', async () => {
    write(3);
    const connected = await connect();
    account.fail('load', new ProviderError('unavailable', 'one object is out of order'), { times: 4 });
    await server.idle();
    for (let tries = 0; tries < 4; tries += 1) await connected.pass(60);
    expect((await connected.ids()).length).toBeGreaterThanOrEqual(2);
    expect(await connected.fields()).toMatchObject({ sync_status: 'idle' });
    await connected.pass(day);
    expect(await connected.ids()).toEqual(itemIds(3));
  });

  test('an archived resource is read once', async () => {
    const archived = new ScriptedAccount(a);
    archived.write(a, 'x');
    const other = await TestServer.start({
      connectorProviders: [scriptedProvider(archived, { isFinal: true })],
    });
    const connected = await Connected.make(other, { database: await other.database(), resources: [a] });
    await other.idle();
    expect(await connected.resources()).toMatchObject([{ status: 'completed' }]);
    await connected.pass(day);
    expect(archived.count('read')).toBe(1);
    await other.stop();
  });
});

describe('pausing', () => {
  test('a sync stops at its next step and goes on from there', async () => {
    write(9);
    const connected = await connect();
    const gate = account.hold('read');
    const idle = server.idle();
    await gate.entered;
    expect((await connected.post('pause')).status).toBe(200);
    gate.open();
    await idle;
    expect(account.count('read')).toBe(1);
    expect(await connected.fields()).toMatchObject({ lifecycle: 'paused', paused: true });
    await connected.pass(day);
    expect(account.count('read')).toBe(1);
    expect((await connected.post('resume')).status).toBe(200);
    await server.idle();
    expect(await connected.ids()).toEqual(itemIds(9));
    expect(account.count('read')).toBeLessThanOrEqual(4);
  });
});

describe('access lists', () => {
  const readable = (connected: Connected, ...principals: string[]) =>
    connected.ids('default', `&acl=${encodeURIComponent(JSON.stringify(principals))}`);

  test('are those of the provider, and change with them', async () => {
    account.setReaders(a, ['user_email:ada@example.com']);
    account.write(a, `${a}-01`);
    account.write(a, `${a}-02`, { readers: ['user_email:bob@example.com'] });
    const connected = await connect();
    await server.idle();
    expect(await readable(connected, 'ada@example.com')).toEqual([`scripted:${a}-01`]);
    expect(await readable(connected, 'bob@example.com')).toEqual([`scripted:${a}-02`]);
    account.setReaders(a, ['user_email:eve@example.com']);
    account.writeSilently(a, `${a}-02`, { readers: ['user_email:ada@example.com'] });
    await connected.pass(day);
    expect(await readable(connected, 'ada@example.com')).toEqual([`scripted:${a}-02`]);
    expect(await readable(connected, 'eve@example.com')).toEqual([`scripted:${a}-01`]);
    expect(await connected.fields()).toMatchObject({ documents_dispatched: 2 });
    account.setReaders(a, undefined);
    await connected.sync();
    expect(await readable(connected, 'nobody@example.com')).toEqual([`scripted:${a}-01`]);
  });

  test('a rule of the resource holds for all, at once, also while the connector is paused', async () => {
    write(3);
    const connected = await connect();
    await server.idle();
    await connected.post('pause');
    const patched = await server.rest('PATCH', `/connectors/${connected.id}/resources/${a}`, {
      json: { acl: ['group:core'] },
    });
    expect(patched.status).toBe(200);
    await server.idle();
    expect(await readable(connected, 'ada@example.com')).toEqual([]);
    expect(await readable(connected, 'group:core')).toEqual(itemIds(3));
  });
});

describe('the end', () => {
  test('a deleted connector leaves its items, or takes them along', async () => {
    write(5);
    const connected = await connect();
    const scoped = await connect({ connector: { provider_account_scope: 'other' } });
    await server.idle();
    expect(await connected.ids()).toHaveLength(10);
    expect((await server.rest('DELETE', `/connectors/${connected.id}`)).status).toBe(200);
    await server.idle();
    expect(await scoped.ids()).toHaveLength(10);
    expect((await server.rest('DELETE', `/connectors/${scoped.id}?purge=true`)).status).toBe(200);
    await server.idle();
    expect(await scoped.ids()).toEqual(itemIds(5));
    const left = await server.running.app.postgres.dataSource.query(
      'select 1 from connector_items where connector_id = any($1::uuid[])',
      [[connected.id, scoped.id]],
    );
    expect(left).toEqual([]);
  });

  test('a connector goes with its database', async () => {
    write(2);
    const connected = await connect();
    await server.idle();
    account.calls.length = 0;
    await server.rest('DELETE', `/databases?database=${database}`);
    expect((await server.rest('GET', `/connectors/${connected.id}`)).status).toBe(404);
    await connected.pass(day);
    expect(account.calls).toEqual([]);
  });
});
