import { expect, test } from '@jest/globals';
import { pdfOf } from '../support/files/pdf.js';
import type { PlacedWord } from '../support/files/pdf.js';
import { parseFile } from '../support/parse-file.js';

const scale = 0.75;

/** The text of a page that is drawn as browsers do: type of 16 on a page that is scaled by 0.75. */
async function read(words: readonly PlacedWord[]): Promise<string[]> {
  const bytes = await pdfOf(words, { size: 16, scale });
  const { blocks } = await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] });
  return blocks.map(({ text }) => text);
}

const lines = (texts: readonly string[], x: number, y: number): PlacedWord[] =>
  texts.map((text, index) => ({ text, x, y: y + index * 13.5 }));

const leftColumn = [
  'The ledger of the mill begins in the',
  'spring of the year after the flood, and',
  'ends with the sale of the lower wheel',
  'to the town of Settle.',
];
const rightColumn = [
  'In its second part the miller tells of',
  'his journey to the sea, on which he',
  'lost both horses and the better part',
  'of his patience.',
];

test('columns of a page that is drawn to scale are read one after the other', async () => {
  expect(await read([...lines(leftColumn, 60, 200), ...lines(rightColumn, 268.5, 188)])).toEqual([
    leftColumn.join(' '),
    rightColumn.join(' '),
  ]);
});

test('cells of a page that is drawn to scale are told apart', async () => {
  const rows = [
    ['Warden', 'District', 'Phone'],
    ['Ola Berg', 'Upper valley with both of its reservoirs and the old race of the mill', '555-0101'],
    ['Per Dahl', 'Lower valley', '555-0102'],
    ['Siv Moe', 'Estuary', '555-0103'],
  ];
  const left = [60, 120, 510];
  const words = rows.flatMap((cells, row) =>
    cells.map((text, column) => ({ text, x: left[column] ?? 0, y: 100 + row * 19.5, isBold: row === 0 })),
  );
  expect(await read(words)).toEqual([
    `Warden: Ola Berg; District: ${rows[1]?.[1]}; Phone: 555-0101`,
    'Warden: Per Dahl; District: Lower valley; Phone: 555-0102',
    'Warden: Siv Moe; District: Estuary; Phone: 555-0103',
  ]);
});

test('cells that fill their columns are told apart by where columns begin and end', async () => {
  // Of figures the right edge is given, as wide as 6.67 points a digit.
  const width = (text: string) =>
    text.replaceAll('.', '').length * 6.67 + (text.split('.').length - 1) * 3.34;
  const figures = (texts: readonly string[], y: number, rights = [420, 456, 510]) =>
    texts.flatMap((text, at) => (text === '' ? [] : [{ text, x: (rights[at] ?? 0) - width(text), y }]));
  const row = (position: string, text: string, values: readonly string[], y: number) => [
    { text: position, x: 60, y },
    { text, x: 91, y },
    ...figures(values, y),
  ];
  const names = [
    ['Pos.', 60],
    ['Description', 91],
    ['Hours', 385.3],
    ['Rate', 430],
    ['Amount', 464.7],
  ] as const;
  const words = [
    ...names.map(([text, x]) => ({ text, x, y: 100, isBold: true })),
    // Two lines, beside whose middle the others stand.
    { text: 'Sanding of the hull below the waterline, and', x: 91, y: 120 },
    { text: '1', x: 60, y: 127 },
    ...figures(['12.5', '64.00', '800.00'], 127),
    { text: 'removal of the old paint', x: 91, y: 134 },
    ...row('2', 'New rudder bearing', ['3', '64.00', '192.00'], 153),
    ...row('3', 'Antifouling paint', ['1.5', '64.00', '96.00'], 173),
  ];
  expect(await read(words)).toEqual([
    'Pos.: 1; Description: Sanding of the hull below the waterline, and removal of the old paint; Hours: 12.5; Rate: 64.00; Amount: 800.00',
    'Pos.: 2; Description: New rudder bearing; Hours: 3; Rate: 64.00; Amount: 192.00',
    'Pos.: 3; Description: Antifouling paint; Hours: 1.5; Rate: 64.00; Amount: 96.00',
  ]);
});
