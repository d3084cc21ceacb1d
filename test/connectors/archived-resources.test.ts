import { afterEach, expect, test } from '@jest/globals';
import { day, hour, useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

afterEach(() => {
  on.account.isArchived = false;
});

/** A connector whose only resource is archived, after its first sync. */
async function connectArchived() {
  on.account.isArchived = true;
  on.write(2);
  const connected = await on.connect();
  await on.server.idle();
  expect(await connected.resources()).toMatchObject([{ status: 'completed' }]);
  expect(await connected.ids()).toEqual(on.itemIds(2));
  return connected;
}

test('a connector of archived resources alone is no connector without resources', async () => {
  const connected = await connectArchived();
  expect(await connected.fields()).toMatchObject({
    lifecycle: 'active',
    active_resource_count: 1,
    resources_pending_first_sync: 0,
  });
  await connected.sync();
  expect(await connected.resources()).toMatchObject([{ status: 'completed' }]);
});

test('who was taken off the readers of an archived resource no longer reads it', async () => {
  on.account.setReaders(on.a, ['user_email:ann@example.org', 'user_email:bob@example.org']);
  const connected = await connectArchived();
  expect(await connected.readable('bob@example.org')).toEqual(on.itemIds(2));
  on.account.setReaders(on.a, ['user_email:ann@example.org']);
  await connected.pass(hour);
  expect(await connected.readable('bob@example.org')).toEqual([]);
  expect(await connected.readable('ann@example.org')).toEqual(on.itemIds(2));
});

test('what is deleted or edited in an archived resource follows with the daily walk', async () => {
  const connected = await connectArchived();
  on.account.remove(on.a, `${on.a}-01`);
  on.account.writeSilently(on.a, `${on.a}-02`, { text: 'redacted' });
  await connected.pass(day);
  expect(await connected.items()).toMatchObject([{ id: on.itemIds(2)[1], title: 'redacted' }]);
  expect(await connected.resources()).toMatchObject([{ status: 'completed' }]);
});

test('a resource that is opened again is active, and what is added to it comes', async () => {
  const connected = await connectArchived();
  on.account.isArchived = false;
  on.write(1, 3);
  await connected.pass(hour);
  expect(await connected.ids()).toEqual(on.itemIds(3));
  expect(await connected.resources()).toMatchObject([{ status: 'active' }]);
});
