import { describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../src/connectors/provider.js';
import { day, hour, useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

describe('a provider that fails', () => {
  test('429: waits as long as it says, then goes on where it was', async () => {
    on.write(7);
    const connected = await on.connect();
    on.account.fail(
      'read',
      new ProviderError('limited', 'slow down', { retryAfterSeconds: 120, httpStatus: 429 }),
    );
    await on.server.idle();
    expect(await connected.fields()).toMatchObject({ sync_status: 'syncing', lifecycle: 'ingesting' });
    expect(on.account.count('read')).toBe(1);
    await connected.pass(110);
    // However urgent it is.
    await connected.sync();
    expect(on.account.count('read')).toBe(1);
    await connected.pass(20);
    expect(await connected.ids()).toEqual(on.itemIds(7));
    expect(await connected.fields()).toMatchObject({ sync_status: 'idle', last_error: '' });
  });

  test('429 after each second object: what was loaded is kept, and not asked for again', async () => {
    const ids = Array.from({ length: 6 }, (_, index) => `${on.a}-${index + 1}`);
    on.whole.pageSize = 6;
    for (const id of ids) on.whole.write(on.a, id);
    const slower = new ProviderError('limited', 'slow down', { retryAfterSeconds: 60, httpStatus: 429 });
    const connected = await on.connect({ provider: 'whole' });
    for (let loaded = 0; loaded < ids.length; loaded += 2) {
      on.whole.mend();
      // Only the next two are to be had.
      for (const objectId of [...ids.slice(0, loaded), ...ids.slice(loaded + 2)])
        on.whole.fail('load', slower, { times: 100, objectId });
      await connected.pass(61);
      expect(await connected.ids()).toEqual(ids.slice(0, loaded + 2).map((id) => `whole:${id}`));
    }
    await connected.pass(61);
    expect(await connected.fields()).toMatchObject({ sync_status: 'idle', documents_dispatched: 6 });
  });

  test('a resource that is out of order does not stop the others, and is tried again', async () => {
    on.write(4);
    on.account.write(on.b, `${on.b}-1`);
    const connected = await on.connect({ resources: [on.a, on.b] });
    on.account.fail('read', new ProviderError('unavailable', 'Scripted answered 503'), {
      times: 100,
      resourceId: on.a,
    });
    await on.server.idle();
    expect(await connected.ids()).toEqual([`scripted:${on.b}-1`]);
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
      { resource_id: on.a, status: 'failed', retryable: true },
      { resource_id: on.b, status: 'ok' },
    ]);
    on.account.mend();
    await connected.pass(hour);
    expect(await connected.ids()).toEqual([...on.itemIds(4), `scripted:${on.b}-1`]);
    expect(await connected.fields()).toMatchObject({ last_error: '', lifecycle: 'active' });
  });

  test('a sync that is asked for while one waits for its next try reads at once', async () => {
    on.write(1);
    const connected = await on.connect();
    const unavailable = () => new ProviderError('unavailable', 'Scripted answered 503');
    on.account.fail('read', unavailable(), { times: 2 });
    await on.server.idle();
    expect(await connected.ids()).toEqual([]);
    await connected.sync();
    await connected.sync();
    expect(await connected.ids()).toEqual(on.itemIds(1));
    on.write(1, 2);
    on.account.fail('read', unavailable());
    await connected.sync();
    await connected.post('configure', { resources: [{ resource_id: on.a }] });
    await on.server.idle();
    expect(await connected.ids()).toEqual(on.itemIds(2));
  });

  test('a resource that may not be read is given up, the others go on', async () => {
    on.write(1);
    on.account.write(on.b, `${on.b}-1`);
    const connected = await on.connect({ resources: [on.a, on.b] });
    on.account.fail('read', new ProviderError('refused', 'invite the app to #a', { httpStatus: 403 }), {
      resourceId: on.a,
    });
    await on.server.idle();
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
    on.write(1);
    const connected = await on.connect();
    on.account.fail('read', new ProviderError('refused', 'invite the app', { httpStatus: 403 }));
    await on.server.idle();
    expect(await connected.fields()).toMatchObject({ lifecycle: 'reconnect', sync_blocked: true });
    expect((await connected.fields())['sync_blocked_reason']).toContain('invite the app');
    await connected.post('configure', { resources: [{ resource_id: on.a }] });
    await on.server.idle();
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active', sync_blocked: false });
    expect(await connected.ids()).toEqual(on.itemIds(1));
  });

  const missing = () => new ProviderError('missing', 'there is no such folder', { httpStatus: 404 });

  test('what is away for a moment is synced when it is back', async () => {
    on.write(1);
    const connected = await on.connect();
    await on.server.idle();
    on.write(1, 2);
    on.account.fail('read', missing());
    await connected.sync();
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'active',
      sync_blocked: false,
      last_error: expect.stringContaining('there is no such folder'),
    });
    expect(await connected.status()).toMatchObject({
      error: { retryable: true, action: expect.stringContaining('tried again') },
      resources: [{ status: 'failed', retryable: true, http_status: 404 }],
    });
    // Nothing is taken for deleted, and it is looked for soon.
    expect(await connected.ids()).toEqual(on.itemIds(1));
    await connected.pass(61);
    expect(await connected.ids()).toEqual(on.itemIds(2));
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active', last_error: '' });
  });

  test('what is not found for days blocks the connector, and says how long it was looked for', async () => {
    on.write(1);
    const connected = await on.connect();
    await on.server.idle();
    on.account.fail('read', missing(), { times: 1000 });
    // However often it is asked in a short time.
    for (let looks = 0; looks < 6; looks += 1) await connected.sync();
    expect(await connected.fields()).toMatchObject({ sync_blocked: false });
    await connected.pass(71 * hour);
    expect(await connected.fields()).toMatchObject({ sync_blocked: false });
    await connected.pass(2 * hour);
    const fields = await connected.fields();
    expect(fields).toMatchObject({ lifecycle: 'reconnect', sync_blocked: true, next_sync_at: '' });
    expect(fields['sync_blocked_reason']).toMatch(
      /there is no such folder; it was looked for \d+ times since 20/,
    );
    on.account.mend();
    await connected.post('configure', { resources: [{ resource_id: on.a }] });
    await on.server.idle();
    on.account.fail('read', missing());
    await connected.sync();
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active', sync_blocked: false });
  });

  test.each([
    ['credentials', { sync_blocked: true, needs_reauth: false }],
    ['reauth', { sync_blocked: false, needs_reauth: true }],
  ] as const)('rejected %s stop the schedule until there are others', async (kind, flags) => {
    on.write(2);
    const connected = await on.connect();
    await on.server.idle();
    on.account.fail('read', new ProviderError(kind, 'sign in again'), { times: 100 });
    await connected.pass(hour);
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'reconnect',
      ...flags,
      last_error: 'sign in again',
      next_sync_at: '',
    });
    expect((await connected.status())['next_sync_at']).toBe('');
    on.account.calls.length = 0;
    await connected.pass(day);
    expect(on.account.calls).toEqual([]);
    on.account.mend();
    const patched = await on.server.rest('PATCH', `/connectors/${connected.id}`, {
      json: { credentials: { secret: 'open sesame' } },
    });
    expect(patched.status).toBe(200);
    await on.server.idle();
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'active',
      sync_blocked: false,
      needs_reauth: false,
      next_sync_at: expect.stringMatching(/Z$/),
    });
  });

  test('a cursor that is too old begins anew, and nothing is stored twice', async () => {
    on.write(5);
    const connected = await on.connect();
    await on.server.idle();
    on.account.fail('read', new ProviderError('expired', 'the cursor is too old'));
    on.write(1, 6);
    await connected.sync();
    expect(await connected.ids()).toEqual(on.itemIds(6));
    expect(await connected.fields()).toMatchObject({ documents_dispatched: 6 });
  });

  test('a cursor that is too old each time is not read anew for ever, and loses nothing', async () => {
    on.write(7);
    const connected = await on.connect();
    await on.server.idle();
    const tooOld = new ProviderError('expired', 'the cursor is too old');
    on.account.fail('walk', tooOld, { objectId: `${on.a}-03>`, times: 1000 });
    await connected.pass(day);
    await connected.pass(10);
    expect(on.account.count('walk')).toBe(4);
    expect(await connected.fields()).toMatchObject({
      sync_status: 'idle',
      last_error: expect.stringContaining('too old'),
    });
    expect(await connected.ids()).toEqual(on.itemIds(7));
    on.account.mend();
    on.account.remove(on.a, `${on.a}-07`);
    await connected.pass(hour);
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active', last_error: '' });
    expect(await connected.ids()).toEqual(on.itemIds(6));
  });

  test.each(['read', 'walk'] as const)(
    'a page that names itself as the next one is no end and no circle: %s',
    async (method) => {
      on.write(7);
      const connected = await on.connect();
      if (method === 'walk') await on.server.idle();
      const third = on.account.objects(on.a).get(`${on.a}-03`);
      on.account.stuckAt = method === 'walk' ? `${on.a}-03>` : String(third?.written);
      await connected.pass(day);
      for (let tries = 1; tries < 4; tries += 1) await connected.pass(30);
      expect(on.account.count(method)).toBeLessThan(9);
      expect(await connected.fields()).toMatchObject({
        sync_status: 'idle',
        last_error: expect.stringContaining('names itself as the next one'),
      });
      expect(await connected.ids()).toEqual(on.itemIds(method === 'walk' ? 7 : 3));
      on.account.stuckAt = undefined;
      await connected.pass(hour);
      expect(await connected.ids()).toEqual(on.itemIds(7));
      expect(await connected.fields()).toMatchObject({ lifecycle: 'active', last_error: '' });
    },
  );

  test('an object that cannot be loaded does not hold up the others for ever', async () => {
    on.write(3);
    const connected = await on.connect();
    on.account.fail('load', new ProviderError('unavailable', 'one object is out of order'), { times: 4 });
    await on.server.idle();
    for (let tries = 0; tries < 4; tries += 1) await connected.pass(60);
    expect((await connected.ids()).length).toBeGreaterThanOrEqual(2);
    expect(await connected.fields()).toMatchObject({ sync_status: 'idle' });
    await connected.pass(day);
    expect(await connected.ids()).toEqual(on.itemIds(3));
  });
});

