import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Listing } from '../support/listing.js';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
let database: string;
let list: Listing;
beforeAll(async () => {
  server = await TestServer.start();
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, principals, created_at)
     select 'ann', account_id, secret_hash, 'ann', '{write}', '{ann}', created_at from api_keys where prefix = 'test'`,
  );
});
afterAll(async () => server.stop());
beforeEach(async () => {
  database = await server.database();
  list = new Listing(server, database);
});

const memory = { type: 'memory' };
const remove = (ids: unknown, more: Record<string, unknown> = memory, key?: string) =>
  server.rest('DELETE', '/context', { json: { database, ids, ...more }, ...(key ? { key } : {}) });
const found = async (query: string) => {
  const { body } = await server.rest('POST', '/query', {
    json: { database, query, type: 'all', max_results: 50 },
  });
  return body.data.chunks.map(({ id }: any) => id).sort();
};
const listed = async () => (await list.ids(memory)).sort();
const state = () =>
  server.sql(
    `select uid, s.id, latest, visible, indexing_status from sources s join databases d on d.id = s.database_id
      where d.name = $1 order by uid`,
    [database],
  );
const send = (id: string, text: string, more: Record<string, unknown> = {}) =>
  server.rest('POST', '/context/ingest', {
    json: { database, ...memory, memories: [{ id, text, ...more }] },
  });

describe('deleting', () => {
  beforeEach(async () => {
    await server.remember(database, [
      { id: 'a', text: 'puffins nest in burrows' },
      { id: 'b', text: 'puffins dive' },
    ]);
  });

  test('is gone from every read before any job has run, and then from the store', async () => {
    await server.upload(database, { 'p.txt': 'puffins in a file' }, { document_metadata: '[{"id":"file"}]' });
    await server.idle();
    const answer = await remove(['a']);
    expect([answer.status, answer.body.meta.source_type]).toEqual([200, 'memory']);
    expect(answer.body.data).toEqual({
      success: true,
      message: '1 of 1 deleted',
      results: [{ id: 'a', deleted: true, error: null }],
      deleted_count: 1,
      user_memory_deleted: true,
    });
    expect(await found('puffins')).toEqual(['b', 'file']);
    expect(await listed()).toEqual(['b']);
    const status = await server.rest('GET', `/context/status?database=${database}&ids=a`);
    expect(status.status).toBe(404);
    const stats = await server.rest('GET', `/databases/stats?database=${database}`);
    expect(stats.body.data.memory_collection.row_count).toBe(1);
    const one = await server.graphql(`{ memory(database: "${database}", id: "a") { id } }`);
    expect(one.body.data.memory).toBeNull();
    const file = await remove(['file'], {});
    expect(file.body.data).not.toHaveProperty('user_memory_deleted');
    expect(await found('puffins')).toEqual(['b']);
    await server.idle();
    expect(await state()).toMatchObject([{ id: 'b' }]);
    const folders = readdirSync(join(server.dataDir, 'files')).filter((name) => name !== 'owner');
    expect(folders.flatMap((name) => readdirSync(join(server.dataDir, 'files', name)))).toEqual([]);
    expect((await send('a', 'puffins again')).status).toBe(202);
    await server.idle();
    expect(await found('puffins')).toEqual(['a', 'b']);
  });

  test('some unknown is 200; all unknown is 404, each with its results', async () => {
    const some = await remove(['a', 'nope', 'a']);
    expect([some.status, some.body.data.success, some.body.data.deleted_count]).toEqual([200, false, 1]);
    expect(some.body.data.results).toEqual([
      { id: 'a', deleted: true, error: null },
      { id: 'nope', deleted: false, error: 'no memory has this id' },
    ]);
    const before = await state();
    const none = await remove(['a', 'nope']);
    expect([none.status, none.body.error.code, none.body.success]).toEqual([404, 'NOT_FOUND', false]);
    expect(none.body.data).toEqual({
      success: false,
      message: 'nothing was deleted',
      results: ['a', 'nope'].map((id) => ({ id, deleted: false, error: 'no memory has this id' })),
      deleted_count: 0,
      user_memory_deleted: false,
    });
    // The same id in another corpus or collection is another item.
    expect((await remove(['b'], {})).status).toBe(404);
    expect((await remove(['b'], { ...memory, collection: 'elsewhere' })).status).toBe(404);
    expect(await state()).toEqual(before);
  });

  test('by query string, and by GraphQL, where a failure keeps its results too', async () => {
    const path = `/context?database=${database}&type=memory&ids=a`;
    expect((await server.rest('DELETE', path)).body.data.deleted_count).toBe(1);
    const mutation = `mutation ($ids: [String!]!) {
      deleteSources(database: "${database}", type: memory, ids: $ids) { deletedCount results { id deleted } }
    }`;
    const ids = ['b'];
    const done = await server.graphql(mutation, { ids });
    expect(done.body.data.deleteSources).toEqual({ deletedCount: 1, results: [{ id: 'b', deleted: true }] });
    const again = await server.graphql(mutation, { ids });
    expect(again.body.errors[0].extensions).toMatchObject({
      code: 'NOT_FOUND',
      data: { results: [{ id: 'b', deleted: false }] },
    });
  });

  test.each([
    ['no ids', {}, 'INVALID_INPUT', /ids is required/],
    ['an empty list', { ids: [] }, 'INVALID_INPUT', /ids has 0 ids; it must be 1 to 1000/],
    ['1001 ids', { ids: Array.from({ length: 1001 }, (_, n) => `i${n}`) }, 'INVALID_INPUT', /1001.*1000/],
    ['type all', { ids: ['a'], type: 'all' }, 'CORPUS_TYPE_UNSUPPORTED', /type/],
  ])('%s is 400 and deletes nothing', async (_case, body, code, message) => {
    const before = await state();
    const answer = await server.rest('DELETE', '/context', { json: { database, ...memory, ...body } });
    expect([answer.status, answer.body.error.code, answer.body.data]).toEqual([400, code, null]);
    expect(answer.body.error.message).toMatch(message);
    expect(await state()).toEqual(before);
  });
});

describe('an item that is being indexed', () => {
  const expectProcessing = async (ids: string[]) => {
    const before = await state();
    const answer = await remove(ids);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'SOURCE_PROCESSING']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.body.data.results.map(({ id }: any) => id)).toEqual(ids);
    expect(answer.body.data.results.every(({ deleted, error }: any) => !deleted && error)).toBe(true);
    expect(await state()).toEqual(before);
  };

  test('for the first time is 409 and nothing is deleted; afterwards it can be', async () => {
    await server.remember(database, [{ id: 'old', text: 'puffins' }]);
    await send('new', 'auks');
    await expectProcessing(['new']);
    await expectProcessing(['old', 'new', 'nope']);
    await server.idle();
    expect((await remove(['old', 'new'])).body.data.deleted_count).toBe(2);
  });

  test('and is searchable already: 409 while a worker holds it, otherwise its new version is cancelled', async () => {
    await server.remember(database, [{ id: 'x', text: 'puffins before' }]);
    await send('x', 'puffins after');
    const until = new Date(server.clock.now().getTime() + 30_000);
    await server.sql(
      `update sources set lease_token = gen_random_uuid(), lease_until = $1, indexing_status = 'processing' where latest and not visible`,
      [until],
    );
    await expectProcessing(['x']);
    // A worker that died holds nothing once its lease is over.
    server.clock.advance(31);
    expect((await remove(['x'])).status).toBe(200);
    expect([await found('puffins'), await listed()]).toEqual([[], []]);
    await server.idle();
    expect([await found('puffins'), await state()]).toEqual([[], []]);
  });

  test('and ended errored can be deleted', async () => {
    await server.upload(database, { 'empty.txt': '   ' }, { document_metadata: '[{"id":"bad"}]' });
    await server.idle();
    expect(await list.row('bad')).toMatchObject({ indexing_status: 'errored' });
    expect((await remove(['bad'], {})).status).toBe(200);
    expect(await list.ids()).toEqual([]);
  });

  test('is whole or gone, however ingest and deletion meet', async () => {
    await server.remember(database, [{ id: 'r', text: 'puffins 0' }]);
    for (let round = 1; round <= 5; round += 1) {
      await Promise.all([
        send('r', `puffins ${round}`),
        remove(['r']),
        send('r', `puffins ${round}b`),
        remove(['r']),
      ]);
      const rows = await server.sql<{ latest: boolean; visible: boolean }>(
        'select latest, visible from sources where id = $1 and (latest or visible)',
        ['r'],
      );
      // Never a visible version without a latest one: nothing would replace or delete it.
      expect(rows.length === 0 || rows.filter(({ latest }) => latest).length === 1).toBe(true);
      await server.idle();
      expect(await listed()).toEqual(await found('puffins'));
      await server.remember(database, [{ id: 'r', text: 'puffins anew' }]);
    }
  });
});

test('what a key may not read is unknown to it; what nobody may read is not', async () => {
  await server.remember(database, [
    { id: 'bobs', text: 'puffins', acl: ['bob'] },
    { id: 'anns', text: 'puffins', acl: ['ann'] },
    { id: 'nobodys', text: 'puffins', acl: [] },
  ]);
  const key = `ann.${adminKey.split('.')[1]}`;
  const before = await state();
  const refused = await remove(['bobs'], memory, key);
  expect([refused.status, refused.body.data.results[0].error]).toEqual([404, 'no memory has this id']);
  expect(await state()).toEqual(before);
  const answer = await remove(['anns', 'bobs', 'nobodys'], memory, key);
  expect(answer.body.data.results.map(({ deleted }: any) => deleted)).toEqual([true, false, true]);
  expect(await listed()).toEqual(['bobs']);
});

test('while a new version waits, the list of the one that is read says who may delete', async () => {
  const key = `ann.${adminKey.split('.')[1]}`;
  await server.remember(database, [
    { id: 'given-up', text: 'puffins', acl: ['ann'] },
    { id: 'taken', text: 'puffins', acl: ['bob'] },
  ]);
  await send('given-up', 'puffins anew', { acl: ['bob'] });
  await send('taken', 'puffins anew', { acl: ['ann'] });
  const answer = await remove(['given-up', 'taken'], memory, key);
  expect(answer.body.data.results.map(({ deleted }: any) => deleted)).toEqual([true, false]);
  expect(await listed()).toEqual(['taken']);
});

test('what has expired is unknown', async () => {
  await server.remember(database, [{ id: 'short', text: 'puffins', expiry_time: 60 }]);
  server.clock.advance(61);
  expect((await remove(['short'])).status).toBe(404);
});
