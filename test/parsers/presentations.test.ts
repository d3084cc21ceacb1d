import { describe, expect, test } from '@jest/globals';
import { powerpoint } from '../../src/ingestion/parsers/powerpoint.js';
import { powerpointBinary } from '../../src/ingestion/parsers/powerpoint-binary.js';
import { formula } from '../support/files/formula.js';
import {
  compoundFileOf,
  drawing,
  numbersOf,
  ppt,
  pptx,
  record,
  relationships,
  shape,
  slide,
  textRecords,
  textShape,
} from '../support/files/presentations.js';
import { noContext, textsOf } from '../support/files/reading.js';

const run = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`;

describe('pptx', () => {
  const read = (...parameters: Parameters<typeof pptx>) => powerpoint.parse(pptx(...parameters), noContext);
  const frame = (content: string) =>
    `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;

  test('titles come first as headings; numbers and dates are left out, footers told once', async () => {
    const shapes = [shape('ftr', 'Acme'), shape('sldNum', '7'), shape('dt', 'May'), shape('body', 'Words')];
    const { title, blocks } = await read([
      slide('sld', ...shapes, shape('title', 'One')),
      slide('sld', ...shapes),
    ]);
    expect(title).toBe('One');
    expect(blocks).toEqual([
      { text: 'Acme', headings: ['One'], layout: { slide: 1 } },
      { text: 'Words', headings: ['One'], layout: { slide: 1 } },
      { text: 'Words', headings: [], layout: { slide: 2 } },
    ]);
  });

  test('formulas are read as in a document', async () => {
    const paragraphs = `${run('So ')}<a14:m>${formula.markup}</a14:m>`;
    expect(textsOf(await read([slide('sld', shape('body', paragraphs))]))).toEqual([`So ${formula.text}`]);
  });

  test('runs, breaks, fields and links are read as they are seen; hidden shapes are not', async () => {
    const link = '<a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>here</a:t></a:r>';
    const field = '<a:fld type="slidenum"><a:t>3</a:t></a:fld>';
    const hidden = shape('', 'Secret').replace('name="x"', 'name="x" hidden="1"');
    const document = await read(
      [slide('sld', shape('', `${run('See ')}${link}${field}<a:br/>${run('now')}`), hidden)],
      {
        'ppt/slides/_rels/slide1.xml.rels': relationships({ rId1: ['hyperlink', 'http://a.example/'] }),
      },
    );
    expect(textsOf(document)).toEqual(['See here (http://a.example/)\nnow']);
  });

  test('what stands above or left of something comes before it; columns stay as the file has them', async () => {
    const at = (text: string, x: number, y: number) =>
      shape('', text).replace(
        '<p:txBody>',
        `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="90" cy="20"/></a:xfrm></p:spPr><p:txBody>`,
      );
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="90" cy="40"/></a:xfrm></p:grpSpPr>${at('B', 0, 500)}${at('A', 0, 400)}</p:grpSp>`;
    const anywhere = shape('body', 'Placed by the layout');
    const texts = async (...shapes: string[]) => textsOf(await read([slide('sld', ...shapes)]));
    expect(
      await texts(at('Below', 0, 100), anywhere, at('Right', 100, 50), at('Left', 0, 50), group),
    ).toEqual(['Placed by the layout', 'A', 'B', 'Left', 'Below', 'Right']);
    const columns = [at('1', 0, 50), at('2', 0, 80), at('3', 100, 50), at('4', 100, 80)];
    expect(await texts(...columns)).toEqual(['1', '2', '3', '4']);
  });

  test('tables, charts and diagrams are text', async () => {
    const cells = (...texts: string[]) =>
      `<a:tr>${texts.map((text) => `<a:tc><a:txBody><a:p>${run(text)}</a:p></a:txBody></a:tc>`).join('')}</a:tr>`;
    const cache = (name: string, ...values: string[]) =>
      `<c:${name}Cache>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${name}Cache>`;
    const chart = `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p>${run('Sales')}</a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef>${cache('str', '2024')}</c:strRef></c:tx><c:cat><c:strRef>${cache('str', 'Oslo', 'Rome')}</c:strRef></c:cat><c:val><c:numRef>${cache('num', '5', '7')}</c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
    const model = `<d:dataModel xmlns:d="d" xmlns:a="a"><d:ptLst><d:pt><d:t><a:p>${run('Step one')}</a:p></d:t></d:pt><d:pt type="pres"><d:t><a:p>${run('Shape')}</a:p></d:t></d:pt></d:ptLst></d:dataModel>`;
    const { blocks } = await read(
      [
        slide(
          'sld',
          frame(`<a:tbl><a:tblPr firstRow="1"/>${cells('name', 'town')}${cells('Zoë', 'Oslo')}</a:tbl>`),
          frame('<c:chart xmlns:c="c" r:id="rId1"/>'),
          frame('<d:relIds xmlns:d="d" r:dm="rId2"/>'),
        ),
      ],
      {
        'ppt/slides/_rels/slide1.xml.rels': relationships({
          rId1: ['chart', '../charts/chart1.xml'],
          rId2: ['diagramData', '../diagrams/data1.xml'],
        }),
        'ppt/charts/chart1.xml': chart,
        'ppt/diagrams/data1.xml': model,
      },
    );
    expect(blocks.map(({ text, headings }) => [text, ...headings])).toEqual([
      ['name: Zoë; town: Oslo'],
      ['Oslo; 2024: 5', 'Sales'],
      ['Rome; 2024: 7', 'Sales'],
      ['Step one'],
    ]);
    expect(blocks[0]?.layout).toEqual({ slide: 1, row: 2 });
  });

  test('notes and comments of both kinds come under headings of their own', async () => {
    const { blocks } = await read([slide('sld', shape('title', 'One'))], {
      'ppt/slides/_rels/slide1.xml.rels': relationships({
        rId1: ['notesSlide', '../notesSlides/notesSlide1.xml'],
        rId2: ['comments', '../comments/comment1.xml'],
        rId3: ['comments', '../comments/modern.xml'],
      }),
      'ppt/notesSlides/notesSlide1.xml': slide('notes', shape('sldImg'), shape('body', 'Say hello')),
      'ppt/commentAuthors.xml': '<p:cmAuthorLst xmlns:p="p"><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>',
      'ppt/authors.xml': '<m:authorLst xmlns:m="m"><m:author id="{B}" name="Ben"/></m:authorLst>',
      'ppt/comments/comment1.xml':
        '<p:cmLst xmlns:p="p"><p:cm authorId="0"><p:text>Too long</p:text></p:cm></p:cmLst>',
      'ppt/comments/modern.xml': `<m:cmLst xmlns:m="m" xmlns:a="a"><m:cm authorId="{B}"><m:replyLst><m:reply authorId="{B}"><m:txBody><a:p>${run('Done')}</a:p></m:txBody></m:reply></m:replyLst><m:txBody><a:p>${run('Fix')}</a:p></m:txBody></m:cm></m:cmLst>`,
    });
    expect(blocks.map(({ text, headings }) => [text, ...headings])).toEqual([
      ['One'],
      ['Say hello', 'One', 'Notes'],
      ['Ann: Too long', 'One', 'Comments'],
      ['Ben: Fix', 'One', 'Comments'],
      ['Ben: Done', 'One', 'Comments'],
    ]);
  });

  test('what masters write is told once, their prompts never', async () => {
    const link = relationships({ rId1: ['slideLayout', '../slideLayouts/slideLayout1.xml'] });
    const document = await read([slide('sld', shape('', 'A')), slide('sld', shape('', 'B'))], {
      'ppt/slides/_rels/slide1.xml.rels': link,
      'ppt/slides/_rels/slide2.xml.rels': link,
      'ppt/slideLayouts/slideLayout1.xml': slide(
        'sldLayout',
        shape('title', 'Click to edit'),
        shape('', 'Acme plc'),
      ),
    });
    expect(textsOf(document)).toEqual(['A', 'Acme plc', 'B']);
  });

  test('an encrypted presentation is told', async () => {
    const bytes = await compoundFileOf({
      EncryptedPackage: Buffer.alloc(600),
      EncryptionInfo: Buffer.alloc(100),
    });
    await expect(powerpoint.parse(bytes, noContext)).rejects.toMatchObject({
      code: 'E1001',
      message: /encrypted/,
    });
  });
});

