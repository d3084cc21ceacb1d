import { areFields } from './field-list.js';
import type { TableRow } from './table-rows.js';
import { kindOf } from './value-kind.js';

/**
 * The parts of a table: the lines before its header, the header (empty when there is none), and the rows
 * below.
 */
export interface TableStart {
  readonly preamble: readonly TableRow[];
  readonly header: readonly string[];
  readonly body: readonly TableRow[];
  /** Set for fields that end with the first blank row, whatever follows. */
  readonly isForm?: true;
}

const rowsAboveHeaderMax = 10;
/** How many rows below the first are compared with it. */
const rowsComparedMax = 20;
const columnNameCharactersMax = 60;

/**
 * Splits rows into the header, what comes before it (a title or notes), and what follows. The header is the
 * first row with two filled cells or, in a file of one column, with one that may be a name.
 * A first row is data, and there is no header, if it has only numbers, a number among its words, or values of
 * the same kind as those below it (an address above addresses). But years or dates behind a blank cell, above
 * a row that begins with a word, name columns. Fields of a form have no header either. A row of groups above
 * the names is joined to them: `2023 Units`.
 */
export function splitHeader(rows: readonly TableRow[]): TableStart {
  const start = startOfTable(rows);
  const first = rows[start];
  const preamble = rows.slice(0, start);
  const body = rows.slice(start + 1);
  const [next] = body;
  const whole = rows.slice(start);
  if (first && areFields(whole.map(({ cells }) => cells))) return { preamble, header: [], body: whole };
  if (first && areFields(rowsBeforeGap(whole).map(({ cells }) => cells)))
    return { preamble, header: [], body: whole, isForm: true };
  if (first === undefined || (isData(first, body) && !(next && namesPeriods(first, next))))
    return { preamble, header: [], body: whole };
  // Units may stand alone between the names and the values.
  const data = body.slice(1, rowsAboveHeaderMax).find((row) => filled(row).length > 1);
  if (next && isSecondHeader(first, next, data))
    return { preamble, header: grouped(first, next), body: body.slice(1) };
  const above = preamble.at(-1);
  if (above && isGroups(above, first))
    return { preamble: preamble.slice(0, -1), header: grouped(above, first), body };
  return { preamble, header: first.cells, body };
}

/**
 * The index of the row where the table starts. A line of totals or the like may stand above the header; then
 * a much wider row of words soon follows.
 */
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

/**
 * Whether a row is data. Numbers that name columns are years or dates, or there are several: `Total: 12` is a
 * line of a list.
 */
function isData(row: TableRow, below: readonly TableRow[]): boolean {
  const cells = filled(row);
  const numbers = cells.filter(isNumber);
  const [number = ''] = numbers;
  const isNumbers = numbers.length === cells.length || (numbers.length === 1 && !isPeriod(number.trim()));
  const isNote = cells.length === 1 && !isColumnName(cells[0]?.trim() ?? '');
  return isNumbers || isNote || isLikeThoseBelow(row, below.slice(0, rowsComparedMax));
}

/** Whether a cell is of the same kind as most values of its column, so that it does not name the column. */
function isLikeThoseBelow(row: TableRow, below: readonly TableRow[]): boolean {
  if (isProgression(row)) return false;
  return row.cells.some((cell, column) => {
    const values = below.map(({ cells }) => cells[column]?.trim() ?? '').filter((value) => value !== '');
    const kind = kindOf(cell.trim());
    if (kind === undefined || values.length === 0) return false;
    const alike = values.filter((value) => kindOf(value) === kind).length;
    // Amounts may look like years, but years may also name columns.
    return kind === 'year' ? alike === values.length : alike * 2 > values.length;
  });
}

/** Whether numbers are evenly spaced: `30, 60, 90` and `2024, 2023` name columns. */
function isProgression(row: TableRow): boolean {
  const cells = filled(row).filter(isNumber);
  const numbers = cells.map(Number);
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  const areYears =
    numbers.length === 2 && Math.abs(step) === 1 && cells.every((cell) => isPeriod(cell.trim()));
  return (
    (areYears || (numbers.length >= 3 && step !== 0)) &&
    numbers.every((number, index) => index === 0 || number - (numbers[index - 1] ?? 0) === step)
  );
}

