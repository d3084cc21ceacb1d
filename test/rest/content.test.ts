import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
let database: string;
const markdown = `# Garden\n\nThe pond is deep.\n\n## Tools\n\nA spade.\n\n${'Weeds grow between the stones. '.repeat(300)}\n\n## Paths\n\nThe gate squeaks.\n`;
const bytes = new TextEncoder().encode(markdown);

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const form = new FormData();
  form.append('database', database);
  form.append('document_metadata', '[{"id":"garden"}]');
  form.append('documents', new Blob([bytes], { type: 'text/markdown' }), 'gärten (a).md');
  await server.rest('POST', '/context/ingest', { form });
  await server.rest('POST', '/context/ingest', {
    json: {
      database,
      app_knowledge: [
        { id: 'mail', kind: 'email', title: 'Hello', fields: { body: 'The mail says hello.' } },
      ],
    },
  });
  await server.remember(database, [
    { id: 'tea', text: 'I prefer green tea.', infer: true, user_name: 'Ann' },
    { id: 'garden', text: 'A memory of the garden.' },
    { id: 'anns', text: 'for ann', acl: ['ann'] },
    { id: 'nobodys', text: 'for nobody', acl: [] },
  ]);
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, principals, created_at)
     select 'bob', account_id, secret_hash, 'bob', '{write}', '{bob}', created_at from api_keys where prefix = 'test'`,
  );
});
afterAll(async () => server.stop());

const bobKey = `bob.${adminKey.split('.')[1]}`;
const get = (path: string, parameters: Record<string, string>, key?: string) => {
  const query = new URLSearchParams({ database, ...parameters });
  return server.rest('GET', `${path}?${query.toString()}`, key ? { key } : {});
};
const inspect = (parameters: Record<string, string>, key?: string) =>
  get('/context/inspect', parameters, key);
const chunks = (parameters: Record<string, string>, key?: string) => get('/context/chunks', parameters, key);
const linkTo = async (parameters: Record<string, string>): Promise<string> =>
  (await inspect({ mode: 'url', ...parameters })).body.data.presigned_url;
const words = (text: string) => text.replace(/[#\s]+/g, ' ').trim();

describe('inspect', () => {
  test('answers the text that was indexed, headings in their places, nothing twice', async () => {
    const answer = await inspect({ id: 'garden' });
    expect([answer.status, answer.body.meta.source_type]).toEqual([200, 'knowledge']);
    const { content, ...rest } = answer.body.data;
    expect(words(content)).toBe(words(markdown));
    expect(rest).toEqual({
      id: 'garden',
      source_id: 'garden',
      title: expect.any(String),
      inferred_content: null,
      presigned_url: null,
      content_type: 'text/markdown',
      size_bytes: bytes.length,
      message: 'found',
    });
  });

  test('of a text that was cut in the middle it has no blank line there', async () => {
    const paragraph = 'The tide table hangs behind the door. '.repeat(200).trim();
    const rows = Array.from(
      { length: 200 },
      (_, n) => `- row ${n} of the list, which is long enough to be cut`,
    );
    const note = `# Boats\n\nShort.\n\n## Tides\n\n${paragraph}\n\n## Rows\n\n${rows.join('\n')}`;
    await server.upload(
      database,
      { 'tides.txt': paragraph, 'boats.md': note },
      { document_metadata: '[{"id":"tides"},{"id":"boats"}]' },
    );
    await server.idle();
    expect((await chunks({ id: 'tides' })).body.data.chunks.length).toBeGreaterThan(2);
    expect((await inspect({ id: 'tides' })).body.data.content).toBe(paragraph);
    const { content } = (await inspect({ id: 'boats' })).body.data;
    expect(content).toBe(`Boats\nShort.\n\nTides\n${paragraph}\n\nRows\n${rows.join('\n')}`);
  });

  test('of app items and memories: the text; without type knowledge comes first, then the memory', async () => {
    expect((await inspect({ id: 'mail' })).body.data.content).toContain('The mail says hello.');
    expect((await inspect({ id: 'tea' })).body.data).toMatchObject({
      content: 'I prefer green tea.',
      inferred_content: expect.stringContaining('green tea'),
      content_type: 'application/json',
    });
    expect((await inspect({ id: 'garden', type: 'memory' })).body.data.content).toBe(
      'A memory of the garden.',
    );
  });

  test('a long text of letters of several bytes comes whole, and so long as is announced', async () => {
    const text = 'Žluťoučký kůň pěl ódy 🐎. '.repeat(4000).trim();
    await server.remember(database, [{ id: 'horse', text }]);
    const answer = await fetch(`${server.url}/context/inspect?database=${database}&id=horse`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    const sent = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-length')).toBe(String(sent.length));
    expect((JSON.parse(sent.toString()) as { data: { content: string } }).data.content).toBe(text);
  });

  test('meta says of which type what was found is', async () => {
    const typeOf = async (answer: ReturnType<typeof get>) => (await answer).body.meta.source_type;
    for (const read of [inspect, chunks]) {
      expect(await typeOf(read({ id: 'tea' }))).toBe('memory');
      expect(await typeOf(read({ id: 'mail' }))).toBe('knowledge');
      expect(await typeOf(read({ id: 'garden', type: 'memory' }))).toBe('memory');
    }
    const chunkOf = async (id: string) => (await chunks({ id })).body.data.chunks[0].chunk_uuid;
    const [tea, mail] = [await chunkOf('tea'), await chunkOf('mail')];
    expect(await typeOf(chunks({ chunk_ids: tea }))).toBe('memory');
    const both = await chunks({ chunk_ids: `${tea},${mail}` });
    expect(both.body.data).not.toHaveProperty('source_type');
    expect(both.body.meta).not.toHaveProperty('source_type');
  });

  test('mode original answers the bytes, or the JSON that was sent', async () => {
    const { content_base64, content, presigned_url } = (await inspect({ id: 'garden', mode: 'original' }))
      .body.data;
    expect(Buffer.from(content_base64, 'base64')).toEqual(Buffer.from(bytes));
    expect([content, presigned_url]).toEqual([null, null]);
    const json = async (id: string) => {
      const { data } = (await inspect({ id, mode: 'original' })).body;
      const text = Buffer.from(data.content_base64, 'base64').toString();
      expect(data.size_bytes).toBe(Buffer.byteLength(text));
      return JSON.parse(text);
    };
    expect(await json('mail')).toMatchObject({ kind: 'email', fields: { body: 'The mail says hello.' } });
    expect(await json('tea')).toMatchObject({ text: 'I prefer green tea.', userName: 'Ann' });
  });

  test('an original that is missing from the storage is named as that, the item is there', async () => {
    await server.upload(database, { 'lost.txt': 'Lost words.' }, { document_metadata: '[{"id":"lost"}]' });
    await server.idle();
    const [{ storage_key: key }] = (await server.sql(
      `select storage_key from sources where id = 'lost'`,
    )) as [{ storage_key: string }];
    rmSync(join(server.dataDir, 'files', key));
    const answer = await inspect({ id: 'lost', mode: 'original' });
    expect([answer.status, answer.body.error]).toEqual([
      404,
      { code: 'SOURCE_NOT_FOUND', message: expect.stringMatching(/^the original file of "lost" is missing/) },
    ]);
    expect((await inspect({ id: 'lost' })).body.data.content).toBe('Lost words.');
    const gone = await inspect({ id: 'nothing', mode: 'original' });
    expect(gone.body.error.message).toBe('source "nothing" does not exist in collection "default"');
    await server.rest('DELETE', '/context', { json: { database, ids: ['lost'] } });
  });

  test('before it is searchable there is no text yet, but the original', async () => {
    await server.upload(database, { 'wait.txt': 'waiting' }, { document_metadata: '[{"id":"wait"}]' });
    const { data } = (await inspect({ id: 'wait', mode: 'both' })).body;
    expect(data).toMatchObject({ content: null, message: 'not searchable yet: queued' });
    expect(await (await fetch(data.presigned_url)).text()).toBe('waiting');
    await server.idle();
    expect((await inspect({ id: 'wait' })).body.data.content).toBe('waiting');
  });

  test('what is unknown, expired or may not be read is 404, each alike', async () => {
    await server.remember(database, [{ id: 'short', text: 'soon gone', expiry_time: 60 }]);
    const link = await linkTo({ id: 'short' });
    expect((await fetch(link)).status).toBe(200);
    server.clock.advance(61);
    for (const read of [inspect, chunks]) {
      const expectMissing = async (parameters: Record<string, string>, code: string, key?: string) => {
        const answer = await read(parameters, key);
        expect([answer.status, answer.body.error.code, answer.body.data]).toEqual([404, code, null]);
      };
      await expectMissing({ id: 'nope' }, 'SOURCE_NOT_FOUND');
      await expectMissing({ id: 'tea', type: 'knowledge' }, 'SOURCE_NOT_FOUND');
      await expectMissing({ id: 'mail', type: 'memory' }, 'MEMORY_NOT_FOUND');
      await expectMissing({ id: 'short', type: 'memory' }, 'MEMORY_NOT_FOUND');
      await expectMissing({ id: 'mail', collection: 'elsewhere' }, 'SOURCE_NOT_FOUND');
      await expectMissing({ id: 'nobodys', type: 'memory' }, 'MEMORY_NOT_FOUND');
      await expectMissing({ id: 'anns', type: 'memory', acl: 'bob' }, 'MEMORY_NOT_FOUND');
      await expectMissing({ id: 'anns', type: 'memory' }, 'MEMORY_NOT_FOUND', bobKey);
      await expectMissing({ id: 'anns', type: 'memory', acl: 'ann' }, 'MEMORY_NOT_FOUND', bobKey);
      expect((await read({ id: 'anns', acl: 'ann' })).status).toBe(200);
      expect((await read({ id: 'anns' })).status).toBe(200);
    }
    expect((await fetch(link)).status).toBe(404);
  });

  test.each([
    ['another mode', { mode: 'all' }, /mode must be one of content, url, both, original/],
    ['59 seconds', { mode: 'url', expiry_seconds: '59' }, /expiry_seconds must be 60 to 604800, not 59/],
    ['604801 seconds', { mode: 'url', expiry_seconds: '604801' }, /expiry_seconds must be 60 to 604800/],
    ['an empty principal', { acl: '["ok",""]' }, /acl\[1\]/],
  ])('%s is 400', async (_case, parameters, message) => {
    const answer = await inspect({ id: 'garden', ...parameters });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(message);
  });

  test('without an id, or of type all, is 400', async () => {
    expect((await inspect({})).body.error.message).toMatch(/id is required/);
    expect((await inspect({ id: 'garden', type: 'all' })).body.error.code).toBe('CORPUS_TYPE_UNSUPPORTED');
  });
});

