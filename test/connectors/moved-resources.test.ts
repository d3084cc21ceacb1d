import { describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../src/connectors/provider.js';
import type { Connected } from '../support/connectors/connected.js';
import { day, useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

const reconfigure = async (connected: Connected, more: Record<string, unknown>) => {
  const { status } = await connected.post('configure', { resources: [{ resource_id: on.a, ...more }] });
  expect(status).toBe(200);
  await on.server.idle();
};
const inAll = async (connected: Connected) => ({
  first: await connected.ids('first'),
  second: await connected.ids('second'),
  default: await connected.ids(),
});

describe('a resource that is configured again', () => {
  test('stays in its collection and database when neither is named, with what else was chosen', async () => {
    on.write(2);
    const own = { collection: 'first', filters: { word: 'text' }, sync_mode: 'new_only' };
    const connected = await on.connect({ resources: [{ resource_id: on.a, ...own }], lookbackDays: 90 });
    await on.server.idle();
    await reconfigure(connected, { additional_metadata: { team: 'a' } });
    expect((await connected.resources())[0]).toMatchObject({
      collection_override: 'first',
      filters: { word: 'text', lookback_days: 90 },
      sync_mode: 'new_only',
    });
    expect(await inAll(connected)).toEqual({ first: on.itemIds(2), second: [], default: [] });
    const other = await on.server.database();
    await reconfigure(connected, { database: other, sync_mode: 'rescan' });
    await reconfigure(connected, {});
    expect((await connected.resources())[0]).toMatchObject({
      database_override: other,
      collection_override: 'first',
    });
    await reconfigure(connected, { database: '', collection: '' });
    expect((await connected.resources())[0]).toMatchObject({
      database_override: '',
      collection_override: '',
    });
    expect(await inAll(connected)).toEqual({ first: [], second: [], default: on.itemIds(2) });
  });

  // `scripted` tells what is new, `whole` shows everything each time; new_only is never walked, as feeds are not.
  test.each([
    ['scripted', 'rescan'],
    ['scripted', 'new_only'],
    ['whole', 'rescan'],
  ])('takes what it has brought along to another collection: %s, %s', async (provider, sync_mode) => {
    const account = provider === 'whole' ? on.whole : on.account;
    for (const id of ['x1', 'x2', 'x3', 'x4']) account.write(on.a, `${on.a}${id}`);
    const ids = ['x1', 'x2', 'x3', 'x4'].map((id) => `${provider}:${on.a}${id}`);
    const resources = [{ resource_id: on.a, collection: 'first', sync_mode }];
    const connected = await on.connect({ provider, resources });
    await on.server.idle();
    await reconfigure(connected, { collection: 'second' });
    expect(await inAll(connected)).toEqual({ first: [], second: ids, default: [] });
    expect((await connected.status())['resources']).toMatchObject([{ objects_seen: 4 }]);
    await reconfigure(connected, { collection: 'first' });
    expect(await inAll(connected)).toEqual({ first: ids, second: [], default: [] });
    account.write(on.a, `${on.a}x1`, { text: 'new' });
    await connected.pass(day + 60);
    expect(await inAll(connected)).toEqual({ first: ids, second: [], default: [] });
  });

  test('leaves an object where it is that cannot be had, until it can', async () => {
    on.write(2);
    const connected = await on.connect({ resources: [{ resource_id: on.a, collection: 'first' }] });
    await on.server.idle();
    const [lost = '', kept = ''] = on.itemIds(2);
    const objectId = lost.replace('scripted:', '');
    on.account.fail('load', new ProviderError('refused', 'not now'), { objectId });
    await reconfigure(connected, { collection: 'second' });
    expect(await inAll(connected)).toMatchObject({ first: [lost], second: [kept] });
    await connected.pass(day + 60);
    expect(await inAll(connected)).toMatchObject({ first: [], second: [lost, kept] });
  });

  test('while a page is on its way to the former collection', async () => {
    on.write(5);
    const connected = await on.connect({ resources: [{ resource_id: on.a, collection: 'first' }] });
    const gate = on.account.hold('load');
    const idle = on.server.idle();
    await gate.entered;
    await connected.post('configure', { resources: [{ resource_id: on.a, collection: 'second' }] });
    gate.open();
    await idle;
    // One under indexing is waited for.
    await connected.pass(60);
    expect(await inAll(connected)).toEqual({ first: [], second: on.itemIds(5), default: [] });
  });
});
