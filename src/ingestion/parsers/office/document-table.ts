import { inOneLine } from '../../../text/one-line.js';
import { namesColumns } from '../tables/header-row.js';
import type { Table, TableRow } from '../tables/table-rows.js';

/** A cell of a table in a text document. */
export interface DocumentCell {
  text: string;
  /** How many columns it covers, at least 1. */
  columns: number;
  /** Whether the cell above reaches down into this one. */
  isContinued?: boolean;
  isBold?: boolean;
}

/** A row of a table in a text document. */
export interface DocumentRow {
  cells: readonly DocumentCell[];
  /** Whether it is repeated on each page, or styled as the first row of a table. */
  isHeader?: boolean;
}

const columnsMax = 1_000;
/** A longer text is not repeated when it reaches over several rows, as a category is. */
const repeatedCharactersMax = 200;

/**
 * The rows of a table in a text document. A merged cell counts in each of its rows, and columns stay under
 * their headers. If no row is marked as a header, the first is taken for one when it alone is bold, or has
 * words above values.
 */
export function documentTable(rows: readonly DocumentRow[]): Omit<Table, 'headings'> {
  const [first, ...others] = rows;
  if (first && isTitle(first) && others.some(({ cells }) => cells.length > 1)) {
    const { header, rows: body } = documentTable(others);
    const title: TableRow = { cells: first.cells.map(({ text }) => text), row: 1, aside: 'title' };
    return { header, rows: [title, ...body.map((row) => ({ ...row, row: row.row + 1 }))] };
  }
  const headerRows = headerRowsOf(rows);
  const grid = expand(rows, headerRows);
  const header = joinedNames(grid.slice(0, headerRows));
  const columns = grid.reduce((most, { length }) => Math.max(most, length), 0);
  const body = grid.slice(headerRows).map((cells, index): TableRow => {
    const isOverAll = cells.length === columns && columns > 1 && rows[headerRows + index]?.cells.length === 1;
    return { cells, row: headerRows + index + 1, ...(isOverAll && { aside: 'title' }) };
  });
  return { header, rows: body };
}

function isTitle({ cells: [cell, ...others] }: DocumentRow): boolean {
  return cell !== undefined && others.length === 0 && cell.columns > 1 && /\S/.test(cell.text);
}

/** The names of columns that several rows have, groups before what they consist of. */
function joinedNames(rows: readonly (readonly string[])[]): string[] {
  const names: string[] = [];
  for (const cells of rows) {
    cells.forEach((cell, column) => {
      const above = names[column] ?? '';
      const text = inOneLine(cell);
      names[column] = above === text || text === '' ? above : `${above} ${text}`.trim();
    });
  }
  return Array.from(names, (name) => name ?? '');
}

function headerRowsOf(rows: readonly DocumentRow[]): number {
  const first = rows.findIndex((row) => row.isHeader !== true);
  if (first > 0) return first;
  const [top, second] = rows;
  if (first < 0 || top === undefined || second === undefined || top.cells.length < 2) return 0;
  const isBold = (row: DocumentRow) =>
    row.cells.every((cell) => cell.isContinued === true || (cell.isBold === true && /\S/.test(cell.text)));
  const reachesDown = second.cells.some(({ isContinued }) => isContinued === true);
  if (isBold(top) && !isBold(second) && !reachesDown) return 1;
  // Groups of columns have the names of these below them.
  const count = top.cells.some(({ columns }) => columns > 1) ? 2 : 1;
  const under = rows[count];
  if (under === undefined) return 0;
  if (rows.slice(0, count).every(isBold) && !isBold(under)) return count;
  const grid = expand(rows, count);
  return namesColumns(joinedNames(grid.slice(0, count)), grid.slice(count)) ? count : 0;
}

function expand(rows: readonly DocumentRow[], headerRows: number): string[][] {
  let above: string[] = [];
  return rows.map((row, index) => {
    const texts: string[] = [];
    for (const cell of row.cells) {
      const carried = above[texts.length] ?? '';
      const isCarried = cell.isContinued === true && carried.length <= repeatedCharactersMax;
      const text = isCarried && !/\S/.test(cell.text) ? carried : cell.text;
      const columns = Math.max(1, Math.min(cell.columns, columnsMax - texts.length));
      const further = index < headerRows ? text : '';
      texts.push(text, ...Array<string>(columns - 1).fill(further));
    }
    above = texts;
    return texts;
  });
}
