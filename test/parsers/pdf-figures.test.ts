import { describe, expect, test } from '@jest/globals';
import { newPdf } from '../support/files/pdf.js';
import { parseFile } from '../support/parse-file.js';

interface Setting {
  /** Right edges of the columns of figures. */
  readonly edges: readonly number[];
  readonly y?: number;
  readonly x?: number;
  /** Where currency signs stand, before each right edge. */
  readonly sign?: number;
}

type Row = readonly [name: string, ...figures: string[]];

/** Rows set as accounts are: names indented by their leading blanks, figures with their last digits below each other. */
async function page(
  rows: readonly Row[],
  { edges, y = 100, x = 50, sign = 52 }: Setting,
  around: readonly (readonly [string, number, number])[] = [],
) {
  const { document, font, addPage, write } = await newPdf();
  const made = addPage();
  const width = (text: string) => font.widthOfTextAtSize(text, 10);
  rows.forEach(([name, ...figures], index) => {
    const top = y + index * 14;
    if (name !== '')
      write(made, [name.trim()], { x: x + (name.length - name.trimStart().length) * 4, y: top });
    figures.forEach((figure, column) => {
      const edge = edges[column] ?? 0;
      const digits = figure.replace('$', '');
      // Brackets hang over the edge.
      if (digits !== '') write(made, [digits], { x: edge - width(digits.replace(/\)$/, '')), y: top });
      if (figure.startsWith('$')) write(made, ['$'], { x: edge - sign, y: top });
    });
  });
  for (const [text, left, top] of around) write(made, [text], { x: left, y: top });
  const bytes = await document.save();
  const { blocks } = await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] });
  return blocks.map(({ text }) => text);
}

const edges = [380, 460, 540];

