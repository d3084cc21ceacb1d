import { describe, expect, test } from '@jest/globals';
import { rgb } from 'pdf-lib';
import { tablesOf } from '../../src/ingestion/parsers/pdf/tables.js';
import { newPdf } from '../support/files/pdf.js';
import { parseFile } from '../support/parse-file.js';

type Row = readonly string[];

const left = [200, 310, 400];

/** Rows of cells that begin at the same places, so many points apart. */
async function page(
  rows: readonly Row[],
  pitch = 18,
  around: readonly (readonly [string, number, number])[] = [],
) {
  const { document, addPage, write } = await newPdf();
  const made = addPage();
  rows.forEach((cells, index) => {
    cells.forEach((text, column) => write(made, [text], { x: left[column] ?? 0, y: 150 + index * pitch }));
  });
  for (const [text, x, y] of around) write(made, [text], { x, y });
  const bytes = await document.save();
  const { blocks } = await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] });
  return blocks.map(({ text }) => text);
}

describe('few rows of words in a PDF', () => {
  test('that are labels beside values are fields', async () => {
    const rows = [
      ['Landlord', 'Hephzibah Trelawny'],
      ['Tenant', 'Imogen Castellane'],
      ['Rent', '1,180 pounds'],
    ];
    const above = [
      'The parties agree as follows about the flat in Mill Lane, which is let.',
      50,
      110,
    ] as const;
    expect(await page(rows, 18, [above])).toEqual([
      above[0],
      'Landlord: Hephzibah Trelawny',
      'Tenant: Imogen Castellane',
      'Rent: 1,180 pounds',
    ]);
  });

  test('beside figures have the names that stand above these', async () => {
    const rows = [
      ['Listed item', 'Sum insured'],
      ['Cello by Forster', '18,000'],
      ['Engagement ring', '3,200'],
      ['Cargo bicycle', '4,100'],
    ];
    expect(await page(rows, 13)).toEqual([
      'Listed item: Cello by Forster; Sum insured: 18,000',
      'Listed item: Engagement ring; Sum insured: 3,200',
      'Listed item: Cargo bicycle; Sum insured: 4,100',
    ]);
  });

  test('that are set apart as rows of a table are read as such', async () => {
    const rows = [
      ['Anna Berg', 'Harbour', 'Oslo'],
      ['Karl Weiss', 'Ferries', 'Bonn'],
      ['Ola Moe', 'Lights', 'Bath'],
    ];
    expect(await page(rows, 20)).toEqual([
      'Anna Berg; Harbour; Oslo',
      'Karl Weiss; Ferries; Bonn',
      'Ola Moe; Lights; Bath',
    ]);
  });

  test('that are addresses beside each other are read one after the other', async () => {
    const rows = [
      ['Acme Limited', 'Kestrel Foods'],
      ['Mill Lane House', 'Old Quay Street'],
      ['Lower Bathwick', 'Upper Tromsdalen'],
    ];
    const text = (await page(rows, 12)).join(' ');
    expect(text.indexOf('Lower Bathwick')).toBeLessThan(text.indexOf('Kestrel Foods'));
  });
});

test('paragraphs of a page that has few full lines are apart, its list too', async () => {
  const { document, addPage, write } = await newPdf();
  const made = addPage();
  write(made, ['The survey of the harbour was commissioned by the Port Authority of Lindholm and'], {
    x: 50,
    y: 100,
  });
  write(made, ['carried out by two divers.'], { x: 50, y: 112 });
  for (const [index, text] of ['First they sounded.', 'Then they dived.', 'Then they wrote.'].entries())
    write(made, [text], { x: 50, y: 134 + index * 21 });
  const bytes = await document.save();
  const { blocks } = await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] });
  expect(blocks.map(({ text }) => text)).toEqual([
    'The survey of the harbour was commissioned by the Port Authority of Lindholm and carried out by two divers.',
    'First they sounded.',
    'Then they dived.',
    'Then they wrote.',
  ]);
});

describe('a table on a page with lines', () => {
  const routes = [
    ['Route', 'Vehicles', 'Riders'],
    ['Red line', '14', '18,200'],
    ['Blue line', '9', '11,750'],
    ['Night bus', '5', '930'],
  ];

  test('is one where the library takes each two of its rows for a table', () => {
    const half = (texts: readonly Row[], y: number) => {
      const rows = texts.map((row, at) =>
        row.map((text, column) => ({
          text,
          bbox: { x: 90 + 100 * column, y: y + 35 * at, width: text.length * 8, height: 15 },
        })),
      );
      return { kind: 'table', bbox: { x: 90, y, width: 280, height: 50 }, rows };
    };
    const read = (second: number) => {
      const blocks = [half(routes.slice(0, 2), 170), half(routes.slice(2), second)];
      const page = { blocks, complexity: { layout: { ruledTableCount: 1 } } };
      return tablesOf(page as unknown as Parameters<typeof tablesOf>[0], []).map(({ rows }) => rows.length);
    };
    expect(read(240)).toEqual([3]);
    expect(read(280)).toEqual([1, 2]);
  });

  test('keeps together what is written over several columns', async () => {
    const { document, addPage, write } = await newPdf();
    const made = addPage();
    const [above, title] = ['Table 1. The lines of the whole town', 'Lines of the southern quarters'];
    for (const [at, cells] of [[above], ...routes, [title], ['Hill line', '2', '400']].entries())
      for (const [column, text] of cells.entries()) {
        const [x, y, width] = [60 + 100 * column, 180 + 30 * at, cells.length === 1 ? 300 : 100];
        made.drawRectangle({ x, y: 762 - y, width, height: 30, borderColor: rgb(0, 0, 0) });
        write(made, [text], { x: x + (text === above ? 30 : 6), y: y + 8, size: 14 });
      }
    const bytes = await document.save();
    const { blocks } = await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] });
    expect(blocks.map(({ text }) => text)).toEqual([
      above,
      'Route: Red line; Vehicles: 14; Riders: 18,200',
      'Route: Blue line; Vehicles: 9; Riders: 11,750',
      'Route: Night bus; Vehicles: 5; Riders: 930',
      title,
      'Route: Hill line; Vehicles: 2; Riders: 400',
    ]);
  });
});
