import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Listing } from '../support/listing.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
let list: Listing;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database({
    database_metadata_schema: [{ name: 'team' }, { name: 'size', data_type: 'INT64' }],
  });
  list = new Listing(server, database);
  const item = async (app: Record<string, unknown>) => {
    server.clock.advance(1);
    await server.rest('POST', '/context/ingest', { json: { database, app_knowledge: [app] } });
  };
  await item({
    id: 'ticket',
    kind: 'ticket',
    provider: 'jira',
    external_id: 'T-1',
    title: 'Gate stuck',
    description: 'A gate',
    url: 'https://example.com/T-1',
    timestamp: '2026-01-02T03:04:05Z',
    type: 'bug',
    fields: { description: 'The gate is stuck.' },
    metadata: { team: 'a', size: 3 },
    additional_metadata: { tags: ['x', 'y'], floor: 2 },
    relations: [{ predicate: 'Depends On', target: { provider: 'jira', external_id: 'T-0' } }],
  });
  const comment = (n: number, more: Record<string, unknown> = {}) =>
    item({
      id: `comment-${n}`,
      kind: 'comment',
      provider: 'jira',
      external_id: `C-${n}`,
      fields: { body: `Remark ${n}`, parent_id: 'T-1', thread_id: 'th' },
      ...more,
    });
  await comment(1);
  await comment(2, { acl: ['ann'] });
  await comment(3, { fields: { body: 'A reply', parent_id: 'C-1' } });
  await comment(4, { fields: { body: 'An orphan', parent_id: 'T-9' } });
  server.clock.advance(1);
  await server.upload(
    database,
    { 'plan.md': '# Plan\n\nBuild it.' },
    {
      document_metadata: JSON.stringify([
        { id: 'plan', metadata: { team: 'b' }, evidence_kind: 'minutes', evidence_subject: 'roof' },
      ]),
    },
  );
  await server.idle();
});
afterAll(async () => server.stop());

const newestFirst = ['plan', 'comment-4', 'comment-3', 'comment-2', 'comment-1', 'ticket'];
const bounds = (answer: { body: any }) => answer.body.data.pagination;

