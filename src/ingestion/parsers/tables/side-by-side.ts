import { areFields } from './field-list.js';
import { splitHeader } from './header-row.js';
import type { TableRow } from './table-rows.js';
import { isTotal } from './totals.js';
import { kindOf } from './value-kind.js';
import { filledColumns, type SheetRow } from './sheet-row.js';

/** A range of columns, its end not included. */
interface Columns {
  readonly start: number;
  readonly end: number;
}

/** The rows that are filled in a range of columns. */
interface Part {
  readonly columns: Columns;
  readonly lines: readonly SheetRow[];
}

/** More ranges are no tables side by side, and more rows are an export of one table. */
const rangesMax = 12;
const rowsMax = 20_000;
const rowsComparedMax = 50;
/** The kinds of values that are numbers. */
const numbers: ReadonlySet<string | undefined> = new Set(['number', 'quantity', 'year']);

/**
 * The rows of tables that stand side by side, table by table. Blank columns keep such tables apart, but also groups of
 * columns of one table; so where nothing else says that they are two, the rows stay whole.
 */
export function tablesSideBySide(rows: readonly SheetRow[]): (readonly SheetRow[])[] {
  if (rows.length > rowsMax) return [rows];
  const parts = partsOf(rows);
  if (parts.length > 1) return parts;
  const tables: (readonly SheetRow[])[] = [];
  let whole: SheetRow[] = [];
  for (const band of bandsOf(rows)) {
    const beside = partsOf(band);
    if (beside.length > 1) {
      if (whole.length > 0) tables.push(whole);
      whole = [];
      tables.push(...beside);
    } else for (const row of band) whole.push(row);
  }
  return whole.length > 0 ? [...tables, whole] : tables;
}

function partsOf(rows: readonly SheetRow[]): (readonly SheetRow[])[] {
  const ranges = rangesOf(rows);
  if (ranges.length < 2 || ranges.length > rangesMax) return [rows];
  const parts: Part[] = [];
  for (const columns of ranges) {
    const before = parts.at(-1);
    const part = partOf(rows, columns);
    const joined = before && partOf(rows, { start: before.columns.start, end: columns.end });
    if (!joined || (!holdsFields(textsOf(joined)) && standApart(before, part))) parts.push(part);
    else parts.splice(-1, 1, joined);
  }
  return parts.length > 1 ? parts.map(({ lines }) => lines) : [rows];
}

/** The ranges of columns that blank ones keep apart. */
function rangesOf(rows: readonly SheetRow[]): Columns[] {
  const used = new Set<number>();
  for (const { cells } of rows) for (const column of filledColumns(cells)) used.add(column);
  const ranges: { start: number; end: number }[] = [];
  for (const column of [...used].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.end === column) last.end += 1;
    else ranges.push({ start: column, end: column + 1 });
  }
  return ranges;
}

/** Rows up to a blank one. */
function bandsOf(rows: readonly SheetRow[]): SheetRow[][] {
  const bands: SheetRow[][] = [];
  for (const row of rows) {
    const band = bands.at(-1);
    if (band && row.row === (band.at(-1)?.row ?? 0) + 1) band.push(row);
    else bands.push([row]);
  }
  return bands;
}

function partOf(rows: readonly SheetRow[], columns: Columns): Part {
  const lines = rows.flatMap(({ cells, ...row }) => {
    const own = cells.slice(columns.start, columns.end);
    return filledColumns(own).length > 0 ? [{ ...row, cells: own }] : [];
  });
  return { columns, lines };
}

/**
 * Whether the part on the right is a table of its own: with a column of words first and, as its rows tell, none of the
 * table on the left.
 */
function standApart(left: Part, right: Part): boolean {
  if ([left, right].some(({ columns }) => widthOf(columns) < 2)) return false;
  const [leftHead, head] = [headOf(left), headOf(right)];
  if (!leftHead || !head || !isKeyed(right, head) || !areUnbroken(left, right)) return false;
  const cells = textsOf(right);
  if (holdsFields(cells) || isRowAbove(left, head) || isRowAbove(right, leftHead)) return true;
  // Values beside names of columns.
  if (splitHeader(cells).header.length === 0)
    return (
      cells[0]?.row === leftHead &&
      cells[0].cells.some(isNumber) &&
      splitHeader(textsOf(left)).header.length > 0
    );
  const isLonger = lastRow(right) > lastRow(left);
  const isShort = right.lines.length > 2 && right.lines.length * 2 <= left.lines.length;
  return isLonger || isShort || right.lines.some(({ cells: [key = ''] }) => isTotal(key));
}

function textsOf({ lines }: Part): TableRow[] {
  return lines
    .slice(0, rowsComparedMax)
    .map(({ row, cells }) => ({ row, cells: Array.from(cells, (cell) => cell ?? '') }));
}

function holdsFields(rows: readonly TableRow[]): boolean {
  return areFields(rows.map(({ cells }) => cells));
}

function widthOf({ start, end }: Columns): number {
  return end - start;
}

function isNumber(cell: string): boolean {
  return numbers.has(kindOf(cell));
}

/** The first row of a part that may name columns. */
function headOf({ lines }: Part): number | undefined {
  return lines.find(isFull)?.row;
}

function isFull({ cells }: SheetRow): boolean {
  return filledColumns(cells).length > 1;
}

function lastRow({ lines }: Part): number {
  return lines.at(-1)?.row ?? 0;
}

/** Whether every row from the head on has something in the first column, and below the head mostly words. */
function isKeyed({ lines }: Part, head: number): boolean {
  const keys = lines.filter(({ row }) => row >= head).map(({ cells }) => cells[0] ?? '');
  const words = keys.slice(1).filter((key) => !isNumber(key));
  return keys.every((key) => key !== '') && words.length * 2 > keys.length - 1;
}

/** Whether neither part leaves a row blank, between its first and its last one, that the other fills. */
function areUnbroken(left: Part, right: Part): boolean {
  const fills = ({ lines }: Part, other: Part) => {
    const own = new Set(lines.map(({ row }) => row));
    const [first, last] = [lines[0]?.row ?? 0, lines.at(-1)?.row ?? 0];
    return other.lines.every(({ row }) => row < first || row > last || own.has(row));
  };
  return fills(left, right) && fills(right, left);
}

/** Whether a part has a row of its table, no row of groups, right above a row of another part. */
function isRowAbove({ lines, columns }: Part, row: number): boolean {
  const above = lines.find((line) => line.row === row - 1);
  return above !== undefined && filledColumns(above.cells).length * 2 > widthOf(columns) && isFull(above);
}
