import { describe, expect, test } from '@jest/globals';
import { openDocumentSlides, openDocumentText } from '../../src/ingestion/parsers/open-document.js';
import { openDocumentFile, type OpenDocumentParts } from '../support/files/open-document.js';
import { noContext, textsOf } from '../support/files/reading.js';

const parse = (parts: OpenDocumentParts) => openDocumentText.parse(openDocumentFile(parts), noContext);
const p = (content: string, style = '') => `<text:p text:style-name="${style}">${content}</text:p>`;
const item = (content: string, attributes = '') =>
  `<text:list-item ${attributes}>${content}</text:list-item>`;
const list = (content: string, attributes = '') =>
  `<text:list text:style-name="L" ${attributes}>${content}</text:list>`;
const level = (depth: number, format: string, attributes = '') =>
  `<text:list-level-style-number text:level="${depth}" style:num-format="${format}" ${attributes}/>`;
const listStyle = (levels: string) => `<text:list-style style:name="L">${levels}</text:list-style>`;
const style = (name: string, properties: string, attributes = 'style:family="paragraph"') =>
  `<style:style style:name="${name}" ${attributes}><style:text-properties ${properties}/></style:style>`;
const table = (...rows: readonly (readonly string[])[]) =>
  `<table:table>${rows.map((cells) => `<table:table-row>${cells.join('')}</table:table-row>`).join('')}</table:table>`;
const cell = (content: string, attributes = '') =>
  `<table:table-cell ${attributes}>${content}</table:table-cell>`;
const comment = (content: string, author = '<dc:creator>Ann</dc:creator>') =>
  `<office:annotation>${author}${content}</office:annotation>`;
const numbered = listStyle(level(1, '1', 'style:num-suffix="."'));
const outlined = listStyle(
  level(1, '1', 'style:num-suffix="."') + level(2, '1', 'text:display-levels="2" style:num-suffix="."'),
);

type Case = readonly [what: string, body: string, texts: readonly string[], styles?: string];

const inParagraphs: readonly Case[] = [
  ['tabs', p('Total<text:tab/>40'), ['Total\t40']],
  ['line breaks', p('Quay 4 <text:line-break/>Bergen'), ['Quay 4\nBergen']],
  ['spaces', p('a<text:s/>b<text:s text:c="3"/>c<text:s text:c="x"/>d \n  e'), ['a b   c d e']],
  ['more spaces than a line has', p('a<text:s text:c="999999999"/>b'), [`a${' '.repeat(100)}b`]],
  [
    'links',
    p('See <text:a xlink:href="https://a.example/x">the plan</text:a>.'),
    ['See the plan (https://a.example/x).'],
  ],
  ['links within the document', p('See <text:a xlink:href="#top">above</text:a>.'), ['See above.']],
  [
    'ruby',
    p(
      '<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>へ',
    ),
    ['東京(とうきょう)へ'],
  ],
  [
    'fields, and the chosen word of a list',
    p(
      'Page <text:page-number>3</text:page-number>, <text:drop-down><text:label text:value="red"/>blue</text:drop-down>',
    ),
    ['Page 3, blue'],
  ],
  [
    'hidden text only while its condition does not hold',
    p('a<text:hidden-text text:is-hidden="true">no</text:hidden-text><text:hidden-text>b</text:hidden-text>'),
    ['ab'],
  ],
  [
    'a hidden paragraph only while its condition does not hold',
    p('no<text:hidden-paragraph text:is-hidden="true"/>') + p('yes<text:hidden-paragraph/>'),
    ['yes'],
  ],
  ['no paragraph of a hidden style', p('no', 'H') + p('yes'), ['yes'], style('H', 'text:display="none"')],
  [
    'numbers raised by a percentage',
    p('5 km<text:span text:style-name="T">2</text:span>'),
    ['5 km²'],
    style('T', 'style:text-position="33% 58%"', 'style:family="text"'),
  ],
];

