import { describe, expect, test } from '@jest/globals';
import { documentTable, type DocumentCell } from '../../src/ingestion/parsers/office/document-table.js';
import { countedAs } from '../../src/ingestion/parsers/office/list-label.js';

const plain = (text: string, columns = 1): DocumentCell => ({ text, columns });
const bold = (text: string, columns = 1): DocumentCell => ({ text, columns, isBold: true });
const below: DocumentCell = { text: '', columns: 1, isContinued: true };
const row = (...cells: readonly DocumentCell[]) => ({ cells });

describe('a table of a document', () => {
  test('keeps a row over all columns above it apart, and its rows their numbers', () => {
    const rows = [
      row(plain('Rates', 3)),
      row(bold('Town'), bold('Sum'), bold('Note')),
      row(plain('Oslo'), plain('12 €'), plain('late')),
    ];
    expect(documentTable(rows)).toEqual({
      header: ['Town', 'Sum', 'Note'],
      rows: [
        { cells: ['Rates'], row: 1, aside: 'title' },
        { cells: ['Oslo', '12 €', 'late'], row: 3 },
      ],
    });
  });

  test('has the names of its columns in one bold row, or in two when groups are named above them', () => {
    const people = row(plain('Ann'), plain('Editor'), plain('Oslo'));
    expect(documentTable([row(bold('Name'), bold('Work'), bold('Town')), people]).header).toEqual([
      'Name',
      'Work',
      'Town',
    ]);
    const groups = row(bold('Name'), bold('Half', 2));
    expect(documentTable([groups, row(below, bold('First'), bold('Second')), people]).header).toEqual([
      'Name',
      'Half First',
      'Half Second',
    ]);
    const figures = [row(plain('Ann'), plain('3'), plain('4')), row(plain('Bo'), plain('5'), plain('6'))];
    expect(documentTable([groups, row(below, plain('First'), plain('Second')), ...figures]).header).toEqual([
      'Name',
      'Half First',
      'Half Second',
    ]);
  });

  test('has no names where all is bold, or there is but one row', () => {
    const words = row(bold('Ann'), bold('Oslo'));
    expect(documentTable([words, words]).header).toEqual([]);
    expect(documentTable([words])).toEqual({ header: [], rows: [{ cells: ['Ann', 'Oslo'], row: 1 }] });
  });

  test('tells a merged cell in each of its rows unless it is long', () => {
    const rows = (text: string) => [row(plain(text), plain('Ann')), row(below, plain('Bo'))];
    const cellsOf = (text: string) => documentTable(rows(text)).rows.map(({ cells }) => cells);
    expect(cellsOf('Oslo')).toEqual([
      ['Oslo', 'Ann'],
      ['Oslo', 'Bo'],
    ]);
    const long = 'x'.repeat(201);
    expect(cellsOf(long)).toEqual([
      [long, 'Ann'],
      ['', 'Bo'],
    ]);
  });
});

test.each([
  [3, 'decimal', '3'],
  [3, 'none', ''],
  [3, 'decimalZero', '03'],
  [12, 'decimalZero', '12'],
  [3, 'lowerLetter', 'c'],
  [28, 'upperLetter', 'BB'],
  [49, 'lowerRoman', 'xlix'],
  [1994, 'upperRoman', 'MCMXCIV'],
  [0, 'lowerRoman', '0'],
  [9_999, 'upperLetter', '9999'],
  [3, 'unknown', '3'],
])('item %d of a list that counts as %s is %j', (count, format, label) => {
  expect(countedAs(count, format)).toBe(label);
});
