/** A record of a binary PowerPoint file: [MS-PPT] 2.3.1. */
export interface PowerPointRecord {
  readonly type: number;
  readonly instance: number;
  readonly body: Buffer;
  /** The records within a container; empty for other records. */
  readonly children: readonly PowerPointRecord[];
}

/** The record types that are used here ([MS-PPT] 2.13.24). */
export const recordTypes = {
  document: 0x03e8,
  slide: 0x03ee,
  slideAtom: 0x03ef,
  notes: 0x03f0,
  notesAtom: 0x03f1,
  slidePersistAtom: 0x03f3,
  mainMaster: 0x03f8,
  slideListWithText: 0x0ff0,
  headersFooters: 0x0fd9,
  outlineTextReference: 0x0f9e,
  textHeader: 0x0f9f,
  textChars: 0x0fa0,
  textBytes: 0x0fa8,
  cString: 0x0fba,
  objectAtom: 0x0fc3,
  objectStorage: 0x1011,
  placeholder: 0x0bc3,
  comment: 0x2ee0,
  userEdit: 0x0ff5,
  persistDirectory: 0x1772,
  drawing: 0xf002,
  shapeGroup: 0xf003,
  shape: 0xf004,
  clientTextbox: 0xf00d,
  childAnchor: 0xf00f,
  tertiaryOptions: 0xf122,
} as const;

const headerBytes = 8;
const containerVersion = 0xf;
/** A record type that contains records, though its version does not say so. */
const binaryTagData = 0x138b;
const depthMax = 60;
/** Every record takes some hundred bytes of memory. */
const recordsMax = 1_000_000;

/** Reads the records of a stream. A record that is cut off ends with the stream. */
export class RecordReader {
  private records = 0;

  constructor(private readonly stream: Buffer) {}

  /** The record at an offset; undefined beyond the end. */
  at(offset: number): PowerPointRecord | undefined {
    return this.read(this.stream, offset, 0)?.record;
  }

  /** All records of the outermost level. */
  all(): PowerPointRecord[] {
    return this.within(this.stream, 0);
  }

  private within(bytes: Buffer, depth: number): PowerPointRecord[] {
    const records: PowerPointRecord[] = [];
    for (let offset = 0; offset + headerBytes <= bytes.length;) {
      const next = this.read(bytes, offset, depth);
      if (next === undefined) break;
      records.push(next.record);
      offset = next.end;
    }
    return records;
  }

  private read(
    bytes: Buffer,
    offset: number,
    depth: number,
  ): { record: PowerPointRecord; end: number } | undefined {
    if (offset + headerBytes > bytes.length || this.records >= recordsMax) return undefined;
    this.records += 1;
    const versionAndInstance = bytes.readUInt16LE(offset);
    const type = bytes.readUInt16LE(offset + 2);
    const end = Math.min(bytes.length, offset + headerBytes + bytes.readUInt32LE(offset + 4));
    const body = bytes.subarray(offset + headerBytes, end);
    const isContainer = (versionAndInstance & 0xf) === containerVersion || type === binaryTagData;
    const children = isContainer && depth < depthMax ? this.within(body, depth + 1) : [];
    return { record: { type, instance: versionAndInstance >> 4, body, children }, end };
  }
}

/** All records of a type at any depth below a record, in order. */
export function recordsWithin(record: PowerPointRecord | undefined, type: number): PowerPointRecord[] {
  return (record?.children ?? []).flatMap((child) => [
    ...(child.type === type ? [child] : []),
    ...recordsWithin(child, type),
  ]);
}

/** The 32-bit number at an offset of the body; 0 when the body is too short. */
export function numberAt({ body }: PowerPointRecord, offset: number): number {
  return offset + 4 <= body.length ? body.readUInt32LE(offset) : 0;
}

/** The UTF-16 text of a record. */
export function unicodeOf({ body }: PowerPointRecord): string {
  return body.toString('utf16le');
}
