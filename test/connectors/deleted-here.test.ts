import { describe, expect, test } from '@jest/globals';
import type { Connected } from '../support/connectors/connected.js';
import { useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

/** Three objects in the account of each provider, synced by one that shows everything or by one that tells what is new. */
async function synced(provider: 'whole' | 'scripted'): Promise<{ connected: Connected; ids: string[] }> {
  for (const id of ['1', '2', '3'])
    (provider === 'whole' ? on.whole : on.account).write(on.a, `${on.a}-${id}`);
  const connected = await on.connect({ provider });
  await on.server.idle();
  const ids = await connected.ids();
  expect(ids).toHaveLength(3);
  on.server.clock.advance(1);
  return { connected, ids };
}

async function remove(ids: readonly string[]): Promise<void> {
  const json = { database: on.database, type: 'knowledge', ids };
  expect((await on.server.rest('DELETE', '/context', { json })).status).toBe(200);
}

async function removeCollection(): Promise<void> {
  const query = `database=${on.database}&collection=default`;
  expect((await on.server.rest('DELETE', `/databases/collections?${query}`)).status).toBe(202);
}

async function addAgain(connected: Connected): Promise<void> {
  const { status } = await on.server.rest('DELETE', `/connectors/${connected.id}/resources/${on.a}`);
  expect(status).toBe(200);
  on.server.clock.advance(1);
  await connected.post('configure', { resources: [{ resource_id: on.a }] });
  await on.server.idle();
}

describe('a collection that is deleted here', () => {
  test.each(['whole', 'scripted'] as const)('is filled again by the next sync (%s)', async (provider) => {
    const { connected, ids } = await synced(provider);
    await removeCollection();
    expect(await connected.ids()).toEqual([]);
    await connected.sync();
    expect(await connected.ids()).toEqual(ids);
    on.account.calls.length = on.whole.calls.length = 0;
    await connected.sync();
    expect(on.account.count('load') + on.whole.count('load')).toBe(0);
  });

  test('is filled again though somebody else has used its name since', async () => {
    const { connected, ids } = await synced('whole');
    await removeCollection();
    on.server.clock.advance(1);
    const json = { database: on.database, type: 'memory', memories: [{ text: 'written by hand' }] };
    expect((await on.server.rest('POST', '/context/ingest', { json })).status).toBe(202);
    await on.server.idle();
    await connected.sync();
    expect(await connected.ids()).toEqual(ids);
  });
});

describe('an item that is deleted here', () => {
  test('stays away until its source changes', async () => {
    const { connected, ids } = await synced('whole');
    await remove(ids.slice(0, 2));
    await connected.sync();
    expect(await connected.ids()).toEqual(ids.slice(2));
    on.whole.write(on.a, `${on.a}-2`, { text: 'edited' });
    await connected.sync();
    expect(await connected.ids()).toEqual(ids.slice(1));
  });

  test.each(['whole', 'scripted'] as const)(
    'comes back when its resource is added again, and is loaded alone where versions tell (%s)',
    async (provider) => {
      const { connected, ids } = await synced(provider);
      await remove(ids.slice(0, 1));
      on.whole.calls.length = 0;
      await addAgain(connected);
      expect(await connected.ids()).toEqual(ids);
      if (provider === 'whole') expect(on.whole.count('load')).toBe(1);
      // From then on a deletion holds again.
      await remove(ids.slice(1));
      await connected.sync();
      await connected.sync();
      expect(await connected.ids()).toEqual(ids.slice(0, 1));
    },
  );
});
