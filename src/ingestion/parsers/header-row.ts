import type { TableRow } from './table-rows.js';

const rowsAboveHeaderMax = 10;

/**
 * The header is the first row with two filled cells (of one, in a file of one column); the lines before it are
 * a title or notes. A first row of nothing but numbers, or with one among its words, is data: the file has no header. But
 * years or dates behind a blank cell, above a row that begins with a word, are its columns.
 */
export function splitHeader(rows: readonly TableRow[]): {
  preamble: readonly TableRow[];
  header: readonly string[];
  body: readonly TableRow[];
} {
  const start = startOfTable(rows);
  const first = rows[start];
  const preamble = rows.slice(0, start);
  const next = rows[start + 1];
  if (first === undefined || (isData(first) && !(next && namesPeriods(first, next))))
    return { preamble, header: [], body: rows.slice(start) };
  return { preamble, header: first.cells, body: rows.slice(start + 1) };
}

/** A line of totals or the like may stand above the header: then a much wider row of words soon follows. */
function startOfTable(rows: readonly TableRow[]): number {
  const start = Math.max(
    0,
    rows.findIndex((row) => filled(row).length > 1),
  );
  const width = rows[start] ? filled(rows[start]).length : 0;
  const wider = rows
    .slice(start, start + rowsAboveHeaderMax)
    .findIndex((row) => filled(row).length >= 2 * width && !filled(row).some(isNumber));
  return width > 1 && wider > 0 ? start + wider : start;
}

/** Numbers that stand for columns are years or dates, or come in numbers: `Total: 12` is a line of a list. */
function isData(row: TableRow): boolean {
  const cells = filled(row);
  const numbers = cells.filter(isNumber);
  const [number = ''] = numbers;
  return numbers.length === cells.length || (numbers.length === 1 && !isDate(number.trim()));
}

function namesPeriods(row: TableRow, next: TableRow): boolean {
  const [label = ''] = row.cells;
  const [word = ''] = next.cells;
  return !/\S/.test(label) && filled(row).every((cell) => isDate(cell.trim())) && /^\s*\p{L}/u.test(word);
}

/** A year too. */
function isDate(cell: string): boolean {
  return /^(?:1[5-9]|2[01])\d\d$|\d[-/:.]\d+[-/:.]\d|^\d+[-/:]\d+$/.test(cell);
}

function filled({ cells }: TableRow): string[] {
  return cells.filter((cell) => /\S/.test(cell));
}

function isNumber(cell: string): boolean {
  return /^[\s\d.,+\-%€$£/:]+$/.test(cell);
}
