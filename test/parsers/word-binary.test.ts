import { describe, expect, test } from '@jest/globals';
import { wordBinary } from '../../src/ingestion/parsers/word-binary.js';
import { bytesOf, noContext, textsOf } from '../support/files/reading.js';
import { binaryWordFile, compoundFile, numbers, type BinaryWord } from '../support/files/word-binary.js';

const parse = (document: BinaryWord) => wordBinary.parse(binaryWordFile(document), noContext);
const inTable = '1624 01';
const rowEnd = '1624 01 1724 01';

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

  test('reads Word 95 in the code page of its language', async () => {
    const stream = Buffer.alloc(0x400);
    stream.writeUInt16LE(0xa5dc, 0);
    stream.writeUInt16LE(0x68, 2);
    stream.writeUInt16LE(0x0419, 6);
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
