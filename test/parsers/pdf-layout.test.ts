import { describe, expect, test } from '@jest/globals';
import { degrees } from 'pdf-lib';
import { newPdf, pdfOf } from '../support/files/pdf.js';
import type { PlacedWord } from '../support/files/pdf.js';
import { parseFile } from '../support/parse-file.js';

const line = (text: string, x: number, y: number, size?: number): PlacedWord =>
  size === undefined ? { text, x, y } : { text, x, y, size };
const bold = (text: string, x: number, y: number, size = 10): PlacedWord => ({
  text,
  x,
  y,
  size,
  isBold: true,
});

/** The blocks of a page with these words, each with its headings. */
async function read(words: readonly PlacedWord[]) {
  const bytes = await pdfOf(words, { size: 10 });
  const { blocks } = await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] });
  return blocks.map(({ text, headings }) => [text, ...headings]);
}

const prose = (x: number, y: number, topic: string) =>
  Array.from({ length: 4 }, (_, index) =>
    line(`${topic} of the harbour is told at some length, line ${index}`, x, y + index * 12),
  );
const proseText = (topic: string) => prose(0, 0, topic).map(({ text }) => text);

test('what stands at the side of a drawing in large type is no heading of what follows', async () => {
  const { document, addPage, write } = await newPdf();
  const page = addPage();
  write(page, ['Growth'], { x: 100, y: 100, size: 20 });
  write(page, ['The number of seedlings rose in all of the beds', 'until the frost came.'], {
    x: 100,
    y: 140,
  });
  page.drawText('Number of characteristics', { x: 60, y: 300, size: 15, rotate: degrees(90) });
  write(addPage(), ['What the second page says of the harvest.'], { x: 100, y: 100 });
  const file = { name: 'file.pdf', bytes: await document.save() };
  const { blocks } = await parseFile(file, { ocrLanguages: [] });
  expect(blocks.map(({ text, headings }) => [text, headings])).toEqual([
    ['The number of seedlings rose in all of the beds until the frost came.', ['Growth']],
    ['Number of characteristics', ['Growth']],
    ['What the second page says of the harvest.', ['Growth']],
  ]);
});

