import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Listing } from '../support/listing.js';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
let database: string;
let list: Listing;
beforeAll(async () => {
  server = await TestServer.start();
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, principals, created_at)
     select k.prefix, account_id, secret_hash, k.prefix, k.scopes::text[], k.principals::text[], created_at from api_keys,
       (values ('annwrites', '{write}', '{ann}'), ('bobreads', '{read}', '{bob}'), ('reader', '{read}', null)) as k(prefix, scopes, principals)
      where api_keys.prefix = 'test'`,
  );
});
afterAll(async () => server.stop());

const keyOf = (prefix: string) => `${prefix}.${adminKey.split('.')[1]}`;
const fresh = async () => {
  database = await server.database();
  list = new Listing(server, database);
};
const ids = (more: Record<string, unknown> = {}, key?: string) => list.ids({ type: 'memory', ...more }, key);

describe('a list of memories', () => {
  beforeAll(async () => {
    await fresh();
    await server.remember(database, [
      { id: 'pairs', user_assistant_pairs: [{ user: 'Hello?', assistant: 'Yes.' }], user_name: 'Ann' },
    ]);
    server.clock.advance(1);
    await server.remember(database, [
      {
        id: 'tea',
        text: 'I prefer green tea.',
        infer: true,
        user_name: 'Ann',
        observation_date: '2026-01-05',
        expiry_time: 3600,
      },
    ]);
  });

  test('has the documented fields, and no sources', async () => {
    const answer = await list.ask({ type: 'memory' });
    expect(Object.keys(answer.body.data).sort()).toEqual(['message', 'pagination', 'total', 'user_memories']);
    const [tea, pairs] = answer.body.data.user_memories;
    expect(tea).toMatchObject({
      id: 'tea',
      memory_id: 'tea',
      database,
      type: 'memory',
      memory_content: 'I prefer green tea.',
      inferred_content: expect.stringContaining('green tea'),
      user_name: 'Ann',
      observation_date: '2026-01-05',
      timestamp: '2026-01-05T00:00:00.000Z',
      expires_at: expect.stringMatching(/Z$/),
      indexing_status: 'completed',
      app_kind: null,
    });
    expect(pairs).toMatchObject({
      memory_content: 'Ann: Hello?\nAssistant: Yes.',
      inferred_content: null,
      observation_date: null,
      timestamp: null,
      expires_at: null,
    });
    expect(answer.body.meta.source_type).toBe('memory');
  });

  test('tells queries when it was observed, and is found by that', async () => {
    const timestamp = '2026-01-05T00:00:00.000Z';
    const json = { database, query: 'green tea', type: 'memory' };
    const { sources } = (await server.rest('POST', '/query', { json })).body.data;
    expect(sources.find(({ id }: { id: string }) => id === 'tea')).toMatchObject({ timestamp });
    const filters = { source_fields: { timestamp } };
    const listed = (await list.ask({ type: 'memory', filters })).body.data.user_memories;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(['tea']);
  });

  test('is the same in GraphQL: memories, and sources of type memory', async () => {
    const query = `{ memories(database: "${database}") { nodes { id text facts { statement } } totalCount }
      sources(database: "${database}", type: memory) { nodes { id type } sources { id } memories { id content } } }`;
    const { memories, sources } = (await server.graphql(query)).body.data;
    expect(memories).toMatchObject({
      totalCount: 2,
      nodes: [{ id: 'tea', text: 'I prefer green tea.' }, { id: 'pairs' }],
    });
    expect(memories.nodes[0].facts).toHaveLength(1);
    expect(sources).toMatchObject({ sources: null, nodes: [{ id: 'tea', type: 'memory' }, { id: 'pairs' }] });
    expect(sources.memories[0].content).toBe('I prefer green tea.');
    const other = await server.graphql(
      `{ sources(database: "${database}") { sources { id } memories { id } } }`,
    );
    expect(other.body.data.sources).toEqual({ sources: [], memories: null });
  });

  test('never shows what has expired, whatever the job has done', async () => {
    expect(await ids()).toEqual(['tea', 'pairs']);
    server.clock.advance(3601);
    expect(await ids()).toEqual(['pairs']);
    expect((await list.ask({ type: 'memory' })).body.data.total).toBe(1);
    expect((await list.ask({ type: 'memory', page_size: 1 })).body.data.total).toBe(1);
    expect(await ids({ ids: ['tea'] })).toEqual([]);
  });
});

describe('versions', () => {
  beforeAll(fresh);
  const send = (text: string, more: Record<string, unknown> = {}) =>
    server.rest('POST', '/context/ingest', {
      json: { database, type: 'memory', memories: [{ id: 'v', text, ...more }] },
    });

  test('before it is searchable an item shows what was sent, then what readers see, with the latest status', async () => {
    await send('first');
    const row = () => list.row('v', { type: 'memory' });
    expect(await row()).toMatchObject({ memory_content: 'first', indexing_status: 'queued' });
    await server.idle();
    const done = await row();
    expect(done).toMatchObject({ memory_content: 'first', indexing_status: 'completed' });
    server.clock.advance(10);
    await send('second', { title: 'A new title' });
    expect(await row()).toMatchObject({ memory_content: 'first', title: 'first', indexing_status: 'queued' });
    expect(await ids({ filters: { source_fields: { title: 'first' } } })).toEqual(['v']);
    expect(await ids({ filters: { source_fields: { title: 'A new title' } } })).toEqual([]);
    expect((await list.ask({ type: 'memory' })).body.data.total).toBe(1);
    await server.idle();
    expect(await row()).toMatchObject({
      memory_content: 'second',
      title: 'A new title',
      indexing_status: 'completed',
      created_at: done.created_at,
    });
  });
});

describe('access lists', () => {
  beforeAll(async () => {
    await fresh();
    await server.remember(database, [
      { id: 'all', text: 'everyone' },
      { id: 'ann', text: 'for ann', acl: ['ann'] },
      { id: 'bob', text: 'for bob', acl: ['bob'] },
      { id: 'none', text: 'for nobody', acl: [] },
    ]);
  });

  test.each<[string, string | undefined, unknown, string[]]>([
    ['a key that writes', undefined, undefined, ['all', 'ann', 'bob', 'none']],
    ['the same with ["*"]', undefined, ['*'], ['all', 'ann', 'bob', 'none']],
    ['the same as ann', undefined, ['ann'], ['all', 'ann']],
    ['the same as nobody in particular', undefined, [], ['all']],
    ['a key that reads', 'reader', undefined, ['all', 'ann', 'bob']],
    ['a key that reads, as bob', 'reader', ['bob'], ['all', 'bob']],
    ['a key of ann that writes', 'annwrites', undefined, ['all', 'ann', 'none']],
    ['a key of ann that writes, as bob', 'annwrites', ['bob'], ['all']],
    ['a key of bob that reads', 'bobreads', undefined, ['all', 'bob']],
    ['a key of bob that reads, as ann', 'bobreads', ['ann'], ['all']],
  ])('%s', async (_case, prefix, acl, expected) => {
    const key = prefix === undefined ? undefined : keyOf(prefix);
    expect((await ids({ acl }, key)).sort()).toEqual(expected);
    const answer = await list.ask({ type: 'memory', acl, page_size: 1 }, key);
    expect(answer.body.data.total).toBe(expected.length);
    const hidden = ['all', 'ann', 'bob', 'none'].filter((id) => !expected.includes(id));
    expect(await ids({ acl, ids: hidden }, key)).toEqual([]);
  });

  test('a single one is read like its content: what nobody may read is null', async () => {
    const one = async (id: string, key?: string) =>
      (await server.graphql(`{ memory(database: "${database}", id: "${id}") { id } }`, {}, key)).body.data
        .memory;
    expect(await one('none')).toBeNull();
    expect(await one('ann')).toEqual({ id: 'ann' });
    expect(await one('ann', keyOf('bobreads'))).toBeNull();
    const source = await server.graphql(`{ source(database: "${database}", id: "ann") { id } }`);
    expect(source.body.data.source).toBeNull();
  });
});
