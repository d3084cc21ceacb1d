import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { TestServer } from '../support/server.js';
import type { Answer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const boundary = 'plover';
const ofForm = `multipart/form-data; boundary=${boundary}`;
const formOf = (parts: readonly [string, string][]) =>
  `${parts.map(([headers, content]) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`).join('')}--${boundary}--\r\n`;
/** Each character is one byte. */
const sendBytes = (raw: string, contentType = ofForm) =>
  server.rest('POST', '/context/ingest', {
    raw: new Uint8Array(Buffer.from(raw, 'latin1')),
    headers: { 'content-type': contentType },
  });
/** Sends a form of parts as they stand: their headers and their content. */
const sendParts = (parts: readonly [string, string][], path = '/context/ingest'): Promise<Answer> =>
  server.rest('POST', path, {
    raw: formOf(parts),
    headers: { 'content-type': ofForm },
  });
const part = (name: string, content: string, more = ''): [string, string] => [
  `Content-Disposition: form-data; name="${name}"${more}`,
  content,
];
const asJson = '\r\nContent-Type: application/json; charset=utf-8';
const titles = async (ids: string[]) => {
  const { body } = await server.rest('POST', '/context/list', { json: { database, ids } });
  return body.data.sources.map((source: { title: string }) => source.title);
};

describe('a form that is not UTF-8', () => {
  const memories = '[{"id":"cafe","text":"caf\xe9"}]';
  const intoDatabase = (...parts: [string, string][]) =>
    sendBytes(formOf([part('database', database), part('type', 'memory'), ...parts]));
  const refusals = async (answers: Promise<Answer>[]) =>
    (await Promise.all(answers)).map(({ status, body }) => [status, body.error?.message]);

  test('is refused, its field named', async () => {
    const urlEncoded = 'application/x-www-form-urlencoded';
    const start = `database=${database}&type=memory&memories=`;
    expect(
      await refusals([
        intoDatabase(part('memories', memories)),
        intoDatabase(part('memories', memories, '; filename="m.json"')),
        intoDatabase(part('memories', memories, '\r\nContent-Type: text/plain; charset=utf-8')),
        sendBytes(start + encodeURIComponent(memories).replace('%C3%A9', '%E9'), urlEncoded),
        sendBytes(start + memories, urlEncoded),
      ]),
    ).toEqual([
      ...Array.from({ length: 4 }, () => [400, 'memories must be UTF-8']),
      [400, 'body must be UTF-8'],
    ]);
  });

  test('is read when its part says in which charset it is', async () => {
    const type = '\r\nContent-Type: text/plain; charset=ISO-8859-1';
    const sent = await intoDatabase(
      part('memories', memories, type),
      part('tenant_id', database, '\r\nContent-Type: text/plain; charset=US-ASCII'),
    );
    expect([sent.status, sent.body.error]).toEqual([202, null]);
    await server.idle();
    const read = await server.rest('GET', `/context/inspect?database=${database}&id=cafe`);
    expect(read.body.data.content).toContain('café');
  });

  test('in the name of a file is refused; U+FFFD in UTF-8 is a character like others', async () => {
    const file = (name: string) =>
      sendBytes(formOf([part('database', database), part('documents', 'x', `; filename="${name}"`)]));
    expect(await refusals([file('caf\xe9.txt'), file('caf\xc3\xa9.txt'), file('\xef\xbf\xbd.txt')])).toEqual([
      [400, 'documents must have its names in UTF-8'],
      [202, undefined],
      [202, undefined],
    ]);
  });
});

describe('a part of a form', () => {
  test('that says it is JSON is read as the same text without that', async () => {
    const memories = [{ id: 'typed', text: 'a fact of 12345678901234567890' }];
    const answer = await sendParts([
      part('database', database, asJson),
      part('type', 'memory', '\r\nContent-Type: application/jsonlines'),
      part('memories', JSON.stringify(memories), asJson),
      part('graph_payload', JSON.stringify({ typed: { entities: {}, relations: [] } }), asJson),
    ]);
    expect([answer.status, answer.body.error]).toEqual([202, null]);
    expect(answer.body.data.results).toMatchObject([{ id: 'typed', status: 'queued' }]);
    const files = await sendParts([
      part('database', database),
      part('app_knowledge', '[{"id":"app","title":"App","content":{"text":"x"}}]', asJson),
      part('document_metadata', '[{"id":"file"}]', asJson),
      part('documents', 'words', '; filename="a.txt"\r\nContent-Type: text/plain'),
    ]);
    expect(files.body.data.results.map(({ id }: { id: string }) => id)).toEqual(['file', 'app']);
    const broken = await sendParts([part('database', database), part('memories', '[{', asJson)]);
    expect([broken.status, broken.body.error.message]).toEqual([400, 'memories must be valid JSON']);
  });

  test('that is a document needs no file name: its content type decides, and E1002 what has no parser', async () => {
    const document = (content: string, type?: string) =>
      part('documents', content, type ? `\r\nContent-Type: ${type}` : '');
    const answer = await sendParts([
      part('database', database),
      part('document_metadata', '[{"id":"html"},{"id":"json"},{"id":"plain"},{"id":"bytes"}]'),
      document('<p>Otters swim.</p>', 'text/html; charset=utf-8'),
      document('{"otters":"swim"}', 'application/json'),
      document('Otters swim.'),
      document('Otters swim.', 'application/octet-stream'),
    ]);
    expect([answer.status, answer.body.error]).toEqual([202, null]);
    expect(
      answer.body.data.results.map(({ id, status, error_code, filename }: any) => [
        id,
        status,
        error_code,
        filename,
      ]),
    ).toEqual([
      ['html', 'queued', null, 'document'],
      ['json', 'queued', null, 'document'],
      ['plain', 'queued', null, 'document'],
      ['bytes', 'failed', 'E1002', 'document'],
    ]);
    await server.idle();
    const chunks = await server.rest('GET', `/context/chunks?database=${database}&id=html`);
    expect(chunks.body.data.chunks[0].chunk_content).toContain('Otters swim.');
    expect(chunks.body.data.chunks[0].chunk_content).not.toContain('<p>');
    expect(await titles(['html'])).toEqual(['document']);
  });

  test('that is a document is read in the charset that it names, unless it shows another', async () => {
    const document = (name: string, type: string, hex: string) =>
      part(
        'documents',
        Buffer.from(hex, 'hex').toString('latin1'),
        `; filename="${name}"\r\nContent-Type: ${type}`,
      );
    const russian = 'Привет, как дела? Завтра встреча в девять утра.';
    const answer = await sendBytes(
      formOf([
        part('database', database),
        part('document_metadata', '[{"id":"cyrillic"},{"id":"chinese"},{"id":"lying"},{"id":"java"}]'),
        document('a.txt', 'text/plain; charset=windows-1251', 'cfeef7f2e0'),
        document('b.csv', 'text/csv; charset=gbk', 'c3fbb3c62cb3c7cad00ad5c5c8fd2cb1b1bea90a'),
        document('c.txt', 'text/plain; charset=windows-1251', Buffer.from('Grüße').toString('hex')),
        document('d.txt', 'text/plain; charset=ISO-8859-1', iconv.encode(russian, 'win1251').toString('hex')),
      ]),
    );
    expect([answer.status, answer.body.error]).toEqual([202, null]);
    await server.idle();
    const texts = ['cyrillic', 'chinese', 'lying', 'java'].map(async (id) => {
      const read = await server.rest('GET', `/context/chunks?database=${database}&id=${id}`);
      return read.body.data.chunks[0].chunk_content;
    });
    expect(await Promise.all(texts)).toEqual(['Почта', '名称: 张三; 城市: 北京', 'Grüße', russian]);
    const shown = await server.rest('GET', `/context/inspect?database=${database}&id=chinese`);
    expect(shown.body.data.content_type).toBe('text/csv');
  });

  test('that is a document is called by its extended name, when it has one', async () => {
    const answer = await sendParts([
      part('database', database),
      part('documents', 'x', '; filename="a.txt"; filename*=UTF-8\'\'na%C3%AFve.txt'),
    ]);
    expect(answer.body.data.results[0].filename).toBe('naïve.txt');
  });

  test('of documents without a name and without content is no document', async () => {
    const answer = await sendParts([
      part('database', database),
      part('type', 'memory'),
      part('memories', '[{"id":"alone","text":"x"}]'),
      part('documents', ''),
      part('documents', '', '; filename=""\r\nContent-Type: application/octet-stream'),
    ]);
    expect([answer.status, answer.body.data?.results.length]).toEqual([202, 1]);
  });
});

describe('a part of a form that no parameter is called like', () => {
  const bytes = ['\xff\xfe\x80', '; filename="a.pdf"\r\nContent-Type: application/pdf'] as const;

  test('is passed over, whatever it holds', async () => {
    const answer = await sendParts([
      part('database', database),
      part('preview', ...bytes),
      part('note', '\xff'),
      part('documents', 'Otters swim.', '; filename="a.txt"'),
      part('attachment', ...bytes),
    ]);
    expect([answer.status, answer.body.error]).toEqual([202, null]);
    expect(answer.body.data.results).toMatchObject([{ filename: 'a.txt', status: 'queued' }]);
    const memories = await sendParts([
      part('database', database),
      part('type', 'memory'),
      part('file', ...bytes),
      part('memories', '[{"text":"x"}]'),
    ]);
    expect([memories.status, memories.body.data?.success_count]).toEqual([202, 1]);
  });

  test.each(['file', 'documents[]'])(
    'is 400 when nothing else is to be ingested than its file: %s',
    async (name) => {
      const answer = await sendParts([part(name, ...bytes), part('database', database)]);
      expect([answer.status, answer.body.error?.message]).toEqual([
        400,
        `documents must be the name of every part with a file, not "${name}"`,
      ]);
      const nowhere = await sendParts([part(name, ...bytes), part('database', 'nowhere')]);
      expect([nowhere.status, nowhere.body.error.code]).toEqual([404, 'DATABASE_NOT_FOUND']);
    },
  );
});

test('an upload of GraphQL needs no file name either', async () => {
  const query = `mutation ($documents: [Upload!]) {
    ingest(input: { database: "${database}" }, documents: $documents) { results { filename errorCode } }
  }`;
  const upload = (type: string) =>
    sendParts(
      [
        part('operations', JSON.stringify({ query, variables: { documents: [null] } })),
        part('map', '{"0": ["variables.documents.0"]}'),
        part('0', 'Otters swim.', `\r\nContent-Type: ${type}`),
      ],
      '/graphql',
    );
  const bytes = await upload('application/octet-stream');
  expect(bytes.body.data?.ingest.results).toEqual([{ filename: 'document', errorCode: 'E1002' }]);
  const text = await upload('text/html');
  expect(text.body.data?.ingest.results).toEqual([{ filename: 'document', errorCode: null }]);
});

test('documents that are no files are 400, not left out', async () => {
  const app_knowledge = [{ id: 'app', title: 'App', content: { text: 'x' } }];
  for (const documents of ['text', ['text'], [{ text: 'x' }]]) {
    const answer = await server.rest('POST', '/context/ingest', {
      json: { database, app_knowledge, documents },
    });
    expect([answer.status, answer.body.error?.message]).toEqual([
      400,
      'documents must be files, each a part of a multipart form',
    ]);
  }
  for (const documents of [null, [], '']) {
    const answer = await server.rest('POST', '/context/ingest', {
      json: { database, app_knowledge, documents },
    });
    expect(answer.status).toBe(202);
  }
});

test('document_metadata of memories names files that are not there: 400', async () => {
  const answer = await server.rest('POST', '/context/ingest', {
    json: {
      database,
      type: 'memory',
      memories: [{ id: 'm', text: 'x' }],
      document_metadata: [{ id: 'd' }],
      graph_payload: { d: { entities: {}, relations: [] } },
    },
  });
  expect([answer.status, answer.body.error?.message]).toEqual([
    400,
    'document_metadata has 1 items for 0 documents; send one per file',
  ]);
});
