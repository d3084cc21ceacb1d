import { describe, expect, test } from '@jest/globals';
import type { ParsedDocument } from '../../src/ingestion/parsers/parser.js';
import { word } from '../../src/ingestion/parsers/word.js';
import { formula } from '../support/files/formula.js';
import { bytesOf, noContext, textsOf } from '../support/files/reading.js';
import { paragraph, run, wordFile, type WordParts } from '../support/files/word.js';
import { compoundFile } from '../support/files/word-binary.js';

const parse = (parts: WordParts): Promise<ParsedDocument> => word.parse(wordFile(parts), noContext);
const cell = (content: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith('<') ? content : paragraph(content)}</w:tc>`;
const row = (cells: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;
const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

describe('word', () => {
  test('tells notes and comments behind the paragraph that refers to them, each once', async () => {
    const reference = (kind: string) => `<w:r><w:${kind}Reference w:id="7"/></w:r>`;
    const note = (kind: string, text: string) =>
      `<w:${kind} w:id="0" w:type="separator">${paragraph('no')}</w:${kind}><w:${kind} w:id="7" w:author="Ann">${paragraph(text)}</w:${kind}>`;
    const document = await parse({
      body:
        paragraph(
          `${run('One')}${reference('footnote')}${reference('comment')}${run(' more')}${reference('endnote')}`,
        ) + paragraph('Two'),
      parts: {
        footnotes: note('footnote', 'Foot.'),
        endnotes: note('endnote', 'End.'),
        comments: note('comment', 'Why?'),
      },
    });
    expect(textsOf(document)).toEqual([
      'One[1] more[2]',
      '[1] Foot.',
      'Comment by Ann: Why?',
      '[2] End.',
      'Two',
    ]);
  });

  test('old form fields tell whether they are ticked, and what is chosen', async () => {
    const form = (data: string, code: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r>` +
      `<w:r><w:instrText> ${code} </w:instrText></w:r>${field('end')}`;
    const box = form('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', 'FORMCHECKBOX');
    const list = form(
      '<w:ddList><w:result w:val="1"/><w:listEntry w:val="Port"/><w:listEntry w:val="Starboard"/></w:ddList>',
      'FORMDROPDOWN',
    );
    const body = paragraph(`${box}${run(' Insured')}`) + paragraph(`${run('Side: ')}${list}`);
    expect(textsOf(await parse({ body }))).toEqual(['[x] Insured', 'Side: Starboard']);
  });

  test('formulas are read in their place, with their signs, roots and brackets', async () => {
    const document = await parse({ body: paragraph(`${run('So ')}${formula.markup}${run(' holds.')}`) });
    expect(textsOf(document)).toEqual([`So ${formula.text} holds.`]);
  });

  test('a bold line is a heading of what stands below, a bold sentence or list item is none', async () => {
    const bold = (text: string) => paragraph(run(text, '<w:b/>'));
    const { blocks } = await parse({
      body: `${bold('Agreement')}${bold('1. Term')}${paragraph('Three years.')}${bold('1.1 Renewal')}${paragraph('Once.')}${bold('Note this well.')}${paragraph(`${run('Price', '<w:b/>')}${run(' is 5')}`)}${bold('Notices')}${paragraph('In writing')}`,
    });
    expect(blocks.map(({ text, headings }) => [text, headings])).toEqual([
      ['Three years.', ['Agreement', '1. Term']],
      ['Once.', ['Agreement', '1. Term', '1.1 Renewal']],
      ['Note this well.', ['Agreement', '1. Term', '1.1 Renewal']],
      ['Price is 5', ['Agreement', '1. Term', '1.1 Renewal']],
      ['In writing', ['Notices']],
    ]);
  });

  test('keeps what was inserted and leaves out what was deleted, hidden, code or a prompt', async () => {
    const document = await parse({
      body:
        paragraph(
          `${run('a')}<w:ins>${run('b')}</w:ins><w:del><w:r><w:delText>no</w:delText></w:r></w:del><w:moveFrom>${run('no')}</w:moveFrom>` +
            `<w:moveTo>${run('c')}</w:moveTo>${run('no', '<w:vanish/>')}${run('d', '<w:vanish w:val="0"/>')}` +
            `<w:smartTag>${run('e')}</w:smartTag><w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${run('no')}</w:sdtContent></w:sdt>` +
            `<w:sdt><w:sdtContent>${run('f')}</w:sdtContent></w:sdt>`,
        ) +
        paragraph(
          `${field('begin')}<w:r><w:instrText> PAGE </w:instrText></w:r>${run('no')}${field('separate')}${run('12')}${field('end')}`,
        ) +
        paragraph(
          `${field('begin')}<w:r><w:instrText>HYPERLINK "https://example.org/a"</w:instrText></w:r>${field('separate')}${run('site')}${field('end')}`,
        ),
    });
    expect(textsOf(document)).toEqual(['abcdef', '12', 'site (https://example.org/a)']);
  });

  test('keeps text boxes once, links, tabs, breaks and symbols', async () => {
    const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
    const document = await parse({
      body:
        paragraph(
          `<w:r><mc:AlternateContent><mc:Choice><w:drawing>${box('In a box')}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box('In a box')}</w:pict></mc:Fallback></mc:AlternateContent></w:r>${run('Text')}`,
        ) +
        paragraph(
          `<w:hyperlink r:id="l">${run('site')}</w:hyperlink><w:r><w:tab/><w:br/><w:sym w:font="Symbol" w:char="F061"/></w:r>`,
        ),
      relationships:
        '<Relationship Id="l" Type="x/hyperlink" Target="https://example.org/" TargetMode="External"/>',
    });
    expect(textsOf(document)).toEqual(['Text', 'In a box', 'site (https://example.org/)\nα']);
  });

  test('keeps the words of shapes on a locked canvas', async () => {
    const shape = (text: string) =>
      `<a:sp><a:txSp><a:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:txSp></a:sp>`;
    const canvas = `<lc:lockedCanvas>${shape('Young')}${shape('Ecologists')}</lc:lockedCanvas>`;
    const body = paragraph(`<w:r><w:drawing>${canvas}</w:drawing></w:r>${run('School')}`);
    expect(textsOf(await parse({ body }))).toEqual(['School', 'Young', 'Ecologists']);
  });

  test('an initial that is drawn over several lines begins its paragraph', async () => {
    const frame = '<w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>';
    const body = `<w:p>${frame}${run('O')}</w:p>${paragraph('nce upon a time.')}${paragraph('The end.')}`;
    expect(textsOf(await parse({ body }))).toEqual(['Once upon a time.', 'The end.']);
  });

  test('counts lists, and headings whose style is numbered', async () => {
    const level = (depth: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const item = (depth: number, text: string, list = 1) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
    const document = await parse({
      body:
        item(0, 'one') +
        item(1, 'two') +
        item(1, 'three') +
        item(0, 'four') +
        item(1, 'five') +
        item(0, 'dot', 2),
      parts: {
        numbering:
          `<w:abstractNum w:abstractNumId="0">${level(0, 'upperRoman', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum>` +
          `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '\uf0b7')}</w:abstractNum>` +
          '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>',
      },
    });
    expect(textsOf(document)).toEqual([
      'I. one',
      'I.a) two',
      'I.b) three',
      'II. four',
      'II.a) five',
      '- dot',
    ]);
  });

  test('tells what a picture in a cell shows', async () => {
    const picture =
      '<w:p><w:r><w:drawing><wp:inline xmlns:wp="wp"><wp:docPr id="1" descr="a red barn"/></wp:inline></w:drawing></w:r></w:p>';
    const body = `<w:tbl>${row(cell('What') + cell('n'), '<w:tblHeader/>')}${row(cell(picture) + cell('1'))}</w:tbl>`;
    expect(textsOf(await parse({ body }))).toEqual(['What: a red barn; n: 1']);
  });

  test('keeps the headers of tables, merged cells and tables within tables', async () => {
    const inner = `<w:tbl>${row(cell('in 1') + cell('in 2'))}</w:tbl>`;
    const document = await parse({
      body: `<w:tbl>${row(cell('Kind') + cell('Half', '<w:gridSpan w:val="2"/>'), '<w:tblHeader/>')}${row(
        cell('') + cell('First') + cell('Second'),
        '<w:tblHeader/>',
      )}${row(cell('Fruit', '<w:vMerge w:val="restart"/>') + cell('3') + cell(inner))}${row(cell('', '<w:vMerge/>') + cell('4') + cell('5'))}</w:tbl>`,
    });
    expect(textsOf(document)).toEqual([
      'Kind: Fruit; Half First: 3; Half Second: in 1; in 2',
      'Kind: Fruit; Half First: 4; Half Second: 5',
    ]);
    expect(document.blocks.map(({ layout }) => layout)).toEqual([{ row: 3 }, { row: 4 }]);
  });

  test('a first row of words above values names the columns though nothing marks it, a list of pairs is none', async () => {
    const cells = (...texts: string[]) => texts.map((text) => cell(text)).join('');
    const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`;
    const torques = [row(cells('Fitting', 'Bore', 'Note')), row(cells('Flare nut', '9.52 mm', 'Oil it'))];
    const merged = row(cell('At 20 °C', '<w:gridSpan w:val="3"/>'));
    const people = [row(cells('Ann', 'Editor', 'Oslo')), row(cells('Bob', 'Printer', 'Rome'))];
    const document = await parse({
      body: [
        table(...torques, row(cells('Cap', '12.7 mm', ''), ''), merged),
        table(row(cells('Client', 'Acme')), row(cells('Amount', '12 €')), row(cells('Tax', '3 €'))),
        table(...people),
      ].join(''),
    });
    expect(textsOf(document)).toEqual([
      'Fitting: Flare nut; Bore: 9.52 mm; Note: Oil it',
      'Fitting: Cap; Bore: 12.7 mm',
      'At 20 °C',
      'Client: Acme',
      'Amount: 12 €',
      'Tax: 3 €',
      'Ann; Editor; Oslo',
      'Bob; Printer; Rome',
    ]);
  });

  test('tells page headers and footers once, and takes the title', async () => {
    const document = await parse({
      body: paragraph('The Plan', 'Titel') + paragraph('Text'),
      parts: { header: paragraph('Acme'), footer: paragraph('Acme') + paragraph('Page 1') },
    });
    expect(document.title).toBe('The Plan');
    expect(textsOf(document)).toEqual(['The Plan', 'Text', 'Acme', 'Page 1']);
  });

  test('reads files within and pieces of other documents', async () => {
    const bytes = wordFile({
      body: '<w:altChunk r:id="a"/>',
      relationships:
        '<Relationship Id="a" Type="x/aFChunk" Target="/word/part.html"/><Relationship Id="o" Type="x/package" Target="embeddings/sheet.xlsx"/>',
      files: { 'word/part.html': '<p>chunk</p>', 'word/embeddings/sheet.xlsx': 'sheet' },
    });
    const { blocks } = await word.parse(bytes, {
      ...noContext,
      readInner: ({ name, bytes: inner }) =>
        Promise.resolve([{ text: Buffer.from(inner).toString(), headings: [name] }]),
    });
    expect(blocks).toEqual([
      { text: '<p>chunk</p>', headings: ['part.html'] },
      { text: 'sheet', headings: ['sheet.xlsx'] },
    ]);
  });

  test('says what a file is that it cannot read', async () => {
    const refused = (bytes: Uint8Array) => expect(word.parse(bytes, noContext)).rejects;
    await refused(
      compoundFile({ EncryptedPackage: bytesOf('x'), EncryptionInfo: bytesOf('y') }),
    ).toMatchObject({
      code: 'E1001',
      message: 'The file is encrypted: it opens only with a password.',
    });
    await refused(compoundFile({ WordDocument: bytesOf('x') })).toMatchObject({
      message: expect.stringContaining('Office 97'),
    });
    await refused(bytesOf('{\\rtf1 text}')).toMatchObject({ message: expect.stringContaining('RTF') });
    await refused(wordFile({ body: '<w:tbl>'.repeat(1_000) })).toMatchObject({ code: 'E1001' });
  });
});
