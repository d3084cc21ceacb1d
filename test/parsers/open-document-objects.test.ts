import { expect, test } from '@jest/globals';
import { openDocumentSlides, openDocumentText } from '../../src/ingestion/parsers/open-document.js';
import { openDocumentSheets } from '../../src/ingestion/parsers/open-document-sheets.js';
import { openDocumentFile } from '../support/files/open-document.js';
import { noContext, textsOf } from '../support/files/reading.js';

const p = (content: string) => `<text:p>${content}</text:p>`;
const shown = (name: string) => `<draw:frame><draw:object xlink:href="${name}"/></draw:frame>`;
const object = (kind: string, body: string, styles = '') =>
  '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:style="s" xmlns:chart="k">' +
  `<office:automatic-styles>${styles}</office:automatic-styles>` +
  `<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
const row = (...cells: string[]) =>
  `<table:table-row>${cells.map((cell) => `<table:table-cell>${cell === '' ? '' : p(cell)}</table:table-cell>`).join('')}</table:table-row>`;
const hidden =
  '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>';

const chart = object(
  'chart',
  `<chart:chart><chart:title>${p('Sales of <text:span>berries</text:span>')}</chart:title>` +
    `<chart:plot-area><chart:axis><chart:title>${p('Quarter')}</chart:title></chart:axis>` +
    `<chart:series><chart:data-point><chart:data-label>${p('best ever')}</chart:data-label></chart:data-point></chart:series></chart:plot-area>` +
    `<table:table><table:table-header-rows>${row('', 'North', 'South')}</table:table-header-rows>` +
    `<table:table-rows>${row('Spring', '3.5', 'NaN')}<table:table-row><table:table-cell>${p('Autumn')}</table:table-cell>` +
    `<table:table-cell>${p('7')}<draw:g><svg:desc>Sheet1.B2:B2</svg:desc></draw:g></table:table-cell></table:table-row></table:table-rows>` +
    '</table:table></chart:chart>',
);

test('reads charts, sheets, drawings, texts and formulas within a text, and objects within these', async () => {
  const files = {
    'Object 1/content.xml': chart,
    'Object 2/content.xml': object(
      'spreadsheet',
      `<table:table table:name="Prices">${row('Fruit', 'Price')}${row('Sloe', '4.20')}</table:table>`,
    ),
    'Object 3/content.xml': object(
      'drawing',
      `<draw:page><draw:custom-shape>${p('Valve A')}</draw:custom-shape></draw:page>`,
    ),
    'Object 4/content.xml': object(
      'text',
      p('<text:span text:style-name="T1">Annex in full.</text:span>') + p(shown('./Object 1')),
    ),
    'Object 4/Object 1/content.xml':
      '<math><semantics><mi>a</mi><annotation encoding="StarMath 5.0">a over b</annotation></semantics></math>',
    'Object 5/content.xml': 'no xml',
  };
  const names = ['Object 1', './Object 2', 'Object 3/', './Object 4', './Object 5', './Object 6', 'Object 1'];
  const body = p('Before') + names.map((name) => p(shown(name))).join('') + p('After');
  const document = await openDocumentText.parse(openDocumentFile({ body, styles: hidden, files }), noContext);
  expect(textsOf(document)).toEqual([
    'Before',
    'Sales of berries; Quarter; best ever',
    'South',
    'Spring; North: 3.5',
    'Autumn; North: 7',
    'Fruit: Sloe; Price: 4.20',
    'Valve A',
    'Annex in full.',
    'a over b',
    'After',
  ]);
});

test('a slide shows the values of its charts, a sheet has them in cells', async () => {
  const files = { 'Object 1/content.xml': chart };
  const slides = openDocumentFile({
    kind: 'presentation',
    body: `<draw:page>${shown('./Object 1')}</draw:page>`,
    files,
  });
  expect(textsOf(await openDocumentSlides.parse(slides, noContext))).toContain('Spring; North: 3.5');
  const sheet = openDocumentFile({
    kind: 'spreadsheet',
    body: `<table:table table:name="S"><table:shapes>${shown('./Object 1')}</table:shapes>${row('Alder')}</table:table>`,
    files,
  });
  const { blocks } = await openDocumentSheets.parse(sheet, noContext);
  expect(blocks).toMatchObject([
    { text: 'Alder', headings: ['S'] },
    { text: 'Sales of berries; Quarter; best ever', headings: ['S'] },
  ]);
});
