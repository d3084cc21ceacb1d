import { describe, expect, test } from '@jest/globals';
import { bytesOf } from '../support/files/reading.js';
import { xls } from '../support/files/spreadsheets.js';
import { parseFile } from '../support/parse-file.js';

type Row = (string | number | null)[];

async function textsOf(rows: Row[]): Promise<string[]> {
  const bytes = await xls({ S: rows.map((cells) => cells.map((cell) => cell ?? '')) });
  const { blocks } = await parseFile({ name: 'file.xls', bytes }, { ocrLanguages: [] });
  return blocks.map(({ text }) => text);
}

const orders: Row[] = [
  ['Order', 'Customer', 'Amount'],
  ['A-17', 'Alder', 100],
  ['A-18', 'Birch', 150],
  ['A-19', 'Cedar', 200],
];
const readOrders = [
  'Order: A-17; Customer: Alder; Amount: 100',
  'Order: A-18; Customer: Birch; Amount: 150',
  'Order: A-19; Customer: Cedar; Amount: 200',
];

/** The orders, and a blank column and other cells on their right. */
function beside(...others: Row[]): Row[] {
  const height = Math.max(orders.length, others.length);
  return Array.from({ length: height }, (_, row) => [
    ...(orders[row] ?? [null, null, null]),
    null,
    ...(others[row] ?? []),
  ]);
}

describe('tables side by side on a sheet are read one after the other', () => {
  const title: Row = ['Headcount', null];
  const names: Row = ['Team', 'Heads'];
  test.each<[string, Row[], string[]]>([
    [
      'a longer one',
      [title, names, ['Sales', 12], ['Ops', 5], ['Support', 8]],
      ['Headcount', 'Team: Sales; Heads: 12', 'Team: Ops; Heads: 5', 'Team: Support; Heads: 8'],
    ],
    [
      'one with a total',
      [names, ['Sales', 12], ['Ops', 5], ['Total', 17]],
      ['Team: Sales; Heads: 12', 'Team: Ops; Heads: 5', 'Team: Total; Heads: 17'],
    ],
    [
      'one that begins lower',
      [['Assumptions'], ['Growth', '2%'], ['Churn', '5%']],
      ['Assumptions', 'Growth; 2%', 'Churn; 5%'],
    ],
    [
      'fields',
      [[], ['Growth rate', '2%'], ['Churn rate', '5%'], ['Currency', 'EUR']],
      ['Growth rate: 2%', 'Churn rate: 5%', 'Currency: EUR'],
    ],
    [
      'values beside the names of columns',
      [
        ['Largest', 200],
        ['Smallest', 100],
      ],
      ['Largest; 200', 'Smallest; 100'],
    ],
  ])('%s', async (_, others, expected) => {
    expect(await textsOf(beside(...others))).toEqual([...readOrders, ...expected]);
  });

  test('in a CSV file as well, where blanks may be spaces', async () => {
    const rows = beside(title, names, ['Sales', 12], ['Ops', 5], ['Support', 8]);
    const source = rows.map((cells) => cells.map((cell) => cell ?? ' ').join(',')).join('\n');
    const { blocks } = await parseFile({ name: 'file.csv', bytes: bytesOf(source) }, { ocrLanguages: [] });
    expect(blocks.map(({ text }) => text)).toEqual([
      ...readOrders,
      'Headcount',
      'Team: Sales; Heads: 12',
      'Team: Ops; Heads: 5',
      'Team: Support; Heads: 8',
    ]);
  });

  test('also above a table that is wider than both', async () => {
    const wide: Row[] = [[], ['Day', 'Guests', 'Rooms', 'Beds', 'Meals'], ['Mon', 5, 3, 6, 15]];
    const rows = [...beside(names, ['Sales', 12], ['Ops', 5], ['Total', 17]), ...wide];
    expect(await textsOf(rows)).toEqual([
      ...readOrders,
      'Team: Sales; Heads: 12',
      'Team: Ops; Heads: 5',
      'Team: Total; Heads: 17',
      'Day: Mon; Guests: 5; Rooms: 3; Beds: 6; Meals: 15',
    ]);
  });
});

test.each<[string, Row[], string]>([
  [
    'columns of figures',
    [
      ['EUR', null, 2024, null, 2023],
      ['Revenue', null, 5400, null, 5100],
      ['Costs', null, 3000, null, 2900],
    ],
    'EUR: Revenue; 2024: 5400; 2023: 5100',
  ],
  [
    'columns of words',
    beside(['Contact', 'Town'], ['Ann', 'Leeds'], ['Bo', 'York'], ['Cy', 'Hull']),
    'Order: A-17; Customer: Alder; Amount: 100; Contact: Ann; Town: Leeds',
  ],
  [
    'columns of words that a row leaves blank',
    beside(['Contact', 'Town'], ['Ann', 'Leeds'], [], ['Cy', 'Hull']),
    'Order: A-17; Customer: Alder; Amount: 100; Contact: Ann; Town: Leeds',
  ],
  [
    'groups of columns',
    [
      ['2023', null, null, '2024', null],
      ['Site', 'kWh', null, 'Site', 'kWh'],
      ['Kiel', 290, null, 'Kiel', 270],
      ['Bonn', 160, null, 'Bonn', 155],
    ],
    '2023 Site: Kiel; 2023 kWh: 290; 2024 Site: Kiel; 2024 kWh: 270',
  ],
])('%s that a blank column sets apart stay in the rows of their table', async (_, rows, expected) => {
  expect(await textsOf(rows)).toContain(expected);
});

describe('the name of a sum is not the value of the column that it stands in', () => {
  const totals = ['Subtotal; Amount: 400', 'VAT 19 %; Amount: 76', 'Total due; Amount: 476'];

  test.each([
    ['at once', ''],
    ['behind a blank row', ',,,\n'],
  ])('in a sheet, %s', async (_, gap) => {
    const source = `Item,Qty,Unit price,Amount\nDesk,2,200,400\n${gap},,Subtotal,400\n,,VAT 19 %,76\n,,Total due,476\n`;
    const { blocks } = await parseFile({ name: 'file.csv', bytes: bytesOf(source) }, { ocrLanguages: [] });
    expect(blocks.map(({ text }) => text)).toEqual([
      'Item: Desk; Qty: 2; Unit price: 200; Amount: 400',
      ...totals,
    ]);
  });

  test('in HTML', async () => {
    const row = (name: string, ...cells: string[]) =>
      `<tr>${cells.map((cell) => `<${name}>${cell}</${name}>`).join('')}</tr>`;
    const source = `<table>${row('th', 'Item', 'Unit price', 'Amount')}${row('td', 'Desk', '200', '400')}${row('td', '', 'Subtotal', '400')}</table>`;
    const { blocks } = await parseFile({ name: 'file.html', bytes: bytesOf(source) }, { ocrLanguages: [] });
    expect(blocks.map(({ text }) => text)).toEqual([
      'Item: Desk; Unit price: 200; Amount: 400',
      'Subtotal; Amount: 400',
    ]);
  });
});
