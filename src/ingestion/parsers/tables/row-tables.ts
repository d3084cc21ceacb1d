import { areFields } from './field-list.js';
import { isFigure, isYear } from './figures.js';
import { filled, rowsBeforeGap, splitHeader, type TableStart } from './header-row.js';
import type { TableRow } from './table-rows.js';
import { kindOf } from './value-kind.js';

/** How many rows are searched for the header. */
const headRowsMax = 50;
/** How many rows after a blank one are examined for the beginning of another table. */
const rowsLookedAtMax = 12;
const titleRowsMax = 3;
/** A limit, because each table may repeat its header as freely as a small one. */
const tablesMax = 50;

/**
 * Splits rows that come one by one into tables. Yields the beginning of each table, then its rows; remarks below a
 * table are asides of it.
 */
export function* tablesOf(rows: Iterable<TableRow>): Generator<Omit<TableStart, 'body'> | TableRow> {
  const source = rows[Symbol.iterator]();
  let ahead: TableRow[] = [];
  const lookAhead = (count: number) => {
    while (ahead.length < count) {
      const next = source.next();
      if (next.done) break;
      ahead.push(next.value);
    }
    return ahead.slice(0, count);
  };
  let start: TableStart | undefined = splitHeader(lookAhead(headRowsMax));
  let [columns, lookedAt, above] = [0, headRowsMax, Infinity];
  let isForm = false;
  for (let tables = 1; ;) {
    if (start) {
      yield { preamble: start.preamble, header: start.header };
      ahead = [...start.body, ...ahead.slice(lookedAt)];
      columns = start.header.filter((name) => /\S/.test(name)).length;
      isForm = start.isForm === true;
      [start, lookedAt, above] = [undefined, rowsLookedAtMax, Infinity];
    }
    const [row] = lookAhead(1);
    if (row === undefined) return;
    const isAfterGap = row.row > above + 1;
    if (isAfterGap && tables < tablesMax) {
      lookedAt = isForm ? headRowsMax : rowsLookedAtMax;
      start = isForm ? splitHeader(lookAhead(lookedAt)) : nextTable(lookAhead(lookedAt), columns);
    }
    if (start) {
      tables += 1;
      continue;
    }
    const asides = isAfterGap ? asidesOf(rowsBeforeGap(lookAhead(rowsLookedAtMax)), columns) : [];
    const rows = asides.length > 0 ? asides : [row];
    yield* rows;
    ahead = ahead.slice(rows.length);
    above = rows.at(-1)?.row ?? above;
  }
}

/**
 * The rows behind a blank one that belong to no column of the table above: remarks, fields (`Approved by: | Ann`), or
 * a title over further rows. Empty if the first is a row like those above.
 */
function asidesOf(rows: readonly TableRow[], columns: number): TableRow[] {
  const [first, second] = rows;
  if (columns < 2 || first === undefined) return [];
  const texts = rows.map(filled);
  const areForm = columns > 2 && texts.every(({ length }) => length === 2) && areFields(texts);
  if (areForm || texts.every(isRemark))
    return rows.map(({ row }, at) => ({ cells: [remark(texts[at] ?? [])], row, aside: 'note' }));
  const isTitled = isRemark(filled(first)) && columns > 2 && second && filled(second).length > 2;
  return isTitled ? [{ ...first, aside: 'title' }] : [];
}

function isRemark([text = '', value, ...others]: readonly string[]): boolean {
  if (others.length > 0 || kindOf(text.trim()) !== undefined || isFigure(text)) return false;
  return value === undefined || /[:：]\s*$/.test(text);
}

function remark([text = '', value]: readonly string[]): string {
  return value === undefined ? text.trim() : `${text.replace(/\s*[:：]?\s*$/, '')}: ${value.trim()}`;
}

/**
 * The next table, if one begins after a blank row: words above values, or above rows of another width than
 * before. Otherwise undefined.
 */
function nextTable(rows: readonly TableRow[], columnsBefore: number): TableStart | undefined {
  const start = splitHeader(rows);
  const { preamble, header, body } = start;
  const names = header.filter((name) => /\S/.test(name));
  const [first, second] = body;
  const isTitled = preamble.length <= titleRowsMax && preamble.every((row) => filled(row).length === 1);
  if (!isTitled || names.length < 2 || first === undefined || !names.every(isName)) return undefined;
  const namesAll = body.every(({ cells }) =>
    cells.every((cell, at) => !/\S/.test(cell) || /\S/.test(header[at] ?? '')),
  );
  const isAboveValues = first.cells.some(
    (cell, at) => kindOf(cell.trim()) !== undefined && /\S/.test(header[at] ?? ''),
  );
  const isOfOtherWidth = names.length !== columnsBefore && second !== undefined && namesAll;
  return isAboveValues || isOfOtherWidth ? start : undefined;
}

function isName(cell: string): boolean {
  const text = cell.trim();
  return isYear(text) || (kindOf(text) === undefined && !isFigure(text));
}
