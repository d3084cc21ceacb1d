import { expect, test } from '@jest/globals';
import { excel } from '../../src/ingestion/parsers/excel.js';
import { powerpoint } from '../../src/ingestion/parsers/powerpoint.js';
import { word } from '../../src/ingestion/parsers/word.js';
import { pptx, relationships, slide } from '../support/files/presentations.js';
import { noContext, textsOf } from '../support/files/reading.js';
import { textRow, xlsx } from '../support/files/spreadsheets.js';
import { wordFile } from '../support/files/word.js';

const run = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`;
const rich = (name: string, content: string) =>
  `<c:${name}><c:tx><c:rich><a:p>${content}</a:p></c:rich></c:tx></c:${name}>`;
const cache = (name: string, ...values: string[]) =>
  `<c:${name}>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${name}>`;
const fieldLabel = rich('dLbl', '<a:fld type="CELLRANGE"><a:t>[CELLRANGE]</a:t></a:fld>');
const labels =
  `<c:dLbls>${rich('dLbl', run('best ever'))}${fieldLabel}</c:dLbls>` +
  `<c:extLst><c:ext><c15:datalabelsRange>${cache('dlblRangeCache', 'reopened', 'closed')}</c15:datalabelsRange></c:ext></c:extLst>`;
const parts = (folder: string) => ({
  [`${folder}/charts/chart1.xml`]:
    `<c:chartSpace xmlns:c="c" xmlns:a="a" xmlns:c15="c15"><c:chart>${rich('title', run('Sales'))}<c:plotArea><c:barChart><c:ser>` +
    `<c:tx>${cache('strCache', '2024')}</c:tx><c:cat>${cache('strCache', 'Oslo', 'Rome')}</c:cat><c:val>${cache('numCache', '5', '7')}</c:val>${labels}</c:ser></c:barChart>` +
    `<c:valAx>${rich('title', run('Tonnes'))}</c:valAx></c:plotArea></c:chart></c:chartSpace>`,
  [`${folder}/charts/_rels/chart1.xml.rels`]: relationships({
    rId1: ['chartUserShapes', '../drawings/drawing9.xml'],
  }),
  [`${folder}/drawings/drawing9.xml`]: `<c:userShapes xmlns:c="c" xmlns:a="a" xmlns:d="d"><d:sp><d:txBody><a:p>${run('Strike in May')}</a:p></d:txBody></d:sp></c:userShapes>`,
  [`${folder}/diagrams/data1.xml`]:
    `<d:dataModel xmlns:d="d" xmlns:a="a"><d:ptLst><d:pt><d:t><a:p>${run('Step one')}</a:p></d:t></d:pt>` +
    `<d:pt type="pres"><d:t><a:p>${run('Shape')}</a:p></d:t></d:pt></d:ptLst></d:dataModel>`,
});
const links = {
  rId1: ['chart', '../charts/chart1.xml'],
  rId2: ['diagramData', '../diagrams/data1.xml'],
} as const;
const references = '<c:chart xmlns:c="c" r:id="rId1"/><d:relIds xmlns:d="d" r:dm="rId2"/>';
const names = 'Sales; Tonnes; best ever; reopened; closed; Strike in May';

test('a slide tells what is written in a chart, and its values', async () => {
  const frame = (content: string) =>
    `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
  const deck = pptx([slide('sld', frame(references))], {
    'ppt/slides/_rels/slide1.xml.rels': relationships(links),
    ...parts('ppt'),
  });
  const { blocks } = await powerpoint.parse(deck, noContext);
  expect(blocks.map(({ text, headings }) => [...headings, text])).toEqual([
    [names],
    ['Sales', 'Oslo; 2024: 5'],
    ['Sales', 'Rome; 2024: 7'],
    ['Step one'],
  ]);
});

test('a sheet tells what is written in a chart, whose values are in cells, and in SmartArt', async () => {
  const drawn = `<x:wsDr xmlns:x="x" xmlns:a="a" xmlns:r="r"><a:graphic><a:graphicData>${references}</a:graphicData></a:graphic></x:wsDr>`;
  const book = xlsx(
    [{ name: 'S', rows: textRow(1, 'Alder'), links: { rId4: ['drawing', '../drawings/drawing1.xml'] } }],
    {
      parts: {
        'xl/drawings/drawing1.xml': drawn,
        'xl/drawings/_rels/drawing1.xml.rels': relationships(links),
        ...parts('xl'),
      },
    },
  );
  expect(textsOf(await excel.parse(book, noContext))).toEqual(['Alder', names, 'Step one']);
});