describe('a signed link', () => {
  test('needs no key and downloads the original as what it is, never as a page', async () => {
    const link = await linkTo({ id: 'garden' });
    expect(link.startsWith(`${server.url}/content/`)).toBe(true);
    const response = await fetch(link);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/markdown',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="g_rten (a).md"; filename*=UTF-8''g%C3%A4rten%20%28a%29.md`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-request-id': expect.any(String),
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(bytes));
    const memory = await fetch(await linkTo({ id: 'tea' }));
    expect(memory.headers.get('content-disposition')).toContain('.json"');
    expect(await memory.json()).toMatchObject({ text: 'I prefer green tea.' });
  });

  test('ends when it expires', async () => {
    const link = await linkTo({ id: 'garden', expiry_seconds: '60' });
    server.clock.advance(58);
    expect((await fetch(link)).status).toBe(200);
    server.clock.advance(3);
    const answer = await server.rest('GET', new URL(link).pathname, { key: null });
    expect([answer.status, answer.body.error.code, answer.body.data]).toEqual([404, 'NOT_FOUND', null]);
  });

  test('forged in any part is 404', async () => {
    const token = (await linkTo({ id: 'garden' })).split('/content/')[1] ?? '';
    const [payload = '', signature = ''] = token.split('.');
    const parts = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
    const later = Buffer.from(JSON.stringify(parts.with(3, Number(parts[3]) + 9999))).toString('base64url');
    for (const forged of [
      `${later}.${signature}`,
      `${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${payload}.`,
      payload,
      `${token}.x`,
      '..%2f..%2fapi-key',
      'x',
    ]) {
      expect((await server.rest('GET', `/content/${forged}`, { key: null })).status).toBe(404);
    }
    expect((await server.rest('GET', `/content/${token}`, { key: null })).status).toBe(200);
  });

  test('ends when the item is replaced, its access list changes, or it is deleted', async () => {
    const send = async (text: string) => {
      await server.upload(database, { 'n.txt': text }, { document_metadata: '[{"id":"n"}]' });
      await server.idle();
    };
    const status = async (link: string) => (await fetch(link)).status;
    await send('one');
    const first = await linkTo({ id: 'n' });
    await send('two');
    const second = await linkTo({ id: 'n' });
    expect([await status(first), await status(second)]).toEqual([404, 200]);
    await server.sql(`update sources set acl = '{ann}' where id = 'n'`);
    const third = await linkTo({ id: 'n', acl: 'ann' });
    expect([await status(second), await status(third)]).toEqual([404, 200]);
    await server.rest('DELETE', '/context', { json: { database, ids: ['n'] } });
    expect(await status(third)).toBe(404);
  });

  test('stands under PUBLIC_URL where that is set, and outlives the server', async () => {
    const [row] = await server.sql<{ count: string }>(
      "select count(*) from secrets where name = 'content-links'",
    );
    expect(row?.count).toBe('1');
    const other = await TestServer.start({
      environment: { PUBLIC_URL: 'https://context.example.com/base/' },
    });
    const name = await other.database();
    await other.remember(name, [{ id: 'known', text: 'a fact' }]);
    const path = `/context/inspect?database=${name}&type=memory&id=known&mode=both`;
    const { data } = (await other.rest('GET', path)).body;
    expect(data.presigned_url).toMatch(/^https:\/\/context\.example\.com\/base\/content\/[\w-]+\.[\w-]+$/);
    expect(data.content).toBe('a fact');
    await other.stop();
  });
});

