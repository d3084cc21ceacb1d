import { expect, test } from '@jest/globals';
import { pdfOf, type PlacedWord } from '../support/files/pdf.js';
import { parseFile } from '../support/parse-file.js';

const line = (text: string, x: number, y: number): PlacedWord => ({ text, x, y });

async function textsOf(words: readonly PlacedWord[]): Promise<string[]> {
  const bytes = await pdfOf(words, { size: 10 });
  const { blocks } = await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] });
  return blocks.map(({ text }) => text);
}

test('lines of a table of contents are read one by one, each with its number, title and page', async () => {
  const entries = [
    ['1', 'Mooring', '3', 0],
    ['1.1', 'Fenders and lines', '5', 15],
    ['1.2', 'Springs', '7', 15],
    ['2', 'Pilotage', '9', 0],
    ['', 'Glossary', 'xii', 0],
  ] as const;
  const words = entries.flatMap(([number, title, page, indent], at) => [
    ...(number === '' ? [] : [line(number, 50 + indent, 100 + at * 15)]),
    line(`${title} ${'. '.repeat(40 - title.length)}`, 75 + indent, 100 + at * 15),
    line(page, 365, 100 + at * 15),
  ]);
  expect(await textsOf(words)).toEqual([
    '1 Mooring 3',
    '1.1 Fenders and lines 5',
    '1.2 Springs 7',
    '2 Pilotage 9',
    'Glossary xii',
  ]);
});

test('sums behind dots stay in the columns of their table', async () => {
  const words = [
    ...['2024', '2023'].map((year, at) => line(year, 300 + at * 80, 85)),
    ...['Cash', 'Debtors', 'Stock'].flatMap((name, at) => [
      line(`${name} ${'. '.repeat(30)}`, 50, 100 + at * 15),
      line(`${120 + at}`, 305, 100 + at * 15),
      line(`${110 + at}`, 385, 100 + at * 15),
    ]),
  ];
  expect(await textsOf(words)).toContain('Debtors; 2024: 121; 2023: 111');
});

test('references stand behind their numbers, which have a column of their own', async () => {
  const references = [
    ['Pringle, A. (1985). Holderness coast erosion and the', 'significance of ords. Landforms, 10, 107-124.'],
    ['Valentin, H. (1971). Land loss. London: Macmillan.'],
    ['Merrow, A. (2021). Winter cores of the Humber in the', 'light of [2]. Tide Letters, 7(2), 33-48.'],
  ];
  let y = 100;
  const words = references.flatMap((lines, at) => [
    line(`[${at + 1}]`, 60, y),
    ...lines.map((text) => line(text, 84, (y += 13) - 13)),
  ]);
  expect(await textsOf([line('References', 60, 80), ...words])).toEqual([
    'References',
    ...references.map((lines, at) => `[${at + 1}] ${lines.join(' ')}`),
  ]);
});

test('an index in two columns is read column by column', async () => {
  const columns = [
    ['anchor, kedge, 12, 45', 'fouled, 13', 'ballast, 7', 'barnacles, 33-36'],
    ['capstan, 18, 22, 90', 'davits, 3', 'dead reckoning, 101', 'ebb tide, 55'],
  ];
  const words = columns.flatMap((entries, column) =>
    entries.map((text, at) => line(text, 50 + column * 180, 100 + at * 15)),
  );
  expect((await textsOf(words)).join(' ')).toBe(columns.flat().join(' '));
});
