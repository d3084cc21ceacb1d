import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const sources = () => server.sql('select 1 from sources');
const statusOf = async (ids: string, query = '') =>
  server.rest('GET', `/context/status?database=${database}&ids=${ids}${query}`);

/** A refused request must store nothing, neither rows nor files. */
async function expectRefused(
  act: () => Promise<{ status: number; body: any }>,
  status: number,
  reason: RegExp,
) {
  const before = await sources();
  const answer = await act();
  expect([answer.status, answer.body.success, answer.body.data]).toEqual([status, false, null]);
  expect(answer.body.error.message).toMatch(reason);
  expect(await sources()).toHaveLength(before.length);
  return answer;
}

describe('documents', () => {
  test('txt, md, html and csv are queued, indexed and found', async () => {
    const answer = await server.upload(
      database,
      {
        'moon.txt': 'The lunar module landed in the Sea of Tranquility.',
        'deep.md': '# Oceans\n\n## Trenches\n\nThe Mariana trench is the deepest.',
        'page.html':
          '<html><head><title>Bees</title></head><body><p>Bees dance to tell where nectar is.</p></body></html>',
        'staff.csv': 'name,city\nAda,London\nGrace,Arlington\n',
      },
      { document_metadata: JSON.stringify([{ id: 'txt' }, { id: 'md' }, { id: 'html' }, { id: 'csv' }]) },
    );
    expect(answer.status).toBe(202);
    expect(answer.body.data).toMatchObject({
      success: true,
      success_count: 4,
      failed_count: 0,
      message: '4 items queued for indexing',
    });
    expect(answer.body.data.results[0]).toEqual({
      id: 'txt',
      filename: 'moon.txt',
      title: 'moon.txt',
      status: 'queued',
      error: null,
      error_code: null,
      relations_created: 0,
      relations_error: null,
    });
    expect((await statusOf('txt,md,html,csv')).body.data.statuses.map((s: any) => s.indexing_status)).toEqual(
      Array(4).fill('queued'),
    );
    await server.idle();
    expect((await statusOf('txt,md,html,csv')).body.data.statuses.map((s: any) => s.indexing_status)).toEqual(
      Array(4).fill('completed'),
    );
    for (const [query, id] of [
      ['lunar module landing', 'txt'],
      ['deepest trench', 'md'],
      ['where is nectar', 'html'],
      ['who lives in Arlington', 'csv'],
    ]) {
      const found = await server.rest('POST', '/query', { json: { database, query } });
      expect(found.body.data.chunks[0].id).toBe(id);
    }
    const md = await server.rest('POST', '/query', { json: { database, query: 'Mariana', ids: ['md'] } });
    expect(md.body.data.chunks[0].layout.headings).toEqual(['Oceans', 'Trenches']);
  });

  test('ids are made when absent; extension decides, then the content type', async () => {
    const form = new FormData();
    form.append('database', database);
    form.append('documents', new Blob(['plain words'], { type: 'text/plain; charset=utf-8' }), 'README');
    form.append('documents', new Blob(['x'], { type: 'text/plain' }), 'photo.heic');
    const answer = await server.rest('POST', '/context/ingest', { form });
    expect(answer.status).toBe(202);
    const [readme, heic] = answer.body.data.results;
    expect(readme).toMatchObject({ status: 'queued', id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(heic).toMatchObject({ status: 'failed', error_code: 'E1002', filename: 'photo.heic' });
    expect(answer.body.data).toMatchObject({ success: false, success_count: 1, failed_count: 1 });
    expect(answer.body.data.message).toBe('1 of 2 items queued for indexing; see results');
    expect(answer.body.success).toBe(true);
    const unknown = await statusOf(heic.id);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'FILE_NOT_FOUND']);
  });

  test('a mislabelled file ends E1001, one without text E2002', async () => {
    const png = Uint8Array.from([
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1,
    ]);
    await server.upload(
      database,
      {
        'picture.txt': png,
        'paper.csv': '%PDF-1.4\n%%EOF',
        'letter.md': '{\\rtf1 Dear Ann}',
        'blank.md': ' \n\t\n',
      },
      { document_metadata: JSON.stringify(['mislabelled', 'pdf', 'rtf', 'blank'].map((id) => ({ id }))) },
    );
    await server.idle();
    const { statuses } = (await statusOf('mislabelled,pdf,rtf,blank')).body.data;
    expect(statuses).toMatchObject([
      { id: 'mislabelled', indexing_status: 'errored', error_code: 'E1001', success: false },
      { id: 'pdf', indexing_status: 'errored', error_code: 'E1001', success: false },
      { id: 'rtf', indexing_status: 'errored', error_code: 'E1001', success: false },
      { id: 'blank', indexing_status: 'errored', error_code: 'E2002', success: false },
    ]);
  });

  test.each([
    ['a key outside the closed list', [{ title: 'x' }], /document_metadata\[0\]\.title/],
    ['an id with a comma', [{ id: 'a,b' }], /document_metadata\[0\]\.id .*comma/],
    ['an id of spaces', [{ id: '  ' }], /document_metadata\[0\]\.id must not be empty or white space alone/],
    ['an id of 513 bytes', [{ id: 'é'.repeat(256) + 'x' }], /513 bytes.*512/],
    ['an id with a control character', [{ id: 'a\nb' }], /control/],
    ['an id with a control character of C1', [{ id: 'a\u0085b' }], /control/],
    ['metadata of 16,385 bytes', [{ metadata: { k: 'x'.repeat(16_385 - 8) } }], /16385 bytes.*16384/],
    [
      'additional_metadata of 1,025 bytes',
      [{ additional_metadata: { k: 'x'.repeat(1025 - 8) } }],
      /1025 bytes.*1024/,
    ],
    ['two entries for one file', [{}, {}], /2 items for 1 documents/],
    ['metadata that is text', [{ metadata: 'x' }], /document_metadata\[0\]\.metadata must be an object/],
    ['an id under two names', [{ id: 'a', file_id: 'b' }], /file_id/],
    ['a NUL character', [{ metadata: { k: 'a\u0000b' } }], /NUL/],
  ])('refuses %s and stores nothing', async (_case, items, reason) => {
    await expectRefused(
      () => server.upload(database, { 'a.txt': 'text' }, { document_metadata: JSON.stringify(items) }),
      400,
      reason,
    );
    expect(readdirSync(join(server.dataDir, 'incoming'))).toEqual([]);
  });

  test('accepts metadata of exactly 16,384 and 1,024 bytes and the aliases of its keys', async () => {
    const items = [
      {
        source_id: 'limits',
        metadata: { k: 'x'.repeat(16_384 - 8) },
        document_metadata: { k: 'x'.repeat(1024 - 8) },
      },
    ];
    const answer = await server.upload(
      database,
      { 'a.txt': 'text' },
      { document_metadata: JSON.stringify(items) },
    );
    expect([answer.status, answer.body.data.results[0].id]).toEqual([202, 'limits']);
    expect(answer.body.meta.deprecation.map((entry: any) => entry.deprecated_field)).toEqual([
      'source_id',
      'document_metadata',
    ]);
  });

  test.each(['memories', 'app_knowledge'])(
    '%s: metadata of 16,384 and 1,024 bytes are accepted, one more is not',
    async (list) => {
      const send = (id: string, [more, moreAdditional]: [number, number]) => {
        // Two bytes a letter: what is counted is bytes.
        const value = (bytes: number) => 'é'.repeat(bytes / 2) + 'x'.repeat(bytes % 2);
        const item = {
          id,
          ...(list === 'memories' ? { text: 'a text' } : { content: { text: 'a text' } }),
          metadata: { k: value(16_384 - 8 + more) },
          additional_metadata: { k: value(1024 - 8 + moreAdditional) },
        };
        const json = { database, type: list === 'memories' ? 'memory' : 'knowledge', [list]: [item] };
        return server.rest('POST', '/context/ingest', { json });
      };
      expect((await send(`exact-${list}`, [0, 0])).status).toBe(202);
      await expectRefused(() => send('over', [1, 0]), 400, /\[0\]\.metadata has 16385 bytes.*16384/);
      await expectRefused(() => send('over', [0, 1]), 400, /\.additional_metadata has 1025 bytes.*1024/);
    },
  );

  test('a file over 50 MB is 413 naming it, and nothing of the request is stored', async () => {
    const big = new Uint8Array(52_428_801).fill(97);
    await expectRefused(
      () => server.upload(database, { 'ok.txt': 'fine', 'big.txt': big }),
      413,
      /"big\.txt".*52428800/,
    );
  });

  test('the same id twice in one request is refused', async () => {
    const items = JSON.stringify([{ id: 'twice' }, { id: 'twice' }]);
    await expectRefused(
      () => server.upload(database, { 'a.txt': 'a', 'b.txt': 'b' }, { document_metadata: items }),
      400,
      /twice/,
    );
  });

  test('without upsert an existing item is left alone and the others go in', async () => {
    const items = (ids: string[]) => JSON.stringify(ids.map((id) => ({ id })));
    await server.upload(database, { 'a.txt': 'the original walrus' }, { document_metadata: items(['keep']) });
    await server.idle();
    const answer = await server.upload(
      database,
      { 'a.txt': 'the changed walrus', 'b.txt': 'another walrus' },
      { document_metadata: items(['keep', 'new']), upsert: '0' },
    );
    expect(answer.status).toBe(202);
    expect(answer.body.data.results).toMatchObject([
      { id: 'keep', status: 'failed', error_code: 'E9003' },
      { id: 'new', status: 'queued' },
    ]);
    await server.idle();
    const found = await server.rest('POST', '/query', { json: { database, query: 'walrus' } });
    expect(
      found.body.data.chunks
        .slice(0, 2)
        .map((c: any) => c.chunk_content)
        .sort(),
    ).toEqual(['another walrus', 'the original walrus']);
  });
});