test('a sheet that is a chart tells what is written in it', async () => {
  const book = xlsx([{ name: 'S', rows: textRow(1, 'Alder') }], {
    parts: {
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="rId1"/><sheet name="Trend" r:id="rId2"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relationships({
        rId1: ['worksheet', 'worksheets/sheet1.xml'],
        rId2: ['chartsheet', 'chartsheets/sheet1.xml'],
      }),
      'xl/chartsheets/sheet1.xml': '<chartsheet xmlns:r="r"><drawing r:id="rId4"/></chartsheet>',
      'xl/chartsheets/_rels/sheet1.xml.rels': relationships({
        rId4: ['drawing', '../drawings/drawing1.xml'],
      }),
      'xl/drawings/drawing1.xml': `<x:wsDr xmlns:x="x" xmlns:r="r">${references}</x:wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': relationships(links),
      ...parts('xl'),
    },
  });
  const { blocks } = await excel.parse(book, noContext);
  expect(blocks.at(-2)).toMatchObject({ text: names, headings: ['Trend'], layout: { sheet: 'Trend' } });
});

test('a text document tells both in its paragraph', async () => {
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const body = `<w:p><w:r><w:t>Before</w:t></w:r><w:r><w:drawing xmlns:a="a">${references}</w:drawing></w:r></w:p>`;
  const document = wordFile({
    body,
    relationships:
      `<Relationship Id="rId1" Type="${types}/chart" Target="charts/chart1.xml"/>` +
      `<Relationship Id="rId2" Type="${types}/diagramData" Target="diagrams/data1.xml"/>`,
    files: parts('word'),
  });
  const texts = textsOf(await word.parse(document, noContext));
  expect(texts).toEqual(['Before', names, 'Oslo; 2024: 5', 'Rome; 2024: 7', 'Step one']);
});

test('categories of several levels stand under the names of their groups', async () => {
  const level = (...entries: [number, string][]) =>
    `<c:lvl>${entries.map(([index, value]) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:lvl>`;
  const categories = level([0, 'May'], [1, 'June'], [2, 'May']) + level([0, '2011'], [2, '2012']);
  const chart =
    `<c:chartSpace xmlns:c="c"><c:chart><c:plotArea><c:barChart><c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache>${categories}` +
    `</c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val>${cache('numCache', '5', '7', '9')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
  const document = wordFile({
    body: '<w:p><w:r><w:drawing><c:chart xmlns:c="c" r:id="rId1"/></w:drawing></w:r></w:p>',
    relationships: `<Relationship Id="rId1" Type="x/chart" Target="charts/chart1.xml"/>`,
    files: { 'word/charts/chart1.xml': chart },
  });
  const { blocks } = await word.parse(document, noContext);
  expect(blocks.map(({ text }) => text)).toEqual(['2011 May; 5', '2011 June; 7', '2012 May; 9']);
});

test.each([
  ['0.0%', '0.094', '9.4%'],
  ['0%', '0.07', '7%'],
  ['d/m/yyyy', '45382', '2024-03-31'],
  ['mmm\\-yy', '45382', 'Mar 2024'],
  ['yyyy', '45382', '2024'],
  ['General', '45382', '45382'],
  ['#,##0 "days"', '12', '12'],
  ['0.0%', 'n/a', 'n/a'],
])('numbers of charts are told as they are drawn: %s', async (code, stored, told) => {
  const series =
    `<c:ser><c:cat><c:numCache><c:formatCode>${code}</c:formatCode><c:pt idx="0"><c:v>${stored}</c:v></c:pt></c:numCache></c:cat>` +
    `<c:val>${cache('numCache', '5')}</c:val></c:ser>`;
  const chart = `<c:chartSpace xmlns:c="c"><c:chart><c:plotArea><c:lineChart>${series}</c:lineChart></c:plotArea></c:chart></c:chartSpace>`;
  const drawing = '<w:p><w:r><w:drawing><c:chart xmlns:c="c" r:id="rId1"/></w:drawing></w:r></w:p>';
  const document = wordFile({
    body: drawing,
    relationships:
      '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="charts/chart1.xml"/>',
    files: { 'word/charts/chart1.xml': chart },
  });
  expect(textsOf(await word.parse(document, noContext))).toEqual([`${told}; 5`]);
});
