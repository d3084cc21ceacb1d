import { expect, describe, test } from '@jest/globals';
import { parseFile } from '../../src/ingestion/parsers/parse-file.js';
import { bytesOf, textsOf as texts } from '../support/files/reading.js';

describe('csv', () => {
  const parse = (source: string | Uint8Array) =>
    parseFile(
      { name: 'file.csv', bytes: typeof source === 'string' ? bytesOf(source) : source },
      { ocrLanguages: [] },
    );

  test.each([',', ';', '\t', '|'])('finds the delimiter %j', async (delimiter) => {
    const rows = [
      ['name', 'price'],
      ['bolt; M3', '1,5'],
      ['nut', '2,5'],
    ];
    const source = rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join('\n');
    expect(texts(await parse(source))).toEqual(['name: bolt; M3; price: 1,5', 'name: nut; price: 2,5']);
  });

  test('counts rows from 1, the header and blank rows included, and bears ragged rows', async () => {
    const { blocks } = await parse('\ufeffa,b\r\n1,"two\nlines"\r\n\r\n,3,4\r\n');
    expect(blocks).toEqual([
      { text: 'a: 1; b: two\nlines', headings: [], keepTogether: true, layout: { row: 2 } },
      { text: 'b: 3; 4', headings: [], keepTogether: true, layout: { row: 4 } },
    ]);
  });

  test('tells a title line, a file without headers and a header without rows', async () => {
    expect(texts(await parse('Sales 2024,,\n,,\nyear,sum,\n2024,5,\n'))).toEqual([
      'Sales 2024',
      'year: 2024; sum: 5',
    ]);
    expect(texts(await parse('1,2\n3,4\n'))).toEqual(['1; 2', '3; 4']);
    expect(texts(await parse(',2021,2022\nCash,10,20\nDebt,5,\n'))).toEqual([
      'Cash; 2021: 10; 2022: 20',
      'Debt; 2021: 5',
    ]);
    expect(texts(await parse(',2021,2022\n,10,20\n'))).toEqual(['2021; 2022', '10; 20']);
    expect(texts(await parse('name,town\n'))).toEqual(['name; town']);
    expect(texts(await parse('town\nOslo\nRome\n'))).toEqual(['town: Oslo', 'town: Rome']);
  });

  test('tells the names of columns that no row fills, once and last', async () => {
    const rows = '1,,,4\n'.repeat(1_200);
    const { blocks } = await parse(`a,b,c,d\n${rows}1,,3,4\n`);
    expect(blocks).toHaveLength(1_202);
    expect(blocks.at(-1)).toEqual({ text: 'b', headings: [], keepTogether: true, layout: { row: 1 } });
  });

  test('reads stray and unclosed quotes as text', async () => {
    expect(texts(await parse('a,b\n5" pipe,x\n"open,y\n'))).toEqual(['a: 5" pipe; b: x', 'a: "open; b: y']);
  });

  test('does not repeat a header out of proportion', async () => {
    const { blocks } = await parse(`${'h'.repeat(2_000)},b\n${'1,2\n'.repeat(1_000)}`);
    expect(blocks).toHaveLength(1_001);
    expect(blocks[1]?.text).toBe('1; 2');
  });
});