function namesPeriods(row: TableRow, next: TableRow): boolean {
  const [label = ''] = row.cells;
  const [word = ''] = next.cells;
  return !/\S/.test(label) && filled(row).every((cell) => isPeriod(cell.trim())) && /^\s*\p{L}/u.test(word);
}

/**
 * Whether a row of names, above numbers, belongs below a row of groups: the groups leave blanks that the
 * names fill, or the names begin with a blank.
 */
function isSecondHeader(groups: TableRow, names: TableRow, data: TableRow | undefined): boolean {
  if (data === undefined || names.row !== groups.row + 1) return false;
  const columns = filledColumns(names);
  const isFirstBlank = !/\S/.test(names.cells[0] ?? '') && /\S/.test(data.cells[0] ?? '');
  const fillsBlanks = columns.some((column) => !/\S/.test(groups.cells[column] ?? ''));
  const areAboveNumbers =
    columns.filter((column) => isNumber(data.cells[column] ?? '')).length * 2 >= columns.length;
  return (
    columns.length >= 2 &&
    (isFirstBlank || fillsBlanks) &&
    filled(groups).length >= 2 &&
    columns.every((column) => kindOf(names.cells[column]?.trim() ?? '') === undefined) &&
    areAboveNumbers
  );
}

/**
 * Whether a row has groups for the names below: words or years, fewer than the names, above some of them and
 * not only above the first.
 */
function isGroups(above: TableRow, names: TableRow): boolean {
  const columns = filledColumns(above);
  return (
    above.row === names.row - 1 &&
    columns.some((column) => column > 0) &&
    columns.length < filledColumns(names).length &&
    filled(above).every((cell) => !isNumber(cell) || isPeriod(cell.trim())) &&
    columns.every((column) => /\S/.test(names.cells[column] ?? ''))
  );
}

/** The names of columns with the groups above them; a group reaches up to the next one. */
function grouped(groups: TableRow, names: TableRow): string[] {
  const width = Math.max(groups.cells.length, names.cells.length);
  let group = '';
  return Array.from({ length: width }, (_, column) => {
    const own = groups.cells[column]?.trim() ?? '';
    const name = names.cells[column]?.trim() ?? '';
    if (own !== '') group = own;
    return name === '' ? own : `${group === name ? '' : group} ${name}`.trim();
  });
}

/**
 * Whether a first row that nothing marks as header names the columns: words above values, in a table of at
 * least three columns. Two columns might as well be a list of names and values.
 */
export function namesColumns(first: readonly string[], below: readonly (readonly string[])[]): boolean {
  const names = first.map((cell) => cell.trim());
  const isNamed = names.every((name, column) => (column === 0 && name === '') || isColumnName(name));
  if (names.length < 3 || !isNamed || areFields([first, ...below]) || new Set(names).size < names.length)
    return false;
  const values = names.map((_, column) => {
    const cells = below.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
    const count = cells.filter((cell) => kindOf(cell) !== undefined).length;
    return count * 2 > cells.length ? count : 0;
  });
  return values.reduce((sum, count) => sum + count, 0) >= 2;
}

function isColumnName(name: string): boolean {
  const isShort = name.length <= columnNameCharactersMax && !name.includes('\n');
  return isShort && /\p{L}/u.test(name) && kindOf(name) === undefined && !/[.:;!]$/.test(name);
}

/** Whether a cell is a date or a year. */
function isPeriod(cell: string): boolean {
  return /^(?:1[5-9]|2[01])\d\d$|\d[-/:.]\d+[-/:.]\d|^\d+[-/:]\d+$/.test(cell);
}

/** The first rows up to a blank one. */
export function rowsBeforeGap(rows: readonly TableRow[]): readonly TableRow[] {
  const end = rows.findIndex(({ row }, index) => index > 0 && row > (rows[index - 1]?.row ?? row) + 1);
  return end < 0 ? rows : rows.slice(0, end);
}

/** The cells of a row that are not blank. */
export function filled({ cells }: TableRow): string[] {
  return cells.filter((cell) => /\S/.test(cell));
}

function filledColumns({ cells }: TableRow): number[] {
  return cells.flatMap((cell, column) => (/\S/.test(cell) ? [column] : []));
}

function isNumber(cell: string): boolean {
  return /^[\s\d.,+\-%€$£/:]+$/.test(cell);
}
