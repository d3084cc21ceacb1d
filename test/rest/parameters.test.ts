import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';
import type { Answer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

describe('a name and its alias', () => {
  const create = { query: 'x', max_results: 5 };
  test.each<[string, (name: string) => Promise<Answer>]>([
    [
      'query string and body',
      (name) => server.rest('POST', `/query?database=${name}`, { json: { ...create, tenant_id: name } }),
    ],
    [
      'path and body',
      (name) =>
        server.rest('PATCH', `/databases/${name}/metadata-schema`, {
          json: { tenant_id: name, add_fields: [{ name: 'colour' }] },
        }),
    ],
    [
      'one of them repeated',
      (name) => server.rest('GET', `/databases/status?database=${name}&tenant_id=${name}&tenant_id=${name}`),
    ],
    [
      'the name itself repeated',
      (name) => server.rest('GET', `/databases/status?database=${name}&database=${name}`),
    ],
    [
      'a list, its name twice',
      (name) => server.rest('POST', `/context/list?database=${name}&ids=a,b`, { json: { ids: ['a', 'b'] } }),
    ],
    [
      'a list as JSON text',
      (name) =>
        server.rest('POST', `/query?database=${name}&collections=["a","b"]`, {
          json: { ...create, sub_tenant_ids: ['a', 'b'] },
        }),
    ],
  ])('may both be sent with equal values: %s', async (_case, send) => {
    const answer = await send(database);
    expect([answer.status, answer.body.error ?? null]).toEqual([200, null]);
  });

  test('with different values in different parts are 400', async () => {
    const query = (search: string, json: object) =>
      server.rest('POST', `/query?${search}`, { json: { ...create, ...json } });
    for (const answer of [
      await query(`database=${database}`, { tenant_id: 'other' }),
      await query(`database=${database}&collections=["a","b"]`, { sub_tenant_ids: ['a', 'c'] }),
      await server.rest('GET', `/databases/status?database=${database}&tenant_id=${database}&tenant_id=b`),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
      expect(answer.body.error.message).toMatch(/and its other name \w+ were sent with different values/);
    }
  });
});

test('what is deprecated of a request is said once for each name, and nothing of other names that stay', async () => {
  const memories = ['a', 'b'].map((source_id) => ({ source_id, text: 'tea', app_relations: [] }));
  const { body } = await server.remember(database, memories, { sub_tenant_id: 'told' });
  expect(body.meta.deprecation.map((use: any) => use.deprecated_field).sort()).toEqual([
    'source_id',
    'sub_tenant_id',
  ]);
  const status = await server.rest('GET', `/context/status?database=${database}&collection=told&id=a`);
  expect([status.status, status.body.meta.deprecation]).toEqual([200, undefined]);
  expect(status.headers.get('deprecation')).toBeNull();
});

describe('the old name of additional_metadata in metadata_filters', () => {
  const ask = (metadata_filters: unknown) =>
    server.rest('POST', '/query', { json: { database, query: 'tea', type: 'memory', metadata_filters } });

  test.each([
    ['at the top', { document_metadata: { leaf: 'green' } }],
    ['in combinations', { $not: { $or: [{ $and: [{ document_metadata: { leaf: 'black' } }] }] } }],
    ['beside the new one', { document_metadata: { leaf: 'green' }, additional_metadata: { leaf: 'green' } }],
  ])('%s: counts, and is told of', async (_place, filter) => {
    const leaves = ['green', 'black'].map((leaf) => ({
      id: leaf,
      text: 'tea',
      additional_metadata: { leaf },
    }));
    await server.remember(database, leaves);
    await server.idle();
    const { body, headers } = await ask({
      ...filter,
      $and: [{ additional_metadata: { leaf: ['green', 'black'] } }],
    });
    expect(body.data.chunks.map(({ id }: any) => id)).toEqual(['green']);
    expect(body.meta.deprecation).toEqual([
      expect.objectContaining({
        deprecated_field: 'document_metadata',
        preferred_field: 'additional_metadata',
      }),
    ]);
    expect(headers.get('deprecation')).toBe('true');
  });

  test('is refused with another value, wherever it stands', async () => {
    const both = { document_metadata: { leaf: 'green' }, additional_metadata: { leaf: 'black' } };
    for (const [filter, path] of [
      [both, 'metadata_filters.additional_metadata'],
      [{ $or: [{ x: 1 }, both] }, 'metadata_filters.$or[1].additional_metadata'],
    ] as const) {
      const { status, body } = await ask(filter);
      expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
      expect(body.error.message).toBe(
        `${path} and its other name document_metadata were sent with different values`,
      );
    }
  });
});

describe('ids in a query string', () => {
  const ids = ['[draft] plan', '["', '[1]', 'null', ' in spaces '];
  const inQuery = (id: string) => encodeURIComponent(id);

  test.each(ids)('%j is found as it was ingested', async (id) => {
    await server.remember(database, [{ id, text: 'x' }]);
    const scope = `database=${database}&type=memory&ids=${inQuery(id)}`;
    const status = await server.rest('GET', `/context/status?${scope}`);
    expect([status.status, status.body.data?.statuses[0].id]).toEqual([200, id]);
    const list = await server.rest('GET', `/context/list?${scope}`);
    expect(list.body.data.user_memories.map((memory: { id: string }) => memory.id)).toEqual([id]);
    const deleted = await server.rest('DELETE', `/context?${scope}`);
    expect([deleted.status, deleted.body.data.deleted_count]).toEqual([200, 1]);
  });

  test('are a comma-separated list, repeated, or a JSON array of strings', async () => {
    await server.remember(
      database,
      ['[a]', 'b', 'c'].map((id) => ({ id, text: 'x' })),
    );
    const found = async (search: string) => {
      const { body } = await server.rest('GET', `/context/status?database=${database}&${search}`);
      return body.data.statuses.map(({ id, success }: { id: string; success: boolean }) => [id, success]);
    };
    const all = ['[a]', 'b', 'c'].map((id) => [id, true]);
    expect(await found('ids=[a],b,c')).toEqual(all);
    expect(await found('ids=[a],%20b%20,%20c')).toEqual(all);
    expect(await found('ids=[a]&ids=b&ids=c')).toEqual(all);
    expect(await found(`ids=${inQuery('["[a]","b","c"]')}`)).toEqual(all);
    const many = Array.from({ length: 1000 }, (_, n) => String(n).padStart(36, '0'));
    expect(await found(`ids=${[...many.slice(1), 'b'].join(',')}`)).toHaveLength(1000);
    const none = await server.rest('GET', `/context/status?database=${database}&ids=`);
    expect(none.body.error.message).toBe('ids must name at least one id');
  });

  test('are one text in a JSON body too', async () => {
    await server.remember(database, [
      { id: 'for-alice', text: 'the tide is low', acl: ['alice'] },
      { id: 'for-bob', text: 'the tide is high', acl: ['bob'] },
      { id: 'for-carol', text: 'the tide turns', acl: ['carol'] },
    ]);
    const found = async (more: object) => {
      const json = { database, type: 'memory', query: 'tide', ...more };
      const { status, body } = await server.rest('POST', '/query', { json });
      expect(status).toBe(200);
      const ids: string[] = body.data.chunks.map(({ id }: { id: string }) => id);
      return ids.filter((id) => id.startsWith('for-')).sort();
    };
    expect(await found({ acl: 'alice, bob' })).toEqual(['for-alice', 'for-bob']);
    expect(await found({ acl: '["carol"]' })).toEqual(['for-carol']);
    expect(await found({ acl: ['alice', 'bob', 'carol'], ids: 'for-bob,for-carol' })).toEqual([
      'for-bob',
      'for-carol',
    ]);
  });
});

describe('collections of a query', () => {
  const found = async (search: string, json: object = {}) => {
    const answer = await server.rest('POST', `/query?database=${database}&type=memory&${search}`, {
      json: { query: 'lighthouse', ...json },
    });
    if (answer.status !== 200) return answer.body.error.message;
    return answer.body.data.chunks.map(({ id }: { id: string }) => id).sort();
  };
  beforeAll(async () => {
    for (const collection of ['north', 'south', '2024'])
      await server.remember(database, [{ id: collection, text: 'a lighthouse' }], { collection });
  });

  test.each(['collections', 'sub_tenant_ids'])('%s in a query string are a list, or JSON', async (name) => {
    const both = ['north', 'south'];
    expect(await found(`${name}=north,south`)).toEqual(both);
    expect(await found(`${name}=north,%20south`)).toEqual(both);
    expect(await found(`${name}=north&${name}=south`)).toEqual(both);
    expect(await found(`${name}=["north","south"]`)).toEqual(both);
    expect(await found(`${name}={"north":1,"south":2}`)).toEqual(both);
    expect(await found(`${name}=2024`)).toEqual(['2024']);
    expect(await found(`${name}=north,south`, { collections: both })).toEqual(both);
    expect(await found('', { [name]: 'north,south' })).toEqual(both);
    expect(await found('', { [name]: '["2024"]' })).toEqual(['2024']);
  });

  test('that are no list are 400', async () => {
    expect(await found('collections=')).toBe('collections has 0 names; it must be 1 to 100');
    for (const json of ['{"north":', '["north"'])
      expect(await found(`collections=${json}`)).toBe('collections must be valid JSON');
    expect(await found('collections={"north":0}')).toBe('collections.north must be a weight above 0');
    expect(await found('collections=[1]')).toBe('collections[0] must be a string');
    expect(await found('', { collections: 7 })).toMatch(/^collections must be a list of names or an object/);
  });

  test('with two weights for the default one, which is also the empty name, are 400', async () => {
    const both = { default: 1, '': 2 };
    const message = /^collections gives the collection "default" two weights/;
    expect(await found('', { collections: both })).toMatch(message);
    expect(await found(`sub_tenant_ids=${JSON.stringify(both)}`)).toMatch(message);
    expect(await found('', { collections: { '': 1, north: 2 } })).toContain('north');
    const byGraphql = await server.graphql(
      'query ($database: String!, $both: JSON) { search(database: $database, query: "tea", collections: $both) { queryId } }',
      { database, both },
    );
    expect(byGraphql.body.errors[0].message).toMatch(message);
  });

  test('alpha is a number or auto there too', async () => {
    expect(await found('collections=north&alpha=auto')).toEqual(['north']);
    expect(await found('collections=north&alpha=0.5')).toEqual(['north']);
    expect(await found('alpha=strong')).toBe('alpha must be a number from 0 to 1 or "auto"');
    expect(await found('alpha=0,5')).toBe('alpha must be valid JSON');
  });
});

describe('numbers in a query string', () => {
  const relations = (search: string) =>
    server.rest('GET', `/context/relations?database=${database}&${search}`);

  test.each(['cursor=1.7952192e%2B15', 'cursor=1795219200000000', 'limit=1e2', 'limit=10E1', 'cursor=5e-1'])(
    '%s is one',
    async (search) => {
      expect((await relations(search)).status).toBe(200);
    },
  );

  test.each([
    ['cursor=abc', /cursor must be a number, not "abc"/],
    ['cursor=', /cursor must be a number/],
    ['cursor=1e', /cursor must be a number/],
    ['cursor=1e999', /cursor must be a finite number/],
    ['limit=1.5', /limit must be a whole number/],
    ['limit=1.5e0', /limit must be a whole number/],
  ])('%s is 400', async (search, reason) => {
    const answer = await relations(search);
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(reason);
  });
});

test('a type of another type names the ones that the endpoint takes', async () => {
  for (const type of [7, ['memory'], { a: 1 }, 'all']) {
    const answer = await server.rest('POST', '/context/ingest', { json: { database, type, memories: [] } });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      { code: 'CORPUS_TYPE_UNSUPPORTED', message: 'type must be one of knowledge, memory' },
    ]);
  }
});