describe('an object with characters that no row can hold', () => {
  test('is stored without them, and stops none of the others', async () => {
    on.write(2);
    const half = 'plums \ud83d';
    on.account.write(on.a, 'odd\u0000\ud83d', {
      item: {
        title: `a\u0000 ${half}`,
        fields: { body: `b\u0000 ${half}`, author: half },
        comments: [{ body: half, author: `c\u0000` }],
        native: { note: half },
      },
    });
    const connected = await on.connect();
    await on.server.idle();
    const ids = await connected.ids();
    expect(ids).toHaveLength(3);
    expect(ids).toEqual(expect.arrayContaining(on.itemIds(2)));
    expect(await connected.fields()).toMatchObject({
      sync_status: 'idle',
      last_error: '',
      lifecycle: 'active',
    });
    const found = await on.server.rest('POST', '/query', {
      json: { database: connected.database, query: 'plums' },
    });
    expect(found.body.data.chunks.map(({ id }: { id: string }) => id)).toContain(
      ids.find((id) => !on.itemIds(2).includes(id)),
    );
  });
});

describe('pausing', () => {
  test('a sync stops at its next step and goes on from there', async () => {
    on.write(9);
    const connected = await on.connect();
    const gate = on.account.hold('read');
    const idle = on.server.idle();
    await gate.entered;
    expect((await connected.post('pause')).status).toBe(200);
    gate.open();
    await idle;
    expect(on.account.count('read')).toBe(1);
    expect(await connected.fields()).toMatchObject({ lifecycle: 'paused', paused: true });
    await connected.pass(day);
    expect(on.account.count('read')).toBe(1);
    expect((await connected.post('resume')).status).toBe(200);
    await on.server.idle();
    expect(await connected.ids()).toEqual(on.itemIds(9));
    expect(on.account.count('read')).toBeLessThanOrEqual(4);
  });

  test('objects that had been sent when the page broke off are counted, once', async () => {
    on.account.pageSize = 60;
    on.write(60);
    const connected = await on.connect();
    const gates = Array.from({ length: 51 }, () => on.account.hold('load'));
    const idle = on.server.idle();
    for (const gate of gates.slice(0, -1)) {
      await gate.entered;
      gate.open();
    }
    await gates.at(-1)?.entered;
    await connected.post('pause');
    gates.at(-1)?.open();
    await idle;
    on.account.pageSize = 3;
    const sent = await connected.fields();
    expect(sent).toMatchObject({ documents_dispatched: 50, first_sync_at: expect.stringMatching(/^20/) });
    await connected.post('resume');
    await on.server.idle();
    expect(await connected.fields()).toMatchObject({
      documents_dispatched: 60,
      first_sync_at: sent['first_sync_at'],
      lifecycle: 'active',
    });
    expect((await connected.status()).progress.objects_sent).toBe(60);
  });
});