describe('ppt', () => {
  const read = async (...parameters: Parameters<typeof ppt>) =>
    powerpointBinary.parse(await ppt(...parameters), noContext);

  test('reads the texts of PowerPoint 95, box by box', async () => {
    const bytes = await compoundFileOf({
      'PowerPoint Document': Buffer.from('03000000ffff0000c7e41200', 'hex'),
      Text_Content: Buffer.from('The\vPlan\r\rIt\x92s simple\rand short\r\r', 'latin1'),
    });
    const document = await powerpointBinary.parse(bytes, noContext);
    expect(document.title).toBe('The Plan');
    expect(textsOf(document)).toEqual(['The\nPlan', 'It’s simple\nand short']);
  });

  test('reads the version that was saved last, in 8 or 16 bits, without numbers of slides', async () => {
    const field = [...textRecords(4, 'Page *'), record(0x0fd8, numbersOf(5))];
    const bytes8 = [record(0x0f9f, numbersOf(1)), record(0x0fa8, Buffer.from('caf\xe9', 'latin1'))];
    const box = (records: Buffer[]) => record(0xf004, [record(0xf00d, records)]);
    const document = await read({
      slides: [
        [drawing(textShape(0, 'Newer'), box(bytes8), box(field), textShape(1, 'one\rtwo\u000bthree'))],
      ],
      before: { 0: [drawing(textShape(0, 'Older'))] },
    });
    expect(document.blocks.map(({ text, headings }) => [text, ...headings])).toEqual([
      ['café', 'Newer'],
      ['Page', 'Newer'],
      ['one', 'Newer'],
      ['two\nthree', 'Newer'],
    ]);
  });

  test('notes and comments come with their slides', async () => {
    const words = (text: string) => Buffer.from(text, 'utf16le');
    const comment = record(0x2ee0, [record(0x0fba, words('Ann')), record(0x0fba, words('Why?'), 1)]);
    const { blocks } = await read({
      slides: [[drawing(textShape(0, 'One'))], [drawing(textShape(0, 'Two')), comment]],
      notes: { 1: [drawing(textShape(2, 'Say hello', 0x0c), textShape(4, 'May', 0x07))] },
    });
    expect(blocks.map(({ text, headings, layout }) => [text, ...headings, layout])).toEqual([
      ['One', { slide: 1 }],
      ['Two', { slide: 2 }],
      ['Say hello', 'Two', 'Notes', { slide: 2 }],
      ['Ann: Why?', 'Two', 'Comments', { slide: 2 }],
    ]);
  });

  test('the shapes of a table are its rows', async () => {
    const cell = (left: number, top: number, text: string) => {
      const anchor = record(0xf00f, numbersOf(left, top, left + 10, top + 10));
      return record(0xf004, [anchor, record(0xf00d, textRecords(4, text))]);
    };
    const isTable = Buffer.from([0x9f, 0x03, 1, 0, 0, 0]);
    const first = record(0xf004, [record(0xf122, isTable, 1)]);
    const table = record(0xf003, [
      first,
      cell(0, 0, 'name'),
      cell(50, 0, 'town'),
      cell(50, 20, 'Oslo'),
      cell(0, 20, 'Zoë'),
    ]);
    const { blocks } = await read({ slides: [[drawing(table)]] });
    expect(blocks).toEqual([
      { text: 'name: Zoë; town: Oslo', headings: [], keepTogether: true, layout: { slide: 1, row: 2 } },
    ]);
  });

  test('encrypted files and those of PowerPoint 95 are told', async () => {
    await expect(read({ slides: [[]], isEncrypted: true })).rejects.toMatchObject({
      code: 'E1001',
      message: /encrypted/,
    });
    const old = await compoundFileOf({ PP40: Buffer.alloc(600) });
    await expect(powerpointBinary.parse(old, noContext)).rejects.toMatchObject({
      code: 'E1001',
      message: /PowerPoint 95/,
    });
  });
});