describe('names of rows beside columns of figures', () => {
  test('become rows that name their columns and the heading under which they are indented', async () => {
    const texts = await page(
      [
        ['', '2024', '2023', '2022'],
        ['Net sales:'],
        ['  Products', '$294,866', '$298,085', '$316,199'],
        ['  Services', '96,169', '85,200', '78,129'],
        ['    Total net sales', '391,035', '383,285', '394,328'],
        ['Cost of sales:'],
        ['  Products', '185,233', '189,282', '201,471'],
        ['    Total cost of sales', '210,352', '214,137', '223,546'],
        ['      Gross margin', '180,683', '169,148', '170,782'],
        ['Other income/(expense), net', '269', '(565)', '(334)'],
        ['Changes in operating assets and'],
        ['liabilities, net of acquisitions', '5', '—', 'N/A'],
        ['Earnings per share:'],
        ['Basic', '$6.11', '$6.16', '$6.15'],
      ],
      { edges },
      [
        ['(in millions, except per share amounts)', 50, 76],
        ['The company pays its bills from operations and from a credit facility of 2026.', 50, 320],
      ],
    );
    expect(texts).toEqual([
      '(in millions, except per share amounts)',
      'Net sales: Products; 2024: $294,866; 2023: $298,085; 2022: $316,199',
      'Net sales: Services; 2024: 96,169; 2023: 85,200; 2022: 78,129',
      'Net sales: Total net sales; 2024: 391,035; 2023: 383,285; 2022: 394,328',
      'Cost of sales: Products; 2024: 185,233; 2023: 189,282; 2022: 201,471',
      'Cost of sales: Total cost of sales; 2024: 210,352; 2023: 214,137; 2022: 223,546',
      'Gross margin; 2024: 180,683; 2023: 169,148; 2022: 170,782',
      'Other income/(expense), net; 2024: 269; 2023: (565); 2022: (334)',
      'Changes in operating assets and liabilities, net of acquisitions; 2024: 5; 2023: -; 2022: N/A',
      'Earnings per share:',
      'Basic; 2024: $6.11; 2023: $6.16; 2022: $6.15',
      'The company pays its bills from operations and from a credit facility of 2026.',
    ]);
  });

  test('take the names above several columns too', async () => {
    const texts = await page(
      [
        ['', '2024', '2023', '2024', '2023'],
        ['Revenue', '10.5', '9.1', '30.2', '28.8'],
        ['Cost of revenue', '4.5', '4.1', '12.2', '11.8'],
        ['Gross profit', '6.0', '5.0', '18.0', '17.0'],
      ],
      { edges: [300, 360, 460, 520] },
      [
        ['Three months ended', 270, 86],
        ['Nine months ended', 434, 86],
      ],
    );
    expect(texts[0]).toBe(
      [
        'Revenue; Three months ended 2024: 10.5; Three months ended 2023: 9.1',
        'Nine months ended 2024: 30.2; Nine months ended 2023: 28.8',
      ].join('; '),
    );
  });

  test('are read beside a column of prose, and words may stand in the place of a figure', async () => {
    const prose = Array.from({ length: 8 }, (_, index): [string, number, number] => [
      `Prose of the left column, line ${index}, goes on`,
      50,
      100 + index * 14,
    ]);
    const texts = await page(
      [
        ['Plan', 'Monthly', 'Yearly'],
        ['Free', '$0', '$0'],
        ['Pro', '$12', '$120'],
        ['Team', '$30', '$300'],
        ['Enterprise', 'Custom', 'Custom'],
      ],
      { edges: [450, 540], x: 330, sign: 30 },
      prose,
    );
    const [left] = texts.filter((text) => text.startsWith('Prose'));
    expect(left).toMatch(/^Prose of the left column, line 0, .* line 7, goes on$/);
    expect(texts.filter((text) => text !== left)).toEqual([
      'Plan: Free; Monthly: $0; Yearly: $0',
      'Plan: Pro; Monthly: $12; Yearly: $120',
      'Plan: Team; Monthly: $30; Yearly: $300',
      'Plan: Enterprise; Monthly: Custom; Yearly: Custom',
    ]);
  });

  test('are two tables where years stand above each', async () => {
    const rows = (first: string, second: string): Row[] => [
      ['', first, second],
      ['Revenue', '1,204', '1,100'],
      ['Costs', '(804)', '(790)'],
      ['Profit', '400', '310'],
    ];
    const texts = await page([...rows('2024', '2023'), ...rows('2022', '2021')], { edges: [400, 500] });
    expect(texts[0]).toBe('Revenue; 2024: 1,204; 2023: 1,100');
    expect(texts.at(-1)).toBe('Profit; 2022: 400; 2021: 310');
  });

  test.each([
    ['the middle of the other cells', 106],
    ['the first line of the other cells', 100],
  ])('are one row where a cell has lines beside %s', async (_place, top) => {
    const { document, addPage, write } = await newPdf();
    const made = addPage();
    const line = (y: number, ...cells: readonly (readonly [string, number])[]) => {
      for (const [text, x] of cells) write(made, [text], { x, y });
    };
    line(60, ['Date', 50], ['Description', 120], ['Paid out', 330], ['Paid in', 410], ['Balance', 500]);
    line(80, ['1 Mar', 50], ['Balance brought forward', 120], ['410.55', 500]);
    line(100, ['Direct debit', 120]);
    line(112, ['Humber Water 7718', 120]);
    line(top, ['3 Mar', 50], ['41.20', 330], ['369.35', 500]);
    line(134, ['5 Mar', 50], ['Salary', 120], ['120.00', 410], ['489.35', 500]);
    line(154, ['9 Mar', 50], ['Card payment', 120], ['16.93', 330], ['472.42', 500]);
    line(174, ['Transfer to savings', 120]);
    line(186, ['Account 9912', 120]);
    line(top + 74, ['28 Mar', 50], ['100.00', 330], ['372.42', 500]);
    const bytes = await document.save();
    const { blocks } = await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] });
    expect(blocks.map(({ text }) => text)).toEqual([
      'Date: 1 Mar; Description: Balance brought forward; Balance: 410.55',
      'Date: 3 Mar; Description: Direct debit Humber Water 7718; Paid out: 41.20; Balance: 369.35',
      'Date: 5 Mar; Description: Salary; Paid in: 120.00; Balance: 489.35',
      'Date: 9 Mar; Description: Card payment; Paid out: 16.93; Balance: 472.42',
      'Date: 28 Mar; Description: Transfer to savings Account 9912; Paid out: 100.00; Balance: 372.42',
    ]);
  });
});
