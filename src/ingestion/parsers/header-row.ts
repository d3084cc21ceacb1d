import type { TableRow } from './table-rows.js';

/**
 * The header is the first row with two filled cells (of one, in a file of one column); the lines before it are
 * a title or notes. A first row of nothing but numbers is data: the file has no header.
 */
export function splitHeader(rows: readonly TableRow[]): {
  preamble: readonly TableRow[];
  header: readonly string[];
  body: readonly TableRow[];
} {
  const filled = ({ cells }: TableRow) => cells.filter((cell) => /\S/.test(cell));
  const start = Math.max(
    0,
    rows.findIndex((row) => filled(row).length > 1),
  );
  const first = rows[start];
  const preamble = rows.slice(0, start);
  if (first === undefined || filled(first).every(isNumber))
    return { preamble, header: [], body: rows.slice(start) };
  return { preamble, header: first.cells, body: rows.slice(start + 1) };
}

function isNumber(cell: string): boolean {
  return /^[\s\d.,+\-%€$£/:]+$/.test(cell);
}
