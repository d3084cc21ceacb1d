import type { RowCell } from '../office/row-cells.js';
import type { WordFile } from './binary-file.js';

/** The properties of a run of paragraphs or characters that are used here. */
export interface BinaryProperties {
  /** The number of the paragraph's style. */
  style?: number;
  /** 0 for the highest heading, 9 for text. */
  outlineLevel?: number;
  isInTable?: boolean;
  /** Whether the paragraph ends a row. */
  isRowEnd?: boolean;
  isHeaderRow?: boolean;
  /** The cells of the row that the paragraph ends. */
  rowCells?: readonly RowCell[];
  isNestedCell?: boolean;
  isNestedRowEnd?: boolean;
  /** The number of its list, from 1; others mean none. */
  list?: number;
  /** 0 for the highest level of the list. */
  listDepth?: number;
  isHidden?: boolean;
  isBold?: boolean;
  /** A character of a symbol font. */
  symbol?: { font: number; code: number };
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly properties: BinaryProperties;
}

const pageBytes = 512;
const pagesMax = 40_000;
/** The size of the flags and borders of a cell (TC80). */
const cellBytes = 20;
const operandBytes: readonly number[] = [1, 1, 2, 4, 2, 2, 0, 3];
const tableDefinition = 0xd608;

/** Runs of properties, by the offsets of their bytes in the stream. */
export class PropertyRuns {
  /**
   * In the order of their bytes. Of several that begin at one offset, which only damaged files have, the
   * first.
   */
  private readonly runs: Run[];

  constructor(file: WordFile, kind: 'paragraphs' | 'characters') {
    const table = file.tableOf(kind === 'paragraphs' ? 13 : 12);
    const count = Math.max(0, Math.floor((table.length - 4) / 8));
    const pages = new Set<number>();
    for (let index = 0; index < count && pages.size < pagesMax; index += 1) {
      pages.add(table.readUInt32LE((count + 1) * 4 + index * 4) & 0x3fffff);
    }
    const runs = [...pages].flatMap((page) => {
      const bytes = file.stream.subarray(page * pageBytes, (page + 1) * pageBytes);
      return bytes.length < pageBytes ? [] : runsOf(bytes, kind);
    });
    runs.sort((one, other) => one.start - other.start);
    this.runs = runs.filter((run, index) => run.start !== runs[index - 1]?.start);
  }

  at(offset: number): BinaryProperties {
    return this.runs[this.indexAt(offset)]?.properties ?? {};
  }

  /** The runs that overlap a range of bytes. */
  *within(start: number, end: number): Generator<Run> {
    for (let index = Math.max(0, this.lastBefore(start)); index < this.runs.length; index += 1) {
      const run = this.runs[index];
      if (run === undefined || run.start >= end) return;
      if (run.end > start) yield run;
    }
  }

  private indexAt(offset: number): number {
    const index = this.lastBefore(offset);
    return offset < (this.runs[index]?.end ?? 0) ? index : -1;
  }

  /** The index of the last run that begins at or before an offset; -1 if none does. */
  private lastBefore(offset: number): number {
    let [low, high] = [0, this.runs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.runs[middle]?.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function runsOf(page: Buffer, kind: 'paragraphs' | 'characters'): Run[] {
  const count = page.readUInt8(pageBytes - 1);
  const entryBytes = kind === 'paragraphs' ? 13 : 1;
  const runs: Run[] = [];
  for (let index = 0; index < count; index += 1) {
    const place = (count + 1) * 4 + index * entryBytes;
    if (place >= pageBytes - 1) break;
    const at = page.readUInt8(place) * 2;
    runs.push({
      start: page.readUInt32LE(index * 4),
      end: page.readUInt32LE(index * 4 + 4),
      properties: at === 0 ? {} : kind === 'paragraphs' ? paragraphAt(page, at) : charactersAt(page, at),
    });
  }
  return runs;
}

function paragraphAt(page: Buffer, at: number): BinaryProperties {
  const words = page[at] ?? 0;
  const [start, length] = words === 0 ? [at + 2, (page[at + 1] ?? 0) * 2] : [at + 1, words * 2 - 1];
  const bytes = page.subarray(start, start + length);
  if (bytes.length < 2) return {};
  return { style: bytes.readUInt16LE(0), ...readProperties(bytes.subarray(2)) };
}

function charactersAt(page: Buffer, at: number): BinaryProperties {
  return readProperties(page.subarray(at + 1, at + 1 + (page[at] ?? 0)));
}

/** Reads a list of property modifiers (Sprm, [MS-DOC]), each a two-byte number and its operand. */
export function readProperties(bytes: Buffer): BinaryProperties {
  const properties: BinaryProperties = {};
  let isDeleted = false;
  for (let at = 0; at + 2 < bytes.length;) {
    const code = bytes.readUInt16LE(at);
    const operand = bytes.subarray(at + 2);
    const first = operand[0] ?? 0;
    if (code === 0x0800) isDeleted = isSet(first);
    else if (code === 0x6a09 && operand.length >= 4) {
      properties.symbol = { font: operand.readUInt16LE(0), code: operand.readUInt16LE(2) };
    } else apply(properties, code, operand);
    at += 2 + lengthOf(code, operand);
  }
  if (isDeleted) properties.isHidden = true;
  return properties;
}

function apply(properties: BinaryProperties, code: number, operand: Buffer): void {
  const first = operand[0] ?? 0;
  if (code === 0x083c) properties.isHidden = isSet(first);
  else if (code === 0x0835) properties.isBold = isSet(first);
  else if (code === 0x2416) properties.isInTable = first !== 0;
  else if (code === 0x2417) properties.isRowEnd = first !== 0;
  else if (code === 0x244b) properties.isNestedCell = first !== 0;
  else if (code === 0x244c) properties.isNestedRowEnd = first !== 0;
  else if (code === 0x3404) properties.isHeaderRow = first !== 0;
  else if (code === tableDefinition) properties.rowCells = rowCellsOf(operand);
  else if (code === 0x2640) properties.outlineLevel = first;
  else if (code === 0x460b && operand.length >= 2) properties.list = operand.readInt16LE(0);
  else if (code === 0x260a) properties.listDepth = first;
}

/** The cells of a row (TDefTableOperand): where they end, and whether the one above reaches into them. */
function rowCellsOf(operand: Buffer): RowCell[] {
  const count = operand[2] ?? 0;
  const flags = 3 + 2 * (count + 1);
  if (operand.length < flags) return [];
  return Array.from({ length: count }, (_, index) => {
    const at = flags + index * cellBytes;
    const merge = at + 2 <= operand.length ? (operand.readUInt16LE(at) >> 5) & 3 : 0;
    return { right: operand.readInt16LE(3 + 2 * (index + 1)), isContinued: merge === 1 };
  });
}

/** Whether a property is on, or is the opposite of what the style has. */
function isSet(operand: number): boolean {
  return operand === 1 || operand === 0x81;
}

function lengthOf(code: number, operand: Buffer): number {
  const fixed = operandBytes[code >>> 13] ?? 1;
  if (fixed > 0) return fixed;
  return code === tableDefinition && operand.length >= 2
    ? operand.readUInt16LE(0) + 1
    : (operand[0] ?? 0) + 1;
}
