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
