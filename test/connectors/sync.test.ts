import { describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../src/connectors/provider.js';
import { triesMax } from '../../src/connectors/sync/sync-progress.js';
import { ChatServer } from '../support/chat-server.js';
import { Connected } from '../support/connectors/connected.js';
import { scriptedProvider } from '../support/connectors/scripted-provider.js';
import { day, hour, useScripted } from '../support/connectors/scripted-server.js';
import { TestServer } from '../support/server.js';

const on = useScripted();

describe('a sync', () => {
  test('brings each object once, with who it is and where it comes from', async () => {
    on.write(7);
    const connected = await on.connect();
    expect(await connected.fields()).toMatchObject({ lifecycle: 'ingesting', sync_status: 'syncing' });
    await on.server.idle();
    const items = await connected.items();
    expect(items.map(({ id }) => id)).toEqual(on.itemIds(7));
    expect(items[0]).toMatchObject({
      title: `text of ${on.a}-01`,
      app_kind: 'message',
      app_provider: 'scripted',
      app_external_id: `${on.a}-01`,
      additional_metadata: {
        connector_id: connected.id,
        provider: 'scripted',
        resource_id: on.a,
        native_id: `${on.a}-01`,
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
    expect(resource).toMatchObject({ resource_id: on.a, status: 'active' });
    expect(resource?.['provider_cursor']).not.toBe('');
    expect(await connected.status()).toMatchObject({
      error: null,
      progress: { objects_sent: 7 },
      resources: [{ resource_id: on.a, status: 'ok', objects_seen: 7 }],
    });
  });

  test('reads only what is new the next time, on its schedule', async () => {
    on.write(7);
    const connected = await on.connect();
    await on.server.idle();
    on.account.calls.length = 0;
    on.write(2, 8);
    await connected.pass(hour - 10);
    expect(on.account.count('read')).toBe(0);
    await connected.pass(20);
    expect(on.account.count('read')).toBe(1);
    expect(on.account.count('load')).toBe(2);
    expect(await connected.ids()).toEqual(on.itemIds(9));
    await connected.pass(hour);
    expect(await connected.status()).toMatchObject({ resources: [{ status: 'ok', objects_seen: 9 }] });
    expect(await connected.fields()).toMatchObject({ documents_dispatched: 9 });
  });

  test('says of a resource that it is empty only as long as nothing was ever in it', async () => {
    const connected = await on.connect({ provider: 'whole' });
    const health = async () => (await connected.status())['resources'] as unknown;
    await on.server.idle();
    expect(await health()).toMatchObject([{ status: 'empty', objects_seen: 0 }]);
    for (const id of ['1', '2', '3', '4']) on.whole.write(on.a, `${on.a}-${id}`);
    // A page that is read again shows nothing new.
    on.whole.fail('load', new ProviderError('unavailable', 'out of order'), { objectId: `${on.a}-4` });
    await connected.sync();
    await connected.pass(60);
    expect(await health()).toMatchObject([{ status: 'ok', objects_seen: 4 }]);
    on.whole.write(on.a, `${on.a}-1`, { text: 'edited' });
    on.whole.remove(on.a, `${on.a}-2`);
    await connected.sync();
    await connected.sync();
    expect(await health()).toMatchObject([{ status: 'ok', objects_seen: 4 }]);
    await on.server.rest('DELETE', `/connectors/${connected.id}/resources/${on.a}`);
    await connected.post('configure', { resources: [{ resource_id: on.a }] });
    await on.server.idle();
    expect(await health()).toMatchObject([{ status: 'ok', objects_seen: 3 }]);
  });

  test('replaces what was edited, and does not send again what has not changed', async () => {
    on.write(3);
    const connected = await on.connect();
    await on.server.idle();
    on.account.write(on.a, `${on.a}-02`, { text: 'text of the second edition' });
    on.account.write(on.a, `${on.a}-03`);
    await connected.sync();
    expect(await connected.ids()).toEqual(on.itemIds(3));
    expect((await connected.items())[1]).toMatchObject({ title: 'text of the second edition' });
    expect(await connected.fields()).toMatchObject({ documents_dispatched: 4 });
  });

  test('marks items with what their resource says, the schema first', async () => {
    on.database = await on.server.database({
      database_metadata_schema: [{ name: 'provider' }, { name: 'team' }],
    });
    on.write(1);
    const connected = await on.connect({
      connector: { collection: 'all', provider_account_scope: 'acme' },
      resources: [
        { resource_id: on.a, collection: 'own', metadata: { team: 'core' }, additional_metadata: { x: 1 } },
      ],
    });
    await on.server.idle();
    expect(await connected.items('own')).toMatchObject([
      {
        id: `scripted:acme:${on.a}-01`,
        metadata: { provider: 'scripted', team: 'core' },
        additional_metadata: {
          connector_id: connected.id,
          resource_id: on.a,
          provider_account_scope: 'acme',
          x: 1,
        },
      },
    ]);
  });

  test('connects threads and replies of one on.account, not of two', async () => {
    const thread = { fields: { thread_id: 't1' } };
    on.account.write(on.a, `${on.a}-01`, { item: thread });
    on.account.write(on.a, `${on.a}-02`, { item: { fields: { thread_id: 't1', parent_id: `${on.a}-01` } } });
    await on.connect({ connector: { provider_account_scope: 'one' } });
    const two = await on.connect({ connector: { provider_account_scope: 'two' } });
    await on.server.idle();
    expect(await two.ids()).toHaveLength(4);
    const { body } = await on.server.rest(
      'GET',
      `/context/${encodeURIComponent(`scripted:one:${on.a}-01`)}/subgraph?database=${on.database}`,
    );
    const members = (body.data.sources as { source_id: string }[]).map((member) => member.source_id).sort();
    expect(members).toEqual([`scripted:one:${on.a}-01`, `scripted:one:${on.a}-02`]);
  });
});

describe('what is gone or edited without a word', () => {
  test('is seen by a walk a day later', async () => {
    on.write(8);
    const connected = await on.connect();
    await on.server.idle();
    on.account.remove(on.a, `${on.a}-08`);
    on.account.writeSilently(on.a, `${on.a}-01`, { text: 'text of an edit' });
    await connected.pass(hour);
    expect(on.account.count('walk')).toBe(0);
    expect(await connected.ids()).toEqual(on.itemIds(8));
    await connected.pass(day);
    expect(on.account.count('walk')).toBe(3);
    expect(await connected.ids()).toEqual(on.itemIds(7));
    expect((await connected.items())[0]).toMatchObject({ title: 'text of an edit' });
    on.account.calls.length = 0;
    await connected.pass(hour);
    expect(on.account.count('walk')).toBe(0);
  });

  test('a walk that was given up goes on where it was, however much there is to read first', async () => {
    on.write(10);
    const connected = await on.connect();
    await on.server.idle();
    on.account.remove(on.a, `${on.a}-10`);
    const outage = new ProviderError('unavailable', 'out of order');
    on.account.fail('walk', outage, { objectId: `${on.a}-03>`, times: triesMax });
    for (const seconds of [day, 5, 10, 20]) await connected.pass(seconds);
    expect(on.account.count('walk')).toBe(1 + triesMax);
    on.account.calls.length = 0;
    on.write(on.account.pageSize + 1, 11);
    await connected.pass(hour);
    expect(on.account.count('read')).toBe(2);
    const walked = on.account.calls.filter(({ method }) => method === 'walk').map(({ cursor }) => cursor);
    expect(walked[0]).toBe(`${on.a}-03>`);
    expect(await connected.ids()).toEqual(on.itemIds(14).filter((id) => !id.endsWith('-10')));
  });

  test('what is added while a walk goes on stays', async () => {
    on.write(7);
    const connected = await on.connect();
    await on.server.idle();
    on.server.clock.advance(day);
    const gate = on.account.hold('walk');
    const idle = on.server.idle();
    await gate.entered;
    // Before the place where the walk is, so that it does not meet it.
    on.account.write(on.a, `${on.a}-00`);
    gate.open();
    await idle;
    await connected.sync();
    expect(await connected.ids()).toEqual([`scripted:${on.a}-00`, ...on.itemIds(7)]);
  });

  test('is seen at once where every sync shows everything, and only what has changed is loaded', async () => {
    for (const id of ['1', '2', '3', '4', '5']) on.whole.write(on.a, `${on.a}-${id}`);
    const connected = await on.connect({ provider: 'whole' });
    await on.server.idle();
    expect(on.whole.count('load')).toBe(5);
    on.whole.remove(on.a, `${on.a}-2`);
    on.whole.write(on.a, `${on.a}-4`, { text: 'changed' });
    await connected.sync();
    expect(on.whole.count('load')).toBe(6);
    expect(await connected.ids()).toEqual(['1', '3', '4', '5'].map((id) => `whole:${on.a}-${id}`));
    on.whole.write(on.a, `${on.a}-2`);
    await connected.sync();
    expect(await connected.ids()).toHaveLength(5);
  });

  test('a walk that fails in the middle deletes nothing', async () => {
    for (const id of ['1', '2', '3', '4', '5']) on.whole.write(on.a, `${on.a}-${id}`);
    const connected = await on.connect({ provider: 'whole' });
    await on.server.idle();
    on.whole.remove(on.a, `${on.a}-1`);
    const gate = on.whole.hold('read');
    const sync = connected.sync();
    await gate.entered;
    on.whole.fail('read', new ProviderError('unavailable', 'out of order'), { times: 100 });
    gate.open();
    await sync;
    expect(await connected.ids()).toHaveLength(5);
    on.whole.mend();
    await connected.pass(hour);
    expect(await connected.ids()).toHaveLength(4);
  });

  test('stays while another resource has it', async () => {
    for (const resource of [on.a, on.b]) on.whole.write(resource, 'shared', { text: 'the same' });
    const connected = await on.connect({ provider: 'whole', resources: [on.a, on.b] });
    await on.server.idle();
    on.whole.remove(on.a, 'shared');
    await connected.sync();
    expect(await connected.ids()).toEqual(['whole:shared']);
    on.whole.remove(on.b, 'shared');
    await connected.sync();
    expect(await connected.ids()).toEqual([]);
  });

  test('does not stay for a resource that was removed, and comes back with it', async () => {
    for (const resource of [on.a, on.b]) on.whole.write(resource, 'shared', { text: 'the same' });
    const connected = await on.connect({ provider: 'whole', resources: [on.a, on.b] });
    await on.server.idle();
    await on.server.rest('DELETE', `/connectors/${connected.id}/resources/${on.b}`);
    await connected.sync();
    expect(await connected.ids()).toEqual(['whole:shared']);
    on.whole.remove(on.a, 'shared');
    await connected.sync();
    expect(await connected.ids()).toEqual([]);
    await connected.post('configure', { resources: [{ resource_id: on.b }] });
    await on.server.idle();
    expect(await connected.ids()).toEqual(['whole:shared']);
  });

  test('sync_mode new_only takes what is new and leaves the rest', async () => {
    on.write(2);
    const connected = await on.connect({ resources: [{ resource_id: on.a, sync_mode: 'new_only' }] });
    await on.server.idle();
    on.account.write(on.a, `${on.a}-01`, { text: 'edited' });
    on.account.remove(on.a, `${on.a}-02`);
    on.write(1, 3);
    await connected.pass(day + hour);
    expect(on.account.count('walk')).toBe(0);
    expect(await connected.ids()).toEqual(on.itemIds(3));
    expect((await connected.items())[0]).toMatchObject({ title: `text of ${on.a}-01` });
  });
});

describe('access lists', () => {
  test('are those of the provider, and change with them', async () => {
    on.account.setReaders(on.a, ['user_email:ada@example.com']);
    on.account.write(on.a, `${on.a}-01`);
    on.account.write(on.a, `${on.a}-02`, { readers: ['user_email:bob@example.com'] });
    const connected = await on.connect();
    await on.server.idle();
    expect(await connected.readable('ada@example.com')).toEqual([`scripted:${on.a}-01`]);
    expect(await connected.readable('bob@example.com')).toEqual([`scripted:${on.a}-02`]);
    on.account.setReaders(on.a, ['user_email:eve@example.com']);
    on.account.writeSilently(on.a, `${on.a}-02`, { readers: ['user_email:ada@example.com'] });
    await connected.pass(day);
    expect(await connected.readable('ada@example.com')).toEqual([`scripted:${on.a}-02`]);
    expect(await connected.readable('eve@example.com')).toEqual([`scripted:${on.a}-01`]);
    expect(await connected.fields()).toMatchObject({ documents_dispatched: 2 });
    on.account.setReaders(on.a, undefined);
    await connected.sync();
    expect(await connected.readable('nobody@example.com')).toEqual([`scripted:${on.a}-01`]);
  });

  test('a rule of the resource holds for all, at once, also while the connector is paused', async () => {
    on.write(3);
    const connected = await on.connect();
    await on.server.idle();
    await connected.post('pause');
    const patched = await on.server.rest('PATCH', `/connectors/${connected.id}/resources/${on.a}`, {
      json: { acl: ['group:core'] },
    });
    expect(patched.status).toBe(200);
    await on.server.idle();
    expect(await connected.readable('ada@example.com')).toEqual([]);
    expect(await connected.readable('group:core')).toEqual(on.itemIds(3));
  });
});

describe('the end', () => {
  test('a deleted connector leaves its items, or takes them along', async () => {
    on.write(5);
    const connected = await on.connect();
    const scoped = await on.connect({ connector: { provider_account_scope: 'other' } });
    await on.server.idle();
    expect(await connected.ids()).toHaveLength(10);
    expect((await on.server.rest('DELETE', `/connectors/${connected.id}`)).status).toBe(200);
    await on.server.idle();
    expect(await scoped.ids()).toHaveLength(10);
    expect((await on.server.rest('DELETE', `/connectors/${scoped.id}?purge=true`)).status).toBe(200);
    await on.server.idle();
    expect(await scoped.ids()).toEqual(on.itemIds(5));
    const left = await on.server.running.app.postgres.dataSource.query(
      'select 1 from connector_items where connector_id = any($1::uuid[])',
      [[connected.id, scoped.id]],
    );
    expect(left).toEqual([]);
  });

  test('a connector goes with its database', async () => {
    on.write(2);
    const connected = await on.connect();
    await on.server.idle();
    on.account.calls.length = 0;
    await on.server.rest('DELETE', `/databases?database=${on.database}`);
    expect((await on.server.rest('GET', `/connectors/${connected.id}`)).status).toBe(404);
    await connected.pass(day);
    expect(on.account.calls).toEqual([]);
  });
});

describe('what is changed while a page is read', () => {
  test('a longer lookback begins anew, whatever the page under way has come to', async () => {
    on.write(7);
    const connected = await on.connect();
    await on.server.idle();
    on.account.calls.length = 0;
    const gate = on.account.hold('read');
    await connected.post('sync');
    const idle = on.server.idle();
    await gate.entered;
    await connected.post('configure', { resources: [{ resource_id: on.a }], lookback_days: 365 });
    gate.open();
    await idle;
    const cursors = on.account.calls.filter(({ method }) => method === 'read').map(({ cursor }) => cursor);
    expect(cursors.slice(1)).toContain('');
    expect(await connected.ids()).toEqual(on.itemIds(7));
    expect(await connected.fields()).toMatchObject({ sync_status: 'idle', last_error: '' });
  });
});

test('more than may wait to be indexed is sent when there is room', async () => {
  const server = await TestServer.start({
    connectorProviders: [scriptedProvider(on.account)],
    environment: { MAX_QUEUED: '4' },
  });
  on.write(12);
  const connected = await Connected.make(server, { database: await server.database(), resources: [on.a] });
  await server.idle();
  for (let waits = 0; waits < 6; waits += 1) await connected.pass(60);
  expect(await connected.ids()).toEqual(on.itemIds(12));
  expect(await connected.fields()).toMatchObject({ documents_dispatched: 12, last_error: '' });
  await server.stop();
});

test('a language model is told what the connector, or rather its resource, is to look for', async () => {
  const model = new ChatServer();
  await model.listen();
  const server = await TestServer.start({
    connectorProviders: [scriptedProvider(on.account)],
    environment: { LLM_URL: model.url, LLM_MODEL: 'm' },
  });
  on.write(1);
  on.account.write(on.b, 'b-1');
  await Connected.make(server, {
    database: await server.database(),
    connector: { custom_instructions: 'Look for owners' },
    resources: [on.a, { resource_id: on.b, custom_instructions: 'Look for deadlines' }],
  });
  await server.idle();
  const asked = model.asked.map(({ body }) => JSON.stringify(body));
  const about = (text: string) => asked.filter((each) => each.includes(text)).join();
  expect(about(`text of ${on.a}-01`)).toContain('Look for owners');
  expect(about('text of b-1')).toContain('Look for deadlines');
  expect(about('text of b-1')).not.toContain('Look for owners');
  await server.stop();
  await model.close();
});
