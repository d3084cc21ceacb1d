import { describe, expect, test } from '@jest/globals';
import { readProperties } from '../../src/ingestion/parsers/word/binary-properties.js';

/** Modifiers as [MS-DOC] 2.6 numbers them: a number of two bytes, low byte first, and its operand. */
const read = (digits: string) => readProperties(Buffer.from(digits.replaceAll(' ', ''), 'hex'));
/** Two cells that end at 2000 and 4000; the flags are those of the second. */
const row = (flags: string) => `08d6 3000 02 0000 d007 a00f ${'00'.repeat(20)} ${flags}${'00'.repeat(18)}`;

describe('the properties of Word 97', () => {
  test.each([
    ['hidden characters', '3c08 01', { isHidden: true }],
    ['characters that are hidden other than by their style', '3c08 81', { isHidden: true }],
    ['deleted characters', '0008 01', { isHidden: true }],
    ['characters that are not deleted', '0008 00', {}],
    ['bold characters', '3508 01', { isBold: true }],
    ['characters that are not bold', '3508 00', { isBold: false }],
    ['a symbol of a font', '096a 0300 6af0', { symbol: { font: 3, code: 0xf06a } }],
    ['a heading', '4026 01', { outlineLevel: 1 }],
    ['a list and its level', '0b46 0200 0a26 01', { list: 2, listDepth: 1 }],
    ['a paragraph without a list', '0b46 0000', { list: 0 }],
    ['a paragraph and the end of a row in a table', '1624 01 1724 01', { isInTable: true, isRowEnd: true }],
    [
      'the ends of a cell and of a row within a cell',
      '4b24 01 4c24 01',
      { isNestedCell: true, isNestedRowEnd: true },
    ],
    ['a row with the names of columns', '0434 01', { isHeaderRow: true }],
    [
      'the cells of a row, one of which goes on from above',
      `${row('2000')} 0434 01`,
      {
        isHeaderRow: true,
        rowCells: [
          { right: 2000, isContinued: false },
          { right: 4000, isContinued: true },
        ],
      },
    ],
    [
      'the cells of a row, one of which begins to reach down',
      row('6000'),
      {
        rowCells: [
          { right: 2000, isContinued: false },
          { right: 4000, isContinued: false },
        ],
      },
    ],
    ['a row whose cells are cut off', '08d6 3000 02', { rowCells: [] }],
    [
      'what stands behind properties of other lengths',
      '0326 01 0e84 1000 4fca 03 aabbcc 4368 11223344 14f6 03aabb 3508 01',
      { isBold: true },
    ],
    ['what is cut off', '3508', {}],
  ])('tell %s', (_what, digits, properties) => {
    expect(read(digits)).toEqual(properties);
  });
});
