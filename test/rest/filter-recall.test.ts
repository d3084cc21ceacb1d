import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

// A word of more than 2,000 chunks does not nominate chunks for scoring beside a rarer one. What may be found may hold
// nothing else.

const narrow = 20;
const wide = 2100;
const secret = 30;

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const memories = Array.from({ length: wide }, (_, n) => ({
    id: `i${n}`,
    text: `whale of the sea number ${n}`,
    additional_metadata: { narrow: n < narrow, wide: true },
    ...(n < secret ? { acl: ['group:ops', 'group:all'] } : { acl: ['group:all'] }),
  }));
  for (let start = 0; start < wide; start += 1000)
    await server.remember(database, memories.slice(start, start + 1000));
  await server.remember(database, [{ id: 'zebra', text: 'zebra', acl: ['group:ops', 'group:all'] }]);
  const few = Array.from({ length: 5 }, (_, n) => ({ id: `few${n}`, text: `whale of the lake ${n}` }));
  await server.remember(database, few, { collection: 'few' });
  await server.remember(database, [{ id: 'misspelt', text: 'a whalle' }], { collection: 'misspelt' });
});
afterAll(async () => server.stop());

const ask = async (more: object) => {
  const answer = await server.rest('POST', '/query', {
    json: { database, type: 'memory', query: 'zebra whale', max_results: 100, ...more },
  });
  expect(answer.status).toBe(200);
  return answer.body.data.chunks as { id: string; lanes: { sparse: number | null } }[];
};

// First, before anything is in memory.
test.each([
  ['words and meaning', {}],
  ['meaning before words', { alpha: 0.9 }],
])('a collection is searched by the words that it has, by %s', async (_case, more) => {
  const found = await ask({ ...more, collection: 'few' });
  expect(found.map(({ id, lanes: { sparse } }) => [id, sparse !== null]).sort()).toEqual(
    Array.from({ length: 5 }, (_, n) => [`few${n}`, true]),
  );
});

test.each([
  ['words alone', { query_by: 'text' }],
  ['words and meaning', {}],
])('a filter leaves as many as match, by %s', async (_case, lanes) => {
  const found = await ask({ ...lanes, metadata_filters: { additional_metadata: { narrow: true } } });
  expect(found.map(({ id }) => id).sort()).toEqual(Array.from({ length: narrow }, (_, n) => `i${n}`).sort());
  expect(found.every(({ lanes: { sparse } }) => sparse !== null)).toBe(true);
});

test('so does a filter that many match', async () => {
  const found = await ask({
    query_by: 'text',
    metadata_filters: { additional_metadata: { wide: { $ne: false } } },
  });
  expect(found).toHaveLength(100);
  expect(found[0]?.id).toBe('zebra');
  const without = await ask({ query_by: 'text', metadata_filters: { additional_metadata: { wide: true } } });
  expect(without).toHaveLength(100);
});

test('so does an access list', async () => {
  const found = await ask({ query_by: 'text', acl: ['group:ops'] });
  expect(found).toHaveLength(secret + 1);
  expect(found[0]?.id).toBe('zebra');
});

test('so do ids, alone and with a filter', async () => {
  const found = await ask({ query_by: 'text', ids: ['i3', 'i7', 'zebra'] });
  expect(found.map(({ id }) => id)).toEqual(['zebra', 'i3', 'i7']);
  const filtered = await ask({
    query_by: 'text',
    ids: ['i3', 'i7', 'i30', 'zebra'],
    metadata_filters: { additional_metadata: { narrow: true } },
  });
  expect(filtered.map(({ id }) => id)).toEqual(['i3', 'i7']);
});

test('words alone find as many as hold one of them', async () => {
  const found = await ask({ query_by: 'text' });
  expect(found).toHaveLength(100);
  expect(found[0]?.id).toBe('zebra');
});

test('a typing error is forgiven though another collection has it as well', async () => {
  const found = await ask({ query: 'whalle', query_by: 'text', collection: 'few' });
  expect(found).toHaveLength(5);
  expect(await ask({ query: 'whalle', query_by: 'text', collection: 'misspelt' })).toHaveLength(1);
});
