import { bufferOf } from '../../../lib/buffer-of.js';
import { mislabelled } from '../mislabelled.js';
import { openCompoundFile, isCompoundFile, type CompoundStorage } from '../office/compound-file.js';
import { encryptedFile, mislabelledFile, ParseError } from '../parser.js';

/** The parts of the text, in the order in which they follow one another, by their numbers of characters. */
export interface StoryLengths {
  readonly body: number;
  readonly footnotes: number;
  readonly margins: number;
  readonly macros: number;
  readonly comments: number;
  readonly endnotes: number;
  readonly boxes: number;
  readonly marginBoxes: number;
}

/**
 * A stretch of text: the positions of its characters in the text, and where its bytes begin in the stream.
 */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly bytesPerCharacter: 1 | 2;
}

/** An opened Word document; `table` is the stream with its tables. */
export interface WordFile {
  readonly stream: Buffer;
  readonly table: Buffer;
  /**
   * Whether it is of Word 95 or older: one byte a character, in the code page of the language, and other
   * properties.
   */
  readonly isOld: boolean;
  readonly language: number;
  readonly isMac: boolean;
  readonly lengths: StoryLengths;
  readonly pieces: readonly Piece[];
  /** The files within the document. */
  readonly objects: Iterable<CompoundStorage>;
  /** A table by its number in the header of Word 97; empty when there is none. */
  tableOf(number: number): Buffer;
}

const [word2, word6, word97] = [0xa5db, 0xa5dc, 0xa5ec];
const word97Version = 0xc1;
const encryptedFlag = 0x0100;
const complexFlag = 0x0004;
const clx = 33;

/** Opens a Word document. @throws ParseError E1001 when it is encrypted, damaged or of another kind */
export function openWordFile(bytes: Uint8Array): WordFile {
  const { stream, streams, objects } = streamsOf(bytes);
  if (stream.length < 0x100) throw new ParseError('E1001', 'The file is cut off.');
  const identity = stream.readUInt16LE(0);
  if (identity !== word2 && identity !== word6 && identity !== word97)
    throw mislabelled(bytes, 'Word document');
  const flags = stream.readUInt16LE(0x0a);
  if ((flags & encryptedFlag) !== 0) throw encryptedFile();
  const isOld = stream.readUInt16LE(2) < word97Version;
  const table = isOld
    ? stream
    : ((flags & 0x0200 ? streams.get('1Table') : streams.get('0Table')) ?? Buffer.alloc(0));
  const tableOf = (number: number) => {
    const place = 0x9a + number * 8;
    if (isOld || place + 8 > stream.length) return Buffer.alloc(0);
    const offset = stream.readUInt32LE(place);
    return table.subarray(offset, offset + stream.readUInt32LE(place + 4));
  };
  const lengths = lengthsOf(stream, isOld ? 0x34 : 0x4c);
  const pieces = isOld ? oldPieces(stream, flags) : piecesOf(tableOf(clx), stream.length);
  const isMac = isOld && stream.readUInt16LE(0x14) === 0x0100;
  const language = stream.readUInt16LE(6);
  return { stream, table, isOld, language, isMac, lengths, pieces, objects, tableOf };
}

function streamsOf(
  bytes: Uint8Array,
): Pick<WordFile, 'stream' | 'objects'> & { readonly streams: ReadonlyMap<string, Buffer> } {
  const whole = bufferOf(bytes);
  // Word 2 wrote the bare stream into the file.
  if (!isCompoundFile(bytes)) {
    if (whole.length < 0x100 || ![word2, word6].includes(whole.readUInt16LE(0)))
      throw mislabelled(bytes, 'Word document');
    return { stream: whole, streams: new Map(), objects: [] };
  }
  const root = openCompoundFile(bytes);
  if (root.streams.has('EncryptedPackage')) throw encryptedFile();
  const streams = new Map<string, Buffer>();
  for (const name of ['WordDocument', '0Table', '1Table']) {
    const content = root.streams.get(name)?.read();
    if (content) streams.set(name, bufferOf(content));
  }
  const stream = streams.get('WordDocument');
  if (stream === undefined) {
    throw mislabelledFile('it is no Word document');
  }
  return { stream, streams, objects: root.storages.get('ObjectPool')?.storages.values() ?? [] };
}

function lengthsOf(stream: Buffer, place: number): StoryLengths {
  const length = (index: number) => Math.max(0, stream.readInt32LE(place + index * 4));
  return {
    body: length(0),
    footnotes: length(1),
    margins: length(2),
    macros: length(3),
    comments: length(4),
    endnotes: length(5),
    boxes: length(6),
    marginBoxes: length(7),
  };
}

/**
 * The pieces of an old document. Word 6 too may save in pieces; its table has the format that Word 97 kept as
 * a part of its own.
 */
function oldPieces(stream: Buffer, flags: number): Piece[] {
  const isComplex = (flags & complexFlag) !== 0 && stream.length > 0x168;
  if (isComplex) {
    const offset = stream.readUInt32LE(0x160);
    const pieces = piecesOf(
      stream.subarray(offset, offset + stream.readUInt32LE(0x164)),
      stream.length,
      true,
    );
    if (pieces.length > 0) return pieces;
  }
  const [start, end] = [stream.readUInt32LE(0x18), Math.min(stream.readUInt32LE(0x1c), stream.length)];
  return end > start ? [{ start: 0, end: end - start, offset: start, bytesPerCharacter: 1 }] : [];
}

function piecesOf(table: Buffer, streamBytes: number, isOld = false): Piece[] {
  let at = 0;
  while (table[at] === 1 && at + 3 <= table.length) at += 3 + table.readUInt16LE(at + 1);
  if (table[at] !== 2 || at + 5 > table.length) return [];
  const entries = table.subarray(at + 5, at + 5 + table.readUInt32LE(at + 1));
  const count = Math.floor((entries.length - 4) / 12);
  const pieces: Piece[] = [];
  let characters = 0;
  for (let index = 0; index < count; index += 1) {
    const [start, end] = [entries.readUInt32LE(index * 4), entries.readUInt32LE(index * 4 + 4)];
    const place = entries.readUInt32LE((count + 1) * 4 + index * 8 + 2);
    const isByte = isOld || (place & 0x40000000) !== 0;
    const bytesPerCharacter = isByte ? 1 : 2;
    const offset = isByte && !isOld ? (place & 0x3fffffff) >>> 1 : place;
    characters += end - start;
    // Pieces do not share bytes, so there cannot be more characters than bytes in the stream.
    if (end < start || characters > streamBytes) break;
    pieces.push({ start, end, offset, bytesPerCharacter });
  }
  return pieces;
}