describe('memories', () => {
  test('take their metadata by the old names too', async () => {
    const answer = await server.remember(database, [
      { id: 'old-names', text: 'The kiln is cold.', tenant_metadata: { a: 1 }, document_metadata: { b: 2 } },
    ]);
    expect(answer.body.meta.deprecation.map((entry: any) => entry.deprecated_field)).toEqual([
      'tenant_metadata',
      'document_metadata',
    ]);
    const { body } = await server.rest('POST', '/query', {
      json: {
        database,
        type: 'memory',
        query: 'kiln',
        metadata_filters: { a: 1, additional_metadata: { b: 2 } },
      },
    });
    expect(body.data.chunks.map(({ id }: any) => id)).toEqual(['old-names']);
  });

  test('text and conversations are stored verbatim and found', async () => {
    const answer = await server.remember(database, [
      {
        id: 'tea',
        text: 'Alice prefers green tea in the morning.',
        user_name: 'Alice',
        observation_date: '2026-02-28',
      },
      {
        id: 'talk',
        user_assistant_pairs: [{ user: 'Which airport?', assistant: 'Book Schiphol, never Heathrow.' }],
      },
    ]);
    expect(answer.status).toBe(202);
    expect(answer.body.data.results).toMatchObject([
      { id: 'tea', status: 'queued', infer: false, title: 'Alice prefers green tea in the morning.' },
      { id: 'talk', status: 'queued', infer: false },
    ]);
    expect(answer.body.meta.source_type).toBe('memory');
    const found = await server.rest('POST', '/query', {
      json: { database, query: 'Schiphol or Heathrow', type: 'memory' },
    });
    expect(found.body.data.chunks[0]).toMatchObject({ id: 'talk', source_type: 'memory' });
    const knowledge = await server.rest('POST', '/query', { json: { database, query: 'green tea' } });
    expect(knowledge.body.data.chunks.filter((c: any) => c.id === 'tea')).toEqual([]);
  });

  test.each([
    ['neither text nor pairs', [{ id: 'x' }], /memories\[0\] needs text or user_assistant_pairs/],
    [
      'blank pairs',
      [{ id: 'x', text: '', user_assistant_pairs: [{ user: '', assistant: ' ' }] }],
      /memories\[0\] needs text or user_assistant_pairs/,
    ],
    ['a bad date', [{ text: 'x', observation_date: '2026-02-30' }], /observation_date/],
    ['the year 0', [{ text: 'x', observation_date: '0000-01-01' }], /observation_date "0000-01-01" is not/],
    [
      'custom_instructions without infer',
      [{ text: 'x', custom_instructions: 'food only' }],
      /memories\[0\]\.custom_instructions are only for memories with infer/,
    ],
    [
      'custom_instructions of 4,001 characters',
      [{ text: 'x', infer: true, custom_instructions: 'x'.repeat(4001) }],
      /custom_instructions has 4001 characters; at most 4000/,
    ],
    ['metadata as a list', [{ text: 'x', metadata: [] }], /metadata must be an object/],
    ['no item', [], /at least one/],
    ['half a surrogate pair', [{ text: 'x\ud800' }], /Unicode/],
  ])('refuses %s', async (_case, memories, reason) => {
    await expectRefused(
      () => server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } }),
      400,
      reason,
    );
  });

  test('are read from multipart and urlencoded forms too', async () => {
    const memories = JSON.stringify([{ id: 'form', text: 'From a form.' }]);
    const multipart = new FormData();
    const urlencoded = new URLSearchParams();
    for (const form of [multipart, urlencoded]) {
      form.append('tenant_id', database);
      form.append('type', 'memory');
      form.append('memories', memories);
      const answer = await server.rest('POST', '/context/ingest', { form });
      expect([answer.status, answer.body.data.results[0].id]).toEqual([202, 'form']);
      expect(answer.body.meta.deprecation[0].deprecated_field).toBe('tenant_id');
    }
  });
});

