import { describe, expect, test } from '@jest/globals';
import { rtf } from '../../src/ingestion/parsers/rtf.js';
import { bytesOf, noContext, textsOf } from '../support/files/reading.js';
import { rtfFile } from '../support/files/rtf.js';

const parse = (body: string) => rtf.parse(rtfFile(body), noContext);
const texts = async (body: string) => textsOf(await parse(body));

describe('rtf', () => {
  test('reads each font in its charset, and Unicode with as many substitutes as announced', async () => {
    expect(
      await texts(
        "{\\f2 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2} {\\f1 \\'83\\\\}{\\f3 \\'61}\\u8364 ?{\\uc2\\u26085 \\'93\\'fa}{\\uc0\\u-10179\\u-8704}!\\par",
      ),
    ).toEqual(['Привет ソα€日😀!']);
  });

  test('leaves out pictures, hidden text, field codes and unknown groups', async () => {
    expect(
      await texts(
        'a\\constructor {\\pict\\bin6 }{\\{{{}{\\*\\unknown no}{\\v no}b{\\deleted no}{\\field{\\*\\fldinst HYPERLINK "https://example.org/a"}{\\fldrslt link}}' +
          '{\\upr{no}{\\*\\ud{c}}}\\par',
      ),
    ).toEqual(['ablink (https://example.org/a)c']);
  });

  test('tells notes, comments and text boxes behind their paragraph, page headers at the end and once', async () => {
    expect(
      await texts(
        '{\\header Acme\\par}{\\footer Acme\\par}One{\\footnote \\pard Foot.}{\\*\\atnid A}{\\*\\atnauthor Ann}\\chatn{\\*\\annotation Why?}' +
          '{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt \\pard In a box\\par}}{\\shprslt no}} more\\par Two\\par',
      ),
    ).toEqual(['One[1] more', '[1] Foot.', 'Comment by Ann: Why?', 'In a box', 'Two', 'Acme']);
  });

  test('keeps the rows of tables under their header, and the labels of lists', async () => {
    const row = (cells: string, properties = '') =>
      `\\trowd${properties}\\cellx1\\cellx2\\pard\\intbl ${cells}\\row`;
    const document = await parse(
      `${row('Name\\cell Town\\cell', '\\trhdr')}${row('Zo\\u235?\\par K.\\cell Oslo\\cell')}\\pard {\\listtext 1.\\tab}first\\par{\\listtext\\f3\\'b7\\tab}dot\\par`,
    );
    expect(document.blocks).toEqual([
      { text: 'Name: Zoë\nK.; Town: Oslo', headings: [], keepTogether: true, layout: { row: 2 } },
      { text: '1. first', headings: [], keepTogether: true },
      { text: '- dot', headings: [], keepTogether: true },
    ]);
  });

  test('reads tables within cells: a line for each of their rows, which leaves the row around them alone', async () => {
    const inner = (cells: string) =>
      `\\pard\\intbl\\itap2 ${cells}{\\*\\nesttableprops\\trowd\\cellx9\\nestrow}{\\nonesttables\\par}`;
    const row = (cells: string) => `\\trowd\\cellx1\\clvmrg\\cellx2\\pard\\intbl ${cells}\\row`;
    const document = await parse(
      `${row('Parts\\cell Both\\cell')}${row(`${inner('bolt\\nestcell 12\\nestcell')}${inner('nut\\nestcell')}\\pard\\intbl last\\cell\\cell`)}\\pard end\\par`,
    );
    expect(textsOf(document)).toEqual(['Parts; Both', 'bolt; 12\nnut\nlast; Both', 'end']);
    expect(
      textsOf(await parse(row('\\pard\\intbl\\itap2 cut off\\nestcell\\pard\\intbl\\cell b\\cell'))),
    ).toEqual(['cut off; b']);
  });

  test('takes the title, and reads what was cut off', async () => {
    const document = await parse('{\\info{\\title The Plan}{\\author no}}Words {\\b that go');
    expect(document.title).toBe('The Plan');
    expect(textsOf(document)).toEqual(['Words that go']);
  });

  test('refuses what is nested beyond measure, and says what else a file is', async () => {
    await expect(rtf.parse(bytesOf(`{\\rtf1 ${'{'.repeat(100_000)}`), noContext)).rejects.toMatchObject({
      code: 'E1001',
    });
    await expect(rtf.parse(bytesOf('%PDF-1.4'), noContext)).rejects.toMatchObject({
      code: 'E1001',
      message: expect.stringContaining('PDF'),
    });
  });
});