test('a message repeats the beginning and the end of what is too long, in both APIs', async () => {
  const name = `begins${'\u{1f9a6}'.repeat(100_000)}ends`;
  const rest = await server.rest('POST', '/query', { json: { database: name, query: 'otters' } });
  const query = 'query ($name: String!) { database(database: $name) { status } }';
  const graphql = await server.graphql(query, { name });
  expect([rest.status, rest.body.error.code]).toEqual([404, 'DATABASE_NOT_FOUND']);
  for (const { message } of [rest.body.error, rest.body.detail, graphql.body.errors[0]]) {
    expect(message).toMatch(/^database "begins.*….*ends" does not exist$/);
    expect([message.length <= 4001, message.isWellFormed()]).toEqual([true, true]);
  }
});

describe('a whole number that is none, or beyond any bound', () => {
  const remember = (expiry_time: unknown) => server.remember(database, [{ text: 'x', expiry_time }]);
  const list = (page: string) =>
    server.rest('GET', `/context/list?database=${database}&type=memory&page=${page}`);
  const create = (sync_interval_seconds: unknown) =>
    server.rest('POST', '/connectors', {
      json: { provider: 'rss', database, credentials: {}, sync_interval_seconds },
    });

  test.each<[string, () => Promise<Answer>, string]>([
    ['text', () => remember('60'), 'memories[0].expiry_time must be a whole number, not a string'],
    ['a fraction', () => remember(0.5), 'memories[0].expiry_time must be a whole number, not 0.5'],
    ['too large', () => remember(1e12), 'memories[0].expiry_time is too large: 1000000000000'],
    [
      'out of its own bounds',
      () => remember(0),
      'memories[0].expiry_time must be 1 to 315360000 seconds, not 0',
    ],
    ['text of a setting', () => create('600'), 'sync_interval_seconds must be a whole number, not a string'],
    ['a large page', () => list('1e15'), 'page is too large: 1000000000000000'],
    ['a page far below 1', () => list('-1e15'), 'page must not be negative, but is -1000000000000000'],
  ])('is 400 and says which: %s', async (_case, send, message) => {
    const answer = await send();
    expect([answer.status, answer.body.error]).toMatchObject([400, { code: 'INVALID_INPUT', message }]);
  });
});

