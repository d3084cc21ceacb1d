import { describe, expect, test } from '@jest/globals';
import { paragraph, run, wordFile } from '../support/files/word.js';
import { ods, openRow, textRow, xls, xlsx } from '../support/files/spreadsheets.js';
import { bytesOf } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';

async function blocksOf(name: string, source: string | Uint8Array) {
  const bytes = typeof source === 'string' ? bytesOf(source) : source;
  const { blocks } = await parseFile({ name, bytes }, { ocrLanguages: [] });
  return blocks.map(({ text, headings }) => [...headings, text]);
}

describe('a row over all columns titles the rows below', () => {
  const timetable = [
    ['From Kallo', 'Sails: Morning; Mon–Fri: 07:10; Sat: 08:30'],
    ['From Brenn', 'Sails: Morning; Mon–Fri: 07:55; Sat: 09:15'],
    ['No service on 21 June.'],
  ];
  const rows = [
    ['Sails', 'Mon–Fri', 'Sat'],
    ['From Kallo'],
    ['Morning', '07:10', '08:30'],
    ['From Brenn'],
    ['Morning', '07:55', '09:15'],
    ['No service on 21 June.'],
  ];

  test.each(['th', 'td'])('in HTML, set as %s', async (name) => {
    const lines = rows.map((cells, index) => {
      const cell = index === 0 || (cells.length === 1 && name === 'th') ? 'th' : 'td';
      const span = cells.length === 1 ? ' colspan="3"' : '';
      return `<tr>${cells.map((text) => `<${cell}${span}>${text}</${cell}>`).join('')}</tr>`;
    });
    expect(await blocksOf('file.html', `<table>${lines.join('')}</table>`)).toEqual(timetable);
    const large = `<p>${'a=b '.repeat(26_000)}</p><table>${lines.join('')}</table>`;
    expect((await blocksOf('file.html', large)).slice(-3)).toEqual(timetable);
    expect(await blocksOf('file.md', `# Ferry\n\n<table>\n${lines.join('\n')}\n</table>\n`)).toEqual(
      timetable.map((texts) => ['Ferry', ...texts]),
    );
  });

  test('in Word', async () => {
    const lines = rows.map((cells, index) => {
      const header = index === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : '';
      const span = cells.length === 1 ? '<w:tcPr><w:gridSpan w:val="3"/></w:tcPr>' : '';
      return `<w:tr>${header}${cells.map((text) => `<w:tc>${span}${paragraph(run(text))}</w:tc>`).join('')}</w:tr>`;
    });
    expect(await blocksOf('file.docx', wordFile({ body: `<w:tbl>${lines.join('')}</w:tbl>` }))).toEqual(
      timetable,
    );
  });

  test('in sheets, where it is merged; a row that merely has one value keeps its column', async () => {
    const inSheet = [
      ...timetable.map((texts) => ['S', ...texts]).slice(0, 2),
      ['S', 'From Brenn', 'Sails: Noon'],
    ];
    const all = [...rows.slice(0, -1), ['Noon']];
    const cells = all.map((texts, index) => textRow(index + 1, ...texts)).join('');
    const rest = '<mergeCells><mergeCell ref="A2:C2"/><mergeCell ref="A4:C4"/></mergeCells>';
    expect(await blocksOf('file.xlsx', xlsx([{ name: 'S', rows: cells, rest }]))).toEqual(inSheet);
    const open = all.map((texts) =>
      openRow(...texts).replace(
        /<table:table-cell>(?=<text:p>From)/,
        '<table:table-cell table:number-columns-spanned="3">',
      ),
    );
    expect(
      await blocksOf('file.ods', ods(`<table:table table:name="S">${open.join('')}</table:table>`)),
    ).toEqual(inSheet);
  });
});

describe('what stands below a table, behind a blank row', () => {
  const table = 'Task,Owner,Done\nNew floor,Roth,40%\n';
  const told = ['Task: New floor; Owner: Roth; Done: 40%'];

  test.each([
    [
      'remarks',
      ',,\nRed tasks are late.,,\n"Ask Ilka, room 4",,\n',
      [['Red tasks are late.'], ['Ask Ilka, room 4']],
    ],
    [
      'fields',
      ',,\nApproved by:,Ilka Sommer,\nReviewed:,2025-05-28,\n',
      [['Approved by: Ilka Sommer'], ['Reviewed: 2025-05-28']],
    ],
    [
      'fields without colons',
      ',,\nProject manager,Ilka,\nStart date,2025-05-28,\n',
      [['Project manager: Ilka'], ['Start date: 2025-05-28']],
    ],
    [
      'a title over further rows',
      ',,\nPhase two,,\nPaint,Baum,0%\n',
      [['Phase two', 'Task: Paint; Owner: Baum; Done: 0%']],
    ],
    ['a total', ',,\n,,80%\n', [['Done: 80%']]],
  ])('%s', async (_, source, expected) => {
    const found = await blocksOf('file.csv', table + source);
    expect(found.map((texts) => texts.filter((text) => text !== ''))).toEqual([told, ...expected]);
  });
});

describe('fields above a table', () => {
  test('in pairs side by side, with a blank column between them', async () => {
    const form =
      'INVOICE,,,,Tallow & Wick\n,,,,\nBill to:,Marchmont Hotel,,Invoice no.,TW-2291\n,14 Quay Street,,Date,2025-05-02\n,Galway,,Due,2025-06-01\n';
    const items = ',,,,\nItem,Description,Qty,Unit price,Amount\n1,Pillar candle,48,6.20,297.60\n';
    expect((await blocksOf('file.csv', form + items)).flat()).toEqual([
      'INVOICE Tallow & Wick',
      'Bill to: Marchmont Hotel; Invoice no.: TW-2291',
      '14 Quay Street; Date: 2025-05-02',
      'Galway; Due: 2025-06-01',
      'Item: 1; Description: Pillar candle; Qty: 48; Unit price: 6.20; Amount: 297.60',
    ]);
    const book = await xls({
      Report: [
        ['Employee', 'Rune', '', 'Department', 'Sales'],
        ['Manager', 'Tove', '', 'Cost centre', 'CC-310'],
      ],
    });
    expect(await blocksOf('file.xls', book)).toEqual([
      ['Report', 'Employee: Rune; Department: Sales'],
      ['Report', 'Manager: Tove; Cost centre: CC-310'],
    ]);
  });
});