const aside: readonly Case[] = [
  [
    'a comment of several paragraphs, with a list',
    p(`Done${comment(p('Really?') + list(item(p('Ask Bo'))))}`),
    ['Done', 'Comment by Ann: Really?\n- Ask Bo'],
  ],
  ['no author where there is none', p(`Done${comment(p('Why?'), '')}`), ['Done', 'Comment: Why?']],
  ['no empty comment', p(`Done${comment(p(''))}`), ['Done']],
  [
    'shapes in a group, and what they are said to show',
    '<draw:g><svg:title>Map 3</svg:title><svg:desc>The harbour</svg:desc>' +
      `<draw:custom-shape>${p('Pier')}</draw:custom-shape><draw:line>${p('North')}</draw:line></draw:g>`,
    ['Map 3', 'The harbour', 'Pier', 'North'],
  ],
  [
    'a linked text box',
    `<draw:a xlink:href="https://a.example/"><draw:frame><draw:text-box>${p('In a box')}</draw:text-box></draw:frame></draw:a>`,
    ['In a box'],
  ],
  [
    'a text box at the edge of a page with its heading, list and table',
    `<draw:frame><draw:text-box><text:h text:outline-level="1">Top</text:h>${list(item(p('one')))}` +
      `${table([cell(p('a')), cell(p('b'))])}</draw:text-box></draw:frame>`,
    ['- one', 'a; b'],
  ],
  [
    'a section unless its condition hides it, or its style',
    `<text:section text:display="condition" text:is-hidden="true">${p('no')}</text:section>` +
      `<text:section text:display="condition">${p('a')}</text:section>` +
      `<text:section text:style-name="S">${p('no')}</text:section>`,
    ['a'],
    '<style:style style:name="S" style:family="section"><style:section-properties text:display="none"/></style:style>',
  ],
  [
    'a table of contents as it is printed',
    '<text:table-of-content><text:table-of-content-source><text:index-title-template>no</text:index-title-template>' +
      `</text:table-of-content-source><text:index-body><text:index-title>${p('Contents')}</text:index-title>${p('Intro<text:tab/>1')}</text:index-body></text:table-of-content>`,
    ['Contents', 'Intro\t1'],
  ],
];

const lists: readonly Case[] = [
  [
    'with a start of its own',
    list(item(p('c')) + item(p('d'))),
    ['3) c', '4) d'],
    listStyle(level(1, '1', 'text:start-value="3" style:num-suffix=")"')),
  ],
  [
    'with an item that starts anew',
    list(item(p('a')) + item(p('b'), 'text:start-value="7"') + item(p('c'))),
    ['1. a', '7. b', '8. c'],
    numbered,
  ],
  [
    'which goes on behind a paragraph when it says so',
    list(item(p('a'))) +
      p('Between') +
      list(item(p('b')), 'text:continue-numbering="true"') +
      list(item(p('c'))),
    ['1. a', 'Between', '2. b', '1. c'],
    numbered,
  ],
  [
    'which goes on with the list it names',
    list(item(p('a')), 'xml:id="n1"') +
      list(item(p('x')) + item(p('y'))) +
      list(item(p('b')), 'text:continue-list="n1"'),
    ['1. a', '1. x', '2. y', '2. b'],
    numbered,
  ],
  [
    'with the numbers of the levels above',
    list(item(p('a') + list(item(p('b')) + item(p('c')))) + item(p('d') + list(item(p('e'))))),
    ['1. a', '1.1. b', '1.2. c', '2. d', '2.1. e'],
    outlined,
  ],
  [
    'of which an item without words of its own is not counted',
    list(item(p('a'))) +
      p('Between') +
      list(item(list(item(p('b')))) + item(p('c')), 'text:continue-numbering="true"'),
    ['1. a', 'Between', '1.1. b', '2. c'],
    outlined,
  ],
  [
    'in letters and Roman numbers',
    list(item(p('a') + list(item(p('b'))))),
    ['A a', 'i b'],
    listStyle(level(1, 'A') + level(2, 'i')),
  ],
  ['with bullets', list(item(p('a'))), ['- a'], listStyle('<text:list-level-style-bullet text:level="1"/>')],
  ['without numbers', list(item(p('a'))), ['a'], listStyle(level(1, ''))],
  [
    'with a header',
    list(`<text:list-header>${p('Why')}</text:list-header>${item(p('a'))}`),
    ['Why', '1. a'],
    numbered,
  ],
  ['in a cell', table([cell(list(item(p('a')) + item(p('b')))), cell(p('c'))]), ['1. a\n2. b; c'], numbered],
];

