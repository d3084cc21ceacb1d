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
 * its table. Blank cells and rows are left out. A header that would swell the text out of proportion, and the
 * header of a table without rows, is a block of its own.
 */
export function tableBlocks({ header, rows, headings }: Table): ParsedBlock[] {
  const names = header.map((name) => name.trim());
  const filled = rows.filter(({ cells }) => cells.some((cell) => /\S/.test(cell)));
  const repeated = filled.length > 0 && mayRepeat(names, filled);
  const blocks = filled.map(({ cells, row }) => ({
    text: rowText(repeated ? names : [], cells),
    headings,
    keepTogether: true,
    layout: { row },
  }));
  if (repeated || names.every((name) => name === '')) return blocks;
  return [{ text: rowText([], names), headings, keepTogether: true, layout: { row: 1 } }, ...blocks];
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

function mayRepeat(names: readonly string[], rows: readonly TableRow[]): boolean {
  const characters = (cells: readonly string[]) => cells.reduce((sum, cell) => sum + cell.length + 2, 0);
  const repeatedCharacters = characters(names) * rows.length;
  if (repeatedCharacters <= repeatedHeaderCharactersFree) return true;
  const ownCharacters = rows.reduce((sum, { cells }) => sum + characters(cells), 0);
  return repeatedCharacters <= repeatedHeaderFactorMax * ownCharacters;
}
