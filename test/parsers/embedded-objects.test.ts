import { deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { openDocumentFile } from '../support/files/open-document.js';
import { drawing, ppt, pptx, relationships, slide, textShape } from '../support/files/presentations.js';
import { textsOf } from '../support/files/reading.js';
import { textRow, xls, xlsx } from '../support/files/spreadsheets.js';
import { binaryWordFile, compoundFile, streamsOf } from '../support/files/word-binary.js';
import { paragraph, run, wordFile } from '../support/files/word.js';
import { parseFile } from '../support/parse-file.js';

const read = (name: string, bytes: Uint8Array) => parseFile({ name, bytes }, { ocrLanguages: ['eng'] });
const letter = (text: string) => binaryWordFile({ body: [{ text: `${text}\r` }] });
const modernLetter = (text: string) => wordFile({ body: paragraph(run(text)) });
const within = (folder: string, file: Uint8Array) =>
  Object.fromEntries(
    Object.entries(streamsOf(file)).map(([name, content]) => [`${folder}/${name}`, content]),
  );

/** What Windows stores of a file that was dragged into a document. */
function packaged(name: string, content: string): Uint8Array {
  const text = (value: string) => Buffer.from(`${value}\0`, 'latin1');
  const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const path = text(`C:\\tmp\\${name}`);
  const head = [Buffer.of(2, 0), text(name), text(`C:\\in\\${name}`), Buffer.of(0, 0, 3, 0)];
  const body = Buffer.concat([
    ...head,
    number(path.length),
    path,
    number(content.length),
    Buffer.from(content),
  ]);
  return compoundFile({ '\u0001Ole10Native': Buffer.concat([number(body.length), body]) });
}

/** A Word document with objects of these contents. */
function withObjects(...objects: Uint8Array[]): Uint8Array {
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return wordFile({
    body: paragraph(run('Outer')),
    relationships: objects
      .map(
        (_, index) =>
          `<Relationship Id="o${index}" Type="${types}/oleObject" Target="embeddings/oleObject${index}.bin"/>`,
      )
      .join(''),
    files: Object.fromEntries(
      objects.map((bytes, index) => [`word/embeddings/oleObject${index}.bin`, bytes] as const),
    ),
  });
}

test('files within OLE objects are read under their own names, or as what they hold', async () => {
  const document = await read(
    'a.docx',
    withObjects(
      packaged('notes.txt', 'Dragged in.'),
      compoundFile({ Package: modernLetter('In a package.') }),
      letter('Of old Word.'),
      await xls({ Prices: [['Fruit'], ['Sloe']] }),
      packaged('tool.exe', 'MZ'),
      compoundFile({ CONTENTS: Buffer.from('8BPS') }),
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      compoundFile({ '\u0001Ole10Native': Buffer.of(9, 0, 0, 0, 2, 0, 65) }),
    ),
  );
  expect(document.blocks.map(({ text, headings }) => [...headings, text])).toEqual([
    ['Outer'],
    ['notes.txt', 'Dragged in.'],
    ['oleObject1.docx', 'In a package.'],
    ['oleObject2.doc', 'Of old Word.'],
    ['oleObject3.xls', 'Prices', 'Fruit: Sloe'],
  ]);
});

test('objects of old Word documents, workbooks, presentations and OpenDocument files are read', async () => {
  const streams = {
    ...within('ObjectPool/_2', await xls({ Prices: [['Sloe']] })),
    ...within('ObjectPool/_1', compoundFile({ Package: modernLetter('New in old.') })),
    ...within('Other', letter('unread')),
  };
  const old = await read('a.doc', binaryWordFile({ body: [{ text: 'Outer\r' }], streams }));
  expect(textsOf(old).sort()).toEqual(['New in old.', 'Outer', 'Sloe']);
  const book = compoundFile({
    ...streamsOf(await xls({ Sheet: [['Alder']] })),
    ...within('MBD00A1', letter('Text in a sheet.')),
  });
  expect(textsOf(await read('a.xls', book))).toEqual(['Alder', 'Text in a sheet.']);
  const open = openDocumentFile({
    body: '<text:p>Outer<draw:frame><draw:object-ole xlink:href="./Object 1"/></draw:frame></text:p>',
    files: { 'Object 1': letter('Old in open.'), 'Object 2': letter('never shown') },
  });
  expect(textsOf(await read('a.odt', open))).toEqual(['Outer', 'Old in open.']);
  const [first, second] = [Buffer.from(letter('Beside slides.')), Buffer.from(letter('Compressed.'))];
  const sheet = { name: 'A', rows: textRow(1, 'Elder'), links: { o: ['package', '../notes.txt'] as const } };
  const modernBook = xlsx([sheet], { parts: { 'xl/notes.txt': 'Text in a workbook.' } });
  expect(textsOf(await read('a.xlsx', modernBook))).toEqual(['Elder', 'Text in a workbook.']);
  const object = '<a:graphic><a:graphicData><p:oleObj r:id="o"/></a:graphicData></a:graphic>';
  const modernDeck = pptx([slide('sld', `<p:graphicFrame>${object}</p:graphicFrame>`)], {
    'ppt/slides/_rels/slide1.xml.rels': relationships({ o: ['package', '../notes.txt'] }),
    'ppt/notes.txt': 'Text on a slide.',
  });
  expect(textsOf(await read('a.pptx', modernDeck))).toEqual(['Text on a slide.']);
  const size = Buffer.alloc(4);
  const objects = [
    { instance: 0, body: first },
    { instance: 1, body: Buffer.concat([size, deflateSync(second)]) },
    { instance: 1, body: Buffer.from('no zlib') },
  ] as const;
  const deck = await ppt({ slides: [[drawing(textShape(4, 'Slide'))]], objects });
  const { blocks } = await read('a.ppt', deck);
  expect(blocks.map(({ text, headings }) => [...headings, text])).toEqual([
    ['Slide'],
    ['Object 1.doc', 'Beside slides.'],
    ['Object 2.doc', 'Compressed.'],
  ]);
});
