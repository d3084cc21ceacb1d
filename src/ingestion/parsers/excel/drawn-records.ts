import { pageTexts } from './sheet-parts.js';

/** Types of records in the stream of a workbook since Excel 97, BIFF8 (MS-XLS 2.3). */
const recordType = {
  begin: 0x809,
  filePass: 0x2f,
  boundSheet: 0x85,
  header: 0x14,
  footer: 0x15,
  object: 0x5d,
  text: 0x1b6,
  continued: 0x3c,
  chartText: 0x100d,
} as const;
const biff8 = 0x600;
const headBytes = 4;
/** The kind of object that is a comment, whose text is read with its cell. */
const noteObject = 0x19;
/** Where an object says of what kind it is. */
const objectKindAt = 4;
/** Where a text record says how many characters follow in the next records. */
const textLengthAt = 10;

interface BiffRecord {
  readonly type: number;
  /** Where it begins in the stream. */
  readonly at: number;
  readonly data: Buffer;
}

/**
 * The texts beside the cells of a binary workbook, by the name of their sheet: text boxes and other shapes, titles and
 * series of charts, headers and footers. Empty for an encrypted workbook, and for one from before Excel 97.
 */
export function drawnTexts(stream: Buffer): ReadonlyMap<string, readonly string[]> {
  const names = new Map<number, string>();
  const sheets = new Map<string, SheetTexts>();
  let sheet: SheetTexts | undefined;
  for (const record of recordsOf(stream)) {
    const { type, at, data } = record;
    if (type === recordType.filePass || (at === 0 && uint16(data, 0) !== biff8)) return new Map();
    if (type === recordType.boundSheet && data.length > 8)
      names.set(data.readUInt32LE(0), shortText(data, 6));
    // What begins elsewhere is a chart within the sheet.
    const name = type === recordType.begin ? names.get(at) : undefined;
    if (name !== undefined) sheets.set(name, (sheet = new SheetTexts()));
    sheet?.read(record);
  }
  return new Map([...sheets].map(([name, texts]) => [name, texts.all()]));
}

/** Collects the texts of a sheet from its records. */
class SheetTexts {
  private readonly drawn = new Set<string>();
  private readonly pages: string[] = [];
  private object: number | undefined;
  private missing = 0;
  private text = '';

  read({ type, data }: BiffRecord): void {
    if (type === recordType.object) this.object = uint16(data, objectKindAt);
    else if (type === recordType.text) {
      this.text = '';
      this.missing = this.object === noteObject ? 0 : uint16(data, textLengthAt);
      this.object = undefined;
    } else if (type === recordType.continued) this.goOn(data);
    else if (type === recordType.chartText) this.drawn.add(shortText(data, 2).trim());
    else if (type === recordType.header || type === recordType.footer)
      this.pages.push(characters(data, 2, uint16(data, 0)));
  }

  all(): string[] {
    return [...this.drawn, ...pageTexts(this.pages)];
  }

  private goOn(data: Buffer): void {
    if (this.missing === 0) return;
    const piece = characters(data, 0, this.missing);
    this.missing -= piece.length;
    this.text += piece;
    if (this.missing === 0) this.drawn.add(this.text.trim());
  }
}

/** The records of a stream, up to one that is cut off. */
function* recordsOf(stream: Buffer): Generator<BiffRecord> {
  for (let at = 0; at + headBytes <= stream.length;) {
    const end = at + headBytes + stream.readUInt16LE(at + 2);
    yield { type: stream.readUInt16LE(at), at, data: stream.subarray(at + headBytes, end) };
    at = end;
  }
}

/** A text behind a byte that counts its characters. */
function shortText(data: Buffer, at: number): string {
  return characters(data, at + 1, data[at] ?? 0);
}

/** At most so many characters behind a byte that says whether each takes two bytes. */
function characters(data: Buffer, flagsAt: number, most: number): string {
  const from = flagsAt + 1;
  return ((data[flagsAt] ?? 0) & 1) === 1
    ? data.toString('utf16le', from, from + 2 * most)
    : data.toString('latin1', from, from + most);
}

function uint16(data: Buffer, at: number): number {
  return (data[at] ?? 0) + 256 * (data[at + 1] ?? 0);
}
