import { inOneLine } from '../../../text/one-line.js';
import type { ParsedBlock } from '../parser.js';
import { areFields, fieldTexts } from './field-list.js';
import { isNameOfAmount } from './totals.js';

/** A row of texts. */
export interface TableRow {
  cells: readonly string[];
  /** Counted from 1 in the file or table, the header row included. */
  row: number;
  /**
   * Set for a row of a single text that belongs to no column: `title` for one over all columns, which says what the
   * rows below are about, `note` for a remark.
   */
  aside?: 'title' | 'note';
}

/** A table under headings. */
export interface Table {
  /** One name per column, blank where it has none; empty for a table without a header row. */
  header: readonly string[];
  rows: readonly TableRow[];
  headings: string[];
}

/** A longer row does not fit into a chunk, and is split into parts. */
const rowCharactersMax = 2_000;
const rowPartCharacters = 1_400;
const keyCharactersMax = 100;
const titleCharactersMax = 100;
/** A table may always repeat its header up to this many characters. */
const repeatedHeaderCharactersFree = 1_000_000;
/** A larger table may grow to this many times its size by repeating its header. */
const repeatedHeaderFactorMax = 8;

/**
 * One block per row, `Header: value; Header: value`, so that a row is understood without its table; rows of a
 * form become `Label: value`. Blank cells and rows are left out. A row that titles those below is their heading.
 * Names of columns that no row fills are a block of their own, and so is a header that would swell the text too
 * much, or whose table has no rows.
 */
export function tableBlocks({ header, rows, headings }: Table): ParsedBlock[] {
  const table = new TableParts(header);
  const blocks = [...table.blocksOf(rows, headings), ...table.lastTitle(headings)];
  return [...table.end(headings), ...blocks];
}

/**
 * Makes the blocks of a table whose rows come in batches. Columns that one batch leaves blank may be filled
 * by another.
 */
export class TableParts {
  private readonly used = new Set<number>();
  private isHeaderTold = false;
  private readonly header: readonly string[];
  /** Decided by the first rows. */
  private holdsFields: boolean | undefined;
  /** The row that titles the ones that are read, and whether any has followed it. */
  private title: { row: TableRow; isUsed: boolean } | undefined;

  constructor(header: readonly string[]) {
    this.header = header.some((name) => /\S/.test(name)) ? header : [];
  }

  blocksOf(rows: readonly TableRow[], headings: string[]): ParsedBlock[] {
    const { header } = this;
    const filled = this.withFields(filledRows(rows));
    const isRepeated = filled.length > 0 && mayRepeat(header, filled);
    if (!isRepeated) this.isHeaderTold = true;
    const names = isRepeated ? header : [];
    const blocks = filled.flatMap((row) => this.blocksOfRow(row, names, headings));
    return isRepeated ? blocks : [...headerBlocks(header, headings), ...blocks];
  }

  private blocksOfRow(row: TableRow, header: readonly string[], headings: string[]): ParsedBlock[] {
    if (row.aside === 'title' && isHeading(row)) {
      const before = this.lastTitle(headings);
      this.title = { row, isUsed: false };
      return before;
    }
    if (row.aside !== undefined) return rowBlocks({ header: [], rows: [row], headings });
    row.cells.forEach((cell, column) => {
      if (/\S/.test(cell)) this.used.add(column);
    });
    const names = withoutNameOfTotal(header, row);
    if (this.title === undefined) return rowBlocks({ header: names, rows: [row], headings });
    this.title.isUsed = true;
    return rowBlocks({ header: names, rows: [row], headings: [...headings, titleOf(this.title.row)] });
  }

  /** A title below which no row has come, as a block. */
  lastTitle(headings: string[]): ParsedBlock[] {
    const { title } = this;
    this.title = undefined;
    return title && !title.isUsed ? rowBlocks({ header: [], rows: [title.row], headings }) : [];
  }

  private withFields(rows: readonly TableRow[]): readonly TableRow[] {
    if (this.header.length > 0 || rows.length === 0) return rows;
    this.holdsFields ??= areFields(rows.map(({ cells }) => cells));
    if (!this.holdsFields) return rows;
    const texts = fieldTexts(rows.map(({ cells }) => cells));
    return rows.map((row, index) => ({ ...row, cells: texts[index] ?? row.cells }));
  }

  /** A title that no row has followed, and the names of columns that no row has filled, as blocks. */
  end(headings: string[]): ParsedBlock[] {
    const last = this.lastTitle(headings);
    if (this.isHeaderTold) return last;
    const unused = this.header.map((name, column) => (this.used.has(column) ? '' : name));
    return [...last, ...headerBlocks(unused, headings)];
  }
}

/** The names of columns for a row of totals, whose own name may stand in any column: `Subtotal`, below `Unit price`. */
function withoutNameOfTotal(header: readonly string[], { cells }: TableRow): readonly string[] {
  const first = cells.findIndex((cell) => /\S/.test(cell));
  const isOfTotal = first > 0 && first < cells.length - 1 && isNameOfAmount(cells[first] ?? '');
  return isOfTotal ? header.with(first, '') : header;
}

function titleOf({ cells }: TableRow): string {
  return inOneLine(cells.join(' '));
}

/** Whether a row over all columns is short enough for a heading, and no sentence. */
function isHeading(row: TableRow): boolean {
  const title = titleOf(row);
  return title.length <= titleCharactersMax && !/[.!?;]$/.test(title);
}

/**
 * The blocks of rows, each value with the name of its column. A long row is split, and its first cell is
 * repeated in each part.
 */
export function rowBlocks({ header, rows, headings }: Table): ParsedBlock[] {
  const names = header.map(inOneLine);
  return rows.flatMap(({ cells, row }) =>
    rowTexts(names, cells).map((text) => ({ text, headings, keepTogether: true, layout: { row } })),
  );
}

/** The names of columns as one block; none when all are blank. */
export function headerBlocks(header: readonly string[], headings: string[]): ParsedBlock[] {
  const text = rowParts([], header).join('; ');
  return text === '' ? [] : [{ text, headings, keepTogether: true, layout: { row: 1 } }];
}

function filledRows(rows: readonly TableRow[]): TableRow[] {
  return rows.filter(({ cells }) => cells.some((cell) => /\S/.test(cell)));
}

function rowTexts(names: readonly string[], cells: readonly string[]): string[] {
  const [key = '', ...others] = rowParts(names, cells);
  const whole = [key, ...others].join('; ');
  if (whole.length <= rowCharactersMax || key.length > keyCharactersMax) return [whole];
  const texts: string[] = [];
  let text = key;
  for (const part of others) {
    if (text !== key && text.length + part.length > rowPartCharacters) {
      texts.push(text);
      text = key;
    }
    text += `; ${part}`;
  }
  return [...texts, text];
}

function rowParts(names: readonly string[], cells: readonly string[]): string[] {
  const parts: string[] = [];
  cells.forEach((cell, column) => {
    const value = cell.trim();
    const name = names[column];
    if (value !== '') parts.push(name ? `${name}: ${value}` : value);
  });
  return parts;
}

function mayRepeat(names: readonly string[], rows: readonly TableRow[]): boolean {
  const characters = (cells: readonly string[]) => cells.reduce((sum, cell) => sum + cell.length + 2, 0);
  const repeatedCharacters = characters(names) * rows.length;
  if (repeatedCharacters <= repeatedHeaderCharactersFree) return true;
  const ownCharacters = rows.reduce((sum, { cells }) => sum + characters(cells), 0);
  return repeatedCharacters <= repeatedHeaderFactorMax * ownCharacters;
}
