import { describe, expect, test } from '@jest/globals';
import { word } from '../../src/ingestion/parsers/word.js';
import { noContext, textsOf } from '../support/files/reading.js';
import { paragraph, run, wordFile, type WordParts } from '../support/files/word.js';

const parse = (parts: WordParts) => word.parse(wordFile(parts), noContext);
const piece = (...content: readonly string[]) => `<w:r>${content.join('')}</w:r>`;
const row = (...cells: readonly string[]) => `<w:tr>${cells.join('')}</w:tr>`;
const cell = (content: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith('<') ? content : paragraph(content)}</w:tc>`;
const listed = (list: number, text: string, depth?: number, style?: string) =>
  `<w:p><w:pPr>${style ? `<w:pStyle w:val="${style}"/>` : ''}<w:numPr>${depth === undefined ? '' : `<w:ilvl w:val="${depth}"/>`}` +
  `<w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
const level = (depth: number, text: string, properties = '') =>
  `<w:lvl w:ilvl="${depth}">${properties}<w:lvlText w:val="${text}"/></w:lvl>`;
const control = (content: string, properties = '') =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

type Case = readonly [what: string, body: string, texts: readonly string[]];

const paragraphs: readonly Case[] = [
  ['a hyphen that does not break', paragraph(piece('<w:t>F</w:t><w:noBreakHyphen/><w:t>16</w:t>')), ['F-16']],
  [
    'a reading above its characters',
    paragraph(
      piece(`<w:ruby><w:rt>${run('とうきょう')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby>`) +
        run('へ'),
    ),
    ['東京(とうきょう)へ'],
  ],
  [
    'the result of a simple field, and where it leads',
    paragraph(
      `<w:fldSimple w:instr=" PAGE ">${run('4')}</w:fldSimple>${run(' of ')}` +
        `<w:fldSimple w:instr=' HYPERLINK "https://a.example/x" '>${run('the plan')}</w:fldSimple>`,
    ),
    ['4 of the plan (https://a.example/x)'],
  ],
  [
    'the alternative that is shown of several',
    paragraph(
      `<mc:AlternateContent><mc:Choice>${run('new')}</mc:Choice><mc:Fallback>${run('old')}</mc:Fallback></mc:AlternateContent>` +
        `<mc:AlternateContent><mc:Choice/><mc:Fallback>${run(', kept')}</mc:Fallback></mc:AlternateContent>`,
    ) +
      `<mc:AlternateContent><mc:Choice>${paragraph('Block')}</mc:Choice><mc:Fallback>${paragraph('no')}</mc:Fallback></mc:AlternateContent>`,
    ['new, kept', 'Block'],
  ],
  [
    'what content controls hold, not what they ask for',
    control(paragraph('Filled in')) + control(paragraph('Click here'), '<w:showingPlcHdr/>'),
    ['Filled in'],
  ],
  [
    'moved and inserted paragraphs where they are now',
    `<w:customXml>${paragraph('a')}</w:customXml><w:ins>${paragraph('b')}</w:ins><w:moveTo>${paragraph('c')}</w:moveTo>` +
      `<w:moveFrom>${paragraph('no')}</w:moveFrom>`,
    ['a', 'b', 'c'],
  ],
  [
    'a list within a text box',
    paragraph(piece(`<w:pict><w:txbxContent>${listed(1, 'one')}</w:txbxContent></w:pict>`)),
    ['1. one'],
  ],
  [
    'a table within a text box',
    paragraph(
      piece(
        `<w:pict><w:txbxContent><w:tbl>${row(cell('Ann'), cell(''), cell('Oslo'))}</w:tbl>${control(paragraph('end'))}</w:txbxContent></w:pict>`,
      ),
    ),
    ['Ann; Oslo', 'end'],
  ],
];

const tables: readonly Case[] = [
  [
    'for the layout of a page, which are no tables',
    `<w:tbl>${row(cell(paragraph('a') + paragraph('b')))}${row(cell('c'))}</w:tbl>`,
    ['a', 'b', 'c'],
  ],
  [
    'with cells as long as pages, which are none either',
    `<w:tbl>${row(cell('left'), cell(paragraph('x'.repeat(2_500)) + paragraph('y')))}</w:tbl>`,
    ['left', 'x'.repeat(2_500), 'y'],
  ],
  [
    'with rows and cells in content controls, without those that were deleted',
    `<w:tbl>${control(row(cell('a'), control(cell('b'))))}<w:tr><w:trPr><w:del/></w:trPr>${cell('no')}${cell('no')}</w:tr>` +
      `${row(cell('c'), cell('no', '<w:cellDel/>'), cell('d'))}</w:tbl>`,
    ['a; b', 'c; d'],
  ],
  [
    'with a row that begins further right',
    `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Item')}${cell('Sum')}${cell('Due')}</w:tr>` +
      `${row(cell('Rope'), cell('30'), cell('April'))}<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('40')}${cell('May')}</w:tr></w:tbl>`,
    ['Item: Rope; Sum: 30; Due: April', 'Sum: 40; Due: May'],
  ],
  [
    'whose cells have lists',
    `<w:tbl>${row(cell(listed(1, 'one') + listed(1, 'two')), cell('b'))}</w:tbl>`,
    ['1. one\n2. two; b'],
  ],
];

