import { describe, expect, test } from '@jest/globals';
import { openDocumentFile } from '../support/files/open-document.js';
import { rtfFile } from '../support/files/rtf.js';
import { parseFile } from '../support/parse-file.js';

async function textsOf(name: string, bytes: Uint8Array) {
  const { blocks } = await parseFile({ name, bytes }, { ocrLanguages: ['eng'] });
  return blocks.map(({ text }) => text);
}

const row = (definition: string, ...cells: readonly string[]) =>
  `\\trowd${definition}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row `;
const even = '\\cellx2000\\cellx4000\\cellx6000\\cellx8000';
const body = [row(even, 'Optics', '12,400', '13,950', 'late'), row(even, 'Vacuum', '8,100', '7,777', 'done')];
const expected = [
  'Department: Optics; Spending Planned: 12,400; Spending Actual: 13,950; Note: late',
  'Department: Vacuum; Spending Planned: 8,100; Spending Actual: 7,777; Note: done',
];

describe('a table whose columns are named by groups and names', () => {
  test('in RTF has its columns where cells end', async () => {
    const rtf = [
      row('\\clvmgf\\cellx2000\\cellx6010\\clvmgf\\cellx8000', 'Department', 'Spending', 'Note'),
      row('\\clvmrg\\cellx2000\\cellx4000\\cellx6000\\clvmrg\\cellx8000', '', 'Planned', 'Actual', ''),
      ...body,
    ].join('');
    expect(await textsOf('file.rtf', rtfFile(rtf))).toEqual(expected);
  });

  test('in ODT has both rows in its names', async () => {
    const cell = (text: string, attributes = '') =>
      `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
    const covered = '<table:covered-table-cell/>';
    const down = 'table:number-rows-spanned="2"';
    const rows = [
      cell('Department', down) +
        cell('Spending', 'table:number-columns-spanned="2"') +
        covered +
        cell('Note', down),
      covered + cell('Planned') + cell('Actual') + covered,
      ...['Optics 12,400 13,950 late', 'Vacuum 8,100 7,777 done'].map((each) =>
        each
          .split(' ')
          .map((text) => cell(text))
          .join(''),
      ),
    ].map((cells) => `<table:table-row>${cells}</table:table-row>`);
    const bytes = openDocumentFile({ body: `<table:table>${rows.join('')}</table:table>` });
    expect(await textsOf('file.odt', bytes)).toEqual(expected);
  });
});

test('notes of a table follow it, those of the paragraph behind it follow that', async () => {
  const rtf =
    row(even, 'Optics{\\footnote In hall B.}', '12,400', '13,950', 'late') +
    '\\pard Counted{\\footnote At noon.} twice.\\par\\pard Then\\par';
  expect(await textsOf('file.rtf', rtfFile(rtf))).toEqual([
    'Optics[1]; 12,400; 13,950; late',
    '[1] In hall B.',
    'Counted[2] twice.',
    '[2] At noon.',
    'Then',
  ]);
});

test('a text box on the notes page of an ODP slide is among its notes', async () => {
  const frame = (text: string, attributes = '') =>
    `<draw:frame ${attributes}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
  const notes = frame('Greet in French.') + frame('7', 'presentation:class="page-number"');
  const slide = `<draw:page>${frame('Plan')}<presentation:notes>${notes}</presentation:notes></draw:page>`;
  const bytes = openDocumentFile({ kind: 'presentation', body: slide });
  expect(await textsOf('file.odp', bytes)).toEqual(['Plan', 'Greet in French.']);
});

test('a first row in bold names the columns, whatever stands before the table', async () => {
  const two = '\\cellx2000\\cellx4000';
  const rtf =
    'The members pay as follows.\\par ' +
    row(two, '{\\b Kind}', '{\\b Due}') +
    row(two, 'Active', 'January') +
    row(two, 'Passive', 'June') +
    '\\pard Fees are low.\\par';
  expect(await textsOf('file.rtf', rtfFile(rtf))).toEqual([
    'The members pay as follows.',
    'Kind: Active; Due: January',
    'Kind: Passive; Due: June',
    'Fees are low.',
  ]);
});
