import { describe, expect, test } from '@jest/globals';
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
