import type { ParsedBlock } from './parser.js';

export interface TableRow {
  cells: readonly string[];
  /** Counted from 1 in the file or table, the header row included. */
  row: number;
}

export interface Table {
  /** One name per column, blank where it has none; empty for a table without a header row. */
  header: readonly string[];
  rows: readonly TableRow[];
  headings: string[];
}

/** Small tables may repeat their header as often as they like. */
const repeatedHeaderCharactersFree = 1_000_000;
/** Larger ones may grow to this many times their own size by repeating it. */
const repeatedHeaderFactorMax = 8;

/**
 * One block per row, `Header: value; Header: value`, so that a row is understood wherever it is cut off from
 * its table. Blank cells and rows are left out. Names of columns that no row fills are a block of their own; so is a header
 * that would swell the text out of proportion, and the header of a table without rows.
 */
export function tableBlocks(table: Table): ParsedBlock[] {
  const used = new Set<number>();
  addUsedColumns(used, table.rows);
  const unused = isHeaderRepeated(table) ? unusedNames(table.header, used) : [];
  return [...headerBlocks({ ...table, header: unused }), ...rowBlocks(table)];
}

/** The same for a part of a table, whose other rows may fill the columns that these leave blank. */
export function rowBlocks(table: Table): ParsedBlock[] {
  const { header, rows, headings } = table;
  const isRepeated = isHeaderRepeated(table);
  const names = isRepeated ? header.map((name) => name.trim()) : [];
  const blocks = filledRows(rows).map(({ cells, row }) => ({
    text: rowText(names, cells),
    headings,
    keepTogether: true,
    layout: { row },
  }));
  return isRepeated ? blocks : [...headerBlocks({ header, headings }), ...blocks];
}

/** Names of columns by themselves; none where they are blank. */
export function headerBlocks({ header, headings }: Omit<Table, 'rows'>): ParsedBlock[] {
  const text = rowText([], header);
  return text === '' ? [] : [{ text, headings, keepTogether: true, layout: { row: 1 } }];
}

/** Adds the columns, from 0, in which some row says something. */
export function addUsedColumns(used: Set<number>, rows: readonly TableRow[]): void {
  for (const { cells } of rows)
    cells.forEach((cell, column) => {
      if (/\S/.test(cell)) used.add(column);
    });
}

/** Those of the names whose columns are not among the used ones; the others are blank. */
export function unusedNames(header: readonly string[], used: ReadonlySet<number>): string[] {
  return header.map((name, column) => (used.has(column) ? '' : name));
}

function filledRows(rows: readonly TableRow[]): TableRow[] {
  return rows.filter(({ cells }) => cells.some((cell) => /\S/.test(cell)));
}

function rowText(names: readonly string[], cells: readonly string[]): string {
  const parts: string[] = [];
  cells.forEach((cell, column) => {
    const value = cell.trim();
    const name = names[column];
    if (value !== '') parts.push(name ? `${name}: ${value}` : value);
  });
  return parts.join('; ');
}

function isHeaderRepeated({ header, rows }: Table): boolean {
  const filled = filledRows(rows);
  return filled.length > 0 && mayRepeat(header, filled);
}

function mayRepeat(names: readonly string[], rows: readonly TableRow[]): boolean {
  const characters = (cells: readonly string[]) => cells.reduce((sum, cell) => sum + cell.length + 2, 0);
  const repeatedCharacters = characters(names) * rows.length;
  if (repeatedCharacters <= repeatedHeaderCharactersFree) return true;
  const ownCharacters = rows.reduce((sum, { cells }) => sum + characters(cells), 0);
  return repeatedCharacters <= repeatedHeaderFactorMax * ownCharacters;
}