const lists: readonly Case[] = [
  ['that begins where its definition says', listed(2, 'a') + listed(2, 'b'), ['5. a', '6. b']],
  [
    'that begins anew',
    listed(1, 'a') + listed(3, 'b') + listed(3, 'c') + listed(1, 'd'),
    ['1. a', '4. b', '5. c', '2. d'],
  ],
  ['with a level of its own', listed(4, 'a'), ['(A) a']],
  ['whose level is that of the style', listed(1, 'a') + listed(1, 'b', undefined, 'deep'), ['1. a', '1.1 b']],
  ['with a level above that was never counted', listed(1, 'a', 1), ['1.1 a']],
  ['without a label', listed(5, 'a'), ['a']],
  ['whose numbers have a zero before them', listed(6, 'a'), ['01 a']],
  [
    'that is switched off, empty or unknown',
    listed(0, 'a') + listed(1, '') + listed(99, 'b') + listed(1, 'c'),
    ['a', 'b', '1. c'],
  ],
];

const numbering =
  `<w:abstractNum w:abstractNumId="0">${level(0, '%1.')}${level(1, '%1.%2', '<w:pStyle w:val="deep"/>')}</w:abstractNum>` +
  `<w:abstractNum w:abstractNumId="1">${level(0, '%1.', '<w:start w:val="5"/>')}</w:abstractNum>` +
  `<w:abstractNum w:abstractNumId="2">${level(0, '', '<w:numFmt w:val="none"/>')}</w:abstractNum>` +
  `<w:abstractNum w:abstractNumId="3">${level(0, '%1', '<w:numFmt w:val="decimalZero"/>')}</w:abstractNum>` +
  [
    [1, 0],
    [2, 1],
    [3, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride>'],
    [
      4,
      0,
      `<w:lvlOverride w:ilvl="0">${level(0, '(%1)', '<w:numFmt w:val="upperLetter"/>')}</w:lvlOverride>`,
    ],
    [5, 2],
    [6, 3],
  ]
    .map(
      ([id, of, change = '']) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${change}</w:num>`,
    )
    .join('');

describe('a Word document tells', () => {
  test.each(paragraphs)('%s', async (_what, body, texts) => {
    expect(textsOf(await parse({ body, parts: { numbering } }))).toEqual(texts);
  });
});

describe('a Word document has tables', () => {
  test.each(tables)('%s', async (_what, body, texts) => {
    expect(textsOf(await parse({ body, parts: { numbering } }))).toEqual(texts);
  });
});

describe('a Word document has a list', () => {
  test.each(lists)('%s', async (_what, body, texts) => {
    expect(textsOf(await parse({ body, parts: { numbering } }))).toEqual(texts);
  });
});

describe('a Word document', () => {
  test('tells the comments that no text refers to, and marks of missing notes are left out', async () => {
    const comment = (id: number, text: string) => `<w:comment w:id="${id}">${paragraph(text)}</w:comment>`;
    const body = paragraph(
      `${run('One')}<w:commentRangeEnd w:id="1"/>${piece('<w:commentReference w:id="1"/><w:footnoteReference w:id="9"/>')}${run(' two')}`,
    );
    const comments = comment(1, 'Why?') + comment(2, 'Lost') + comment(3, '');
    expect(textsOf(await parse({ body, parts: { comments } }))).toEqual([
      'One two',
      'Comment: Why?',
      'Comment: Lost',
    ]);
  });

  test('is named by its properties', async () => {
    const core = '<c:p xmlns:c="c" xmlns:dc="d"><dc:title> The plan </dc:title></c:p>';
    const { title } = await parse({
      body: paragraph('Draft', 'Titel'),
      files: { 'docProps/core.xml': core },
    });
    expect(title).toBe('The plan');
  });

  test('without styles has headings by the names of their styles', async () => {
    const { blocks } = await parse({ body: paragraph('Top', 'Heading1') + paragraph('Words') });
    expect(blocks).toEqual([{ text: 'Words', headings: ['Top'] }]);
  });

  test('whose table holds headings is laid out by it', async () => {
    const { blocks } = await parse({
      body: `<w:tbl>${row(cell('a'), cell('b'))}${row(cell(paragraph('Top', 'berschrift1') + paragraph('c')), cell('d'))}</w:tbl>`,
    });
    expect(blocks.map(({ text, headings }) => [text, headings])).toEqual([
      ['a', []],
      ['b', []],
      ['c', ['Top']],
      ['d', ['Top']],
    ]);
  });

  test.each([
    ['its look', '<w:tblLook w:firstRow="1"/>'],
    ['the bits of its look', '<w:tblLook w:val="04A0"/>'],
  ])('has a header row by %s and its style', async (_what, look) => {
    const style = (id: string, content: string) =>
      `<w:style w:type="table" w:styleId="${id}"><w:name w:val="${id}"/>${content}</w:style>`;
    const styles =
      style('Grid', '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr>') +
      style('Mine', '<w:basedOn w:val="Grid"/>');
    const rows = row(cell('Name'), cell('Town')) + row(cell('Ann'), cell('Oslo'));
    const table = (properties: string) => `<w:tbl><w:tblPr>${properties}</w:tblPr>${rows}</w:tbl>`;
    const body =
      table(`<w:tblStyle w:val="Mine"/>${look}`) +
      table('<w:tblStyle w:val="Mine"/><w:tblLook w:val="0000"/>');
    expect(textsOf(await parse({ body, parts: { styles } }))).toEqual([
      'Name: Ann; Town: Oslo',
      'Name; Town',
      'Ann; Oslo',
    ]);
  });
});
