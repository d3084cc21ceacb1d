import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const found = async (body: Record<string, unknown> = {}) => {
  const json = { database, type: 'memory', query: 'parking place', ...body };
  const answer = await server.rest('POST', '/query', { json });
  return answer.body.data.chunks.map((chunk: any) => chunk.id).sort();
};
const statusOf = async (id: string) =>
  (await server.rest('GET', `/context/status?database=${database}&ids=${id}`)).status;
const stats = async () => {
  const { body } = await server.rest('GET', `/databases/stats?database=${database}`);
  return body.data.memory_collection.row_count;
};

test('a memory vanishes from every read when its time is over, and then from the store', async () => {
  const metadata = { kind: 'note' };
  await server.remember(database, [
    { id: 'short', text: 'parking place 12 today', expiry_time: 60, metadata },
    { id: 'long', text: 'parking place 7 always', metadata },
  ]);
  expect(await found()).toEqual(['long', 'short']);
  server.clock.advance(59);
  expect(await found({ metadata_filters: metadata })).toEqual(['long', 'short']);
  server.clock.advance(2);
  // No job has run since: reads themselves know.
  expect(await found()).toEqual(['long']);
  expect(await found({ metadata_filters: metadata })).toEqual(['long']);
  expect(await found({ acl: ['someone'] })).toEqual(['long']);
  expect(await statusOf('short')).toBe(404);
  expect(await stats()).toBe(1);
  const counts = await server.graphql(
    `{ databaseStats(database: "${database}") { indexing { completed } } }`,
  );
  expect(counts.body.data.databaseStats.indexing.completed).toBe(1);
  await server.idle();
  expect(await server.sql(`select 1 from sources where id = 'short'`)).toEqual([]);
  const id = await server.databaseId(database);
  expect(await server.sql(`select 1 from chunks_${id}_memory`)).toHaveLength(1);
});

test('an id whose memory has expired is free again; a new version lives as long as it says', async () => {
  await server.remember(database, [{ id: 'again', text: 'parking place 3', expiry_time: 10 }]);
  server.clock.advance(11);
  const answer = await server.remember(database, [{ id: 'again', text: 'parking place 4' }], {
    upsert: false,
  });
  expect(answer.body.data.results[0]).toMatchObject({ status: 'queued', error_code: null });
  server.clock.advance(100);
  expect(await found()).toContain('again');
  await server.remember(database, [{ id: 'again', text: 'parking place 5', expiry_time: 10 }]);
  await server.remember(database, [{ id: 'again', text: 'parking place 6' }]);
  server.clock.advance(100);
  expect(await found()).toContain('again');
});

test('a new version that expires before it is indexed takes the one before it along', async () => {
  await server.remember(database, [{ id: 'brief', text: 'parking place 8' }]);
  await server.rest('POST', '/context/ingest', {
    json: {
      database,
      type: 'memory',
      memories: [{ id: 'brief', text: 'parking place 9', expiry_time: 5 }],
    },
  });
  expect(await found()).toContain('brief');
  server.clock.advance(6);
  // Before any job has run.
  expect(await found()).not.toContain('brief');
  await server.idle();
  expect(await found()).not.toContain('brief');
  expect(await statusOf('brief')).toBe(404);
  expect(await server.sql(`select 1 from sources where id = 'brief'`)).toEqual([]);
});

test('a new version keeps the time of the first and its access list; after expiry nothing is handed down', async () => {
  const store = async (text: string, more: Record<string, unknown> = {}) => {
    await server.remember(database, [{ id: 'heir', text, ...more }]);
    const json = { database, type: 'memory', ids: ['heir'] };
    const { body } = await server.rest('POST', '/context/list', { json });
    const [{ created_at, updated_at, acl }] = body.data.user_memories;
    return { created: Date.parse(created_at), updated: Date.parse(updated_at), acl };
  };
  const first = await store('parking place 13', { acl: ['ann'] });
  server.clock.advance(60);
  const second = await store('parking place 14', { expiry_time: 10 });
  expect(second).toEqual({ created: first.created, updated: second.updated, acl: ['ann'] });
  expect(second.updated).toBeGreaterThanOrEqual(first.updated + 60_000);
  server.clock.advance(11);
  const heir = await store('parking place 15');
  expect(heir.acl).toBeNull();
  expect(heir.created).toBeGreaterThanOrEqual(second.updated + 11_000);
});

test('the time of a version is over while a worker holds the next one: that one stays', async () => {
  await server.remember(database, [{ id: 'renewed', text: 'parking place 10', expiry_time: 5 }]);
  await server.rest('POST', '/context/ingest', {
    json: { database, type: 'memory', memories: [{ id: 'renewed', text: 'parking place 11' }] },
  });
  await server.sql(
    `update sources set lease_token = gen_random_uuid(), lease_until = $1 where id = 'renewed' and latest`,
    [new Date(server.clock.now().getTime() + 30_000)],
  );
  server.clock.advance(6);
  await server.idle();
  expect(await found()).not.toContain('renewed');
  server.clock.advance(30);
  await server.idle();
  expect(await found()).toContain('renewed');
});

test.each([
  [0, /expiry_time must be 1 to 315360000 seconds, not 0/],
  [-5, /expiry_time must be 1 to/],
  [315_360_001, /expiry_time must be 1 to/],
  [1.5, /expiry_time must be a whole number/],
])('expiry_time %j is 400', async (expiry_time, reason) => {
  const answer = await server.remember(database, [{ id: 'refused', text: 'words', expiry_time }]);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
  expect(answer.body.error.message).toMatch(reason);
  expect(await statusOf('refused')).toBe(404);
});

test('metadata of a memory may be JSON text, which is deprecated', async () => {
  const memories = [{ id: 'text', text: 'parking place 9', metadata: '{"kind":"text"}' }];
  const answer = await server.remember(database, memories);
  expect(answer.status).toBe(202);
  expect(answer.headers.get('deprecation')).toBe('true');
  expect(answer.body.meta.deprecation).toEqual([
    expect.objectContaining({ deprecated: true, deprecated_field: 'metadata as JSON text' }),
  ]);
  expect(await found({ metadata_filters: { kind: 'text' } })).toEqual(['text']);
  for (const metadata of ['not JSON', '[1]', '"x"']) {
    const refused = await server.remember(database, [{ id: 'no', text: 'x', metadata }]);
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/metadata/)]);
  }
  const additional = await server.remember(database, [{ id: 'no', text: 'x', additional_metadata: '{}' }]);
  expect(additional.status).toBe(400);
});