describe('a list', () => {
  test('has every documented field of a source, newest first', async () => {
    const answer = await list.ask();
    expect([answer.status, answer.body.meta.source_type]).toEqual([200, 'knowledge']);
    const { data } = answer.body;
    expect(Object.keys(data).sort()).toEqual(['message', 'pagination', 'sources', 'total']);
    expect(data.sources.map(({ id }: any) => id)).toEqual(newestFirst);
    expect(data.sources.at(-1)).toEqual({
      id: 'ticket',
      source_id: 'ticket',
      database,
      tenant_id: database,
      collection: 'default',
      sub_tenant_id: 'default',
      title: 'Gate stuck',
      type: 'bug',
      description: 'A gate',
      url: 'https://example.com/T-1',
      timestamp: '2026-01-02T03:04:05.000Z',
      metadata: { team: 'a', size: 3 },
      tenant_metadata: { team: 'a', size: 3 },
      additional_metadata: { tags: ['x', 'y'], floor: 2 },
      document_metadata: { tags: ['x', 'y'], floor: 2 },
      acl: null,
      indexing_status: 'completed',
      app_kind: 'ticket',
      app_provider: 'jira',
      app_external_id: 'T-1',
      app_parent_id: null,
      app_thread_id: null,
      declared_relations: [
        { predicate: 'Depends On', target: { provider: 'jira', external_id: 'T-0' }, properties: {} },
      ],
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(data).toMatchObject({ total: 6, message: '6 of 6 sources' });
    expect(data.sources[0]).toMatchObject({ id: 'plan', title: 'plan.md', type: 'knowledge', acl: null });
  });

  test('pages: bounds, totals and cursors agree', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list.ask({ page, page_size: 2 })));
    expect(pages.flatMap(({ body }) => body.data.sources.map(({ id }: any) => id))).toEqual(newestFirst);
    expect(bounds(pages[0] as any)).toEqual({
      page: 1,
      page_size: 2,
      total: 6,
      total_pages: 3,
      has_next: true,
      has_previous: false,
    });
    expect(bounds(pages[1] as any)).toMatchObject({ has_next: true, has_previous: true });
    expect(bounds(pages[2] as any)).toMatchObject({ has_next: false, has_previous: true });
    expect(bounds(pages[3] as any)).toMatchObject({ page: 4, total: 6, has_next: false });
    expect(bounds(await list.ask({ page: 9, page_size: 2 }))).toMatchObject({ page: 9, total: 6 });
    expect(bounds(await list.ask())).toMatchObject({ page: 1, page_size: 50 });
    const query = `query ($database: String!, $after: String) {
      sources(database: $database, first: 4, after: $after) { nodes { id } totalCount pageInfo { hasNextPage endCursor } }
    }`;
    const first = (await server.graphql(query, { database })).body.data.sources;
    const rest = (await server.graphql(query, { database, after: first.pageInfo.endCursor })).body.data
      .sources;
    expect([...first.nodes, ...rest.nodes].map(({ id }) => id)).toEqual(newestFirst);
    expect([first.totalCount, first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([
      6,
      true,
      false,
    ]);
  });

  test('by as many ids as are allowed', async () => {
    const ids = Array.from({ length: 99 }, (_, n) => `unknown-${n}`);
    expect(await list.ids({ ids: [...ids, 'plan'] })).toEqual(['plan']);
  });

  test('is served by GET alike, filters as JSON', async () => {
    const filters = encodeURIComponent(JSON.stringify({ source_fields: { app_kind: 'comment' } }));
    const path = `/context/list?database=${database}&filters=${filters}&ids=comment-1,comment-2,plan&page_size=1`;
    const answer = await server.rest('GET', path);
    expect(answer.body.data).toMatchObject({ total: 2, sources: [{ id: 'comment-2' }] });
    expect(answer.body.data.sources).toHaveLength(1);
    const included = await server.rest(
      'GET',
      `/context/list?database=${database}&include_fields=title,note&ids=plan`,
    );
    expect(included.body.data.sources[0]).toMatchObject({ title: 'plan.md', note: null });
    expect(included.body.data.sources[0]).not.toHaveProperty('metadata');
  });

  test('filters may have their old names, which is told; both names with other values are refused', async () => {
    const old = { tenant_metadata: { team: 'a', size: 3 }, document_metadata: { floor: 2 } };
    const { status, body } = await server.rest('POST', '/context/list', { json: { database, filters: old } });
    expect([status, body.data?.sources.map(({ id }: { id: string }) => id)]).toEqual([200, ['ticket']]);
    expect(body.meta.deprecation).toMatchObject([
      { deprecated_field: 'tenant_metadata', preferred_field: 'metadata' },
      { deprecated_field: 'document_metadata', preferred_field: 'additional_metadata' },
    ]);
    const both = { tenant_metadata: { team: 'a' }, metadata: { team: 'b' } };
    const refused = await server.rest('POST', '/context/list', { json: { database, filters: both } });
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('of a collection that nothing was written to is empty; another has its own', async () => {
    expect((await list.ask({ collection: 'nowhere' })).body.data).toMatchObject({ sources: [], total: 0 });
    await server.remember(database, [{ id: 'apart', text: 'elsewhere' }], { collection: 'corner' });
    expect(await list.ids({ type: 'memory', collection: 'corner' })).toEqual(['apart']);
    expect(await list.ids({ type: 'memory' })).not.toContain('apart');
    expect(await list.ids({ collection: 'corner' })).toEqual([]);
  });
});

describe('filters', () => {
  test.each<[string, unknown, string[]]>([
    ['metadata', { metadata: { team: 'a' } }, ['ticket']],
    ['of another type', { additional_metadata: { floor: '2' } }, []],
    ['a number', { metadata: { size: 3, team: 'a' } }, ['ticket']],
    ['two of which one does not hold', { metadata: { team: 'a', size: 4 } }, []],
    ['additional_metadata, a list', { additional_metadata: { tags: ['x', 'y'] } }, ['ticket']],
    ['part of a list', { additional_metadata: { tags: ['x'] } }, []],
    ['both kinds', { metadata: { team: 'a' }, additional_metadata: { floor: 2 } }, ['ticket']],
    ['both, one wrong', { metadata: { team: 'b' }, additional_metadata: { floor: 2 } }, []],
    ['title', { source_fields: { title: 'plan.md' } }, ['plan']],
    ['part of a title', { source_fields: { title: 'plan' } }, []],
    ['type that was given', { source_fields: { type: 'bug' } }, ['ticket']],
    ['type of a file', { source_fields: { type: 'knowledge', app_kind: null } }, ['plan']],
    ['description', { source_fields: { description: 'A gate' } }, ['ticket']],
    ['url', { source_fields: { url: 'https://example.com/T-1' } }, ['ticket']],
    ['the same moment', { source_fields: { timestamp: '2026-01-02T05:04:05+02:00' } }, ['ticket']],
    ['another moment', { source_fields: { timestamp: '2026-01-02' } }, []],
    ['of an application', { source_fields: { app_provider: 'jira', app_external_id: 'C-4' } }, ['comment-4']],
    ['its parent', { source_fields: { app_parent_id: 'C-1' } }, ['comment-3']],
    ['none at all', {}, newestFirst],
    ['null', null, newestFirst],
  ])('%s', async (_case, filters, expected) => {
    expect(await list.ids({ filters })).toEqual(expected);
    const pages = await list.ask({ filters, page: 1, page_size: 1 });
    expect(pages.body.data.total).toBe(expected.length);
  });
});

describe('include_fields', () => {
  const fixed = [
    'acl',
    'app_external_id',
    'app_kind',
    'app_parent_id',
    'app_provider',
    'app_thread_id',
    'collection',
    'created_at',
    'database',
    'declared_relations',
    'id',
    'indexing_status',
    'source_id',
    'sub_tenant_id',
    'tenant_id',
    'updated_at',
    'url',
  ];
  test.each([
    [[], []],
    [['title'], ['title']],
    [
      ['metadata', 'timestamp'],
      ['metadata', 'tenant_metadata', 'timestamp'],
    ],
    [['additional_metadata'], ['additional_metadata', 'document_metadata']],
    [
      ['note', 'evidence', 'relations'],
      ['evidence_kind', 'evidence_subject', 'note', 'relations'],
    ],
    [
      ['description', 'type'],
      ['description', 'type'],
    ],
  ])('%j', async (include_fields, more) => {
    expect(Object.keys(await list.row('plan', { include_fields })).sort()).toEqual(
      [...fixed, ...more].sort(),
    );
  });

  test('note is the description, evidence what was sent, relations none where no graph was', async () => {
    const include_fields = ['note', 'evidence', 'relations'];
    expect(await list.row('ticket', { include_fields })).toMatchObject({
      note: 'A gate',
      evidence_kind: null,
    });
    expect(await list.row('plan', { include_fields })).toMatchObject({
      note: null,
      relations: [],
      evidence_kind: 'minutes',
      evidence_subject: 'roof',
    });
  });
});

describe('group_threads', () => {
  test('lists comments below the item that they are on; replies and orphans stay rows', async () => {
    const answer = await list.ask({ group_threads: true });
    const { sources, total } = answer.body.data;
    expect(sources.map(({ id }: any) => id)).toEqual(['plan', 'comment-4', 'comment-3', 'ticket']);
    expect(total).toBe(4);
    expect(sources.at(-1).comments.map(({ id }: any) => id)).toEqual(['comment-1', 'comment-2']);
    expect(sources.at(-1).comments[0]).toMatchObject({
      app_parent_id: 'T-1',
      app_thread_id: 'th',
      title: 'Remark 1',
    });
    expect(sources[0].comments).toEqual([]);
    expect(await list.row('ticket')).not.toHaveProperty('comments');
  });

  test('shows no comment that may not be read, and hides none whose parent is not listed', async () => {
    const bob = await list.ask({ group_threads: true, acl: ['bob'] });
    expect(bob.body.data.sources.at(-1).comments.map(({ id }: any) => id)).toEqual(['comment-1']);
    const filters = { source_fields: { app_kind: 'comment' } };
    expect(await list.ids({ group_threads: true, filters })).toEqual(newestFirst.slice(1, 5));
    expect(await list.ids({ group_threads: true, ids: ['comment-1', 'plan'] })).toEqual([
      'plan',
      'comment-1',
    ]);
    const whole = await list.ask({ group_threads: true, ids: ['comment-1', 'ticket'] });
    expect([whole.body.data.total, whole.body.data.sources[0].comments[0].id]).toEqual([1, 'comment-1']);
  });

  test('puts no comment below an item of another provider that has the id of its parent', async () => {
    const collection = 'two-providers';
    const app_knowledge = [
      { id: 'task', kind: 'ticket', provider: 'jira', external_id: 'T-1', title: 'Task' },
      {
        id: 'remark',
        kind: 'comment',
        provider: 'linear',
        external_id: 'C-1',
        fields: { body: 'Remark', parent_id: 'T-1' },
      },
    ];
    await server.rest('POST', '/context/ingest', { json: { database, collection, app_knowledge } });
    await server.idle();
    const asked = { collection, group_threads: true };
    expect((await list.ids(asked)).toSorted()).toEqual(['remark', 'task']);
    expect((await list.row('task', asked)).comments).toEqual([]);
  });

  test('shows a comment once, however many listed items have the id of its parent', async () => {
    const collection = 'twins';
    const twin = { kind: 'ticket', provider: 'jira', external_id: 'T-1', title: 'Task' };
    const fields = { body: 'Remark', parent_id: 'T-1' };
    const app_knowledge = [
      { id: 'one', ...twin },
      { id: 'two', ...twin },
      { id: 'remark', kind: 'comment', provider: 'jira', external_id: 'C-1', fields },
    ];
    await server.rest('POST', '/context/ingest', { json: { database, collection, app_knowledge } });
    const { sources } = (await list.ask({ collection, group_threads: true })).body.data;
    expect(sources.map(({ comments }: any) => comments.map(({ id }: any) => id))).toEqual([
      ['remark'],
      ['remark'],
    ]);
  });
});

test.each([
  ['page 0', { page: 0 }, /page must be 1 or more/],
  ['page_size 0', { page_size: 0 }, /page_size must be 1 to 100, not 0/],
  ['page_size 101', { page_size: 101 }, /page_size must be 1 to 100, not 101/],
  ['101 ids', { ids: Array.from({ length: 101 }, (_, n) => `i${n}`) }, /ids has 101 ids; at most 100/],
  ['another order', { sort: 'oldest' }, /sort must be one of newest/],
  [
    'an unknown field to include',
    { include_fields: ['title', 'secret'] },
    /include_fields\[1\] must be one of title/,
  ],
  [
    'an unknown source field',
    { filters: { source_fields: { nope: 1 } } },
    /filters\.source_fields\.nope is not/,
  ],
  [
    'an unknown filter',
    { filters: { nope: {} } },
    /filters\.nope is not an accepted key; accepted: metadata, additional_metadata, source_fields$/,
  ],
  ['text for a number', { filters: { metadata: { size: '3' } } }, /^filters\.metadata\.size must be a whole/],
  [
    'a list for a number',
    { filters: { metadata: { size: [3] } } },
    /^filters\.metadata\.size must be a whole/,
  ],
  [
    'a number for a text',
    { filters: { metadata: { team: 3 } } },
    /^filters\.metadata\.team must be a string/,
  ],
  ['filters that are no object', { filters: [1] }, /filters must be an object/],
  ['metadata that is no object', { filters: { metadata: 'a' } }, /filters\.metadata must be an object/],
  ['a field that is no text', { filters: { source_fields: { title: 1 } } }, /title must be a string/],
  [
    'a moment that is none',
    { filters: { source_fields: { timestamp: 'soon' } } },
    /timestamp must be an ISO-8601/,
  ],
  [
    'filters above 64 KiB',
    { filters: { metadata: { team: 'x'.repeat(65_536) } } },
    /filters has \d+ bytes; at most 65536/,
  ],
  ['an empty principal', { acl: [''] }, /acl\[0\]/],
])('%s is 400', async (_case, body, message) => {
  const answer = await list.ask(body);
  expect([answer.status, answer.body.data, answer.body.error.code]).toEqual([400, null, 'INVALID_INPUT']);
  expect(answer.body.error.message).toMatch(message);
});

test('type all is 400 CORPUS_TYPE_UNSUPPORTED, in GraphQL too', async () => {
  expect((await list.ask({ type: 'all' })).body.error.code).toBe('CORPUS_TYPE_UNSUPPORTED');
  const answer = await server.graphql(`{ sources(database: "${database}", type: all) { totalCount } }`);
  expect(answer.body.errors[0].extensions.code).toBe('CORPUS_TYPE_UNSUPPORTED');
});
