import { addToList } from '../../../lib/add-to-list.js';

/**
 * The fields of a Protocol Buffers message by number. A field may occur several times; its values are
 * integers, or bytes for all other types.
 */
export type Message = ReadonlyMap<number, readonly (number | Buffer)[]>;

const varintBytesMax = 10;

interface Cursor {
  at: number;
}

/** Reads a message as far as possible without its schema; stops at the first byte that is no field. */
export function messageOf(bytes: Buffer): Message {
  const message = new Map<number, (number | Buffer)[]>();
  for (const [field, value] of fieldsOf(bytes)) addToList(message, field, value);
  return message;
}

/** Yields the fields in the order in which they are stored. */
export function* fieldsOf(bytes: Buffer): Generator<[number, number | Buffer]> {
  const cursor = { at: 0 };
  while (cursor.at < bytes.length) {
    const key = varint(bytes, cursor);
    const field = Math.floor(key / 8);
    const start = cursor.at;
    if (key % 8 === 0) yield [field, varint(bytes, cursor)];
    else {
      const length = lengthOf(key % 8, bytes, cursor);
      if (length === undefined || cursor.at + length > bytes.length) return;
      yield [field, bytes.subarray(cursor.at, cursor.at + length)];
      cursor.at += length;
    }
    if (cursor.at === start) return;
  }
}

function lengthOf(wireType: number, bytes: Buffer, cursor: Cursor): number | undefined {
  if (wireType === 1) return 8;
  if (wireType === 5) return 4;
  return wireType === 2 ? varint(bytes, cursor) : undefined;
}

/** Reads a variable-length integer, and moves the cursor behind it. */
export function varint(bytes: Buffer, cursor: Cursor): number {
  let value = 0;
  for (let index = 0, factor = 1; index < varintBytesMax; index += 1, factor *= 128) {
    const byte = bytes[cursor.at] ?? 0;
    cursor.at += 1;
    value += (byte & 127) * factor;
    if (byte < 128) break;
  }
  return value;
}

/** The first integer of a field. */
export function integerOf(message: Message, field: number): number | undefined {
  return message.get(field)?.find((value) => typeof value === 'number');
}

/** All values of a field that are no integers. */
export function bytesOf(message: Message, field: number): Buffer[] {
  return (message.get(field) ?? []).filter((value) => typeof value !== 'number');
}

/** The text of a field; values of a repeated field are joined. */
export function textOf(message: Message, field: number): string {
  return bytesOf(message, field)
    .map((bytes) => bytes.toString('utf8'))
    .join('');
}

/** The message in a field, or a message without fields when there is none. */
export function messageWithin(message: Message, field: number): Message {
  return messageOf(bytesOf(message, field)[0] ?? Buffer.alloc(0));
}
