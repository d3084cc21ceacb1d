import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ProviderError } from '../../src/connectors/provider.js';
import { day, hour, useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

/** Does something while the next call of a method is under way. */
async function during(method: 'read' | 'walk' | 'load', change: () => Promise<unknown>): Promise<void> {
  const gate = on.account.hold(method);
  const idle = on.server.idle();
  await gate.entered;
  await change();
  gate.open();
  await idle;
}

describe('while a page is stored', () => {
  test('a rule that is set then holds for its items too', async () => {
    on.write(2);
    const connected = await on.connect();
    await during('load', async () => {
      await on.server.rest('PATCH', `/connectors/${connected.id}/resources/${on.a}`, {
        json: { acl: ['group:core'] },
      });
    });
    expect(await connected.readable('ada@example.com')).toEqual([]);
    expect(await connected.readable('group:core')).toEqual(on.itemIds(2));
  });

  test('a resource that is removed then keeps what has come, and is whole when it is added again', async () => {
    on.write(5);
    const connected = await on.connect();
    await on.server.idle();
    for (let days = 0; days < 3; days += 1) await connected.pass(day);
    on.write(1, 6);
    on.server.clock.advance(hour);
    await during('load', () => on.server.rest('DELETE', `/connectors/${connected.id}/resources/${on.a}`));
    expect(await connected.ids()).toEqual(on.itemIds(6));
    on.account.remove(on.a, `${on.a}-06`);
    await connected.post('configure', { resources: [{ resource_id: on.a }] });
    await on.server.idle();
    await connected.pass(day + hour);
    expect(await connected.ids()).toEqual(on.itemIds(5));
  });

  test('new credentials are what the sync goes on with, and what the old ones are refused for blocks nothing', async () => {
    on.write(2);
    const connected = await on.connect();
    const old = on.account.secret;
    await during('read', async () => {
      on.account.secret = 'new';
      const path = `/connectors/${connected.id}`;
      const { status } = await on.server.rest('PATCH', path, { json: { credentials: { secret: 'new' } } });
      expect(status).toBe(200);
    });
    on.account.secret = old;
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'active',
      sync_blocked: false,
      last_error: '',
    });
    expect(await connected.ids()).toEqual(on.itemIds(2));
  });

  test('a resource that is added in the last moment is read in this sync', async () => {
    on.account.write(on.b, `${on.b}-1`);
    const connected = await on.connect();
    await during('read', () => connected.post('configure', { resources: [{ resource_id: on.b }] }));
    expect(await connected.ids()).toEqual([`scripted:${on.b}-1`]);
  });
});

const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;

describe('what nobody expects', () => {
  test('an object whose loading throws anything is passed over, after some tries, and told of', async () => {
    on.write(3);
    on.account.write(on.b, `${on.b}-1`);
    const connected = await on.connect({ resources: [on.a, on.b] });
    on.account.fail('load', new TypeError('cannot read properties of undefined'), {
      times: 100,
      objectId: `${on.a}-02`,
    });
    await on.server.idle();
    expect(await connected.ids()).toContain(`scripted:${on.b}-1`);
    for (let tries = 0; tries < 4; tries += 1) await connected.pass(60);
    expect(await connected.ids()).toEqual(
      [`scripted:${on.a}-01`, `scripted:${on.a}-03`, `scripted:${on.b}-1`].sort(),
    );
    expect(await connected.fields()).toMatchObject({ sync_status: 'idle', lifecycle: 'active' });
    const [first] = (await connected.status())['resources'];
    expect(first.message).toContain(`${on.a}-02: reading it failed unexpectedly`);
    expect(first.message).not.toContain('properties');
  });

  test('a resource that throws anything does not stop the others', async () => {
    on.write(1);
    on.account.write(on.b, `${on.b}-1`);
    const connected = await on.connect({ resources: [on.a, on.b] });
    on.account.fail('read', new TypeError('no'), { times: 100, resourceId: on.a });
    await on.server.idle();
    for (let tries = 0; tries < 4; tries += 1) await connected.pass(60);
    expect(await connected.ids()).toEqual([`scripted:${on.b}-1`]);
    expect(await connected.fields()).toMatchObject({ sync_status: 'idle', sync_blocked: false });
    on.account.mend();
    await connected.pass(hour);
    expect(await connected.ids()).toHaveLength(2);
  });

  test('readers without a name: nobody gets to read it, and the others come', async () => {
    on.write(2);
    on.account.write(on.a, `${on.a}-03`, { readers: [' '] });
    const connected = await on.connect();
    await on.server.idle();
    expect(await connected.ids()).toEqual(on.itemIds(2));
    expect(await connected.resources()).toMatchObject([{ status: 'active' }]);
    on.account.writeSilently(on.a, `${on.a}-03`, { readers: ['group:core'] });
    await connected.pass(day + hour);
    expect(await connected.ids()).toEqual(on.itemIds(3));
  });

  test('a walk whose cursors are always too old ends as a failure', async () => {
    on.write(7);
    const connected = await on.connect();
    await on.server.idle();
    on.account.fail('walk', new ProviderError('expired', 'too old'), { times: 1000 });
    await connected.pass(day);
    for (let tries = 0; tries < 5; tries += 1) await connected.pass(60);
    expect(on.account.count('walk')).toBeLessThan(10);
    expect(await connected.status()).toMatchObject({ resources: [{ status: 'failed', retryable: true }] });
    on.account.mend();
    on.account.remove(on.a, `${on.a}-07`);
    await connected.pass(hour);
    expect(await connected.ids()).toEqual(on.itemIds(6));
  });
});

describe('an object of two resources', () => {
  test('that leaves one of them is what the other says: its list at once, the rest with the next look', async () => {
    on.whole.setReaders(on.a, ['group:a']);
    on.whole.setReaders(on.b, ['group:b']);
    on.whole.write(on.b, 'twice', { text: 'text of b' });
    const connected = await on.connect({ provider: 'whole', resources: [on.b] });
    await on.server.idle();
    on.whole.write(on.a, 'twice', { text: 'text of a' });
    await connected.post('configure', { resources: [{ resource_id: on.a }] });
    await on.server.idle();
    expect(await connected.readable('group:a')).toEqual(['whole:twice']);
    on.whole.remove(on.a, 'twice');
    await connected.sync();
    expect(await connected.readable('group:a')).toEqual([]);
    expect(await connected.readable('group:b')).toEqual(['whole:twice']);
    await connected.sync();
    expect(await connected.items()).toMatchObject([{ title: 'text of b' }]);
  });

  // Transactions of the embedded Postgres run one after the other.
  onNative('that goes while the other one notes it is handed over all the same', async () => {
    on.account.write(on.b, 'shared', { readers: ['group:b'] });
    const connected = await on.connect({ resources: [on.b] });
    await on.server.idle();
    on.account.write(on.a, 'shared', { readers: ['group:a'] });
    await connected.post('configure', { resources: [{ resource_id: on.a }] });
    await on.server.idle();
    expect(await connected.readable('group:a')).toEqual(['scripted:shared']);
    const other = new pg.Client({ connectionString: on.server.databaseUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('update connector_items set walk = walk + 1 where resource_id = $1', [on.b]);
      await on.server.sql('update connector_items set gone = true where resource_id = $1', [on.a]);
      const idle = on.server.idle();
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await other.query(waiting)).rowCount === 0) await setImmediate();
      await other.query('commit');
      await idle;
    } finally {
      await other.end();
    }
    expect(await connected.readable('group:a')).toEqual([]);
    expect(await connected.readable('group:b')).toEqual(['scripted:shared']);
  });
});
