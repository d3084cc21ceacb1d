import { describe, expect, test } from '@jest/globals';
import { epubFile } from '../support/files/epub.js';
import { pptx, relationships, shape, slide } from '../support/files/presentations.js';
import { bytesOf, textsOf } from '../support/files/reading.js';
import { xlsx } from '../support/files/spreadsheets.js';
import { zipped } from '../support/files/zipped.js';
import { parseFile } from '../support/parse-file.js';

const parse = (name: string, bytes: Uint8Array) => parseFile({ name, bytes }, { ocrLanguages: ['eng'] });
const texts = async (name: string, bytes: Uint8Array) => textsOf(await parse(name, bytes));

describe('a sheet of Excel reads', () => {
  test.each([
    [
      'cells that say where they are',
      '<row><c r="$B$1"><v>1</v></c><c><v>2</v></c><c r="A2"><v>3</v></c></row>',
      ['1; 2', '3'],
    ],
    [
      'days in words of ISO',
      '<row><c t="d"><v>2024-01-31T00:00:00</v></c><c t="d"><v>2024-01-31T08:30:00.000Z</v></c></row>',
      ['2024-01-31; 2024-01-31 08:30:00'],
    ],
    [
      'what is wrong, false or missing',
      '<row><c t="e"><v>#N/A</v></c><c t="b"><v>0</v></c><c t="s"><v>99</v></c><c><v>7</v></c></row>',
      ['#N/A; FALSE; 7'],
    ],
    [
      'no readings above characters',
      '<row><c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c><c><v>4</v></c></row>',
      ['東京; 4'],
    ],
    [
      'nothing beyond the last column',
      '<row><c r="A1"><v>1</v></c><c r="ZZZ1"><v>2</v></c><c r="C1"><v>3</v></c></row>',
      ['1; 3'],
    ],
  ])('%s', async (_what, rows, shown) => {
    expect(await texts('a.xlsx', xlsx([{ name: 'S', rows }]))).toEqual(shown);
  });
});

describe('a slide of PowerPoint tells', () => {
  const picture = (words: string) =>
    `<p:pic><p:nvPicPr><p:cNvPr id="2" name="x" descr="${words}"/></p:nvPicPr></p:pic>`;
  const alternatives = (choice: string, fallback: string) =>
    `<mc:AlternateContent><mc:Choice>${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;
  const formula = '<a14:m><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></a14:m>';
  const words = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`;
  const cell = (text: string) => `<a:tc><a:txBody><a:p>${words(text)}</a:p></a:txBody></a:tc>`;
  const table = (attributes: string) =>
    `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr ${attributes}/>${[
      ['Name', 'Town'],
      ['Ann', 'Oslo'],
    ]
      .map((cells) => `<a:tr>${cells.map(cell).join('')}</a:tr>`)
      .join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;

  test.each([
    ['the alternative with words', alternatives('<p:graphicFrame/>', picture('A red pump')), ['A red pump']],
    ['only the first of several with words', alternatives(shape('', 'Pump'), shape('', 'Pump')), ['Pump']],
    [
      'a formula, not its picture',
      shape('', words('So ') + alternatives(formula, words('[image]'))),
      ['So x=1'],
    ],
    [
      'the form that has words where the first is empty',
      shape('', words('So ') + alternatives('', words('it is'))),
      ['So it is'],
    ],
    ['breaks of lines', shape('', `${words('Quay 4')}<a:br/>${words('Bergen')}`), ['Quay 4\nBergen']],
    ['no file names of pictures', picture('photo.png') + picture('Two boats'), ['Two boats']],
    ['a table with names of columns', table('firstRow="1"'), ['Name: Ann; Town: Oslo']],
    ['a table without', table('firstRow="0"'), ['Name; Town', 'Ann; Oslo']],
  ])('%s', async (_what, content, shown) => {
    expect(await texts('a.pptx', pptx([slide('sld', content)]))).toEqual(shown);
  });

  test('where links lead outside', async () => {
    const link = (id: string, text: string) =>
      `<a:r><a:rPr><a:hlinkClick r:id="${id}"/></a:rPr><a:t>${text}</a:t></a:r>`;
    const bytes = pptx([slide('sld', shape('', `${link('a', 'Plan')} ${link('b', ', next')}`))], {
      'ppt/slides/_rels/slide1.xml.rels': relationships({
        a: ['hyperlink', 'https://a.example/'],
        b: ['slide', 'slide2.xml'],
      }),
    });
    expect(await texts('a.pptx', bytes)).toEqual(['Plan (https://a.example/), next']);
  });
});

describe('a book', () => {
  const page = (words: string) => `<html><body><p>${words}</p></body></html>`;

  test('without a package is read in the order of the names of its pages', async () => {
    const files = {
      mimetype: 'application/epub+zip',
      'b.xhtml': page('Two.'),
      'a.html': page('One.'),
      'c.css': 'p{}',
    };
    expect(await texts('a.epub', zipped(files))).toEqual(['One.', 'Two.']);
  });

  test('without an order of reading is read as its pages are listed, under their titles', async () => {
    const chapter = (id: string, href: string) =>
      `<item id="${id}" href="${href}" media-type="application/xhtml+xml"/>`;
    const nav = '<item id="n" href="nav/toc.xhtml" properties="nav" media-type="application/xhtml+xml"/>';
    const bytes = epubFile({
      pages: {},
      spine: [],
      files: {
        'OPS/book.opf': `<package><manifest>${nav}${chapter('b', 'text/two%20b.xhtml')}${chapter('a', 'text/100%.xhtml')}</manifest></package>`,
        'OPS/nav/toc.xhtml':
          '<html><body><nav><a href="../text/two%20b.xhtml#top">Second</a><a href="../text/two%20b.xhtml#b">no</a><a href="./../text/100%.xhtml"> </a></nav></body></html>',
        'OPS/text/two b.xhtml': page('Two.'),
        'OPS/text/100%.xhtml': page('All.'),
      },
    });
    const { blocks } = await parse('a.epub', bytes);
    expect(blocks.map(({ text, headings }) => [text, ...headings])).toEqual([['Two.', 'Second'], ['All.']]);
  });
});

describe('JSON', () => {
  test.each([
    ['with comments', '// by hand\n{"a": 1, /* "b": 2, */ "c": 3} // end', ['a: 1\nc: 3']],
    ['whose last comment nothing ends', '{"a": 1} /* end', ['a: 1']],
    ['with lines and tabs within its texts', '{"a": "one\ntwo\tthree"}', ['a: one\ntwo\tthree']],
    ['with escapes that there are not', '{"a": "C:\\qux", "b": "\\u00e9"}', ['a: C:\\qux\nb: é']],
  ])('%s is read', async (_what, source, shown) => {
    expect(await texts('a.json', bytesOf(source))).toEqual(shown);
  });
});

describe('XML', () => {
  const source = '<?xml version="1.0" encoding="UTF-16"?><a><b>Zoë</b><c>漢字</c></a>';
  const little = Buffer.from(source, 'utf16le');
  const big = Buffer.from(little).swap16();
  const marked = (mark: string, bytes: Buffer) => Buffer.concat([Buffer.from(mark, 'hex'), bytes]);

  test.each([
    ['little-endian UTF-16', little],
    ['big-endian UTF-16', big],
    ['little-endian UTF-16 with a mark', marked('fffe', little)],
    ['big-endian UTF-16 with a mark', marked('feff', big)],
  ])('in %s is read', async (_what, bytes) => {
    expect(await texts('a.xml', bytes)).toEqual(['b: Zoë\nc: 漢字']);
  });
});
