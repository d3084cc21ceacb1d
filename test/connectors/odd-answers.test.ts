import { expect, test } from '@jest/globals';
import { useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

test('an item whose time is none that can be stored comes without it', async () => {
  const times = ['+012024-01-01T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', 'yesterday'];
  times.forEach((timestamp, index) =>
    on.account.write(on.a, `${on.a}-0${index + 1}`, {
      item: { timestamp, fields: { created_at: timestamp } },
    }),
  );
  const connected = await on.connect();
  await on.server.idle();
  expect(await connected.ids()).toEqual(on.itemIds(3));
});

test('what is too long for its field is cut, and costs the item nothing else', async () => {
  const url = `https://a.test/${'x'.repeat(5000)}`;
  const fields = { author: 'A'.repeat(2000), mentions: Array.from({ length: 1001 }, (_, n) => `u${n}`), url };
  const attachments = [
    { id: 'f', title: 'plan '.repeat(500), url, contentType: 'x'.repeat(2000), sizeBytes: -1 },
  ];
  const comments = [{ body: 'An okapi.', author: 'B'.repeat(2000), createdAt: 'yesterday' }];
  on.account.write(on.a, `${on.a}-01`, { item: { fields, attachments, comments } });
  const connected = await on.connect();
  await on.server.idle();
  expect(await connected.ids()).toEqual(on.itemIds(1));
  expect(await connected.status()).toMatchObject({ error: null });
});

test('what a provider calls a resource is stored, whatever it holds', async () => {
  on.account.shownAs = { name: `a\u0000b \ud83d ${'n'.repeat(5000)}`, metadata: { topic: 'x\ud83d\u0000' } };
  const connected = await on.connect();
  on.account.shownAs = {};
  const [resource] = await connected.resources();
  expect(resource).toMatchObject({ provider_metadata: { topic: 'x\ufffd' } });
  expect(resource?.['display_name']).toMatch(/^ab \ufffd n+$/);
  expect(resource?.['display_name']).toHaveLength(1000);
});

test('a database that is deleted while the provider is asked is told as not found', async () => {
  const creating = on.account.hold('check');
  const json = { database: on.database, provider: 'scripted', credentials: { secret: 'open sesame' } };
  const created = on.server.rest('POST', '/connectors', { json });
  await creating.entered;
  await on.server.rest('DELETE', `/databases?database=${on.database}`);
  await on.server.idle();
  creating.open();
  expect(await created).toMatchObject({ status: 404, body: { error: { code: 'DATABASE_NOT_FOUND' } } });
});

test('so is that of a resource', async () => {
  const connected = await on.connect();
  await on.server.idle();
  const other = await on.server.database();
  const describing = on.account.hold('describe');
  const configured = connected.post('configure', { resources: [{ resource_id: on.b, database: other }] });
  await describing.entered;
  await on.server.rest('DELETE', `/databases?database=${other}`);
  await on.server.idle();
  describing.open();
  expect(await configured).toMatchObject({ status: 404, body: { error: { code: 'DATABASE_NOT_FOUND' } } });
});