test('a boolean of a form or a query string is true, false, 1 or 0, in any case', async () => {
  const upsert = (value: string) =>
    server.upload(
      database,
      { 'flag.txt': 'a flag' },
      { upsert: value, document_metadata: '[{"id":"flag"}]' },
    );
  const results = [];
  for (const value of ['True', 'False', 'TRUE', '0'])
    results.push((await upsert(value)).body.data.results[0].status);
  expect(results).toEqual(['queued', 'failed', 'queued', 'failed']);
  expect((await server.rest('GET', `/context/list?database=${database}&group_threads=False`)).status).toBe(
    200,
  );
  const refused = await upsert('yes');
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    'upsert must be true, false, 1 or 0, not "yes"',
  ]);
});

test('a field of a form that is not filled in is not sent; an empty access list is nobody', async () => {
  const unfilled = {
    type: '',
    upsert: '',
    document_metadata: '',
    app_knowledge: '',
    memories: '',
    graph_payload: '',
  };
  const answer = await server.upload(
    database,
    { 'form.txt': 'a form' },
    { ...unfilled, collection: '', acl: '' },
  );
  expect([answer.status, answer.body.meta.collection, answer.body.meta.source_type]).toEqual([
    202,
    'default',
    'knowledge',
  ]);
  const { id } = answer.body.data.results[0];
  const listed = await server.rest('GET', `/context/list?database=${database}&ids=${id}`);
  expect(listed.body.data.sources[0].acl).toEqual([]);
  const nothing = await server.upload(database, {}, unfilled);
  expect([nothing.status, nothing.body.error.code]).toEqual([400, 'INVALID_INPUT']);
});
