import { bufferOf } from '../../../lib/buffer-of.js';
import type { CompoundStorage } from '../office/compound-file.js';

/** The properties of a message, recipient or attachment (MS-OXMSG), by property id. */
export interface MapiProperties {
  /** A string, empty if there is none; `decode` reads strings that are not Unicode. */
  readonly text: (id: number, decode: (bytes: Uint8Array) => string) => string;
  readonly bytes: (id: number) => Uint8Array | undefined;
  /** A number; 0 or 1 for a boolean. */
  readonly number: (id: number) => number | undefined;
  readonly time: (id: number) => Date | undefined;
  /** All strings that are in an old charset, as bytes. */
  readonly eightBitTexts: () => Uint8Array[];
}

/**
 * Maps a named property to its id in this file. A set of names is known by the first four bytes of its GUID.
 */
export type NamedProperty = (set: number, longId: number) => number | undefined;

const [integerType, doubleType, booleanType, timeType, string8Type, unicodeType, binaryType, objectType] = [
  0x0003, 0x0005, 0x000b, 0x0040, 0x001e, 0x001f, 0x0102, 0x000d,
];
const fixedBytes = 16;
const firstNamedId = 0x8000;
/** Windows counts time in units of 100 ns from 1601. */
const unixEpochMs = 11_644_473_600_000n;

/** A property as it is stored; values of fixed length have eight bytes. */
export interface MapiValue {
  readonly type: number;
  read(): Buffer;
}

/**
 * Reads the properties. The values of fixed length begin after `headerBytes`: 32 in a message, 24 in a
 * message within another, 8 elsewhere.
 */
export function mapiProperties({ streams }: CompoundStorage, headerBytes: number): MapiProperties {
  const values = new Map<number, MapiValue>();
  const fixed = bufferOf(streams.get('__properties_version1.0')?.read());
  for (let at = headerBytes; at + fixedBytes <= fixed.length; at += fixedBytes) {
    const value = fixed.subarray(at + 8, at + fixedBytes);
    values.set(fixed.readUInt16LE(at + 2), { type: fixed.readUInt16LE(at), read: () => value });
  }
  for (const [name, stream] of streams) {
    const [, id, type] = /^__substg1\.0_([0-9A-F]{4})([0-9A-F]{4})$/i.exec(name) ?? [];
    if (id === undefined || type === undefined) continue;
    values.set(parseInt(id, 16), { type: parseInt(type, 16), read: () => bufferOf(stream.read()) });
  }
  return propertiesOf(values);
}

/** Access to properties by their ids; a value of another type than asked for counts as absent. */
export function propertiesOf(values: ReadonlyMap<number, MapiValue>): MapiProperties {
  const of = (id: number, ...types: number[]): Buffer | undefined => {
    const value = values.get(id);
    return value && types.includes(value.type) ? value.read() : undefined;
  };
  return {
    text: (id, decode) => {
      const wide = of(id, unicodeType)?.toString('utf16le');
      const narrow = wide === undefined ? of(id, string8Type) : undefined;
      return (wide ?? (narrow ? decode(narrow) : '')).replace(/\0[\s\S]*$/, '').replace(/\r\n?/g, '\n');
    },
    bytes: (id) => of(id, binaryType, string8Type, objectType),
    number: (id) => {
      const type = values.get(id)?.type;
      const value = of(id, integerType, booleanType, doubleType);
      if (value === undefined || value.length < 8) return undefined;
      if (type === doubleType) return value.readDoubleLE();
      return type === booleanType ? value.readUInt8() : value.readInt32LE();
    },
    time: (id) => {
      const value = of(id, timeType);
      return value && value.length >= 8 ? dateOf(value.readBigUInt64LE()) : undefined;
    },
    eightBitTexts: () => [...values.values()].filter(({ type }) => type === string8Type).map((v) => v.read()),
  };
}

/** Reads the table of named properties at the root of a message. */
export function namedProperties(root: CompoundStorage): NamedProperty {
  const { streams } = root.storages.get('__nameid_version1.0') ?? { streams: new Map<string, never>() };
  const sets = bufferOf(streams.get('__substg1.0_00020102')?.read());
  const entries = bufferOf(streams.get('__substg1.0_00030102')?.read());
  const ids = new Map<string, number>();
  for (let at = 0; at + 8 <= entries.length; at += 8) {
    const kind = entries.readUInt16LE(at + 4);
    const setAt = ((kind >> 1) - 3) * 16;
    if (kind % 2 === 1 || setAt < 0 || setAt + 16 > sets.length) continue;
    const key = `${sets.readUInt32LE(setAt)} ${entries.readUInt32LE(at)}`;
    ids.set(key, firstNamedId + entries.readUInt16LE(at + 6));
  }
  return (set, longId) => ids.get(`${set} ${longId}`);
}

/** Undefined for the values that stand for "none". */
function dateOf(value: bigint): Date | undefined {
  const date = new Date(Number(value / 10_000n - unixEpochMs));
  const year = date.getUTCFullYear();
  return year > 1601 && year < 4_500 ? date : undefined;
}
