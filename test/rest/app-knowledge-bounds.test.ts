import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AppItems } from '../support/app-items.js';
import { hostileJson } from '../support/hostile.js';

let app: AppItems;
let database: string;
beforeAll(async () => {
  app = await AppItems.start();
  database = app.database;
});
afterAll(async () => app.server.stop());

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
    [
      'text of an unnamed kind',
      { fields: { subject: 's', body: 'b' } },
      /kind must be one of email, .*fields\.subject/,
    ],
    ['nothing at all', {}, /fields hold nothing, and there is no title/],
    ['no fields', { kind: 'message', fields: {} }, /\.fields hold nothing/],
    [
      'a blank field and empty content',
      { kind: 'email', fields: { body: ' ' }, content: {} },
      /fields hold nothing/,
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
    const answer = await app.expectRefused(
      () => app.send([{ id: 'good', content: { text: 'fine' } }, item]),
      reason,
    );
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
    await app.store([item]);
    expect((await app.statusOf(id)).indexing_status).toBe('completed');
    expect((await app.ask('comment 999')).chunks[0].id).toBe(id);
  });

  test('too many, repeated, of the wrong type, or none', async () => {
    const many = Array.from({ length: 1001 }, (_, i) => ({ id: `n${i}`, content: { text: 'a' } }));
    await app.expectRefused(() => app.send(many), /app_knowledge has 1001 items; at most 1000/);
    await app.expectRefused(
      () =>
        app.server.upload(database, { 'a.txt': 'a' }, { app_knowledge: JSON.stringify(many.slice(0, 1000)) }),
      /app_knowledge has 1000 items beside 1 documents; at most 1000/,
    );
    await app.expectRefused(
      () => app.send([1, 2].map(() => ({ id: 'a', title: 'a' }))),
      /app_knowledge\[1\]\.id "a" stands twice/,
    );
    await app.expectRefused(
      () => app.send([1, 2].map(() => ({ provider: 'p', external_id: 'e', title: 'a' }))),
      /app_knowledge\[1\]\.id "p:e" stands twice/,
    );
    await app.expectRefused(
      () =>
        app.server.upload(
          database,
          { 'a.txt': 'a' },
          {
            document_metadata: '[{"id": "a"}]',
            app_knowledge: '[{"id": "b", "title": "b"}, {"id": "a", "title": "a"}]',
          },
        ),
      /app_knowledge\[1\]\.id "a" stands twice/,
    );
    await app.expectRefused(
      () => app.send([{ id: 'a' }], { type: 'memory', memories: [{ text: 'a' }] }),
      /app_knowledge is only for type knowledge/,
    );
    for (const none of [[], null])
      await app.expectRefused(() => app.send(none), /app_knowledge must hold at least one/);
    await app.expectRefused(
      () => app.send([{ id: 'a' }], { document_metadata: [{ id: 'b' }] }),
      /document_metadata has 1 items for 0 documents/,
    );
  });
});

test('keys of the prototype are keys like any other', async () => {
  const text =
    '[{"id": "proto", "fields": {"__proto__": {"a": 1}, "constructor": "x", "body": "y", "data": {"__proto__": "Albatross"}}}]';
  await app.store(text);
  expect((await app.ask('albatross')).chunks[0].id).toBe('proto');
  expect(Object.keys((await app.storedOf('proto'))['app'].fields).sort()).toEqual([
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
      const answer = await app.server.rest('POST', '/context/ingest', { raw, headers });
      expect([202, 400, 413]).toContain(answer.status);
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 40), seed: Number(process.env['FUZZ_SEED'] ?? 20_261_121) },
  );
  await app.server.idle();
  const left = await app.server.sql<{ indexing_status: string; error_code: string }>(
    `select s.indexing_status, s.error_code from sources s join collections c on c.id = s.collection_id
      where c.name = 'hostile' and s.latest`,
  );
  expect(left.length).toBeGreaterThan(0);
  for (const row of left) {
    expect(['completed', 'errored']).toContain(row.indexing_status);
    expect(['', 'E2002']).toContain(row.error_code);
  }
});
