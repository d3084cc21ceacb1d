import type { IwaObject, IwaObjects } from './iwa.js';
import { bytesOf, integerOf, messageOf, messageWithin, textOf, type Message } from './protobuf.js';
import type { SheetRow } from './sheet-blocks.js';

export interface IwaTable {
  readonly name: string;
  readonly rows: readonly SheetRow[];
  readonly headerRows: number;
}

/** The texts that cells refer to by keys. */
interface Lists {
  readonly strings: ReadonlyMap<number, string>;
  readonly richTexts: ReadonlyMap<number, string>;
}

const columnsMax = 1_000;
const rowsMax = 1_000_000;
const noOffset = 0xffff;
const firstOfJanuary2001 = Date.UTC(2001, 0, 1);

/** The cells of a table of Pages, Keynote or Numbers. */
export function tableOf(info: IwaObject, objects: IwaObjects): IwaTable {
  const model = objects.referred(messageOf(info.body), 2);
  const table = messageOf(model?.body ?? Buffer.alloc(0));
  const store = messageWithin(table, 4);
  const lists = {
    strings: listOf(objects.referred(store, 4), (entry) => textOf(entry, 3)),
    richTexts: listOf(objects.referred(store, 17), (entry) => richText(entry, objects)),
  };
  const headerRows = integerOf(table, 9) ?? 0;
  return { name: textOf(table, 8), rows: [...rowsOf(store, lists, objects)], headerRows };
}

function listOf(list: IwaObject | undefined, read: (entry: Message) => string): Map<number, string> {
  const entries = bytesOf(messageOf(list?.body ?? Buffer.alloc(0)), 3).map(messageOf);
  return new Map(entries.map((entry) => [integerOf(entry, 1) ?? -1, read(entry)]));
}

function richText(entry: Message, objects: IwaObjects): string {
  const payload = objects.referred(entry, 9);
  const storage = payload && objects.referred(messageOf(payload.body), 1);
  return storage ? textOf(messageOf(storage.body), 3) : '';
}

/** Tiles hold some hundred rows each, a tree tells where each begins. */
function* rowsOf(store: Message, lists: Lists, objects: IwaObjects): Generator<SheetRow> {
  const tiles = bytesOf(messageWithin(store, 3), 1).map(messageOf);
  const begins = bytesOf(messageWithin(store, 9), 1).map(messageOf);
  for (const [index, begin] of begins.entries()) {
    const first = integerOf(begin, 1) ?? 0;
    const number = integerOf(begin, 2) ?? index;
    const tile = tiles.find((each) => (integerOf(each, 1) ?? 0) === number) ?? tiles[number];
    const object = tile && objects.referred(tile, 2);
    const rows = bytesOf(messageOf(object?.body ?? Buffer.alloc(0)), 5).map(messageOf);
    for (const row of rows) {
      const number = first + (integerOf(row, 1) ?? 0) + 1;
      const cells = cellsOf(row, lists);
      if (cells.length > 0 && number <= rowsMax) yield { row: number, cells };
    }
  }
}

function cellsOf(row: Message, lists: Lists): string[] {
  const isNew = bytesOf(row, 7).length > 0;
  const offsets = bytesOf(row, isNew ? 7 : 4)[0] ?? Buffer.alloc(0);
  const cells = bytesOf(row, isNew ? 6 : 3)[0] ?? Buffer.alloc(0);
  const width = isNew && (integerOf(row, 8) ?? 0) > 0 ? 4 : 1;
  const texts: string[] = [];
  for (let column = 0; column * 2 + 2 <= offsets.length && column < columnsMax; column += 1) {
    const offset = offsets.readUInt16LE(column * 2);
    const cell = offset === noOffset ? Buffer.alloc(0) : cells.subarray(offset * width);
    const text = cell.length < 12 ? '' : cellText(cell, lists).trim();
    if (text !== '') texts[column] = text;
  }
  return texts;
}

/** Where in a cell the values stand that this reader wants; -1: not there. */
interface Places {
  readonly type: number;
  readonly decimal: number;
  readonly double: number;
  readonly seconds: number;
  readonly string: number;
  readonly richText: number;
}

function cellText(cell: Buffer, lists: Lists): string {
  const {
    type,
    decimal,
    double,
    seconds,
    string,
    richText: rich,
  } = (cell[0] ?? 0) >= 5 ? newPlaces(cell) : oldPlaces(cell);
  const key = (place: number) => (place >= 0 && place + 4 <= cell.length ? cell.readUInt32LE(place) : -1);
  const float = (place: number) => (place >= 0 && place + 8 <= cell.length ? cell.readDoubleLE(place) : NaN);
  if (type === 3) return lists.strings.get(key(string)) ?? '';
  if (type === 9) return lists.richTexts.get(key(rich)) ?? '';
  if (type === 5) return dateText(float(seconds));
  if (type === 6) return float(double) > 0 ? 'TRUE' : 'FALSE';
  if (type === 7) return durationText(float(double));
  const number = decimal >= 0 && decimal + 16 <= cell.length ? decimal128(cell, decimal) : float(double);
  return (type === 2 || type === 10) && Number.isFinite(number) ? String(number) : '';
}

/** Flags tell which values follow, in the order of the flags. */
function newPlaces(cell: Buffer): Places {
  const flags = cell.readUInt32LE(8);
  let at = 12;
  const next = (flag: number, bytes: number) => {
    const place = (flags & flag) === 0 ? -1 : at;
    if (place >= 0) at += bytes;
    return place;
  };
  const [decimal, double, seconds, string] = [next(1, 16), next(2, 8), next(4, 8), next(8, 4)];
  return { type: cell[1] ?? 0, decimal, double, seconds, string, richText: next(16, 4) };
}

function oldPlaces(cell: Buffer): Places {
  const version = cell[0] ?? 0;
  const flags = cell.readUInt32LE(4);
  let at = version > 1 ? 12 : 8;
  const next = (flag: number, bytes: number) => {
    const place = (flags & flag) === 0 ? -1 : at;
    if (place >= 0) at += bytes;
    return place;
  };
  const skip = (mask: number) => {
    for (let flag = 1; flag <= mask; flag *= 2) if ((mask & flag) !== 0) next(flag, 4);
  };
  next(2, 4);
  skip(version > 1 ? 3468 : 396);
  const richText = next(512, 4);
  skip(version > 1 ? 12288 : 4096);
  const [string, double, seconds] = [next(16, 4), next(32, 8), next(64, 8)];
  return { type: cell[version >= 4 ? 1 : 2] ?? 0, decimal: -1, double, seconds, string, richText };
}

/** A decimal number of 113 bits and an exponent. */
function decimal128(cell: Buffer, at: number): number {
  const exponent = ((((cell[at + 15] ?? 0) & 0x7f) << 7) | ((cell[at + 14] ?? 0) >> 1)) - 0x1820;
  let digits = BigInt((cell[at + 14] ?? 0) & 1);
  for (let index = 13; index >= 0; index -= 1) digits = digits * 256n + BigInt(cell[at + index] ?? 0);
  const sign = (cell[at + 15] ?? 0) >= 0x80 ? '-' : '';
  return Number(`${sign}${digits}e${exponent}`);
}

function dateText(seconds: number): string {
  const time = firstOfJanuary2001 + Math.round(seconds) * 1000;
  if (!(Math.abs(time) < 8.64e15)) return '';
  return new Date(time)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')
    .replace(/ 00:00:00$/, '');
}

function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const whole = Math.abs(seconds);
  return `${seconds < 0 ? '-' : ''}${Math.floor(whole / 3600)}:${two((whole / 60) % 60)}:${two(whole % 60)}`;
}
