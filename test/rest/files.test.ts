import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HOSTILE_FILES, LABORIOUS_FILES } from '../support/files/hostile-files.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

interface Status {
  readonly indexing_status: string;
  readonly error_code: string;
  readonly error_message: string;
}

/** Uploads files in one request with their names as ids, and tells what became of each. */
async function ingest(files: Record<string, string | Uint8Array>): Promise<Map<string, Status>> {
  const names = Object.keys(files);
  const answer = await server.upload(database, files, {
    document_metadata: JSON.stringify(names.map((id) => ({ id }))),
  });
  expect([answer.status, answer.body.data.failed_count]).toEqual([202, 0]);
  await server.idle();
  const ids = names.map((name) => `ids=${encodeURIComponent(name)}`).join('&');
  const { body } = await server.rest('GET', `/context/status?database=${database}&${ids}`);
  return new Map(body.data.statuses.map((status: Status & { id: string }) => [status.id, status]));
}

async function idsFound(query: string): Promise<string[]> {
  const { body } = await server.rest('POST', '/query', { json: { database, query } });
  return body.data.chunks.map(({ id }: { id: string }) => id);
}

test('files that cannot be read end E1001 and say why, and the good one beside them is found', async () => {
  const bytes = Object.fromEntries(Object.entries(HOSTILE_FILES).map(([name, file]) => [name, file.bytes]));
  const statuses = await ingest({ ...bytes, 'good.txt': 'The otter keeps a pebble under its arm.' });
  for (const [name, { says }] of Object.entries(HOSTILE_FILES)) {
    expect({ name, ...statuses.get(name) }).toMatchObject({
      name,
      indexing_status: 'errored',
      error_code: 'E1001',
      error_message: expect.stringMatching(says),
    });
  }
  expect(statuses.get('good.txt')).toMatchObject({ indexing_status: 'completed', error_code: '' });
  expect(await idsFound('otter pebble')).toContain('good.txt');
});

test('files that are laborious to read end, and the good one beside them is found', async () => {
  const statuses = await ingest({ ...LABORIOUS_FILES, 'good.md': '# Badgers\n\nThe badger digs a sett.' });
  for (const [name, { indexing_status: status, error_code: code }] of statuses)
    expect([name, status, code]).toEqual([name, ...(code ? ['errored', code] : ['completed', ''])]);
  expect([...statuses.values()].map((status) => status.error_code)).not.toContain('E9001');
  expect(statuses.get('good.md')).toMatchObject({ indexing_status: 'completed' });
  expect(await idsFound('badger sett')).toContain('good.md');
});

test('files with embedded pictures of millions of characters are read without them, and millions of blank lines', async () => {
  const picture = Buffer.alloc(9_000_000, 'the picture').toString('base64');
  const uri = `data:image/png;base64,${picture}`;
  const statuses = await ingest({
    'picture.md': `# Storks\n\nThe stork nests on roofs. ![nest][1]\n\n[1]: <${uri}>\n`,
    'picture.json': JSON.stringify({ note: 'The stork clatters.', bytes: picture, picture: uri }),
    'blank.txt': `The stork flies south.${'\n'.repeat(10_000_000)}It returns.`,
  });
  for (const status of statuses.values())
    expect(status).toMatchObject({ indexing_status: 'completed', error_code: '' });
  expect(await idsFound('stork')).toEqual(expect.arrayContaining([...statuses.keys()]));
});

test('characters that no row can hold are left out, and what stands around them is found', async () => {
  // As escapes they are good JSON.
  const escapes = String.raw`{"heron\u0000": "The heron\u0000 stands \ud83d on one leg \udc26.", "rows": ["\u0000"]}`;
  const statuses = await ingest({ 'escapes.json': escapes, 'escapes.jsonl': `${escapes}\n${escapes}` });
  for (const status of statuses.values())
    expect(status).toMatchObject({ indexing_status: 'completed', error_code: '' });
  expect(await idsFound('heron one leg')).toEqual(expect.arrayContaining([...statuses.keys()]));
  const { body } = await server.rest(
    'GET',
    `/context/chunks?database=${database}&type=knowledge&id=escapes.json`,
  );
  expect(body.data.chunks[0].chunk_content).toContain('The heron stands \ufffd on one leg \ufffd.');
});

test('a file of many chunks is stored whole, each with its place, and nothing of it is left on disk', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => `${n + 1},river ${n + 1} ${'water '.repeat(5)}`);
  await ingest({ 'rivers.csv': `number,name\n${rows.join('\n')}\n` });
  const { body } = await server.rest(
    'GET',
    `/context/chunks?database=${database}&type=knowledge&id=rivers.csv&limit=1000`,
  );
  const { chunks, is_truncated: isTruncated } = body.data;
  const lines = chunks.flatMap(({ chunk_content: content }: { chunk_content: string }) =>
    content.split('\n'),
  );
  expect(isTruncated).toBe(false);
  expect(lines).toEqual(rows.map((row) => `number: ${row.trim().replace(',', '; name: ')}`));
  expect(chunks[1].layout.first.row).toBe(chunks[0].layout.last.row + 1);
  expect(chunks.at(-1).layout.last).toEqual({ row: 3001 });
  expect(readdirSync(join(server.dataDir, 'incoming'))).toEqual([]);
});

test('a file in a request for memories is 400, and nothing of the request is stored', async () => {
  const stored = async () => {
    const totals = ['knowledge', 'memory'].map(async (type) => {
      const { body } = await server.rest('GET', `/context/list?database=${database}&type=${type}`);
      return body.data.total as number;
    });
    return Promise.all(totals);
  };
  const before = await stored();
  const fields = { type: 'memory', memories: JSON.stringify([{ text: 'beside a file' }]) };
  const { status, body } = await server.upload(database, { 'beside.txt': 'beside a memory' }, fields);
  expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
  expect(body.error.message).toMatch(/^documents are only for type knowledge/);
  expect(await stored()).toEqual(before);
});
