import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostileJson } from '../support/hostile.js';
import { TestServer, adminKey } from '../support/server.js';
import type { Answer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const send = (app_knowledge: unknown, more: Record<string, unknown> = {}) =>
  server.rest('POST', '/context/ingest', { json: { database, app_knowledge, ...more } });
/** Stores items that must be accepted, and indexes them. */
const store = async (app_knowledge: unknown, more: Record<string, unknown> = {}) => {
  const answer = await send(app_knowledge, more);
  expect([answer.status, answer.body.error]).toEqual([202, null]);
  await server.idle();
  return answer;
};
const ask = async (query: string, more: Record<string, unknown> = {}) => {
  const answer = await server.rest('POST', '/query', { json: { database, query, ...more } });
  return answer.body.data;
};
const contentsOf = async (id: string) => {
  const found = await ask('anything', { ids: [id], max_results: 50 });
  return found.chunks.map((chunk: any) => chunk.chunk_content).join('\n');
};
const statusOf = async (id: string) => {
  const answer = await server.rest(
    'GET',
    `/context/status?database=${database}&id=${encodeURIComponent(id)}`,
  );
  return answer.body.data.statuses[0];
};
const storedOf = async (id: string) => {
  const [row] = await server.sql<Record<string, any>>(
    `select s.* from sources s join databases d on d.id = s.database_id where d.name = $1 and s.id = $2 and s.latest`,
    [database, id],
  );
  return row as Record<string, any>;
};

async function expectRefused(act: () => Promise<Answer>, reason: RegExp): Promise<Answer> {
  const count = async () => (await server.sql('select 1 from sources')).length;
  const before = await count();
  const answer = await act();
  expect([answer.status, answer.body.data, answer.body.error?.code]).toEqual([400, null, 'INVALID_INPUT']);
  expect(answer.body.error.message).toMatch(reason);
  expect(await count()).toBe(before);
  return answer;
}

describe('kinds', () => {
  const kinds: [string, Record<string, unknown>, Record<string, unknown>, string[]][] = [
    [
      'email',
      {
        title: 'Fwd: Harbour crane',
        fields: {
          subject: 'Harbour crane inspection',
          body: '<html><body><p>The crane needs <b>new cables</b>.</p></body></html>',
          from: 'ann@example.com',
          to: 'bob@example.com',
          cc: ['eve@example.com', ''],
          thread_id: 't-1',
          in_reply_to: 'mail-0',
          forwarded_from_id: 'mail-00',
          created_at: '2026-03-01T10:00:00+02:00',
          url: 'https://mail.example.com/1',
          importance: { level: 'high' },
        },
      },
      {
        to: ['bob@example.com'],
        cc: ['eve@example.com'],
        thread_id: 't-1',
        reply_to_id: 'mail-0',
        forwarded_from_id: 'mail-00',
        importance: { level: 'high' },
      },
      ['who wrote from ann@example.com', 'new cables', 'crane inspection'],
    ],
    [
      'message',
      {
        fields: {
          kind: 'message',
          body: 'Lunch moves to the rooftop.',
          author: 'carol',
          thread_id: 't-2',
          parent_id: 'msg-0',
          mentions: ['dave', 'erin'],
          created_at: '2026-03-02',
        },
      },
      { thread_id: 't-2', parent_id: 'msg-0', mentions: ['dave', 'erin'] },
      ['rooftop', 'carol', 'erin'],
    ],
    [
      'ticket',
      {
        fields: {
          title: 'Turnstile jams',
          description: '## Steps\n\nPush the badge sideways.',
          status: 'in review',
          priority: 'urgent',
          assignee: 'frank',
          reporter: 'grace',
          parent_id: 'epic-1',
          linked_issue_ids: ['T-2', 'T-3'],
          created_at: '2026-03-03T08:00:00Z',
          updated_at: '2026-03-04T08:00:00Z',
        },
      },
      { parent_id: 'epic-1', linked_issue_ids: ['T-2', 'T-3'], status: 'in review' },
      ['turnstile', 'badge sideways', 'urgent', 'assigned to frank', 'reported by grace'],
    ],
    [
      'knowledge_base',
      {
        fields: {
          title: 'Composting guide',
          body: '# Composting\n\nNever compost citrus peel.',
          created_by: 'heidi',
          updated_by: 'ivan',
          parent_id: 'space-1',
        },
      },
      { created_by: 'heidi', updated_by: 'ivan', parent_id: 'space-1' },
      ['citrus peel', 'heidi', 'ivan'],
    ],
    [
      'comment',
      {
        fields: { body: 'Kiln temperature looks wrong.', author: 'judy', parent_id: 'T-9', thread_id: 't-3' },
      },
      { parent_id: 'T-9', thread_id: 't-3' },
      ['kiln temperature', 'judy'],
    ],
    [
      'custom',
      { fields: { parent_id: 'p', data: { vessel: 'Nautilus', tonnage: 1500 } } },
      { parent_id: 'p', data: { vessel: 'Nautilus', tonnage: 1500 } },
      ['Nautilus'],
    ],
  ];

  test.each(kinds)('%s: its fields are kept, placed and found', async (kind, item, fields, queries) => {
    const id = `kind-${kind}`;
    const external = { provider: 'Acme', external_id: `X-${kind}` };
    const answer = await store([
      { id, kind, ...external, type: 'Row', description: `${kind} described`, ...item },
    ]);
    expect(answer.body.data.results).toEqual([
      {
        id,
        filename: null,
        title: expect.any(String),
        status: 'queued',
        error: null,
        error_code: null,
        relations_created: 0,
        relations_error: null,
      },
    ]);
    expect((await statusOf(id)).indexing_status).toBe('completed');
    for (const query of queries) {
      const found = await ask(query);
      expect([query, found.chunks[0].id]).toEqual([query, id]);
      expect(found.sources[0]).toMatchObject({
        id,
        type: 'Row',
        description: `${kind} described`,
        app_kind: kind,
        app_provider: 'acme',
        app_external_id: `X-${kind}`,
      });
    }
    const row = await storedOf(id);
    expect(row['app']).toMatchObject({ kind, fields });
    expect(row['app'].fields).not.toHaveProperty('kind');
    expect([row['app_thread_id'], row['app_parent_id']]).toEqual([
      fields['thread_id'] ?? null,
      fields['parent_id'] ?? null,
    ]);
  });

  test('HTML of a mail is searched as text; url and time come from its fields', async () => {
    const content = await contentsOf('kind-email');
    expect(content).toContain('From: ann@example.com\nTo: bob@example.com\nCc: eve@example.com');
    expect(content).toContain('Harbour crane inspection');
    expect(content).not.toMatch(/<\/?(?:p|html|body)>/);
    const [source] = (await ask('crane cables')).sources;
    expect(source).toMatchObject({
      title: 'Fwd: Harbour crane',
      url: 'https://mail.example.com/1',
      timestamp: '2026-03-01T08:00:00.000Z',
    });
  });

  test('what the item says of itself goes before its fields', async () => {
    const fields = { body: 'Zeppelin moored', created_at: '2026-01-01', url: 'https://a.example' };
    const own = { timestamp: '2026-02-02T02:02:02Z', url: 'https://b.example' };
    await store([{ id: 'own', kind: 'message', fields, ...own }]);
    expect((await ask('zeppelin')).sources[0]).toMatchObject({
      url: own.url,
      timestamp: '2026-02-02T02:02:02.000Z',
      type: 'knowledge',
      description: null,
      app_provider: null,
    });
  });

  test('is that of the fields, else custom; the older form has content', async () => {
    await store([
      { id: 'by-fields', fields: { kind: 'comment', body: 'x' } },
      { id: 'generic', content: { text: 'Quokkas smile.' }, note: 'an unknown key' },
      { id: 'generic-md', content: { markdown: '# Wombats\n\nWombats dig.' } },
    ]);
    expect((await storedOf('by-fields'))['app_kind']).toBe('comment');
    expect((await storedOf('generic'))['app_kind']).toBe('custom');
    expect((await ask('quokkas')).chunks[0].id).toBe('generic');
    expect((await ask('digging wombats')).chunks[0]).toMatchObject({
      id: 'generic-md',
      layout: { headings: ['Wombats'] },
    });
  });
});

describe('attachments and comments', () => {
  test('are found with their item and say where they stand', async () => {
    await store([
      {
        id: 'with-parts',
        kind: 'ticket',
        title: 'Leaking roof',
        fields: { status: 'open' },
        attachments: [
          {
            id: 'a1',
            title: 'survey.txt',
            url: 'https://example.com/a1',
            content_type: 'text/plain',
            size_bytes: 5_000_000_000,
            content: { text: `Slate tiles cracked near the chimney. ${'More of the survey. '.repeat(120)}` },
            properties: { pages: 3 },
          },
          { title: 'drone-footage.mp4' },
        ],
        comments: [
          {
            id: 'c1',
            author: 'mallory',
            body: 'The plumber found asbestos.',
            created_at: '2026-04-01T00:00:00Z',
          },
        ],
      },
    ]);
    const chimney = (await ask('cracked slate chimney')).chunks[0];
    expect(chimney).toMatchObject({ id: 'with-parts', layout: { headings: ['Attachment: survey.txt'] } });
    expect(chimney.layout.first).toEqual({ attachment: 'a1' });
    const asbestos = (await ask('asbestos plumber')).chunks[0];
    expect(asbestos.id).toBe('with-parts');
    expect(asbestos.chunk_content).toContain('mallory: The plumber found asbestos.');
    expect(asbestos.layout.last ?? asbestos.layout.first).toEqual({ comment: 'c1' });
    expect((await ask('drone footage')).chunks[0].id).toBe('with-parts');
    const { app } = await storedOf('with-parts');
    expect(app.attachments[0]).toMatchObject({ sizeBytes: 5_000_000_000, properties: { pages: 3 } });
    expect(app.comments[0]).toMatchObject({ author: 'mallory', createdAt: '2026-04-01T00:00:00Z' });
  });
});

describe('refused, naming the field', () => {
  const long = (characters: number) => 'x'.repeat(characters);
  const email = (fields: Record<string, unknown>) => ({ kind: 'email', fields });
  test.each<[string, unknown, RegExp]>([
    ['an unknown kind', { kind: 'fax' }, /kind must be one of email, message, ticket, .*custom, not "fax"/],
    ['an unknown kind among the fields', { fields: { kind: 7 } }, /fields\.kind must be one of email/],
    [
      'another kind among the fields',
      email({ kind: 'ticket' }),
      /fields\.kind "ticket" is not the item's kind/,
    ],
    ['fields that are a list', { fields: [] }, /fields must be an object/],
    ['a list with a number', email({ to: ['a', 1] }), /fields\.to must be a list of strings/],
    ['a list that is an object', email({ cc: { a: 1 } }), /fields\.cc must be a list of strings/],
    ['a number for a text', email({ body: 5 }), /fields\.body must be a string/],
    ['an object for a person', email({ from: { name: 'a' } }), /fields\.from must be a string/],
    ['a number for an id', email({ thread_id: 5 }), /fields\.thread_id must be a string/],
    ['an impossible day', email({ created_at: '2026-02-30' }), /fields\.created_at must be an ISO-8601 time/],
    ['an epoch', { timestamp: 1_700_000_000 }, /timestamp must be a string/],
    ['a time in words', { timestamp: 'yesterday' }, /timestamp must be an ISO-8601 time/],
    ['data that is text', { fields: { data: 'x' } }, /fields\.data must be an object/],
    ['a field under two names', email({ in_reply_to: 'a', reply_to_id: 'b' }), /reply_to_id .*in_reply_to/],
    [
      'a subject of 1,001',
      email({ subject: long(1001) }),
      /fields\.subject has 1001 characters; at most 1000/,
    ],
    ['a title of 1,001', { title: long(1001) }, /title has 1001 characters; at most 1000/],
    ['a description of 10,001', { description: long(10_001) }, /description has 10001 .* at most 10000/],
    ['a url of 4,097', { url: long(4097) }, /url has 4097 characters; at most 4096/],
    ['a provider of 513 bytes', { provider: `é${long(511)}` }, /provider has 513 bytes; at most 512/],
    ['an external_id of 513 bytes', { external_id: long(513) }, /external_id has 513 bytes; at most 512/],
    ['a derived id of 513 bytes', { provider: 'p', external_id: long(511) }, /id made of .* has 513 bytes/],
    ['a parent_id of 513 bytes', email({ parent_id: long(513) }), /fields\.parent_id has 513 bytes/],
    ['an author of 1,001', { kind: 'comment', fields: { author: long(1001) } }, /author has 1001 characters/],
    ['1,001 people', email({ to: Array(1001).fill('a') }), /fields\.to has 1001 values; at most 1000/],
    ['a person of 1,001', email({ to: ['a', long(1001)] }), /fields\.to\[1\] has 1001 characters/],
    [
      '65,537 bytes of other fields',
      { fields: { o: long(65_529) } },
      /fields, without .* 65537 bytes .* 65536/,
    ],
    ['65,537 bytes of data', { fields: { data: { o: long(65_529) } } }, /fields\.data has 65537 bytes/],
    ['content of two forms', { content: { text: 'a', markdown: 'b' } }, /content has text and markdown/],
    ['content that is text', { content: 'a' }, /content must be an object/],
    ['content of another type', { content: { text: 1 } }, /content\.text must be a string/],
    ['201 attachments', { attachments: Array(201).fill({}) }, /attachments has 201 entries; at most 200/],
    ['an attachment of -1 bytes', { attachments: [{ size_bytes: -1 }] }, /attachments\[0\]\.size_bytes/],
    ['an attachment of half a byte', { attachments: [{ size_bytes: 0.5 }] }, /size_bytes must be a whole/],
    ['1,001 comments', { comments: Array(1001).fill({ body: 'a' }) }, /comments has 1001 .* 1000/],
    ['a comment without text', { comments: [{ author: 'a' }] }, /comments\[0\]\.body is required/],
    [
      'a comment of no time',
      { comments: [{ body: 'a', created_at: 'x' }] },
      /comments\[0\]\.created_at must/,
    ],
    ['a malformed acl', { acl: [''] }, /acl\[0\]/],
    ['metadata of 16,385 bytes', { metadata: { k: long(16_377) } }, /metadata has 16385 bytes/],
    ['an id with a comma', { id: 'a,b' }, /app_knowledge\[1\]\.id .*comma/],
    [
      'another database',
      { database: 'elsewhere' },
      /app_knowledge\[1\]\.database "elsewhere" is not that of/,
    ],
    ['another collection', { collection: 'elsewhere' }, /collection "elsewhere" .* "default"/],
    ['another database under its old name', { tenant_id: 'elsewhere' }, /\.database "elsewhere"/],
    ['text', 'x', /app_knowledge\[1\] must be an object/],
  ])('%s', async (_case, item, reason) => {
    const answer = await expectRefused(() => send([{ id: 'good', content: { text: 'fine' } }, item]), reason);
    expect(answer.body.error.message).toMatch(/^app_knowledge\[1\]/);
  });

  test('bounds are reached', async () => {
    const id = 'bounds';
    const fields = { subject: long(1000), to: Array(1000).fill('a'), cc: [long(1000)], o: long(65_528) };
    const item = {
      id,
      database,
      collection: 'default',
      kind: 'email',
      fields,
      description: long(10_000),
      url: long(4096),
      provider: long(512),
      external_id: 'é'.repeat(256),
      comments: Array.from({ length: 1000 }, (_, i) => ({ body: `comment ${i}` })),
      attachments: Array.from({ length: 200 }, (_, i) => ({ title: `attachment ${i}` })),
    };
    await store([item]);
    expect((await statusOf(id)).indexing_status).toBe('completed');
    expect((await ask('comment 999')).chunks[0].id).toBe(id);
  });

  test('too many, repeated, of the wrong type, or none', async () => {
    const many = Array.from({ length: 1001 }, (_, i) => ({ id: `n${i}`, content: { text: 'a' } }));
    await expectRefused(() => send(many), /app_knowledge has 1001 items .* at most 1000/);
    await expectRefused(
      () => server.upload(database, { 'a.txt': 'a' }, { app_knowledge: JSON.stringify(many.slice(0, 1000)) }),
      /app_knowledge has 1000 items beside 1 documents; at most 1000/,
    );
    await expectRefused(() => send([{ id: 'a' }, { id: 'a' }]), /app_knowledge\[1\]\.id "a" stands twice/);
    await expectRefused(
      () => send([1, 2].map(() => ({ provider: 'p', external_id: 'e' }))),
      /app_knowledge\[1\]\.id "p:e" stands twice/,
    );
    await expectRefused(
      () =>
        server.upload(
          database,
          { 'a.txt': 'a' },
          { document_metadata: '[{"id": "a"}]', app_knowledge: '[{"id": "b"}, {"id": "a"}]' },
        ),
      /app_knowledge\[1\]\.id "a" stands twice/,
    );
    await expectRefused(
      () => send([{ id: 'a' }], { type: 'memory', memories: [{ text: 'a' }] }),
      /app_knowledge is only for type knowledge/,
    );
    for (const none of [[], null])
      await expectRefused(() => send(none), /app_knowledge must hold at least one/);
    await expectRefused(
      () => send([{ id: 'a' }], { document_metadata: [{ id: 'b' }] }),
      /document_metadata has 1 items for 0 documents/,
    );
  });
});

describe('the request', () => {
  test('documents come together with app items, results in this order', async () => {
    const answer = await server.upload(
      database,
      { 'ferry.txt': 'The ferry sails at dawn.', 'x.exe': 'x' },
      {
        app_knowledge: JSON.stringify([
          { id: 'together', content: { text: 'The tram stops at noon.' } },
          { id: 'together-2', content: { text: 'b' } },
        ]),
        document_metadata: JSON.stringify([{ id: 'ferry' }, { id: 'exe' }]),
      },
    );
    expect(answer.status).toBe(202);
    expect(answer.body.data.results.map((r: any) => [r.id, r.filename, r.status])).toEqual([
      ['ferry', 'ferry.txt', 'queued'],
      ['exe', 'x.exe', 'failed'],
      ['together', null, 'queued'],
      ['together-2', null, 'queued'],
    ]);
    await server.idle();
    expect((await ask('ferry at dawn')).chunks[0].id).toBe('ferry');
    expect((await ask('tram at noon')).chunks[0].id).toBe('together');
  });

  test('a single object in place of a list, in JSON and in forms', async () => {
    const item = { id: 'single', content: { text: 'One alone.' } };
    const multipart = new FormData();
    const urlencoded = new URLSearchParams();
    for (const form of [multipart, urlencoded]) {
      form.append('database', database);
      form.append('app_knowledge', JSON.stringify(item));
    }
    const answers = [
      await send(item),
      await send(JSON.stringify(item)),
      await server.rest('POST', '/context/ingest', { form: multipart }),
      await server.rest('POST', '/context/ingest', { form: urlencoded }),
    ];
    for (const answer of answers)
      expect([answer.status, answer.body.data.results.map((r: any) => r.id)]).toEqual([202, ['single']]);
    await expectRefused(() => send('{"id": '), /app_knowledge must be valid JSON/);
  });

  test('old names are read and reported', async () => {
    const answer = await store([
      {
        source_id: 'old-names',
        tenant_id: database,
        sub_tenant_id: 'default',
        tenant_metadata: { team: 'ops' },
        document_metadata: { lang: 'en' },
        app_relations: [{ predicate: 'about', target: { id: 'x' } }],
        content: { text: 'Old names are still read.' },
      },
    ]);
    expect(
      answer.body.meta.deprecation.map((use: any) => [use.deprecated_field, use.preferred_field]),
    ).toEqual([
      ['source_id', 'id'],
      ['tenant_id', 'database'],
      ['sub_tenant_id', 'collection'],
      ['tenant_metadata', 'metadata'],
      ['document_metadata', 'additional_metadata'],
    ]);
    const found = await ask('old names', {
      metadata_filters: { team: 'ops', additional_metadata: { lang: 'en' } },
    });
    expect(found.sources[0]).toMatchObject({ id: 'old-names', metadata: { team: 'ops' } });
    expect((await storedOf('old-names'))['declared_relations']).toEqual([
      { predicate: 'about', target: { id: 'x' } },
    ]);
  });

  test('metadata obeys the schema', async () => {
    const name = await server.database({ database_metadata_schema: [{ name: 'team' }] });
    const put = (metadata: unknown) => send([{ content: { text: 'a' }, metadata }], { database: name });
    await expectRefused(() => put({ colour: 'red' }), /app_knowledge\[0\]\.metadata\.colour is not declared/);
    expect((await put({ team: 'ops' })).status).toBe(202);
  });
});

describe('identity', () => {
  test('sent again under its provider and external_id an item replaces itself', async () => {
    const item = (text: string) => [{ provider: 'Linear', external_id: 'ENG-1,2', content: { text } }];
    const first = await store(item('pelican one'));
    expect(first.body.data.results[0].id).toBe('linear:ENG-1%2C2');
    await send(item('pelican two'));
    expect((await ask('pelican')).chunks[0].chunk_content).toBe('pelican one');
    await server.idle();
    expect(await contentsOf('linear:ENG-1%2C2')).toBe('pelican two');
    const kept = await send(item('pelican three'), { upsert: false });
    expect(kept.body.data.results[0]).toMatchObject({ status: 'failed', error_code: 'E9003' });
    await server.idle();
    expect(await contentsOf('linear:ENG-1%2C2')).toBe('pelican two');
  });

  test('without any id one is made', async () => {
    const answer = await store([{ content: { text: 'a' } }, { provider: 'p', content: { text: 'b' } }]);
    const ids = answer.body.data.results.map((result: any) => result.id);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(new Set(ids).size).toBe(2);
  });

  test('a document takes the place of an app item and nothing of it stays', async () => {
    await store([{ id: 'both', kind: 'ticket', type: 'Bug', fields: { title: 'Cormorant' } }]);
    await server.upload(database, { 'a.txt': 'Kingfisher' }, { document_metadata: '[{"id": "both"}]' });
    await server.idle();
    const found = await ask('kingfisher', { ids: ['both'] });
    expect(found.sources[0]).toMatchObject({ id: 'both', type: 'knowledge', app_kind: null });
    expect(await contentsOf('both')).toBe('Kingfisher');
  });
});

test('access lists: its own, that of the request, and nobody', async () => {
  const text = 'Narwhals are shy.';
  await store(
    [
      { id: 'nobody', acl: [], content: { text } },
      { id: 'null', acl: null, content: { text } },
      { id: 'ann', acl: ['ann@example.com'], content: { text } },
      { id: 'inherits', content: { text } },
    ],
    { acl: ['group:sea'] },
  );
  const idsOf = async (more: Record<string, unknown>) => {
    const { chunks } = await ask('narwhals', { ids: ['nobody', 'null', 'ann', 'inherits'], ...more });
    return chunks.map((chunk: any) => chunk.id).sort();
  };
  expect(await idsOf({})).toEqual(['ann', 'inherits']);
  expect(await idsOf({ acl: ['ann@example.com'] })).toEqual(['ann']);
  expect(await idsOf({ acl: ['group:sea'] })).toEqual(['inherits']);
  expect(await idsOf({ acl: [] })).toEqual([]);
});

test('an item without anything readable is accepted and ends E2002', async () => {
  const items = [
    { id: 'empty' },
    { id: 'blank', kind: 'message', fields: { body: ' \n ' }, comments: [{ body: ' ' }] },
    { id: 'no-words', kind: 'email', fields: { from: 'ann', to: ['bob'] } },
    { id: 'empty-html', kind: 'email', fields: { body: '<html><body><p> </p></body></html>' } },
    { id: 'empty-content', content: {} },
  ];
  const answer = await store(items);
  expect(answer.body.data).toMatchObject({ success_count: items.length, success: true });
  expect(answer.body.data.results.map((result: any) => result.title)).toEqual(items.map(({ id }) => id));
  for (const { id } of items)
    expect(await statusOf(id)).toMatchObject({
      indexing_status: 'errored',
      error_code: 'E2002',
      success: false,
    });
});

test('keys of the prototype are keys like any other', async () => {
  const text =
    '[{"id": "proto", "fields": {"__proto__": {"a": 1}, "constructor": "x", "body": "y", "data": {"__proto__": "Albatross"}}}]';
  await store(text);
  expect((await ask('albatross')).chunks[0].id).toBe('proto');
  expect(Object.keys((await storedOf('proto'))['app'].fields).sort()).toEqual([
    '__proto__',
    'body',
    'constructor',
    'data',
  ]);
});

test('hostile items are answered, and what is accepted is indexed or errored', async () => {
  const keys = [
    'id',
    'kind',
    'fields',
    'content',
    'attachments',
    'comments',
    'timestamp',
    'title',
    'url',
    'relations',
  ];
  const fieldKeys = [
    'kind',
    'to',
    'body',
    'created_at',
    'thread_id',
    'data',
    'subject',
    'status',
    '__proto__',
  ];
  const item = fc.record(
    {
      kind: fc.constantFrom('email', 'message', 'ticket', 'knowledge_base', 'comment', 'custom'),
      fields: fc.dictionary(fc.constantFrom(...fieldKeys), hostileJson, { maxKeys: 3 }),
      comments: fc.array(fc.dictionary(fc.constantFrom('body', 'author', 'id'), hostileJson), {
        maxLength: 2,
      }),
    },
    { requiredKeys: [] },
  );
  const stray = fc.dictionary(fc.constantFrom(...keys), hostileJson, { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(item, stray), { maxLength: 3 }), async (items) => {
      let raw: string;
      try {
        raw = JSON.stringify({ database, collection: 'hostile', app_knowledge: items });
      } catch {
        return;
      }
      const headers = { 'content-type': 'application/json' };
      const answer = await server.rest('POST', '/context/ingest', { raw, headers });
      expect([202, 400, 413]).toContain(answer.status);
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 80), seed: Number(process.env['FUZZ_SEED'] ?? 20_261_121) },
  );
  await server.idle();
  const left = await server.sql<{ indexing_status: string; error_code: string }>(
    `select s.indexing_status, s.error_code from sources s join collections c on c.id = s.collection_id
      where c.name = 'hostile' and s.latest`,
  );
  expect(left.length).toBeGreaterThan(0);
  for (const row of left) {
    expect(['completed', 'errored']).toContain(row.indexing_status);
    expect(['', 'E2002']).toContain(row.error_code);
  }
});