const tables: readonly Case[] = [
  [
    'within a cell',
    table([cell(table([cell(p('a')), cell(p('b'))], [cell(p('c'))])), cell(p('d'))]),
    ['a; b\nc; d'],
  ],
  ['of one column, which are paragraphs', table([cell(p('a') + p('b'))], [cell(p('c'))]), ['a', 'b', 'c']],
  [
    'with rows in groups, of which the collapsed are not shown',
    '<table:table><table:table-row-group><table:table-rows>' +
      `<table:table-row>${cell(p('a'))}${cell(p('b'))}</table:table-row>` +
      `<table:table-row table:visibility="collapse">${cell(p('no'))}${cell(p('no'))}</table:table-row>` +
      '</table:table-rows></table:table-row-group></table:table>',
    ['a; b'],
  ],
  [
    'with columns that are covered',
    table(
      [cell(p('Town'), 'table:number-columns-spanned="2"'), '<table:covered-table-cell/>', cell(p('Sum'))],
      [cell(p('Oslo')), cell(p('Norway')), cell(p('4'))],
    ),
    ['Town; Sum', 'Oslo; Norway; 4'],
  ],
  [
    'whose first row is bold by its style or its words',
    table(
      [cell(p('Name', 'B')), cell(p('<text:span text:style-name="T">Town</text:span> '))],
      [cell(p('Ann')), cell(p('Oslo'))],
    ),
    ['Name: Ann; Town: Oslo'],
    style('B', 'fo:font-weight="700"') + style('T', 'fo:font-weight="bold"', 'style:family="text"'),
  ],
  [
    'with a note in a cell behind it',
    table([cell(p(`a<text:note><text:note-body>${p('Foot.')}</text:note-body></text:note>`)), cell(p('b'))]),
    ['a[1]; b', '[1] Foot.'],
  ],
];

describe('an OpenDocument text tells', () => {
  test.each([...inParagraphs, ...aside])('%s', async (_what, body, texts, styles = '') => {
    expect(textsOf(await parse({ body, styles }))).toEqual(texts);
  });
});

describe('an OpenDocument text has a list', () => {
  test.each(lists)('%s', async (_what, body, texts, styles = '') => {
    expect(textsOf(await parse({ body, styles }))).toEqual(texts);
  });
});

describe('an OpenDocument text has a table', () => {
  test.each(tables)('%s', async (_what, body, texts, styles = '') => {
    expect(textsOf(await parse({ body, styles }))).toEqual(texts);
  });
});

describe('an OpenDocument file is named', () => {
  const meta = {
    'meta.xml': '<o:m xmlns:o="o" xmlns:dc="d"><o:meta><dc:title> The plan </dc:title></o:meta></o:m>',
  };
  const derived = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>';
  const body =
    p('Annual<text:line-break/>report', 'P1') + '<text:h text:outline-level="1">Top</text:h>' + p('Words');

  test('by its properties, else its title, else its first heading', async () => {
    const titleOf = async (parts: OpenDocumentParts) => (await parse(parts)).title;
    expect(await titleOf({ body, styles: derived, files: meta })).toBe('The plan');
    expect(await titleOf({ body, styles: derived })).toBe('Annual report');
    expect(await titleOf({ body })).toBe('Top');
  });

  test('in its numbered headings with their numbers', async () => {
    const heading = (text: string) => list(item(`<text:h text:outline-level="1">${text}</text:h>`));
    const { blocks } = await parse({ body: heading('Scope') + p('Words'), styles: numbered });
    expect(blocks).toEqual([{ text: 'Words', headings: ['1. Scope'] }]);
  });
});

test('a slide tells its comments, and its title where it has nothing else', async () => {
  const title = `<draw:frame presentation:class="title"><draw:text-box>${p('Plan')}</draw:text-box></draw:frame>`;
  const bytes = openDocumentFile({
    kind: 'presentation',
    body: `<draw:page>${title}</draw:page><draw:page>${comment(p('Check'))}${comment(list(item(p('Twice'))))}</draw:page>`,
  });
  expect((await openDocumentSlides.parse(bytes, noContext)).blocks).toEqual([
    { text: 'Plan', headings: ['Plan'], layout: { slide: 1 } },
    { text: 'Comment by Ann: Check', headings: [], layout: { slide: 2 } },
    { text: 'Comment by Ann: - Twice', headings: [], layout: { slide: 2 } },
  ]);
});
