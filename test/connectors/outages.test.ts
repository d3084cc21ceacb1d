import { describe, expect, test } from '@jest/globals';
import type { Connected } from '../support/connectors/connected.js';
import { day, hour, useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

/** What is seen of an outage, or of a deletion: by reads that show everything, or by the daily walk. */
describe.each(['whole', 'scripted'] as const)('%s', (provider) => {
  const account = () => (provider === 'whole' ? on.whole : on.account);
  const natives = (count: number, from = 1) =>
    Array.from({ length: count }, (_, index) => `${on.a}-${index + from}`);
  const items = (ids: readonly string[]) => ids.map((id) => `${provider}:${id}`);
  const connect = async (count: number): Promise<Connected> => {
    for (const id of natives(count)) account().write(on.a, id);
    const connected = await on.connect({ provider });
    await on.server.idle();
    expect(await connected.ids()).toEqual(items(natives(count).sort()));
    return connected;
  };
  const patch = async ({ id }: Connected, filters: Record<string, unknown>): Promise<void> => {
    const path = `/connectors/${id}/resources/${on.a}`;
    expect((await on.server.rest('PATCH', path, { json: { filters } })).status).toBe(200);
  };

  test('nothing left of what there was is told as an outage, and nothing is deleted', async () => {
    const connected = await connect(5);
    const before = account().objects(on.a);
    account().addResource(on.a);
    for (let days = 0; days < 4; days += 1) await connected.pass(day + hour);
    expect(await connected.ids()).toEqual(items(natives(5)));
    expect(await connected.status()).toMatchObject({
      lifecycle: 'active',
      error: { message: expect.stringContaining('it had 5 items'), retryable: true },
      resources: [{ status: 'failed', retryable: true, message: expect.stringContaining('may_be_empty') }],
    });
    for (const [id, { text }] of before) if (id !== `${on.a}-3`) account().write(on.a, id, { text });
    await connected.pass(day + hour);
    await connected.pass(day + hour);
    expect(await connected.ids()).toEqual(items(natives(5)).filter((id) => !id.endsWith('-3')));
    expect(await connected.fields()).toMatchObject({ last_error: '' });
  });

  test('what has shown nothing for days is believed', async () => {
    const connected = await connect(5);
    account().addResource(on.a);
    for (let days = 0; days < 6; days += 1) await connected.pass(day + hour);
    expect(await connected.ids()).toEqual([]);
    expect(await connected.status()).toMatchObject({ error: null, resources: [{ message: '' }] });
  });

  test('a resource that may be empty is emptied', async () => {
    const connected = await connect(4);
    account().addResource(on.a);
    await connected.pass(day + hour);
    expect(await connected.ids()).toHaveLength(4);
    await patch(connected, { may_be_empty: true });
    expect(await connected.resources()).toMatchObject([{ filters: { may_be_empty: true } }]);
    await connected.pass(day + hour);
    expect(await connected.ids()).toEqual([]);
    expect(await connected.status()).toMatchObject({ error: null, resources: [{ message: '' }] });
  });

  test('more than half of many missing at once is told as an outage; days later it is believed', async () => {
    account().pageSize = 100;
    const connected = await connect(48);
    const lost = natives(25, 10);
    for (const id of lost) account().remove(on.a, id);
    for (let days = 0; days < 2; days += 1) await connected.pass(day + hour);
    expect(await connected.ids()).toHaveLength(48);
    const message = expect.stringContaining(
      'it shows 23 items, and no longer 25 others that it had: an outage',
    );
    expect(await connected.status()).toMatchObject({ resources: [{ status: 'failed', message }] });
    for (const id of lost.slice(0, 20)) account().write(on.a, id);
    await connected.pass(day + hour);
    expect(await connected.ids()).toHaveLength(43);
    expect(await connected.fields()).toMatchObject({ last_error: '' });
    for (const id of lost.slice(0, 20)) account().remove(on.a, id);
    await connected.pass(day + hour);
    expect(await connected.ids()).toHaveLength(23);
    for (const id of natives(30, 100)) account().write(on.a, id);
    await connected.pass(day + hour);
    for (const id of natives(30, 100)) account().remove(on.a, id);
    for (let days = 0; days < 6; days += 1) await connected.pass(day + hour);
    expect(await connected.ids()).toHaveLength(23);
  });

  test('what filters that were narrowed no longer let through goes with the next walk', async () => {
    account().pageSize = 100;
    const connected = await connect(40);
    await patch(connected, { word: `text of ${on.a}-1` });
    await connected.pass(day + hour);
    await connected.pass(hour);
    expect(await connected.ids()).toHaveLength(11);
    account().addResource(on.a);
    await connected.pass(day + hour);
    await connected.pass(hour);
    expect(await connected.ids()).toHaveLength(11);
  });

  test('what could not be listed is not gone; what else is missing is', async () => {
    const connected = await connect(3);
    for (const id of ['x/1', 'x/2']) account().write(on.a, id);
    await connected.pass(hour);
    account().unlistedPrefix = 'x/';
    account().remove(on.a, `${on.a}-2`);
    await connected.pass(day + hour);
    await connected.pass(day + hour);
    const kept = items([`${on.a}-1`, `${on.a}-3`, 'x/1', 'x/2']);
    expect(await connected.ids()).toEqual(kept);
    const { resources } = await connected.status();
    expect(resources).toMatchObject([{ status: 'ok', message: 'x/ cannot be listed' }]);
    account().unlistedBefore = 'x/2';
    account().remove(on.a, 'x/2');
    await connected.pass(day + hour);
    await connected.pass(day + hour);
    expect(await connected.ids()).toEqual(kept.filter((id) => !id.endsWith('x/2')));
    account().unlistedPrefix = undefined;
    account().unlistedBefore = undefined;
    account().remove(on.a, 'x/1');
    await connected.pass(day + hour);
    await connected.pass(day + hour);
    expect(await connected.ids()).toEqual(items([`${on.a}-1`, `${on.a}-3`]));
  });
});

test('what was added after an empty walk, and is gone in the next, does not make that one believed', async () => {
  on.write(3);
  const connected = await on.connect();
  await on.server.idle();
  on.account.addResource(on.a);
  await connected.pass(day + hour);
  on.write(1, 4);
  const walk = on.account.hold('walk');
  const passed = connected.pass(hour);
  await walk.entered;
  on.account.addResource(on.a);
  walk.open();
  await passed;
  expect(await connected.ids()).toEqual(on.itemIds(4));
});
