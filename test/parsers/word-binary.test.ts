import { describe, expect, test } from '@jest/globals';
import { wordBinary } from '../../src/ingestion/parsers/word-binary.js';
import { bytesOf, noContext, textsOf } from '../support/files/reading.js';
import { binaryWordFile, compoundFile, numbers, type BinaryWord } from '../support/files/word-binary.js';

const parse = (document: BinaryWord) => wordBinary.parse(binaryWordFile(document), noContext);
const inTable = '1624 01';
const rowEnd = '1624 01 1724 01';

/** A level of a list (LVL): `\0` and `\u0001` in its label stand for the counters of the levels. */
function listLevel(format: number, label: string, start = 1): Buffer {
  const head = Buffer.alloc(28);
  head.writeInt32LE(start, 0);
  head.writeUInt8(format, 4);
  return Buffer.concat([head, Buffer.of(label.length, 0), Buffer.from(label, 'utf16le')]);
}

/** The tables of the lists that paragraphs name by their place, each with its levels. */
function listTables(...lists: readonly (readonly Buffer[])[]): Record<number, Buffer> {
  const definitions = lists.map((_, index) => Buffer.concat([numbers(100 + index), Buffer.alloc(24)]));
  const levels = lists.map((own) => [
    ...own,
    ...Array.from({ length: 9 - own.length }, () => listLevel(255, '')),
  ]);
  const names = lists.map((_, index) => Buffer.concat([numbers(100 + index), Buffer.alloc(12)]));
  return {
    0x2e2: Buffer.concat([Buffer.of(lists.length, 0), ...definitions, ...levels.flat()]),
    0x2ea: Buffer.concat([numbers(lists.length), ...names, numbers(...lists.map(() => -1 >>> 0))]),
  };
}

describe('word-binary', () => {
  test('leaves out what is hidden or deleted and the codes of fields', async () => {
    const document = await parse({
      body: [
        { text: 'a' },
        { text: 'no', characters: '3c08 01' },
        { text: 'no', characters: '0008 01' },
        { text: 'b\x13 PAGE \x1412\x15 \x13HYPERLINK "https://example.org/a"\x14site\x15\r' },
      ],
    });
    expect(textsOf(document)).toEqual(['ab12 site (https://example.org/a)']);
  });

  test('keeps tables as rows under their header', async () => {
    const { blocks } = await parse({
      body: [
        { text: 'Name\x07Town\x07', paragraph: inTable },
        { text: '\x07', paragraph: `${rowEnd} 0434 01` },
        { text: 'Zoë\rK.\x07Oslo\x07', paragraph: inTable },
        { text: '\x07', paragraph: rowEnd },
        { text: 'After\r' },
      ],
    });
    expect(blocks).toEqual([
      { text: 'Name: Zoë\nK.; Town: Oslo', headings: [], keepTogether: true, layout: { row: 2 } },
      { text: 'After', headings: [] },
    ]);
  });

  test('counts the paragraphs of lists, and headings, as Word shows them', async () => {
    const item = (text: string, list: number, depth = 0) => ({
      text: `${text}\r`,
      paragraph: `0b46 0${list}00 0a26 0${depth}`,
    });
    const { blocks } = await parse({
      body: [
        { ...item('Term', 1), style: 1 },
        item('Pay', 2),
        item('in cash', 2, 1),
        item('by card', 2, 1),
        item('Leave', 2),
        item('Quietly', 3),
        { ...item('Notice', 1, 1), style: 2 },
        { text: 'None\r', paragraph: '0b46 0000' },
        item('Unknown', 7),
      ],
      tables: listTables(
        [listLevel(1, '\0.'), listLevel(0, '\0.\u0001')],
        [listLevel(0, '\0)', 3), listLevel(4, '(\u0001)')],
        [listLevel(23, '\uf0b7')],
      ),
    });
    expect(blocks.map(({ text, headings }) => [text, headings])).toEqual([
      ['3) Pay', ['I. Term']],
      ['(a) in cash', ['I. Term']],
      ['(b) by card', ['I. Term']],
      ['4) Leave', ['I. Term']],
      ['- Quietly', ['I. Term']],
      ['None', ['I. Term', 'I.1 Notice']],
      ['- Unknown', ['I. Term', 'I.1 Notice']],
    ]);
  });

  test('tells notes behind their paragraph and page headers at the end', async () => {
    const document = await parse({
      body: [{ text: 'One\x02 more\r' }, { text: 'Two\r' }],
      stories: [
        { at: 0x50, text: '\x02 Foot.\r\r' },
        { at: 0x54, text: 'Acme\rAcme\r\r' },
      ],
      tables: {
        0xaa: Buffer.concat([numbers(3, 13), Buffer.alloc(2)]),
        0xb2: numbers(0, 8, 9),
      },
    });
    expect(textsOf(document)).toEqual(['One[1] more', '[1] Foot.', 'Two', 'Acme']);
  });

  test.each([
    ['the code page of its language', 0x0419],
    ['the alphabet that it is written in, whatever its language', 0x0409],
  ])('reads Word 95 in %s', async (_, language) => {
    const stream = Buffer.alloc(0x400);
    stream.writeUInt16LE(0xa5dc, 0);
    stream.writeUInt16LE(0x68, 2);
    stream.writeUInt16LE(language, 6);
    const text = Buffer.concat([
      Buffer.from('cff0e8e2e5f2', 'hex'),
      Buffer.from('\rA\x07B\x07\x07C\x07D\x07\x07end\r'),
    ]);
    stream.writeUInt32LE(0x300, 0x18);
    stream.writeUInt32LE(0x300 + text.length, 0x1c);
    stream.writeUInt32LE(text.length, 0x34);
    text.copy(stream, 0x300);
    const document = await wordBinary.parse(compoundFile({ WordDocument: stream }), noContext);
    expect(textsOf(document)).toEqual(['Привет', 'A; B', 'C; D', 'end']);
  });

  test('refuses what is encrypted, and says what else a file is', async () => {
    await expect(parse({ body: [{ text: 'x\r' }], flags: 0x0100 })).rejects.toMatchObject({
      code: 'E1001',
      message: expect.stringContaining('encrypted'),
    });
    await expect(wordBinary.parse(bytesOf('{\\rtf1 text}'), noContext)).rejects.toMatchObject({
      code: 'E1001',
      message: expect.stringContaining('RTF'),
    });
    await expect(wordBinary.parse(compoundFile({ Workbook: bytesOf('x') }), noContext)).rejects.toMatchObject(
      { code: 'E1001' },
    );
  });
});
