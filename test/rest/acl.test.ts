import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askedWhile } from '../support/asked-statements.js';
import { TestServer, adminKey } from '../support/server.js';
import type { Answer } from '../support/server.js';

let server: TestServer;
let database: string;
const items: Record<string, unknown[] | null | undefined> = {
  unrestricted: undefined,
  nobody: [],
  null: null,
  public: ['public'],
  public2: ['__PUBLIC__'],
  ann: ['Ann@Example.com '],
  domain: ['domain:example.com'],
  group: ['group:sales', 'group:sales', 'GROUP:Ops'],
};

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const memories = Object.entries(items).map(([id, acl]) => ({
    id,
    text: `otters ${id}`,
    ...(acl === undefined ? {} : { acl }),
  }));
  await server.remember(database, memories);
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, principals, created_at)
     select k.prefix, account_id, secret_hash, k.prefix, k.scopes::text[], k.principals::text[], created_at from api_keys,
       (values ('annkey', '{write}', '{ann@example.com}'), ('saleskey', '{read}', '{group:sales,group:ops}'),
               ('nonekey', '{read}', '{}'), ('reader', '{read}', null)) as k(prefix, scopes, principals)
      where api_keys.prefix = 'test'`,
  );
});
afterAll(async () => server.stop());

const keyOf = (prefix: string) => `${prefix}.${adminKey.split('.')[1]}`;
const idsOf = (answer: Answer): string[] =>
  answer.body.data.chunks.map((chunk: { id: string }) => chunk.id).sort();
const search = (more: Record<string, unknown> = {}, key?: string) =>
  server.rest('POST', '/query', {
    json: { database, query: 'otters', type: 'memory', max_results: 50, ...more },
    ...(key ? { key } : {}),
  });

const withPublic = ['public', 'public2', 'unrestricted'];
const everything = ['ann', 'domain', 'group', ...withPublic].sort();

describe('acl on query', () => {
  test.each<[string, unknown, string[]]>([
    ['absent', undefined, everything],
    ['["*"]', ['*'], everything],
    ['empty: a caller without principals', [], ['unrestricted']],
    ['a stranger', ['stranger'], withPublic],
    [
      'an e-mail address, which carries its domain',
      ['ANN@example.com'],
      ['ann', 'domain', ...withPublic].sort(),
    ],
    ['the same, spelled out', ['user_email:ann@example.com'], ['ann', 'domain', ...withPublic].sort()],
    ['another address of the domain', ['bob@example.com'], ['domain', ...withPublic].sort()],
    ['one group of several', [' Group:OPS'], ['group', ...withPublic].sort()],
  ])('%s', async (_case, acl, expected) => {
    expect(idsOf(await search({ acl }))).toEqual(expected);
    // In every lane: words alone, meaning alone, with a filter, with one result.
    for (const alpha of [0, 1]) expect(idsOf(await search({ acl, alpha }))).toEqual(expected);
    expect(idsOf(await search({ acl, query_by: 'text' }))).toEqual(expected);
    const hidden = Object.keys(items).filter((id) => !expected.includes(id));
    if (hidden.length > 0) expect(idsOf(await search({ acl, ids: hidden }))).toEqual([]);
    expect(idsOf(await search({ acl, query: `otters ${hidden[0]}`, max_results: 1 }))).toHaveLength(1);
  });

  test('repeated, comma-separated or as JSON in the query string', async () => {
    const expected = ['ann', 'domain', 'group', ...withPublic].sort();
    for (const acl of [
      'acl=ann@example.com&acl=group:ops',
      'acl=ann@example.com,group:ops',
      'acl=["ann@example.com","group:ops"]',
    ]) {
      const query = `database=${database}&query=otters&type=memory&max_results=50&${acl}`;
      expect(idsOf(await server.rest('POST', `/query?${query}`))).toEqual(expected);
    }
  });

  test('null in the query string is a principal like any other, in a body it is absent', async () => {
    const query = `database=${database}&query=otters&type=memory&max_results=50`;
    const named = await server.rest('POST', `/query?${query}&acl=null`);
    expect(idsOf(named)).toEqual(withPublic);
    expect(idsOf(await search({ acl: null }))).toEqual(everything);
    const list = await server.rest('GET', `/context/list?database=${database}&type=memory&acl=null`);
    expect(list.body.data.user_memories.map(({ id }: { id: string }) => id).sort()).toEqual(withPublic);
    expect(idsOf(await search({ acl: 'ann@example.com' }))).toEqual(['ann', 'domain', ...withPublic].sort());
  });

  test.each([
    ['an empty principal', [''], /acl\[0\].*1 to 256/],
    ['one of 257 characters', ['x'.repeat(257)], /257.*256/],
    ['1001 principals', Array.from({ length: 1001 }, (_, n) => `p${n}`), /1001.*1000/],
    ['a number', [1], /acl\[0\] must be a string/],
    ['an object', { a: 1 }, /acl/],
  ])('%s is 400', async (_case, acl, message) => {
    const answer = await search({ acl });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(message);
  });
});

test.each([
  ['nobody', [], [undefined, ['user:x']]],
  ['others', ['ann'], [['user:x']]],
])('what %s may read has no place among what is found, in any lane', async (_who, mayRead, readers) => {
  const hiding = await server.database();
  const secrets = [1, 2, 3].map((n) => ({
    id: `secret${n}`,
    text: `Merger, codename Bluebird ${n}.`,
    acl: mayRead,
  }));
  const note = { id: 'note', text: 'Weekly note about the merger.' };
  await server.remember(hiding, [note, ...secrets]);
  const open = await server.database();
  await server.remember(open, [note]);
  for (const query_by of ['text', 'hybrid'])
    for (const acl of readers) {
      const asked = { query: 'Bluebird merger', query_by, ...(acl && { acl }) };
      const { body } = await search({ database: hiding, ...asked });
      const [found, ...others] = body.data.chunks;
      const [alone] = (await search({ database: open, ...asked })).body.data.chunks;
      const dense = query_by === 'text' ? null : 1;
      expect([found.id, found.relevancy_score, found.lanes, others]).toEqual([
        'note',
        // Of what it does not hold the score tells nothing either.
        alone.relevancy_score,
        { dense, sparse: 1, graph: null, metadata: null },
        [],
      ]);
    }
});

test.each([
  ['others', ['ann'], { acl: ['bob'] }],
  ['nobody', [], {}],
])('a list that lets in %s while a search is under way holds for its answer', async (_who, acl, asked) => {
  const name = await server.database();
  await server.remember(name, [{ id: 'late', text: 'A heron.', acl: ['ann', 'bob'] }]);
  const heron = { database: name, query: 'heron', ...asked };
  expect(idsOf(await search(heron))).toEqual(['late']);
  let found: string[] = [];
  let isChanged = false;
  await askedWhile(
    server,
    async () => (found = idsOf(await search(heron))),
    async (sql) => {
      // The lanes have searched, and what they found is read.
      if (isChanged || !sql.includes('"chunkUuid"')) return;
      isChanged = true;
      const json = { database: name, collection: 'default', acl };
      expect((await server.rest('PATCH', '/context/late/metadata', { json })).status).toBe(200);
    },
  );
  expect([isChanged, found]).toEqual([true, []]);
});

describe('a key with principals', () => {
  test('sees what they may read; acl can only narrow it', async () => {
    const ann = ['ann', 'domain', ...withPublic].sort();
    expect(idsOf(await search({ acl: ['public'] }, keyOf('annkey')))).toEqual(withPublic);
    expect(idsOf(await search({ acl: ['public'] }, keyOf('nonekey')))).toEqual(['unrestricted']);
    const ask = async (prefix: string, acl?: string[]) => idsOf(await search({ acl }, keyOf(prefix)));
    expect(await ask('annkey')).toEqual(ann);
    expect(await ask('annkey', ['*'])).toEqual(ann);
    expect(await ask('annkey', ['group:sales'])).toEqual(['unrestricted']);
    expect(await ask('annkey', ['group:sales', 'domain:example.com'])).toEqual(
      ['domain', ...withPublic].sort(),
    );
    expect(await ask('annkey', [])).toEqual(['unrestricted']);
    expect(await ask('saleskey')).toEqual(['group', ...withPublic].sort());
    expect(await ask('nonekey')).toEqual(['unrestricted']);
    expect(await ask('nonekey', ['ann@example.com'])).toEqual(['unrestricted']);
  });

  test('counts what it may know of', async () => {
    const count = async (key: string) => {
      const { body } = await server.rest('GET', `/databases/stats?database=${database}`, { key });
      const query = `{ databaseStats(database: "${database}") { indexing { completed } } }`;
      const { body: counted } = await server.rest('POST', '/graphql', { json: { query }, key });
      return [body.data.memory_collection.row_count, counted.data.databaseStats.indexing.completed];
    };
    // Whoever may write sees that there is what nobody may read.
    const nobodys = 2;
    const [all] = await count(adminKey);
    expect(all).toBe(Object.keys(items).length);
    expect(await count(keyOf('saleskey'))).toEqual([4, 4]);
    expect(await count(keyOf('annkey'))).toEqual([5 + nobodys, 5 + nobodys]);
    expect(await count(keyOf('nonekey'))).toEqual([1, 1]);
  });

  test('status of what it may not read is that of an unknown item; of what nobody may read, for writers only', async () => {
    const status = async (id: string, key: string) =>
      (await server.rest('GET', `/context/status?database=${database}&type=memory&ids=${id}`, { key }))
        .status;
    expect(await status('ann', keyOf('saleskey'))).toBe(404);
    expect(await status('group', keyOf('saleskey'))).toBe(200);
    expect(await status('nobody', keyOf('reader'))).toBe(404);
    expect(await status('nobody', adminKey)).toBe(200);
    expect(await status('ann', keyOf('reader'))).toBe(200);
  });

  test('finds the status of a memory behind an item of its id that it may not read', async () => {
    const ingest = (json: object) =>
      server.rest('POST', '/context/ingest', { json: { database, collection: 'shared', ...json } });
    const item = { id: 'shared', title: 'x', content: { text: 'x' }, acl: ['group:hidden'] };
    await ingest({ app_knowledge: [item] });
    await ingest({ type: 'memory', memories: [{ id: 'shared', text: 'x', acl: ['group:sales'] }] });
    const status = async (key: string, type = '') => {
      const path = `/context/status?database=${database}&collection=shared&ids=shared${type}`;
      return (await server.rest('GET', path, { key })).status;
    };
    expect(await status(keyOf('saleskey'))).toBe(200);
    expect(await status(keyOf('saleskey'), '&type=knowledge')).toBe(404);
    expect(await status(keyOf('nonekey'))).toBe(404);
  });

  test('cannot replace what it may not read', async () => {
    const replace = (id: string) =>
      server.rest('POST', '/context/ingest', {
        json: { database, type: 'memory', memories: [{ id, text: 'taken over', acl: [] }] },
        key: keyOf('annkey'),
      });
    const refused = await replace('group');
    expect(refused.body.data.results).toMatchObject([{ id: 'group', status: 'failed', error_code: 'E9003' }]);
    await server.idle();
    expect(idsOf(await search())).toEqual(everything);
  });
});

describe('acl on ingest', () => {
  const ask = async (id: string, acl: string[]) => idsOf(await search({ acl, ids: [id] }));

  test('of the request applies to the items without their own, in every body; files too', async () => {
    const memories = [
      { id: 'of-request', text: 'otters' },
      { id: 'own', text: 'otters', acl: ['group:own'] },
    ];
    for (const acl of [['group:r'], '["group:r"]', 'group:r']) {
      await server.remember(database, memories, { acl });
      expect(await ask('of-request', ['group:r'])).toEqual(['of-request']);
      expect(await ask('of-request', ['group:own'])).toEqual([]);
      expect(await ask('own', ['group:own'])).toEqual(['own']);
      expect(await ask('own', ['group:r'])).toEqual([]);
    }
    await server.upload(database, { 'a.txt': 'otters in a file' }, { acl: 'group:f, group:g' });
    await server.idle();
    const files = async (acl: string[]) => idsOf(await search({ acl, type: 'knowledge' })).length;
    expect([await files(['group:g']), await files(['group:r'])]).toEqual([1, 0]);
  });

  test.each([
    '{"a":1}',
    '{"a":1,"b":2}',
    '"ann@example.com"',
    'group:r, "group:s"',
    '["group:r"',
    'true',
    '{',
  ])('of a form that is JSON but no list is 400: %s', async (acl) => {
    const message = /^acl must be /;
    for (const answer of [
      await server.upload(database, { 'a.txt': 'otters' }, { acl }),
      await server.remember(database, [{ id: 'bad', text: 'otters' }], { acl }),
      await search({ acl }),
      await server.rest('GET', `/context/list?database=${database}&acl=${encodeURIComponent(acl)}`),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'INVALID_INPUT']);
      expect(answer.body.error.message).toMatch(message);
    }
  });

  test('absent on a replacement keeps the list; sent, it replaces it with the content', async () => {
    await server.remember(database, [{ id: 'kept', text: 'otters one', acl: ['group:k'] }]);
    await server.remember(database, [{ id: 'kept', text: 'otters two' }]);
    expect([await ask('kept', ['group:k']), await ask('kept', ['other'])]).toEqual([['kept'], []]);
    await server.remember(database, [{ id: 'kept', text: 'otters three', acl: ['other'] }]);
    expect([await ask('kept', ['group:k']), await ask('kept', ['other'])]).toEqual([[], ['kept']]);
    await server.remember(database, [{ id: 'kept', text: 'otters four' }], { acl: 'null' });
    expect(idsOf(await search({ ids: ['kept'] }))).toEqual([]);
  });

  test.each([
    ['on a memory', { memories: [{ id: 'bad', text: 'x', acl: ['ok', ''] }] }, /memories\[0\]\.acl\[1\]/],
    ['that is no list', { memories: [{ id: 'bad', text: 'x', acl: { a: 1 } }] }, /memories\[0\]\.acl/],
    ['of the request', { memories: [{ id: 'bad', text: 'x' }], acl: [''] }, /^acl\[0\]/],
    [
      'that is text',
      { memories: [{ id: 'bad', text: 'x', acl: 'ann' }] },
      /memories\[0\]\.acl must be a list/,
    ],
    [
      'that is text of an app item',
      {
        type: 'knowledge',
        app_knowledge: [{ id: 'bad', title: 'x', content: { text: 'x' }, acl: 'ann' }],
      },
      /app_knowledge\[0\]\.acl must be a list/,
    ],
  ])('a malformed one %s is 400 and stores nothing', async (_case, body, message) => {
    const answer = await server.rest('POST', '/context/ingest', {
      json: { database, type: 'memory', ...body },
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(message);
    expect(await server.sql(`select 1 from sources where id = 'bad'`)).toEqual([]);
  });

  test('is no key of document_metadata on REST; GraphQL takes it per item', async () => {
    const answer = await server.upload(
      database,
      { 'b.txt': 'otters' },
      { document_metadata: '[{"acl": ["a"]}]' },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(/document_metadata\[0\]\.acl is not an accepted key/);
    const mutation = `mutation ($input: IngestInput!) { ingest(input: $input) { success } }`;
    const input = {
      database,
      type: 'memory',
      memories: [{ id: 'by-graphql', text: 'otters', acl: ['group:q'] }],
    };
    expect((await server.graphql(mutation, { input })).body.data.ingest.success).toBe(true);
    await server.idle();
    expect([await ask('by-graphql', ['group:q']), await ask('by-graphql', ['x'])]).toEqual([
      ['by-graphql'],
      [],
    ]);
  });
});
