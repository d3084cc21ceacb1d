import { inOneLine } from '../../../text/one-line.js';
import type { ParsedBlock } from '../parser.js';
import { areFields, fieldTexts } from './field-list.js';

/** A row of texts. */
export interface TableRow {
  cells: readonly string[];
  /** Counted from 1 in the file or table, the header row included. */
  row: number;
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
/** A table may always repeat its header up to this many characters. */
const repeatedHeaderCharactersFree = 1_000_000;
/** A larger table may grow to this many times its size by repeating its header. */
const repeatedHeaderFactorMax = 8;

/**
 * One block per row, `Header: value; Header: value`, so that a row is understood without its table; rows of a
 * form become `Label: value`. Blank cells and rows are left out. Names of columns that no row fills are a
 * block of their own, and so is a header that would swell the text too much, or whose table has no rows.
 */
export function tableBlocks({ header, rows, headings }: Table): ParsedBlock[] {
  const table = new TableParts(header);
  const blocks = table.blocksOf(rows, headings);
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

  constructor(header: readonly string[]) {
    this.header = header.some((name) => /\S/.test(name)) ? header : [];
  }

  blocksOf(rows: readonly TableRow[], headings: string[]): ParsedBlock[] {
    const { header } = this;
    const filled = this.withFields(filledRows(rows));
    const isRepeated = filled.length > 0 && mayRepeat(header, filled);
    if (!isRepeated) this.isHeaderTold = true;
    for (const { cells } of filled)
      cells.forEach((cell, column) => {
        if (/\S/.test(cell)) this.used.add(column);
      });
    const blocks = rowBlocks({ header: isRepeated ? header : [], rows: filled, headings });
    return isRepeated ? blocks : [...headerBlocks(header, headings), ...blocks];
  }

  private withFields(rows: readonly TableRow[]): readonly TableRow[] {
    if (this.header.length > 0 || rows.length === 0) return rows;
    this.holdsFields ??= areFields(rows.map(({ cells }) => cells));
    return this.holdsFields ? rows.map(({ cells, row }) => ({ cells: fieldTexts(cells), row })) : rows;
  }

  /** The names of columns that no row has filled, as a block. */
  end(headings: string[]): ParsedBlock[] {
    if (this.isHeaderTold) return [];
    return headerBlocks(
      this.header.map((name, column) => (this.used.has(column) ? '' : name)),
      headings,
    );
  }
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
