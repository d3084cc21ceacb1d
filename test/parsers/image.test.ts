import { describe, expect, test } from '@jest/globals';
import { phrasesOf } from '../../src/ingestion/parsers/ocr/recognize.js';
import { askew, jpeg, pictureOf, png, sideBySide, tiff, turnedLeft } from '../support/files/images.js';
import { textsOf } from '../support/files/reading.js';
import { parseFile } from '../support/parse-file.js';
import { Random } from '../support/random.js';

function parse(name: string, bytes: Uint8Array) {
  return parseFile({ name, bytes }, { ocrLanguages: ['eng'] });
}

describe('an image', () => {
  test('in two columns is read column by column', async () => {
    const columns = await Promise.all([
      pictureOf(['Apples are red', 'and grow here.'], 30),
      pictureOf(['Lemons come', 'from the south.'], 30),
    ]);
    const text = textsOf(await parse('file.png', png(sideBySide(columns, 60)))).join(' ');
    expect(text).toBe('Apples are red and grow here. Lemons come from the south.');
  });

  test('of a bill is read row by row, each with the names of its columns', async () => {
    const columns = await Promise.all([
      pictureOf(['Article', 'Cable', 'Socket outlet', 'Labour'], 30),
      pictureOf(['Quantity', '50', '12', '6'], 30),
      pictureOf(['Amount', '44.50', '50.40', '372.00'], 30),
    ]);
    const { blocks } = await parse('bill.png', png(sideBySide(columns, 90)));
    expect(blocks.map(({ text, layout }) => [text, layout])).toEqual([
      ['Article: Cable; Quantity: 50; Amount: 44.50', { row: 2 }],
      ['Article: Socket outlet; Quantity: 12; Amount: 50.40', { row: 3 }],
      ['Article: Labour; Quantity: 6; Amount: 372.00', { row: 4 }],
    ]);
  });

  test('words of a sentence are one piece, in which no column begins', () => {
    const word = (text: string, x: number, width: number) => ({
      ...{ text, x, y: 10, width, height: 10, size: 10, bold: false },
    });
    const words = [word('Sold', 40, 20), word('to', 66, 10), word('Ann', 83, 18), word('12.50', 150, 30)];
    expect(phrasesOf(words).map(({ text, x, width }) => [text, x, width])).toEqual([
      ['Sold to Ann', 40, 61],
      ['12.50', 150, 30],
    ]);
  });

  test('of small letters is enlarged', async () => {
    const bytes = png(await pictureOf(['terms apply to all goods sold'], 9));
    expect(textsOf(await parse('file.png', bytes))).toEqual(['terms apply to all goods sold']);
  });

  test('that lies on its side is turned as the camera says', async () => {
    const bytes = jpeg(turnedLeft(await pictureOf(['Turned receipt'], 24)), 6);
    expect(textsOf(await parse('photo.jpg', bytes))).toEqual(['Turned receipt']);
  });

  const lines = [
    'The tenant pays the rent on the first working day of every month.',
    'Repairs of up to fifty pounds are paid for by the tenant, others by the landlord.',
    'Either side may end this agreement with three months of notice in writing.',
  ];

  test.each([1, 2, 3])('whose lines lie turned is read all the same: %i times to the left', async (times) => {
    let picture = await pictureOf(lines, 16);
    for (let turn = 0; turn < times; turn += 1) picture = turnedLeft(picture);
    expect(textsOf(await parse('scan.png', png(picture))).join(' ')).toBe(lines.join(' '));
  });

  test.each([2, -2.5, 4, 9])('whose lines are askew by %d degrees is read line by line', async (degrees) => {
    const picture = askew(await pictureOf(lines, 24), degrees);
    expect(textsOf(await parse('scan.png', png(picture))).join(' ')).toBe(lines.join(' '));
  });

  test('may be both askew and on its side', async () => {
    const picture = turnedLeft(askew(await pictureOf(lines, 24), -2));
    expect(textsOf(await parse('scan.jpg', jpeg(picture))).join(' ')).toBe(lines.join(' '));
  });

  test('without text is E2002', async () => {
    const random = new Random(7);
    const [width, height] = [400, 300];
    const pixels = Buffer.alloc(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        pixels[y * width + x] =
          120 + 60 * Math.sin(x / 23) + 50 * Math.cos((x + 2 * y) / 31) + random.below(20);
      }
    }
    await expect(parse('file.png', png({ width, height, pixels }))).rejects.toMatchObject({
      name: 'ParseError',
      code: 'E2002',
    });
  });

  test('is what its extension says, or not read: renaming does not convert', async () => {
    const bytes = png(await pictureOf(['Renamed'], 30));
    for (const name of ['file.jpg', 'file.tiff', 'file.bmp'])
      await expect(parse(name, bytes)).rejects.toMatchObject({
        code: 'E1001',
        message: 'The file is not what its extension says: it is a PNG image.',
      });
    expect(textsOf(await parse('file.PNG', bytes))).toEqual(['Renamed']);
    await expect(parse('file.png', Buffer.from('%PDF-1.4 …'))).rejects.toMatchObject({
      code: 'E1001',
      message: expect.stringContaining('PDF'),
    });
  });

  test('whose header declares more pixels than memory holds is refused before it is decoded', async () => {
    const bytes = png({ width: 1, height: 1, pixels: Buffer.alloc(1) });
    bytes.writeUInt32BE(100_000, 16);
    bytes.writeUInt32BE(100_000, 20);
    await expect(parse('file.png', bytes)).rejects.toMatchObject({
      code: 'E1001',
      message: expect.stringContaining('100000 x 100000'),
    });
  });
});

test('each page of a TIFF is read, also those that are compressed as JPEG', async () => {
  const [first, second] = await Promise.all([
    pictureOf(['First sheet'], 30),
    pictureOf(['Second sheet'], 24),
  ]);
  const { blocks } = await parse('fax.tif', tiff([first, { ...second, jpeg: jpeg(second) }, first]));
  expect(blocks.map(({ text, layout }) => [text, layout])).toEqual([
    ['First sheet', { page: 1 }],
    ['Second sheet', { page: 2 }],
    ['First sheet', { page: 3 }],
  ]);
});