describe('GraphQL', () => {
  const mutation = `mutation ($input: IngestInput!) {
    ingest(input: $input) { results { id title infer status } successCount }
  }`;

  test('takes the same, in its own spelling', async () => {
    const answer = await server.graphql(mutation, {
      input: {
        database,
        appKnowledge: {
          kind: 'message',
          provider: 'Teams',
          externalId: '19:x',
          timestamp: '2026-05-05',
          fields: { body: 'The lighthouse keeper retires.', author: 'oscar' },
          additionalMetadata: { lang: 'en' },
          attachments: [
            { title: 'speech', contentType: 'text/plain', content: { text: 'Farewell, foghorn.' } },
          ],
          comments: [{ author: 'peggy', body: 'Well deserved!', createdAt: '2026-05-06' }],
        },
      },
    });
    expect(answer.body.data?.ingest).toEqual({
      results: [{ id: 'teams:19:x', title: 'The lighthouse keeper retires.', infer: null, status: 'queued' }],
      successCount: 1,
    });
    await server.idle();
    const found = await server.graphql(
      `query ($database: String!) { search(database: $database, query: "foghorn") {
         sources { id type timestamp appKind appProvider appExternalId } } }`,
      { database },
    );
    expect(found.body.data.search.sources[0]).toEqual({
      id: 'teams:19:x',
      type: 'knowledge',
      timestamp: '2026-05-05T00:00:00.000Z',
      appKind: 'message',
      appProvider: 'teams',
      appExternalId: '19:x',
    });
  });

  test.each([
    ['an unknown key', { colour: 'red' }, /colour/],
    ['an unknown kind', { kind: 'fax' }, /must be one of email/],
    ['a bad field', { kind: 'email', fields: { to: 7 } }, /fields\.to must be a list of strings/],
  ])('refuses %s', async (_case, item, reason) => {
    const answer = await server.graphql(mutation, { input: { database, appKnowledge: [item] } });
    expect(answer.body.errors[0]).toMatchObject({
      message: expect.stringMatching(reason),
      extensions: { code: 'INVALID_INPUT', httpStatus: 400 },
    });
  });
});

test('a key limited to another database is told that this one does not exist', async () => {
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, databases, created_at)
     select 'elsewhere', account_id, secret_hash, 'elsewhere', '{write}', '{elsewhere}', created_at
       from api_keys where prefix = 'test'`,
  );
  const answer = await server.rest('POST', '/context/ingest', {
    json: { database, app_knowledge: [{ id: 'foreign', content: { text: 'a' } }] },
    key: `elsewhere.${adminKey.split('.')[1]}`,
  });
  expect(answer.body.error.code).toBe('DATABASE_NOT_FOUND');
  expect(await storedOf('foreign')).toBeUndefined();
});
