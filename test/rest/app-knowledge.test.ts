import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppItems } from '../support/app-items.js';

let app: AppItems;
let database: string;
beforeAll(async () => {
  app = await AppItems.start();
  database = app.database;
});
afterAll(async () => app.server.stop());

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
    const answer = await app.store([
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
    expect((await app.statusOf(id)).indexing_status).toBe('completed');
    for (const query of queries) {
      const found = await app.ask(query);
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
    const row = await app.storedOf(id);
    expect(row['app']).toMatchObject({ kind, fields });
    expect(row['app'].fields).not.toHaveProperty('kind');
    expect([row['app_thread_id'], row['app_parent_id']]).toEqual([
      fields['thread_id'] ?? null,
      fields['parent_id'] ?? null,
    ]);
  });

  test('HTML of a mail is searched as text; url and time come from its fields', async () => {
    const content = await app.contentsOf('kind-email');
    expect(content).toContain('From: ann@example.com\nTo: bob@example.com\nCc: eve@example.com');
    expect(content).toContain('Harbour crane inspection');
    expect(content).not.toMatch(/<\/?(?:p|html|body)>/);
    const [source] = (await app.ask('crane cables')).sources;
    expect(source).toMatchObject({
      title: 'Fwd: Harbour crane',
      url: 'https://mail.example.com/1',
      timestamp: '2026-03-01T08:00:00.000Z',
    });
  });

  test('what the item says of itself goes before its fields', async () => {
    const fields = { body: 'Zeppelin moored', created_at: '2026-01-01', url: 'https://a.example' };
    const own = { timestamp: '2026-02-02T02:02:02Z', url: 'https://b.example' };
    await app.store([{ id: 'own', kind: 'message', fields, ...own }]);
    expect((await app.ask('zeppelin')).sources[0]).toMatchObject({
      url: own.url,
      timestamp: '2026-02-02T02:02:02.000Z',
      type: 'knowledge',
      description: null,
      app_provider: null,
    });
  });

  test('is that of the fields, else custom; the older form has content', async () => {
    await app.store([
      { id: 'by-fields', fields: { kind: 'comment', body: 'x' } },
      { id: 'generic', content: { text: 'Quokkas smile.' }, note: 'an unknown key' },
      { id: 'generic-md', content: { markdown: '# Wombats\n\nWombats dig.' } },
    ]);
    expect((await app.storedOf('by-fields'))['app_kind']).toBe('comment');
    expect((await app.storedOf('generic'))['app_kind']).toBe('custom');
    expect((await app.ask('quokkas')).chunks[0].id).toBe('generic');
    expect((await app.ask('digging wombats')).chunks[0]).toMatchObject({
      id: 'generic-md',
      layout: { headings: ['Wombats'] },
    });
  });
});

describe('attachments and comments', () => {
  test('are found with their item and say where they stand', async () => {
    await app.store([
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
    const chimney = (await app.ask('cracked slate chimney')).chunks[0];
    expect(chimney).toMatchObject({ id: 'with-parts', layout: { headings: ['Attachment: survey.txt'] } });
    expect(chimney.layout.first).toEqual({ attachment: 'a1' });
    const asbestos = (await app.ask('asbestos plumber')).chunks[0];
    expect(asbestos.id).toBe('with-parts');
    expect(asbestos.chunk_content).toContain('mallory: The plumber found asbestos.');
    expect(asbestos.layout.last ?? asbestos.layout.first).toEqual({ comment: 'c1' });
    expect((await app.ask('drone footage')).chunks[0].id).toBe('with-parts');
    const { app: kept } = await app.storedOf('with-parts');
    expect(kept.attachments[0]).toMatchObject({ sizeBytes: 5_000_000_000, properties: { pages: 3 } });
    expect(kept.comments[0]).toMatchObject({ author: 'mallory', createdAt: '2026-04-01T00:00:00Z' });
  });
});

test('an item without anything readable is accepted and ends E2002', async () => {
  const items = [
    { id: 'blank', kind: 'message', fields: { body: ' \n ' }, comments: [{ body: ' ' }] },
    { id: 'no-words', kind: 'email', fields: { from: 'ann', to: ['bob'] } },
    { id: 'empty-html', kind: 'email', fields: { body: '<html><body><p> </p></body></html>' } },
    { id: 'blank-content', content: { text: ' ' } },
    { id: 'other-fields', kind: 'message', fields: { text: 'Otters swim.', author: 'ann' } },
  ];
  const answer = await app.store(items);
  expect(answer.body.data).toMatchObject({ success_count: items.length, success: true });
  expect(answer.body.data.results.map((result: any) => result.title)).toEqual(items.map(({ id }) => id));
  for (const { id } of items)
    expect(await app.statusOf(id)).toMatchObject({
      indexing_status: 'errored',
      error_code: 'E2002',
      success: false,
    });
  // Fields of other names are stored, but not searched.
  expect((await app.statusOf('other-fields')).error_message).toBe(
    'The item holds no readable text: what fields of kind message say is read from body, not from text.',
  );
});

describe('GraphQL', () => {
  const mutation = `mutation ($input: IngestInput!) {
    ingest(input: $input) { results { id title infer status } successCount }
  }`;

  test('takes the same, in its own spelling', async () => {
    const answer = await app.server.graphql(mutation, {
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
    await app.server.idle();
    const found = await app.server.graphql(
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
    const answer = await app.server.graphql(mutation, { input: { database, appKnowledge: [item] } });
    expect(answer.body.errors[0]).toMatchObject({
      message: expect.stringMatching(reason),
      extensions: { code: 'INVALID_INPUT', httpStatus: 400 },
    });
  });
});
