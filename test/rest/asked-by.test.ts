import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppItems } from '../support/app-items.js';

let app: AppItems;
beforeAll(async () => {
  app = await AppItems.start();
});
afterAll(async () => app.server.stop());

async function found(query: string, more: Record<string, unknown>): Promise<string[]> {
  const { body } = await app.server.rest('POST', '/query', {
    json: { database: app.database, query, query_by: 'text', ...more },
  });
  return body.data.chunks.map(({ id }: any) => id);
}

test('an item is found by its key in the other application, and by the day on which it was written', async () => {
  await app.store(
    [
      ['printer', 'OPS-105', '2023-06-19T08:00:00Z'],
      ['scanner', 'OPS-106', '2024-03-02T08:00:00Z'],
      ['monitor', 'OPS-107', '2022-01-30T23:30:00Z'],
    ].map(([device, key, timestamp]) => ({
      id: device,
      kind: 'ticket',
      provider: 'jira',
      external_id: key,
      timestamp,
      fields: { title: 'Repair', description: `The ${device} does not work.` },
    })),
    { collection: 'tickets' },
  );
  expect((await found('OPS-106', { collection: 'tickets' }))[0]).toBe('scanner');
  expect(await found('what broke in June 2023?', { collection: 'tickets' })).toEqual(['printer']);
});

test('a memory is found by whose it is, and by the day on which it was observed', async () => {
  await app.server.remember(
    app.database,
    [
      ['Ben', '2023-06-19'],
      ['Anna', '2024-03-02'],
      ['Carla', '2022-01-30'],
    ].map(([user_name, observation_date]) => ({
      id: user_name,
      text: 'I am allergic to nuts.',
      user_name,
      observation_date,
    })),
  );
  const type = { type: 'memory' };
  for (const name of ['Ben', 'Anna', 'Carla'])
    expect((await found(`What is ${name} allergic to?`, type))[0]).toBe(name);
  expect(await found('March 2024', type)).toEqual(['Anna']);
});

test('a day is asked for beside its month: a number alone says nothing of when', async () => {
  const post = (id: string, day: string, text: string) => ({
    id,
    kind: 'custom',
    provider: 'board',
    external_id: id,
    timestamp: `2025-${day}T08:00:00Z`,
    content: { text },
  });
  const collection = 'days';
  await app.store(
    [
      post('dated', '04-16', 'The French texts of the menu are done.'),
      post('said', '05-20', 'The menu changes on April 16th.'),
      post('numbered', '06-02', 'Requires PostgreSQL 16 or later.'),
    ],
    { collection },
  );
  expect((await found('16', { collection, operator: 'and' })).sort()).toEqual(['numbered', 'said']);
  expect(await found('PostgreSQL 16', { collection })).toEqual(['numbered', 'said']);
  for (const day of ['16 April', 'April 16th', '16th of April'])
    expect((await found(day, { collection, operator: 'and' })).sort()).toEqual(['dated', 'said']);
  expect(await found('16 April 2025', { collection, operator: 'and' })).toContain('dated');
  expect(await found('April 16th', { collection, operator: 'phrase' })).toEqual(['said']);
});

test('a ticket is what its key calls, before those that speak of it', async () => {
  const ticket = (key: string, title: string, description: string) => ({
    id: key,
    kind: 'ticket',
    provider: 'jira',
    external_id: key,
    fields: { title, description },
  });
  await app.store(
    [
      ticket('OPS-205', 'Login page is slow', 'Since Monday it takes ten seconds.'),
      ticket('OPS-206', 'Follow-up of OPS-205', 'See OPS-205: measure it again.'),
      ticket('OPS-207', 'Printer', 'It was said in OPS-205 that it is broken.'),
      ticket('acme/shop#12', 'Cart is empty', 'After a reload nothing is in it.'),
      ticket('acme/shop#13', 'Duplicate of acme/shop#12', 'The same.'),
    ],
    { collection: 'keys' },
  );
  const asked = { collection: 'keys' };
  for (const key of ['OPS-205', 'acme/shop#12']) {
    expect((await found(key, asked))[0]).toBe(key);
    expect((await found(key, { ...asked, query_by: 'hybrid' }))[0]).toBe(key);
    expect(await found(key, { ...asked, operator: 'phrase' })).toContain(key);
  }
  expect(await app.contentsOf('OPS-205')).not.toContain('OPS-205');
});

test('an item without a key in another application is found by its own id where people write such ids', async () => {
  const place = { collection: 'own-ids' };
  const ticket = (id: string, description: string, more: Record<string, unknown> = {}) => ({
    id,
    kind: 'ticket',
    fields: { title: 'Repair', description },
    ...more,
  });
  await app.store(
    [
      ticket('OPS-305', 'The gate is stuck.'),
      ticket('OPS-306', 'See OPS-305: the lamp beside it is broken.'),
      ticket('OPS-307', 'The fence fell.', { provider: 'jira', external_id: 'BOLT-9' }),
      ticket('msg-308', 'The ladder is gone.'),
    ],
    place,
  );
  const files = { 'contract.txt': 'The harbour lends the crane.', 'other.txt': 'The ferry is late.' };
  const document_metadata = '[{"id":"CT-41"},{"id":"CT-42"}]';
  await app.server.upload(app.database, files, { ...place, document_metadata });
  await app.server.idle();
  for (const id of ['OPS-305', 'CT-41']) {
    expect((await found(id, place))[0]).toBe(id);
    expect((await found(`what is the state of ${id}?`, { ...place, query_by: 'hybrid' }))[0]).toBe(id);
  }
  expect(await found('BOLT-9', place)).toEqual(['OPS-307']);
  // It is called by its key; and ids such as msg-308 are counters of programs.
  expect(await found('307', place)).toEqual([]);
  expect(await found('msg-308', place)).toEqual([]);
});
