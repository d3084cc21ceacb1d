import { describe, expect, test } from '@jest/globals';
import { rtf } from '../../src/ingestion/parsers/rtf.js';
import { bytesOf, noContext, textsOf } from '../support/files/reading.js';
import { rtfFile } from '../support/files/rtf.js';

type Case = readonly [what: string, body: string, texts: readonly string[]];

const row = (cells: string) => `\\trowd\\cellx1\\cellx2\\pard\\intbl ${cells}\\row `;

const cases: readonly Case[] = [
  [
    'the substitute of a character once, whatever it is',
    "\\u8364 \\'80; \\u8222 \\ldblquote Hi\\rdblquote\\par",
    ['€; „Hi”'],
  ],
  ['symbols of a font by their code', '{\\f3\\u-3999 ?}\\par', ['α']],
  [
    'East Asian text by its own font',
    "\\loch\\af0\\hich\\af0\\dbch\\af1 \\'8a\\'bf\\'8e\\'9a\\loch\\f0  caf\\'e9\\par",
    ['漢字 café'],
  ],
  [
    'no figure as raised that is lowered or normal again',
    '{\\super 2}{\\super\\sub 3} 10\\super 3\\nosupersub 4\\par',
    ['23 10³4'],
  ],
  ['plain text behind hidden text', '\\v no\\plain yes\\par', ['yes']],
  ['a long line whole', `${'x'.repeat(3_000)}\\par`, ['x'.repeat(3_000)]],
  ['paragraphs that a backslash at the end of a line parts', 'one\\\ntwo\\\r\n', ['one', 'two']],
  ['no paragraphs within a header of fields', '{\\info\\par{\\title The plan}}a\\page b\\par', ['a', 'b']],
  [
    'rows of a table within a cell that no group ends',
    row(
      '\\itap2 a\\nestcell b\\nestcell\\nestrow\\itap2 c\\nestcell d\\nestcell\\nestrow\\itap1\\cell e\\cell',
    ),
    ['a; b\nc; d; e'],
  ],
  [
    'a list in a cell',
    row('{\\listtext 1.\\tab}one\\par{\\listtext 2.\\tab}two\\cell b\\cell'),
    ['1. one\n2. two; b'],
  ],
  ['a last cell that nothing ends', row('a\\cell b'), ['a; b']],
  [
    'a last row that nothing ends',
    '\\trowd\\cellx1\\cellx2\\pard\\intbl a\\cell b\\cell\\pard end\\par',
    ['a; b', 'end'],
  ],
  [
    'a table in a note',
    `Text{\\footnote ${row('a\\cell b\\cell')}\\pard c}\\par`,
    ['Text[1]', '[1] a; b\nc'],
  ],
  [
    'a link within a paragraph only',
    '{\\field{\\*\\fldinst HYPERLINK "https://a.example/"}{\\fldrslt one\\par two}}\\par',
    ['one', 'two'],
  ],
];

describe('an RTF file tells', () => {
  test.each(cases)('%s', async (_what, body, texts) => {
    expect(textsOf(await rtf.parse(rtfFile(body), noContext))).toEqual(texts);
  });

  test.each([
    ['of a Mac', '\\mac', "\\'8a", 'ä'],
    ['of DOS', '\\pc', "\\'84", 'ä'],
    ['of a code page', '\\ansi\\ansicpg1251', "\\'ef\\'f0", 'пр'],
    ['of an unknown code page', '\\ansi\\ansicpg999', "\\'e4", 'ä'],
    ['of a font with a code page', '\\ansi{\\fonttbl{\\f7\\cpg1253 Greek;}}\\f7', "\\'e1\\'e2", 'αβ'],
    [
      'of Japanese in a font that is said to be Western',
      '\\ansi\\ansicpg932{\\fonttbl{\\f7\\fcharset0 Arial;}}\\f7',
      "\\'8a\\'bf\\'8e\\'9a",
      '漢字',
    ],
    [
      'of French in a Japanese document',
      '\\ansi\\ansicpg932{\\fonttbl{\\f7\\fcharset0 Arial;}}\\f7',
      "caf\\'e9 noir",
      'café noir',
    ],
  ])('text %s', async (_what, head, written, text) => {
    expect(textsOf(await rtf.parse(bytesOf(`{\\rtf1${head} ${written}\\par}`), noContext))).toEqual([text]);
  });
});
