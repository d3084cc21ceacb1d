import { describe, expect, test } from '@jest/globals';
import { epub } from '../../src/ingestion/parsers/epub.js';
import { epubFile, type Book } from '../support/files/epub.js';
import { noContext } from '../support/files/reading.js';

const parse = (book: Book) => epub.parse(epubFile(book), noContext);

describe('epub', () => {
  test('follows the order of reading, names chapters, and tolerates a missing one', async () => {
    const document = await parse({
      pages: { 'a.xhtml': '<p>Second</p>', 'b.xhtml': '<p>First</p><h1>Head</h1><p>Under</p>' },
      spine: ['b.xhtml', 'gone.xhtml', 'a.xhtml'],
      labels: { 'a.xhtml': 'Chapter A' },
    });
    expect(document).toEqual({
      title: 'The Book',
      blocks: [
        { text: 'First', headings: [], layout: { file: 'text/b.xhtml' } },
        { text: 'Under', headings: ['Head'], layout: { file: 'text/b.xhtml' } },
        { text: 'Second', headings: ['Chapter A'], layout: { file: 'text/a.xhtml' } },
      ],
    });
  });

  test('reads a file once whose sections are listed one by one', async () => {
    const { blocks } = await parse({
      pages: { 'a.xhtml': '<p>One</p><p id="s2">Two</p>' },
      spine: ['a.xhtml', 'a.xhtml#s2', 'a.xhtml#s3'],
    });
    expect(blocks.map(({ text }) => text)).toEqual(['One', 'Two']);
  });

  test('keeps notes that a reader shows only when they are tapped', async () => {
    const { blocks } = await parse({
      pages: {
        'a.xhtml': '<p>Text<a id="x"/></p><aside epub:type="footnote" hidden="hidden"><p>Foot.</p></aside>',
      },
      spine: ['a.xhtml'],
    });
    expect(blocks.map(({ text }) => text)).toEqual(['Text', 'Foot.']);
  });

  const notesOf = {
    'a file of its own': (text: string) => ({
      'a.xhtml': text.replaceAll('#n', 'n.xhtml#n'),
      'n.xhtml':
        '<h1>Notes</h1><ol><li id="n1"><p>Until 1910. <a href="a.xhtml#r1">↩</a></p></li><li id="n2">By gas.</li><li id="n3">Never called.</li></ol>',
    }),
    'the same chapter, as paragraphs that begin with their number': (text: string) => ({
      'a.xhtml': `${text}<p><a id="n1" href="#r1">[1]</a> Until 1910.</p><div class="footnote"><p><a href="#r2" id="n2">2</a> By gas.</p></div><p>Never called.</p>`,
    }),
  };
  test.each(Object.entries(notesOf))(
    'tells notes behind the paragraph that calls them, from %s',
    async (_, pagesOf) => {
      const calls =
        '<p id="s1">Keepers lived there<a id="r1" href="#n1"><sup>1</sup></a> with light<a id="r2" epub:type="noteref" href="#n2">[2]</a>.</p><p>And<a epub:type="noteref" href="#n1">1</a> more.</p>' +
        '<p>See part <a href="#s1">1</a>.</p>';
      const pages = pagesOf(calls);
      const { blocks } = await parse({ pages, spine: Object.keys(pages) });
      expect(blocks.map(({ text }) => text)).toEqual([
        'Keepers lived there[1] with light[2].',
        '[1] Until 1910.',
        '[2] By gas.',
        'And[1] more.',
        'See part 1.',
        expect.stringContaining('Never called.'),
      ]);
    },
  );

  test('refuses a book whose chapters are encrypted, not one whose fonts are disguised', async () => {
    const encryption = (algorithm: string, file: string) => ({
      'META-INF/encryption.xml': `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="${file}"/></CipherData></EncryptedData></encryption>`,
    });
    const book = { pages: { 'a.xhtml': '<p>Text</p>' }, spine: ['a.xhtml'] };
    await expect(
      parse({
        ...book,
        files: encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OPS/text/a.xhtml'),
      }),
    ).rejects.toMatchObject({ code: 'E1001', message: expect.stringContaining('encrypted') });
    const disguised = encryption('http://www.idpf.org/2008/embedding', 'OPS/font.otf');
    expect((await parse({ ...book, files: disguised })).blocks).toHaveLength(1);
  });
});
