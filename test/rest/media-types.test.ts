import { expect, test } from '@jest/globals';
import { PARSERS, mediaTypeOf } from '../../src/ingestion/parsers/parsers.js';
import { TestServer } from '../support/server.js';

test.each([
  ['a.pdf', 'text/plain', 'application/pdf'],
  ['a.md', 'application/octet-stream', 'text/markdown'],
  ['a.txt', 'text/html', 'text/plain'],
  ['a.JPG', 'image/png', 'image/jpeg'],
  ['a.png', 'image/jpeg', 'image/png'],
  ['a.tsv', 'text/csv', 'text/tab-separated-values'],
  ['a.xml', 'Text/XML; charset=utf-8', 'text/xml'],
  ['a.html', null, 'text/html'],
  ['a', 'application/pdf', 'application/pdf'],
  ['a', 'text/plain ; charset=utf-8', 'text/plain'],
  ['a.unknown', null, 'application/octet-stream'],
  ['a', 'no type', 'application/octet-stream'],
])('%s sent as %s is %s', (filename, sent, type) => {
  expect(mediaTypeOf(filename, sent)).toBe(type);
});

test('every extension that is read has a type', () => {
  for (const extension of PARSERS.flatMap(({ extensions }) => extensions))
    expect(mediaTypeOf(`a.${extension}`, 'application/octet-stream')).toMatch(
      /^(?!.*octet-stream)\w+\/[\w.+-]+$/,
    );
});

test('a document is shown and downloaded as what its name says', async () => {
  const server = await TestServer.start();
  try {
    const database = await server.database();
    const form = new FormData();
    form.append('database', database);
    form.append('document_metadata', '[{"id":"a"}]');
    form.append('documents', new Blob(['# words'], { type: 'text/plain' }), 'a.md');
    await server.rest('POST', '/context/ingest', { form });
    await server.idle();
    const { body } = await server.rest('GET', `/context/inspect?database=${database}&id=a&mode=both`);
    expect(body.data.content_type).toBe('text/markdown');
    expect((await fetch(body.data.presigned_url)).headers.get('content-type')).toBe('text/markdown');
  } finally {
    await server.stop();
  }
});
