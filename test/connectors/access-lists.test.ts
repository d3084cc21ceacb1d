import { describe, expect, jest, test } from '@jest/globals';
import { day, useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

/** Sets the list of the first item by hand. */
async function setByHand(acl: readonly string[]): Promise<void> {
  const [id = ''] = on.itemIds(1);
  const { status } = await on.server.rest('PATCH', `/context/${encodeURIComponent(id)}/metadata`, {
    json: { database: on.database, collection: 'default', acl },
  });
  expect(status).toBe(200);
  await on.server.idle();
}

/** The first object, in other words. */
const edit = (text: string) => on.account.write(on.a, `${on.a}-01`, { text });

describe('a list that was set by hand', () => {
  test('stays when the item is synced again, where nobody else says who may read it', async () => {
    on.write(2);
    const connected = await on.connect();
    await on.server.idle();
    await setByHand(['group:core']);
    edit('the second edition');
    await connected.sync();
    expect((await connected.items())[0]).toMatchObject({ title: 'the second edition' });
    expect(await connected.readable('group:other')).toEqual(on.itemIds(2).slice(1));
    expect(await connected.readable('group:core')).toEqual(on.itemIds(2));
    await connected.pass(day);
    expect(await connected.readable('group:other')).toEqual(on.itemIds(2).slice(1));
  });

  test('stays when a connector is made anew and brings the item once more', async () => {
    on.write(1);
    const connected = await on.connect();
    await on.server.idle();
    await setByHand(['group:core']);
    await on.server.rest('DELETE', `/connectors/${connected.id}`);
    await on.server.idle();
    const second = await on.connect();
    await on.server.idle();
    expect(await second.fields()).toMatchObject({ documents_dispatched: 1 });
    expect(await second.readable('group:other')).toEqual([]);
    expect(await second.readable('group:core')).toEqual(on.itemIds(1));
  });

  test.each(['the provider', 'the resource'])(
    'gives way to what %s says, and to its withdrawal',
    async (who) => {
      on.write(1);
      const connected = await on.connect();
      await on.server.idle();
      await setByHand(['group:core']);
      const say = async (acl: string[] | undefined) => {
        if (who === 'the provider') on.account.setReaders(on.a, acl);
        else
          await on.server.rest('PATCH', `/connectors/${connected.id}/resources/${on.a}`, {
            json: { acl: acl ?? ['*'] },
          });
        await connected.sync();
      };
      await say(['group:ops']);
      expect(await connected.readable('group:core')).toEqual([]);
      expect(await connected.readable('group:ops')).toEqual(on.itemIds(1));
      await setByHand(['group:core']);
      edit('edited while a list is said');
      await connected.sync();
      expect(await connected.readable('group:core')).toEqual([]);
      await say(undefined);
      expect(await connected.readable('group:core')).toEqual(on.itemIds(1));
      expect(await connected.readable('nobody@example.com')).toEqual(on.itemIds(1));
    },
  );

  test('is none that was on its way when the sync broke off, and withdrawn then', async () => {
    on.write(1);
    const connected = await on.connect({ resources: [{ resource_id: on.a, acl: ['group:ops'] }] });
    await on.server.sql(`create function break_off() returns trigger language plpgsql as
      $$ begin if new.digest <> '' then raise 'broken off'; end if; return new; end $$`);
    await on.server.sql(
      'create trigger break_off before update on connector_items for each row execute function break_off()',
    );
    await on.server.idle();
    expect(await connected.readable('nobody@example.com')).toEqual([]);
    expect(await connected.readable('group:ops')).toEqual(on.itemIds(1));
    await on.server.sql('drop function break_off cascade');
    await on.server.rest('PATCH', `/connectors/${connected.id}/resources/${on.a}`, { json: { acl: ['*'] } });
    await connected.pass(60);
    expect(await connected.readable('nobody@example.com')).toEqual(on.itemIds(1));
  });
});

test('a list that the provider changes is applied as soon as the sync has noted it', async () => {
  on.account.setReaders(on.a, ['group:core']);
  on.write(1);
  const connected = await on.connect();
  await on.server.idle();
  const pending: unknown[] = [];
  const { jobs } = on.server.running.app;
  const wake = jest.spyOn(jobs, 'wake').mockImplementation((job) => {
    // What the job finds when it begins at once.
    if (job === 'apply-connector-acls')
      pending.push(on.server.sql('select 1 from connector_resources where acl_pending'));
  });
  await connected.sync();
  expect(pending).toEqual([]);
  on.account.setReaders(on.a, ['group:ops']);
  await connected.sync();
  wake.mockRestore();
  expect(pending).toHaveLength(1);
  expect(await pending[0]).toHaveLength(1);
  expect(await connected.readable('group:ops')).toEqual(on.itemIds(1));
});

test('a resource with more readers than fit into a list is read when it has a list of its own', async () => {
  on.account.setReaders(
    on.a,
    Array.from({ length: 1001 }, (_, n) => `user_email:p${n}@example.com`),
  );
  on.write(1);
  const connected = await on.connect();
  await on.server.idle();
  const [failed] = (await connected.status())['resources'];
  expect(failed).toMatchObject({ status: 'failed', retryable: false });
  expect(failed.message).toContain('an acl of its own');
  const give = (acl: string[]) =>
    on.server.rest('PATCH', `/connectors/${connected.id}/resources/${on.a}`, { json: { acl } });
  await give(['group:core']);
  await connected.sync();
  expect(await connected.readable('group:core')).toEqual(on.itemIds(1));
  expect(await connected.readable('p1@example.com')).toEqual([]);
  // Taken back, it does not leave the item to everyone.
  await give(['*']);
  await on.server.idle();
  expect(await connected.readable('group:core', 'p1@example.com')).toEqual([]);
});