describe('the request', () => {
  test.each([
    ['type all', { type: 'all' }, 'CORPUS_TYPE_UNSUPPORTED', /type/],
    ['an unknown type', { type: 'other' }, 'CORPUS_TYPE_UNSUPPORTED', /type/],
    ['upsert maybe', { upsert: 'maybe' }, 'INVALID_INPUT', /upsert/],
    ['a collection with a comma', { collection: 'a,b' }, 'INVALID_INPUT', /comma/],
    ['a collection with a control character of C1', { collection: 'a\u009fb' }, 'INVALID_INPUT', /control/],
    ['a collection of 256 characters', { collection: 'c'.repeat(256) }, 'INVALID_INPUT', /255/],
    ['database under two names', { tenant_id: 'other' }, 'INVALID_INPUT', /tenant_id/],
    ['broken JSON', { document_metadata: '[{' }, 'INVALID_INPUT', /document_metadata must be valid JSON/],
  ])('with %s is 400', async (_case, fields, code, reason) => {
    const answer = await expectRefused(() => server.upload(database, { 'a.txt': 'a' }, fields), 400, reason);
    expect(answer.body.error.code).toBe(code);
  });

  test('with nothing to ingest is 400; with a foreign content type 415', async () => {
    await expectRefused(() => server.upload(database, {}), 400, /documents/);
    await expectRefused(
      () => server.rest('POST', '/context/ingest', { raw: '<a/>', headers: { 'content-type': 'text/xml' } }),
      415,
      /./,
    );
  });

  test('to an unknown database is 404', async () => {
    await expectRefused(() => server.upload('nowhere', { 'a.txt': 'a' }), 404, /nowhere/);
  });
});

