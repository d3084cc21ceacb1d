import { describe, expect, test } from '@jest/globals';
import { PDFHexString, PDFName, PDFString, degrees, rgb } from 'pdf-lib';
import type { ParsedDocument } from '../../src/ingestion/parsers/parser.js';
import { readingOrder } from '../../src/ingestion/parsers/pdf/columns.js';
import { isPicture } from '../../src/ingestion/parsers/pdf/is-picture.js';
import { linesOf } from '../../src/ingestion/parsers/pdf/segments.js';
import { tablesOf } from '../../src/ingestion/parsers/pdf/tables.js';
import { pictureOf, png, turnedLeft } from '../support/files/images.js';
import { encryptedPdf, newPdf } from '../support/files/pdf.js';
import { textsOf } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';

const settings = { ocrLanguages: ['eng'] };

function parse(bytes: Uint8Array): Promise<ParsedDocument> {
  return parseFile({ name: 'file.pdf', bytes }, settings);
}

function numbered(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${word} line number ${index + 1} of this column`);
}

describe('the order of a page', () => {
  test('is column by column, and what lies across columns divides them', async () => {
    const { document, addPage, write } = await newPdf();
    const page = addPage();
    write(page, numbered('left', 5), { x: 50, y: 100 });
    write(page, numbered('right', 5), { x: 320, y: 104 });
    write(
      page,
      ['This sentence lies across both of the columns and keeps what is above it from what is below'],
      {
        x: 50,
        y: 200,
      },
    );
    write(page, numbered('lower', 3), { x: 50, y: 230 });
    write(page, numbered('last', 3), { x: 320, y: 230 });
    const text = textsOf(await parse(await document.save())).join(' ');
    const order: string[] = text.match(/left|right|across|lower|last/g) ?? [];
    expect([...new Set(order)]).toEqual(['left', 'right', 'across', 'lower', 'last']);
    expect(order.indexOf('right')).toBe(5);
  });

  test('keeps two boxes of two lines apart, and names with their values together', async () => {
    const { document, addPage, write } = await newPdf();
    const boxes = addPage();
    write(boxes, ['Left box line 1', 'Left box line 2'], { x: 50, y: 100 });
    write(boxes, ['Right box line 1', 'Right box line 2'], { x: 300, y: 100 });
    const pairs = addPage();
    write(pairs, ['Name:', 'Town:'], { x: 50, y: 300 });
    write(pairs, ['Alice Chen', 'Oslo'], { x: 150, y: 300 });
    const texts = textsOf(await parse(await document.save()));
    expect(texts).toContain('Left box line 1 Left box line 2');
    expect(texts.join(' ')).toContain('Name: Alice Chen Town: Oslo');
  });

  test('reads a scanned bill across though its columns are not quite below each other', () => {
    const places = [
      ['INVOICE 2024-118', 44.6, 41.3, 122, 9.7],
      ['Bill to: Fjellheim Sport AS', 44.6, 69.6, 168.1, 13],
      ['Qty', 126.1, 99, 22.7, 12.3],
      ['Price', 167.4, 98.2, 30.9, 10.4],
      ['Ski wax', 44.3, 127.2, 49.8, 10],
      ['12', 138.8, 127.6, 14.5, 9.7],
      ['84.00', 173, 127.6, 36.5, 9.7],
      ['Pole tips', 44.6, 155.9, 54.3, 13],
      ['4', 138.8, 156.2, 7.4, 9.7],
      ['19.50', 165.5, 156.2, 36.1, 9.7],
      ['Total due 103.50 EUR', 43.2, 184.9, 144, 10],
    ] as const;
    const segments = places.map(([text, x, y, width, height]) => ({
      ...{ text, x, y, width, height, size: 10, bold: false },
    }));
    const lines = readingOrder(segments, true).flatMap((flow) => linesOf(flow).map(({ text }) => text));
    expect(lines.slice(2, 5)).toEqual(['Qty Price', 'Ski wax 12 84.00', 'Pole tips 4 19.50']);
  });

  test('keeps bullets with their lines, however far they are set apart', async () => {
    const { document, addPage, write } = await newPdf();
    const page = addPage();
    write(page, ['\u2022'], { x: 50, y: 200 });
    write(page, ['Cut the waiting time'], { x: 90, y: 200 });
    write(page, ['\u2022'], { x: 90, y: 216 });
    write(page, ['by a fifth'], { x: 130, y: 216 });
    write(page, ['\u2022'], { x: 50, y: 232 });
    write(page, ['Electrify the cranes'], { x: 90, y: 232 });
    expect(textsOf(await parse(await document.save()))).toEqual([
      '• Cut the waiting time',
      '• by a fifth',
      '• Electrify the cranes',
    ]);
  });

  test('leaves what is written along the side of the page out of its lines', async () => {
    const { document, addPage, write } = await newPdf();
    const page = addPage();
    write(page, ['The first line of the page', 'and the second line of it.'], { x: 100, y: 300 });
    page.drawText('Printed in Oslo', { x: 40, y: 430, size: 10, rotate: degrees(90) });
    page.drawText('by Acme Press', { x: 52, y: 430, size: 10, rotate: degrees(90) });
    expect(textsOf(await parse(await document.save()))).toEqual([
      'The first line of the page and the second line of it.',
      'Printed in Oslo by Acme Press',
    ]);
  });

  test('joins words divided at line ends, but not those that are written with a hyphen', async () => {
    const { document, addPage, write } = await newPdf();
    const lines = [
      'People often mis-',
      'understand what a well-known',
      'author of some well-',
      'known books has said.',
    ];
    write(addPage(), lines, { x: 50, y: 100 });
    expect(textsOf(await parse(await document.save()))).toEqual([
      'People often misunderstand what a well-known author of some well-known books has said.',
    ]);
  });
});

test('a ruled table becomes rows with their headers', async () => {
  const { document, addPage, write } = await newPdf();
  const page = addPage();
  const rows = [
    ['Region', 'Revenue', 'Growth'],
    ['North', '1,200', '4 %'],
    ['South', '950', '-2 %'],
  ];
  rows.forEach((cells, row) =>
    cells.forEach((cell, column) => {
      const place = { x: 50 + column * 120, y: 600 - row * 20, width: 120, height: 20 };
      page.drawRectangle({ ...place, borderColor: rgb(0, 0, 0), borderWidth: 1 });
      write(page, [cell], { x: place.x + 5, y: 792 - place.y - 15 });
    }),
  );
  write(page, ['The numbers are of the last quarter and were not audited.'], { x: 50, y: 300 });
  const { blocks } = await parse(await document.save());
  expect(blocks.map(({ text, layout }) => [text, layout])).toEqual([
    ['Region: North; Revenue: 1,200; Growth: 4 %', { page: 1, row: 2 }],
    ['Region: South; Revenue: 950; Growth: -2 %', { page: 1, row: 3 }],
    ['The numbers are of the last quarter and were not audited.', { page: 1 }],
  ]);
});

test('what the library takes for a table is one only when nothing in its place stands outside of its cells', () => {
  const cell = (text: string) => ({ text, bbox: null });
  const block = {
    kind: 'table',
    bbox: { x: 0, y: 0, width: 400, height: 100 },
    rows: [
      [cell('Garden'), cell('Tools')],
      [cell('Shed'), cell('Rake')],
    ],
  };
  const page = { blocks: [block] } as unknown as Parameters<typeof tablesOf>[0];
  const segment = (text: string, y: number) => ({
    text,
    x: 10,
    y,
    width: 50,
    height: 10,
    size: 10,
    bold: false,
  });
  const ownWords = [segment('Garden Tools', 10), segment('Shed Rake', 30)];
  expect(tablesOf(page, ownWords)).toHaveLength(1);
  expect(tablesOf(page, [...ownWords, segment('A line far below', 300)])).toHaveLength(1);
  expect(tablesOf(page, [...ownWords, segment('A line of prose in the same place', 50)])).toEqual([]);
});

test('without lines around it a first row names the columns when it alone is bold, or stands above values', () => {
  const rowsOf = (texts: readonly (readonly string[])[], isFirstBold = false) => {
    const rows = texts.map((row) => row.map((text) => ({ text, bbox: null })));
    const block = { kind: 'table', bbox: { x: 0, y: 0, width: 400, height: 100 }, rows };
    const page = { blocks: [block] } as unknown as Parameters<typeof tablesOf>[0];
    const segments = texts.flatMap((row, line) =>
      row.map((text, column) => ({
        ...{ text, x: 10 + 100 * column, y: 10 + 20 * line, width: 50, height: 10, size: 10 },
        bold: isFirstBold && line === 0,
      })),
    );
    return tablesOf(page, segments).map(({ header, rows: body }) => [header, body.length]);
  };
  const keys = [
    ['C-b', 'Back a character'],
    ['C-f', 'Forward a character'],
  ];
  expect(rowsOf(keys)).toEqual([[[], 2]]);
  expect(rowsOf(keys, true)).toEqual([[keys[0], 1]]);
  const sizes = [
    ['Offset', 'Type', 'Name'],
    ['4', 'word', 'ROOTS'],
    ['8', 'word', 'FIRST'],
  ];
  expect(rowsOf(sizes)).toEqual([[sizes[0], 2]]);
  expect(rowsOf(sizes.slice(1))).toEqual([[[], 2]]);
});

test('page headers are read once and page numbers not at all', async () => {
  const { document, addPage, write } = await newPdf();
  for (let number = 1; number <= 4; number += 1) {
    const page = addPage();
    write(page, ['Acme report', `Exhibit ${number * number}`], { x: 50, y: 20 });
    write(page, [`These are the own words of page ${number}.`], { x: 50, y: 200 });
    write(page, [`Page ${number} of 4`], { x: 280, y: 760 });
  }
  const { blocks } = await parse(await document.save());
  const text = blocks.map((block) => block.text).join('\n');
  expect(text.match(/Acme report/g)).toHaveLength(1);
  expect(text).not.toMatch(/Page \d of 4/);
  expect(text.match(/Exhibit \d+/g)).toEqual(['Exhibit 1', 'Exhibit 4', 'Exhibit 9', 'Exhibit 16']);
  expect(blocks.find((block) => block.text.includes('page 3'))?.layout).toEqual({ page: 3 });
});

test('the dots that lead to a page number are left out', async () => {
  const { document, addPage, write } = await newPdf();
  write(addPage(), [`2.1 Licence${' .'.repeat(40)} 12`], { x: 50, y: 300 });
  expect(textsOf(await parse(await document.save()))).toEqual(['2.1 Licence 12']);
});

test('small Roman numbers count pages too', async () => {
  const { document, addPage, write } = await newPdf();
  ['iii', 'iv'].forEach((number, index) => {
    const page = addPage();
    write(page, [`Preface, part ${'AB'.charAt(index)}`], { x: 50, y: 300 });
    write(page, ['Acme'], { x: 50, y: 750 });
    write(page, [number], { x: 500, y: 750 });
  });
  expect(textsOf(await parse(await document.save()))).toEqual(['Preface, part A', 'Acme', 'Preface, part B']);
});

test('what stands at the edge of every page divides no column and no sentence', async () => {
  const { document, addPage, write } = await newPdf();
  const columns = [
    [
      ['The sentence starts at the left side', 'of the first page and then it goes'],
      ['up to the right, where this page ends', 'long before the sentence itself does,'],
    ],
    [
      ['so that it has to be continued here', 'on the second page, at the left, and'],
      ['only the right column brings the end', 'of it.'],
    ],
  ];
  columns.forEach(([left = [], right = []], index) => {
    const page = addPage();
    write(page, left, { x: 50, y: 600 });
    write(page, right, { x: 320, y: 600 });
    write(page, ['Nature Trust'], { x: 50, y: 750 });
    write(page, [`Page ${index + 1} of 2`], { x: 500, y: 750 });
  });
  expect(textsOf(await parse(await document.save()))).toEqual([columns.flat(2).join(' '), 'Nature Trust']);
});

test('form values, comments, link targets, attachments and the title are read', async () => {
  const { document, addPage, write } = await newPdf();
  document.setTitle('Überblick');
  const page = addPage();
  write(page, ['Please see our site for more about it.'], { x: 50, y: 100 });
  const form = document.getForm();
  const name = form.createTextField('person.surname');
  name.setText('Gómez');
  name.addToPage(page, { x: 50, y: 500, width: 200, height: 20 });
  const agreed = form.createCheckBox('agreed');
  agreed.addToPage(page, { x: 50, y: 400 });
  agreed.check();
  form.createCheckBox('refused').addToPage(page, { x: 50, y: 300 });
  const note = {
    ...{ Type: 'Annot', Subtype: 'Text', Rect: [400, 400, 420, 420] },
    ...{ Contents: PDFHexString.fromText('Is this right?'), T: PDFString.of('Zoë') },
  };
  const target = { S: 'URI', URI: PDFString.of('https://example.com/about') };
  const link = { Type: 'Annot', Subtype: 'Link', Rect: [50, 680, 100, 694], A: target };
  const notes = [note, link].map((each) => document.context.register(document.context.obj(each)));
  page.node.set(
    PDFName.of('Annots'),
    document.context.obj([...(page.node.Annots()?.asArray() ?? []), ...notes]),
  );
  await document.attach(Buffer.from('name,town\nZoë,Oslo\n'), 'people.csv');
  await document.attach(Buffer.from('Second of two.'), 'notes (old).txt');
  for (const useObjectStreams of [false, true]) {
    const { title, blocks } = await parse(await document.save({ useObjectStreams }));
    expect(title).toBe('Überblick');
    expect(blocks.map((block) => block.text)).toEqual([
      'Überblick',
      'Please see our site for more about it. (https://example.com/about)',
      'surname: Gómez',
      'agreed: Yes',
      'Comment by Zoë: Is this right?',
      'name: Zoë; town: Oslo',
      'Second of two.',
    ]);
    expect(blocks.at(-2)).toMatchObject({ headings: ['people.csv'], layout: { file: 'people.csv', row: 2 } });
  }
});

test('of a mixed document only the pages that are pictures go through OCR', async () => {
  const { document, addPage, write } = await newPdf();
  write(addPage(), ['This page has text of its own.'], { x: 50, y: 100 });
  const scan = await document.embedPng(
    png(await pictureOf(['The scanned agreement', 'was signed in 2003.'], 40)),
  );
  addPage().drawImage(scan, { x: 20, y: 300, width: 570, height: (570 * scan.height) / scan.width });
  const { blocks } = await parse(await document.save());
  expect(blocks.map(({ text, layout }) => [text, layout])).toEqual([
    ['This page has text of its own.', { page: 1 }],
    ['The scanned agreement was signed in 2003.', { page: 2 }],
  ]);
});

test('sheets that were fed to the scanner sideways are read', async () => {
  const { document, addPage } = await newPdf();
  const said = (sheet: string) => [
    `The ${sheet} part of the agreement is about what the tenant pays,`,
    'about the days on which it is due and about the bank',
    'to which the tenant has to send it in time.',
  ];
  for (const lines of [said('first'), said('second')]) {
    const scan = await document.embedPng(png(turnedLeft(await pictureOf(lines, 24))));
    addPage().drawImage(scan, { x: 20, y: 20, width: (750 * scan.width) / scan.height, height: 750 });
  }
  const { blocks } = await parse(await document.save());
  expect(blocks.map(({ text, layout }) => [text, layout])).toEqual([
    [said('first').join(' '), { page: 1 }],
    [said('second').join(' '), { page: 2 }],
  ]);
});

test('letters that English OCR does not know are not read by it, whatever the library says of them', () => {
  const page = (text: string, found: object) => {
    const clear = {
      textLength: text.length,
      fullPageImage: false,
      imageCoverage: 0,
      isGarbled: false,
      reasons: [],
    };
    return { text, complexity: { ...clear, ...found } } as unknown as Parameters<typeof isPicture>[0];
  };
  const garbled = { isGarbled: true };
  const chinese = '302000001 10.12 散称华联粉条 2700549 君乐宝益生菌 kg';
  expect(isPicture(page('Xsfhnu qf wqjhf', garbled), ['eng'])).toBe(true);
  expect(isPicture(page(chinese, garbled), ['eng'])).toBe(false);
  expect(isPicture(page(chinese, garbled), ['eng', 'chi_sim'])).toBe(true);
  expect(isPicture(page('第 1 页', { ...garbled, fullPageImage: true }), ['eng'])).toBe(true);
});

describe('a PDF that', () => {
  test('has lost its end is read as far as it goes', async () => {
    const { document, addPage, write } = await newPdf();
    write(addPage(), ['What stands on the first page.'], { x: 50, y: 100 });
    const bytes = await document.save({ useObjectStreams: false });
    const cut = bytes.subarray(0, Buffer.from(bytes).lastIndexOf('xref\n0'));
    expect(textsOf(await parse(cut))).toEqual(['What stands on the first page.']);
  });

  test('begins behind other lines is read', async () => {
    const { document, addPage, write } = await newPdf();
    write(addPage(), ['What stands on the first page.'], { x: 50, y: 100 });
    const bytes = Buffer.concat([Buffer.from('%!PS job header\n'), await document.save()]);
    expect(textsOf(await parse(bytes))).toEqual(['What stands on the first page.']);
  });

  test('is encrypted is read when it opens without a password', async () => {
    expect(textsOf(await parse(encryptedPdf('Open to everyone', '')))).toEqual(['Open to everyone']);
    await expect(parse(encryptedPdf('Closed', 'secret'))).rejects.toMatchObject({
      name: 'ParseError',
      code: 'E1001',
      message: expect.stringContaining('encrypted'),
    });
  });

  test('is a picture by its content is refused with what it is', async () => {
    const picture = png({ width: 1, height: 1, pixels: Buffer.alloc(1) });
    await expect(parse(picture)).rejects.toMatchObject({
      code: 'E1001',
      message: expect.stringContaining('PNG'),
    });
  });

  test('shows nothing is E2002', async () => {
    const { document, addPage } = await newPdf();
    addPage();
    const blank = await document.embedPng(png({ width: 90, height: 90, pixels: Buffer.alloc(8100, 230) }));
    addPage().drawImage(blank, { x: 0, y: 0, width: 612, height: 792 });
    await expect(parse(await document.save())).rejects.toMatchObject({ name: 'ParseError', code: 'E2002' });
  });
});

test('OCR without the data of its language fails instead of fetching it', async () => {
  const bytes = png(await pictureOf(['Words'], 30));
  const reading = parseFile({ name: 'file.png', bytes }, { ocrLanguages: ['eng', 'tlh'] });
  await expect(reading).rejects.toMatchObject({
    code: 'E1001',
    message: expect.stringContaining('no OCR data'),
  });
});
