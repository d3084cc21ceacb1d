import { crc32, deflateRawSync } from 'node:zlib';

interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
  /** What the headers say of its size, if not the truth. */
  readonly declaredBytes?: number;
  readonly isEncrypted?: boolean;
}

/** An archive of one file, whose headers say whatever they are told to say. */
function zipOf({ name, content, declaredBytes = content.length, isEncrypted }: ZipEntry): Buffer {
  const deflated = deflateRawSync(content);
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt16LE(isEncrypted ? 1 : 0, 2);
  about.writeUInt16LE(8, 4);
  about.writeUInt32LE(crc32(content), 10);
  about.writeUInt32LE(deflated.length, 14);
  about.writeUInt32LE(declaredBytes, 18);
  about.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), deflated]);
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00'),
    about,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

const bombBytes = Buffer.alloc(8_000_000, 'A');
const document = 'word/document.xml';
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const small = Buffer.from('<w:document>words</w:document>');

/** Files that must end errored as E1001, with what the message must say, by their names. */
export const HOSTILE_FILES: Readonly<Record<string, { readonly bytes: Uint8Array; readonly says: RegExp }>> =
  {
    'bomb.docx': { bytes: zipOf({ name: document, content: bombBytes }), says: /too large/ },
    'liar.docx': {
      bytes: zipOf({ name: document, content: bombBytes, declaredBytes: 1000 }),
      says: /damaged|too large/,
    },
    'bomb.xlsx': { bytes: zipOf({ name: 'xl/workbook.xml', content: bombBytes }), says: /too large/ },
    'encrypted.docx': {
      bytes: zipOf({ name: document, content: small, isEncrypted: true }),
      says: /encrypted/,
    },
    'cut off.docx': { bytes: zipOf({ name: document, content: small }).subarray(0, 40), says: /damaged/ },
    'picture.docx': { bytes: png, says: /not what its extension says/ },
    'picture.csv': { bytes: png, says: /not text/ },
  };

/** Files that are cheap to send and dear to read: they end, whatever comes out. */
export const LABORIOUS_FILES: Readonly<Record<string, string>> = {
  'deep.html': `${'<div>'.repeat(5_000)}deep`,
  'tables.html': '<table><tr><td>'.repeat(4_000),
  'unclosed.html': '<a href="x" '.repeat(50_000),
  'formatting.html': '<b><i><p>'.repeat(10_000),
  'comments.html': '<!--'.repeat(100_000),
  'deep.md': `${'> '.repeat(10_000)}deep`,
  'emphasis.md': '*a _b '.repeat(30_000),
  'brackets.md': '['.repeat(100_000),
  'quotes.csv': '"'.repeat(300_001),
  'one row.csv': 'a,'.repeat(100_000),
  'deep.json': '['.repeat(200_000),
};