describe('the layout of a page', () => {
  test('numbers of a list far from its items are no column', async () => {
    const items = [
      ['Article 3.', 'Membership is open'],
      ['(a)', 'to divers of the bay'],
      ['(b)', 'to sailors of the sound'],
      ['3.b.i', 'of any age at all'],
    ] as const;
    const words = items.flatMap(([mark, text], index) => [
      line(mark, 70, 100 + index * 14),
      line(text, index === 0 ? 140 : 105, 100 + index * 14),
    ]);
    const texts = (await read(words)).map(([text]) => text).join(' ');
    expect(texts).toBe(items.map((item) => item.join(' ')).join(' '));
  });

  test('bold names below a table of figures begin the next one', async () => {
    const row = (cells: readonly string[], y: number, make = line) =>
      cells.map((text, column) => make(text, [60, 200, 300][column] ?? 0, y));
    const words = [
      ...row(['Species', 'Spring', 'Autumn'], 100, bold),
      ...['Dunlin', 'Knot', 'Ruff'].flatMap((name, at) => row([name, `4${at}`, `1${at}`], 118 + at * 18)),
      ...row(['Warden', 'District', 'Hut'], 182, bold),
      ...['Berg', 'Dahl', 'Moe'].flatMap((name, at) =>
        row([name, `Valley ${name}`, `1${at}`], 200 + at * 18),
      ),
    ];
    expect((await read(words)).map(([text]) => text)).toEqual([
      'Species: Dunlin; Spring: 40; Autumn: 10',
      'Species: Knot; Spring: 41; Autumn: 11',
      'Species: Ruff; Spring: 42; Autumn: 12',
      'Warden: Berg; District: Valley Berg; Hut: 10',
      'Warden: Dahl; District: Valley Dahl; Hut: 11',
      'Warden: Moe; District: Valley Moe; Hut: 12',
    ]);
  });

  test('numbers behind words that a note at its foot begins with are marked, others are not', async () => {
    expect(
      await read([
        ...prose(50, 80, 'The north'),
        line('The basin1 was dug in 1910 by hand,2 and B2 is its berth.', 50, 150),
        line('1 Measured at low water.', 50, 600, 8),
        line('2 Until the strike.', 50, 610, 8),
        line('3 Nothing refers to this.', 50, 620, 8),
      ]),
    ).toEqual([
      [proseText('The north').join(' ')],
      ['The basin[1] was dug in 1910 by hand,[2] and B2 is its berth.'],
      ['[1] Measured at low water.'],
      ['[2] Until the strike. 3 Nothing refers to this.'],
    ]);
  });

  test('a sum and the number of the page, far below it, are no column beside what stands between them', async () => {
    const words = [
      line('Northwind Timber', 50, 80),
      line('INV-20417', 400, 80),
      line('Total due GBP 1,392.00', 435, 110),
      line('Payment within 30 days of the invoice, without deduction.', 50, 140),
      line('Bank: Humber Bank, account 31415926', 50, 152),
      line('Registered in England', 50, 740, 8),
      line('Page 1 of 1', 500, 740, 8),
    ];
    const texts = (await read(words)).map(([text]) => text).join(' ');
    expect(texts).toMatch(/Total due.*Payment within.*Registered in England Page 1 of 1$/);
  });

  test('what stands left of the text of a list item is not of the item', async () => {
    expect(
      await read([
        line('• Hopper barge', 70, 100),
        line('• Dredger that was', 70, 112),
        line('built in Cork', 78, 124),
        line('See the notice for details.', 50, 136),
      ]),
    ).toEqual([['• Hopper barge'], ['• Dredger that was built in Cork'], ['See the notice for details.']]);
  });

  test('lines of a title are one heading; a heading of the next size is another', async () => {
    expect(
      await read([
        bold('The long history of', 50, 60, 20),
        bold('keepers of the coast', 50, 90, 20),
        line('Keepers lived on the rock for weeks.', 50, 140),
        bold('Experience', 50, 180, 13),
        bold('Electrician in Vigo', 50, 195, 11.8),
        line('Wired eleven trawlers and two ferries.', 50, 215),
      ]),
    ).toEqual([
      ['Keepers lived on the rock for weeks.', 'The long history of keepers of the coast'],
      ['Experience', 'The long history of keepers of the coast'],
      [
        'Wired eleven trawlers and two ferries.',
        'The long history of keepers of the coast',
        'Electrician in Vigo',
      ],
    ]);
  });

  test('a heading below two columns belongs to what follows across the page', async () => {
    const blocks = await read([
      ...prose(50, 100, 'The north'),
      ...prose(320, 100, 'The south'),
      bold('Timetable', 50, 151, 14),
      line('Work begins on 3 May and ends, if the weather allows it, on 30 September of this year.', 50, 175),
    ]);
    expect(blocks).toEqual([
      [proseText('The north').join(' ')],
      [proseText('The south').join(' ')],
      [expect.stringContaining('Work begins'), 'Timetable'],
    ]);
  });

  test('labels stay with their values beside an address', async () => {
    const values: readonly (readonly [string, string, number])[] = [
      ['Invoice no.', '2024-0917', 497],
      ['Date', '17 September 2024', 457],
      ['Due date', '17 October 2024', 470],
    ];
    const blocks = await read([
      bold('INVOICE', 50, 50, 20),
      ...values.flatMap(([label, value, x], index) => [
        line(label, 350, 54 + index * 14),
        line(value, x, 54 + index * 14),
      ]),
      ...['Bellweather Optics Ltd', '12 Prism Lane', 'Norwich NR1 4ZZ'].map((text, index) =>
        line(text, 50, 93 + index * 13),
      ),
    ]);
    const text = blocks.map(([each]) => each).join('\n');
    expect(text).toContain('Invoice no. 2024-0917');
    expect(text).toContain('Due date 17 October 2024');
    expect(text).toContain('Bellweather Optics Ltd 12 Prism Lane Norwich NR1 4ZZ');
  });

  test('names in bold type are those of the columns, and what stands above them is not', async () => {
    const row = (cells: readonly string[], y: number, isBold = false) =>
      cells.map((text, index) => ({ text, x: [50, 300, 380, 480][index] ?? 0, y, isBold }));
    const blocks = await read([
      bold('Bill to', 50, 100),
      line('Parks Department', 50, 112),
      line('Pershore', 50, 124),
      bold('Ship to', 480, 100),
      line('Depot 4', 480, 112),
      line('Wyre', 480, 124),
      ...row(['Item', 'Qty', 'Price', 'Total'], 146, true),
      ...row(['Hornbeam hedge', '120', '1.85', '222.00'], 162),
      ...row(['Mulch', '3', '64.00', '192.00'], 178),
      ...row(['Twine', '2', '4.00', '8.00'], 194),
    ]);
    expect(blocks.map(([text]) => text)).toContain('Item: Mulch; Qty: 3; Price: 64.00; Total: 192.00');
  });
});

test.each([90, 270, 180])(
  'a table that stands turned on its page is read as any: by %i degrees',
  async (turn) => {
    const { document, addPage, font } = await newPdf();
    const page = addPage();
    const rows = [
      ['Harbour', 'Delays', 'Longest', 'Reason'],
      ['Lindholm', '12', '53 min', 'ice in the channel'],
      ['Westmole', '9', '48 min', 'fog and snow'],
      ['Klintevik', '31', '115 min', 'a strike of the crews'],
    ];
    rows.forEach((cells, row) => {
      cells.forEach((text, column) => {
        const [along, across] = [120 * column, 20 * row];
        const place = {
          90: { x: 100 + across, y: 100 + along },
          270: { x: 500 - across, y: 700 - along },
          180: { x: 550 - along, y: 200 + across },
        }[turn];
        page.drawText(text, { ...place, size: 11, font, rotate: degrees(turn) });
      });
    });
    const bytes = await document.save();
    const { blocks } = await parseFile({ name: 'file.pdf', bytes }, { ocrLanguages: ['eng'] });
    expect(blocks.map(({ text }) => text)).toEqual([
      'Harbour: Lindholm; Delays: 12; Longest: 53 min; Reason: ice in the channel',
      'Harbour: Westmole; Delays: 9; Longest: 48 min; Reason: fog and snow',
      'Harbour: Klintevik; Delays: 31; Longest: 115 min; Reason: a strike of the crews',
    ]);
  },
);
