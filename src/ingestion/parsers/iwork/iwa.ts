// @ts-expect-error -- the package ships no types
import snappy from 'snappyjs';
import { bufferOf } from '../../../lib/buffer-of.js';
import { ParseError } from '../parser.js';
import { bytesOf, fieldsOf, integerOf, messageOf, varint, type Message } from './protobuf.js';

const inflatedBytesMax = 200 * 1024 * 1024;
const frameHeaderBytes = 4;
const objectsMax = 1_000_000;
const searchDepthMax = 8;

/** An object in a document of iWork '13 or later (the IWA format). */
export interface IwaObject {
  readonly id: number;
  readonly type: number;
  readonly body: Buffer;
  /** The ids of the objects that it refers to, in no order. */
  readonly refersTo: ReadonlySet<number>;
}

const { uncompress } = snappy as { uncompress: (bytes: Buffer, lengthMax: number) => Buffer };

/**
 * All objects in the archives of a document, by id. @throws ParseError E1001 when an archive cannot be read
 */
export class IwaObjects {
  private readonly objects = new Map<number, IwaObject>();

  constructor(archives: Iterable<Uint8Array>) {
    let left = inflatedBytesMax;
    for (const archive of archives) {
      const bytes = inflated(bufferOf(archive), left);
      left -= bytes.length;
      this.addAll(bytes);
    }
  }

  get(id: number | undefined): IwaObject | undefined {
    return id === undefined ? undefined : this.objects.get(id);
  }

  ofType(...types: number[]): IwaObject[] {
    return [...this.objects.values()].filter(({ type }) => types.includes(type));
  }

  /** The object that a field refers to. */
  referred(message: Message, field: number): IwaObject | undefined {
    const [reference] = bytesOf(message, field);
    return reference && this.get(referenceIn(reference));
  }

  /** The objects that an object refers to, in the order of its fields, which is the order of the document. */
  within(object: IwaObject): IwaObject[] {
    const found = new Set<IwaObject>();
    const search = (bytes: Buffer, depth: number): void => {
      for (const [, value] of fieldsOf(bytes)) {
        if (typeof value === 'number') continue;
        const id = referenceIn(value);
        const target = id !== undefined && object.refersTo.has(id) ? this.get(id) : undefined;
        if (target) found.add(target);
        else if (depth < searchDepthMax) search(value, depth + 1);
      }
    };
    search(object.body, 0);
    return [...found];
  }

  /**
   * Reads one archive. Each header gives an id and the types and lengths of the messages that follow; the
   * first message is the object.
   */
  private addAll(bytes: Buffer): void {
    const cursor = { at: 0 };
    while (cursor.at < bytes.length && this.objects.size < objectsMax) {
      const length = varint(bytes, cursor);
      const header = messageOf(bytes.subarray(cursor.at, cursor.at + length));
      cursor.at += length;
      const id = integerOf(header, 1);
      for (const [index, info] of bytesOf(header, 2).map(messageOf).entries()) {
        const end = cursor.at + (integerOf(info, 3) ?? 0);
        const type = integerOf(info, 1);
        const body = bytes.subarray(cursor.at, end);
        if (index === 0 && id !== undefined && type !== undefined)
          this.objects.set(id, { id, type, body, refersTo: integersIn(info, 5) });
        cursor.at = end;
      }
    }
  }
}

/** The id, if the bytes are a reference and nothing else; otherwise undefined. */
function referenceIn(bytes: Buffer): number | undefined {
  if (bytes[0] !== 0x08) return undefined;
  const cursor = { at: 1 };
  const id = varint(bytes, cursor);
  return cursor.at === bytes.length ? id : undefined;
}

/** The integers of a repeated field, packed or not. */
function integersIn(message: Message, field: number): Set<number> {
  const integers = new Set<number>();
  for (const value of message.get(field) ?? []) {
    if (typeof value === 'number') integers.add(value);
    else for (const cursor = { at: 0 }; cursor.at < value.length;) integers.add(varint(value, cursor));
  }
  return integers;
}

/** Decompresses an archive: frames of a header of four bytes and one Snappy block each. */
function inflated(archive: Buffer, bytesMax: number): Buffer {
  const blocks: Buffer[] = [];
  let left = bytesMax;
  for (let at = 0; at + frameHeaderBytes <= archive.length;) {
    if (archive[at] !== 0)
      throw new ParseError('E1001', 'The file is damaged or encrypted: its objects cannot be read.');
    const end = at + frameHeaderBytes + archive.readUIntLE(at + 1, 3);
    const block = uncompress(archive.subarray(at + frameHeaderBytes, end), Math.max(0, left));
    left -= block.length;
    blocks.push(block);
    at = end;
  }
  return Buffer.concat(blocks);
}
