import { describe, expect, test } from '@jest/globals';
import { titledDocument } from '../../src/ingestion/parsers/titled-document.js';
import { epubFile } from '../support/files/epub.js';
import { bytesOf, textsOf } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';

const settings = { ocrLanguages: [] };
const page = (title: string, body: string) => bytesOf(`<title>${title}</title><body>${body}</body>`);

describe('the title of a file', () => {
  test('is its first block, under the headings of what follows and where that stands', async () => {
    const html = await parseFile(
      { name: 'a.html', bytes: page('Storks – The Mill', '<h1>Birds</h1><p>They came back.</p>') },
      settings,
    );
    expect(html.blocks).toEqual([
      { text: 'Storks – The Mill', headings: ['Birds'] },
      { text: 'They came back.', headings: ['Birds'] },
    ]);
    const book = epubFile({ pages: { 'a.xhtml': '<p>Words</p>' }, spine: ['a.xhtml'] });
    expect((await parseFile({ name: 'a.epub', bytes: book }, settings)).blocks).toEqual([
      { text: 'The Book', headings: [], layout: { file: 'text/a.xhtml' } },
      { text: 'Words', headings: [], layout: { file: 'text/a.xhtml' } },
    ]);
  });

  test.each([
    ['a heading', '<h2>The  storks</h2><p>They came back.</p>'],
    ['a heading further down', '<p>April.</p><h1>The storks</h1><p>They came back.</p>'],
    ['the beginning', '<p>Of the storks, and what they did.</p>'],
  ])('is not repeated where %s says it', async (_what, body) => {
    const { blocks } = await parseFile({ name: 'a.html', bytes: page('The storks', body) }, settings);
    expect(blocks.filter(({ text }) => text === 'The storks')).toEqual([]);
  });

  test('is not repeated where the item is called so, but for files within it', async () => {
    const file = { name: 'a.html', bytes: page('The storks', '<p>They came back.</p>') };
    expect(textsOf(await parseFile(file, { ...settings, itemTitle: 'The storks' }))).toEqual([
      'They came back.',
    ]);
    const mail = bytesOf(
      `From: a@b.c\nSubject: The storks\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; name=a.html\nContent-Disposition: attachment\n\n<title>The nest</title><p>Of twigs.</p>\n--b--\n`,
    );
    const { blocks } = await parseFile(
      { name: 'a.eml', bytes: mail },
      { ...settings, itemTitle: 'The nest' },
    );
    expect(blocks).toContainEqual({
      text: 'The nest',
      headings: ['a.html'],
      layout: { file: 'a.html' },
    });
  });

  test('is no part of another word, and may hold any signs', () => {
    const titled = (title: string, text: string) =>
      textsOf(titledDocument({ title, blocks: [{ text, headings: [] }] }, undefined));
    expect(titled('Art', 'The party.')).toEqual(['Art', 'The party.']);
    expect(titled('C++ (a+b)*', 'Of c++ (a+b)*, in short.')).toEqual(['Of c++ (a+b)*, in short.']);
    expect(titled('x'.repeat(100_000), 'Words')).toHaveLength(2);
  });
});
