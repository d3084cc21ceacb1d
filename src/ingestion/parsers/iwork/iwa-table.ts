import type { SheetRow } from '../tables/sheet-row.js';
import type { IwaObject, IwaObjects } from './iwa.js';
import { cellText, menuOf, type CellLists } from './iwa-cell.js';
import { bytesOf, integerOf, messageOf, messageWithin, textOf, type Message } from './protobuf.js';

/** A table of Pages, Keynote or Numbers; the first `headerRows` rows name its columns. */
export interface IwaTable {
  readonly name: string;
  readonly rows: readonly SheetRow[];
  readonly headerRows: number;
}

const columnsMax = 1_000;
const rowsMax = 1_000_000;
const noOffset = 0xffff;

/** Reads the cells of a table in Pages, Keynote or Numbers. */
export function tableOf(info: IwaObject, objects: IwaObjects): IwaTable {
  const model = objects.referred(messageOf(info.body), 2);
  const table = messageOf(model?.body ?? Buffer.alloc(0));
  const store = messageWithin(table, 4);
  const lists = {
    strings: listOf(objects.referred(store, 4), (entry) => textOf(entry, 3)),
    richTexts: listOf(objects.referred(store, 17), (entry) => richText(entry, objects)),
    formats: new Map(
      [11, 22].flatMap((field) => [
        ...listOf(objects.referred(store, field), (entry) => messageWithin(entry, 6)),
      ]),
    ),
    menus: listOf(objects.referred(store, 16), (entry) =>
      menuOf(objects.referred(entry, 4)?.body ?? Buffer.alloc(0)),
    ),
  };
  const headerRows = integerOf(table, 9) ?? 0;
  return { name: textOf(table, 8), rows: [...rowsOf(store, lists, objects)], headerRows };
}

function listOf<T>(list: IwaObject | undefined, read: (entry: Message) => T): Map<number, T> {
  const entries = bytesOf(messageOf(list?.body ?? Buffer.alloc(0)), 3).map(messageOf);
  return new Map(entries.map((entry) => [integerOf(entry, 1) ?? -1, read(entry)]));
}

function richText(entry: Message, objects: IwaObjects): string {
  const payload = objects.referred(entry, 9);
  const storage = payload && objects.referred(messageOf(payload.body), 1);
  return storage ? textOf(messageOf(storage.body), 3) : '';
}

/** Yields the rows. They are stored in tiles of some hundred rows; a list says where each tile begins. */
function* rowsOf(store: Message, lists: CellLists, objects: IwaObjects): Generator<SheetRow> {
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

function cellsOf(row: Message, lists: CellLists): string[] {
  const isNew = bytesOf(row, 7).length > 0;
  const offsets = bytesOf(row, isNew ? 7 : 4)[0] ?? Buffer.alloc(0);
  const cells = bytesOf(row, isNew ? 6 : 3)[0] ?? Buffer.alloc(0);
  const width = isNew && (integerOf(row, 8) ?? 0) > 0 ? 4 : 1;
  const texts: string[] = [];
  for (let column = 0; column * 2 + 2 <= offsets.length && column < columnsMax; column += 1) {
    const offset = offsets.readUInt16LE(column * 2);
    const cell = offset === noOffset ? Buffer.alloc(0) : cells.subarray(offset * width);
    const text = cellText(cell, lists).trim();
    if (text !== '') texts[column] = text;
  }
  return texts;
}