describe('chunks', () => {
  test('of an item in its order, as many as the limit', async () => {
    const all = (await chunks({ id: 'garden', type: 'knowledge' })).body.data;
    expect(all.chunks.length).toBeGreaterThan(3);
    expect(all.chunks.map(({ position }: any) => position)).toEqual(all.chunks.map((_: any, n: number) => n));
    expect(all).toMatchObject({ is_truncated: false, missing_chunk_ids: [] });
    expect(all.chunks[0]).toEqual({
      chunk_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      id: 'garden',
      source_id: 'garden',
      position: 0,
      chunk_content: expect.stringContaining('pond'),
      layout: expect.objectContaining({ position: 0 }),
      source_type: 'knowledge',
      source_title: expect.any(String),
      collection: 'default',
      sub_tenant_id: 'default',
    });
    const two = (await chunks({ id: 'garden', limit: '2' })).body.data;
    expect([two.chunks, two.is_truncated]).toEqual([all.chunks.slice(0, 2), true]);
    const exact = (await chunks({ id: 'garden', limit: String(all.chunks.length) })).body.data;
    expect(exact.is_truncated).toBe(false);
  });

  test('by their ids, of both kinds; those that may not be read are missing', async () => {
    const idOf = async (id: string) => (await chunks({ id, type: 'memory' })).body.data.chunks[0]?.chunk_uuid;
    const file = (await chunks({ id: 'garden' })).body.data.chunks[1].chunk_uuid;
    const [anns, memory] = [await idOf('anns'), await idOf('garden')];
    const [secret] = await server.sql<{ uuid: string }>(
      `select chunk_uuid as uuid from chunks_${await storeOf()}_memory c join sources s on s.uid = c.source_uid where s.id = 'nobodys'`,
    );
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
    const ids = [file, memory, anns, secret?.uuid, unknown, 'no-uuid'].join(',');
    const ask = async (more: Record<string, string> = {}, key?: string) => {
      const { data } = (await chunks({ chunk_ids: ids, ...more }, key)).body;
      return [data.chunks.map(({ chunk_uuid }: any) => chunk_uuid), data.missing_chunk_ids];
    };
    const never = [secret?.uuid, unknown, 'no-uuid'];
    expect(await ask()).toEqual([[file, memory, anns], never]);
    expect(await ask({ type: 'memory' })).toEqual([
      [memory, anns],
      [file, ...never],
    ]);
    expect(await ask({}, bobKey)).toEqual([
      [file, memory],
      [anns, ...never],
    ]);
    expect(await ask({ acl: 'bob' })).toEqual([
      [file, memory],
      [anns, ...never],
    ]);
    expect(await ask({ id: 'garden', type: 'memory' })).toEqual([[memory], [file, anns, ...never]]);
    expect(await ask({ collection: 'elsewhere' })).toEqual([[], [file, memory, anns, ...never]]);
  });

  test('by their ids in capitals too, each once; what is missing is called as it was asked for', async () => {
    const file = (await chunks({ id: 'garden' })).body.data.chunks[1].chunk_uuid;
    const unknown = '01890A5D-AC96-774B-BCCE-B302099A8057';
    const { data } = (await chunks({ chunk_ids: [unknown, file.toUpperCase(), file, 'No'].join(',') })).body;
    expect(data.chunks.map(({ chunk_uuid }: any) => chunk_uuid)).toEqual([file]);
    expect(data.missing_chunk_ids).toEqual([unknown, 'No']);
  });

  test.each([
    ['neither id nor chunk_ids', {}, /id or chunk_ids is required/],
    ['limit 0', { id: 'garden', limit: '0' }, /limit must be 1 to 1000, not 0/],
    ['limit 1001', { id: 'garden', limit: '1001' }, /limit must be 1 to 1000, not 1001/],
    ['no chunk ids', { chunk_ids: '[]' }, /chunk_ids has 0 ids; it must be 1 to 1000/],
  ])('%s is 400', async (_case, parameters, message) => {
    const answer = await chunks(parameters);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(message);
  });

  test('of a deleted item are gone at once', async () => {
    await server.remember(database, [{ id: 'del', text: 'soon deleted' }]);
    const [{ chunk_uuid: id }] = (await chunks({ id: 'del' })).body.data.chunks;
    await server.rest('DELETE', '/context', { json: { database, type: 'memory', ids: ['del'] } });
    expect((await chunks({ id: 'del' })).status).toBe(404);
    expect((await chunks({ chunk_ids: id })).body.data).toMatchObject({
      chunks: [],
      missing_chunk_ids: [id],
    });
  });
});

const storeOf = () => server.databaseId(database);