describe('re-ingest', () => {
  test('the old version stays searchable until the new one is, and then is gone everywhere', async () => {
    const name = await server.database();
    const search = async () => {
      const answer = await server.rest('POST', '/query', {
        json: { database: name, query: 'giraffe', type: 'memory' },
      });
      return answer.body.data.chunks.map((c: any) => c.chunk_content);
    };
    await server.remember(name, [{ id: 'g', text: 'giraffe one' }]);
    await server.rest('POST', '/context/ingest', {
      json: { database: name, type: 'memory', memories: [{ id: 'g', text: 'giraffe two' }] },
    });
    const status = await server.rest('GET', `/context/status?database=${name}&id=g`);
    expect(status.body.data.statuses[0].indexing_status).toBe('queued');
    expect(await search()).toEqual(['giraffe one']);
    await server.idle();
    expect(await search()).toEqual(['giraffe two']);
    const id = await server.databaseId(name);
    expect(await server.sql(`select content from chunks_${id}_memory`)).toEqual([{ content: 'giraffe two' }]);
    expect(await server.sql('select 1 from sources where database_id = $1', [id])).toHaveLength(1);
    const counts = await server.sql<{ sum: string }>(
      `select sum(amount) from term_frequencies_${id}_memory where term = 0`,
    );
    expect(Number(counts[0]?.sum)).toBe(1);
  });

  test('many concurrent writers of the same ids: all answer 202 and one version of each is left', async () => {
    const name = await server.database();
    const write = (n: number) =>
      server.rest('POST', '/context/ingest', {
        json: {
          database: name,
          type: 'memory',
          memories: ['a', 'b', 'c'].map((id) => ({ id, text: `${id} by writer ${n}` })),
        },
      });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => write(n)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(202));
    await server.idle();
    const stats = await server.rest('GET', `/databases/stats?database=${name}`);
    expect(stats.body.data.memory_collection.row_count).toBe(3);
  });
});
