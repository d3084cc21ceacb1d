import { isYear, overlaps, type Span } from '../tables/figures.js';
import { columnNames, columnsOf, nearestColumn, placeOf, type Column } from './figure-columns.js';
import { figureRowsOf, figureRuns, sizeOf, spanOf, standBeside, type FigureRow } from './figure-rows.js';
import type { Segment } from './segments.js';
import type { PageTable } from './tables.js';
import { continuesLastRow, withWrappedCells } from './wrapped-rows.js';

const headerRowsMax = 5;
/** A multiple of a line's size: names of columns do not stand further above them. */
const headerGapMax = 2.5;
/** The same between names of single columns and a name of several. */
const titleGapMin = 1;
const headerCharactersMax = 60;
/** `Table 2: Sales`, in any language. */
const numberedTitle = /^\p{Lu}[\p{L}.]+ \d+(?:\.\d+)*[:.] /u;
/** A multiple of a line's size: a smaller indent does not count. */
const indentMin = 0.4;

/**
 * Finds tables that are recognised only by alignment: names of rows beside columns of numbers, as in
 * accounts. The name of each row includes the headings under which it is indented; a name above several
 * columns is given to each of them.
 */
export function figureTablesOf(segments: readonly Segment[]): PageTable[] {
  const rows = figureRowsOf(segments);
  let end = 0;
  return figureRuns(rows).flatMap((run) => {
    const columns = columnsOf(run);
    if (columns === undefined) return [];
    const above = headerOf(rows.slice(end, run.start), run.rows[0], columns);
    const header = isOnlyTitle(above, columns) ? [] : above;
    const names = columnNames(header, columns);
    if (!columns[0]?.isLabel && names.filter((name) => name !== '').length < columns.length - 1) return [];
    let start = run.start;
    if (header.length > 0) start = rows.lastIndexOf(header.at(-1) as FigureRow) + 1;
    else while (start > end && areBeside(rows[start - 1], rows[start])) start -= 1;
    end = run.start + run.rows.length;
    while (goesOn(rows[end], rows[end - 1], columns)) end += 1;
    return [tableOf({ header, names, body: rows.slice(start, end) }, columns)];
  });
}

/** The rows above the numbers that name columns. Lines in between at the left are headings of rows. */
function headerOf(
  above: readonly FigureRow[],
  first: FigureRow | undefined,
  columns: readonly Column[],
): FigureRow[] {
  const header: FigureRow[] = [];
  const values = columns.filter(({ isLabel }) => !isLabel);
  const [area, place] = [placeOf(values), placeOf(columns)];
  let below = first;
  for (const row of above.toReversed()) {
    // The first of several lines of a cell, beside whose middle the others of its row stand.
    if (row.segments.length === 1 && areBeside(row, first)) continue;
    if (
      below === undefined ||
      below.y - row.bottom > headerGapMax * sizeOf(below) ||
      header.length >= headerRowsMax
    )
      break;
    // A row of another table names nothing here.
    if (sizeOf(row) > 1.15 * sizeOf(below) || row.figures.some(({ text }) => !isYear(text))) break;
    // Above names in bold type other text may stand, such as an address.
    if (header.length > 0 && header.every(isBold) && !isBold(row)) break;
    const isApart = below.y - row.bottom > titleGapMin * sizeOf(below);
    below = row;
    const inside = row.segments.filter((each) => overlaps(place, spanOf(each)));
    // A page header, above names of all columns: the name of the sheet.
    if (isApart && inside.length === 1 && header.some((names) => names.segments.length >= columns.length))
      break;
    const isAcross = inside.some(
      (each) =>
        each.text.length > headerCharactersMax ||
        (each.x < (place.left + area.left) / 2 && overlaps(area, spanOf(each))),
    );
    if (header.length > 0 && (isAcross || isTitle(inside, place, area))) break;
    if (!isAcross && inside.some((each) => overlaps(area, spanOf(each)))) header.unshift(row);
    else if (header.length > 0) break;
  }
  return header;
}

function isBold({ segments }: FigureRow): boolean {
  return segments.every(({ bold }) => bold);
}

/** Whether what stands above the numbers is one line that would name several columns. */
function isOnlyTitle(header: readonly FigureRow[], columns: readonly Column[]): boolean {
  const pieces = header.flatMap(({ segments }) =>
    segments.filter((each) => overlaps(placeOf(columns), spanOf(each))),
  );
  return pieces.length === 1 && columnNames(header, columns).filter((name) => name !== '').length > 1;
}

/** Whether a line is numbered as a title, or stands above the middle of the table rather than of its numbers. */
function isTitle(segments: readonly Segment[], place: Span, area: Span): boolean {
  const [only, ...others] = segments;
  if (only === undefined || others.length > 0) return false;
  if (numberedTitle.test(only.text)) return true;
  const distance = ({ left, right }: Span) => Math.abs(only.x + only.width / 2 - (left + right) / 2);
  return distance(place) < distance(area);
}

function areBeside(one: FigureRow | undefined, other: FigureRow | undefined): boolean {
  return one !== undefined && other !== undefined && standBeside(one, other);
}

/** Whether a line has the last words of cells in the row above. */
function goesOn(
  row: FigureRow | undefined,
  last: FigureRow | undefined,
  columns: readonly Column[],
): boolean {
  if (!row || !last) return false;
  if (continuesLastRow(row, last, columns)) return true;
  const [segment, ...others] = row.segments;
  const [label] = columns;
  if (!segment || !label?.isLabel || others.length > 0) return false;
  const isBelow = row.y - last.bottom < sizeOf(row) && overlaps(label, spanOf(segment));
  return isBelow && segment.x + segment.width <= label.right && /^\p{Ll}/u.test(segment.text);
}

interface TableRows {
  readonly header: readonly FigureRow[];
  readonly names: readonly string[];
  readonly body: readonly FigureRow[];
}

function tableOf({ header, names, body }: TableRows, columns: readonly Column[]): PageTable {
  const span = placeOf(columns);
  const inside = (row: FigureRow) => row.segments.filter((each) => overlaps(span, spanOf(each)));
  const all = [...header, ...body].flatMap(inside);
  const place = placeOf(all.map(spanOf));
  const top = Math.min(...all.map(({ y }) => y));
  const bottom = Math.max(...all.map(({ y, height }) => y + height));
  const rows = new BodyRows(columns);
  const lines = body.map((row) => ({ ...row, segments: inside(row) }));
  for (const row of withWrappedCells(lines, columns)) rows.add(row);
  return {
    ...{ x: place.left, y: top, width: place.right - place.left, height: bottom - top },
    header: header.length > 0 ? names : [],
    rows: rows.end(),
  };
}

interface RowHeading {
  readonly text: string;
  readonly x: number;
  isUsed: boolean;
}

/** Gives rows the headings under which they are indented. A heading with no rows under it becomes a row. */
class BodyRows {
  private readonly rows: string[][] = [];
  private headings: RowHeading[] = [];

  constructor(private readonly columns: readonly Column[]) {}

  add(segments: readonly Segment[]): void {
    const [first, ...others] = [...segments].sort((a, b) => a.x - b.x);
    if (first === undefined) return;
    const isHeading =
      others.length === 0 && this.columns[0]?.isLabel === true && nearestColumn(first, this.columns) === 0;
    if (isHeading) this.addHeading(first);
    else this.addCells(first, segments);
  }

  end(): string[][] {
    this.closeHeadings(-Infinity);
    return this.rows;
  }

  private addHeading({ text, x, size }: Segment): void {
    const before = this.rows.at(-1);
    if (before && /^\p{Ll}/u.test(text) && !this.headings.some(({ isUsed }) => !isUsed)) {
      before[0] = `${before[0] ?? ''} ${text}`;
      return;
    }
    this.closeHeadings(x - indentMin * size);
    this.headings.push({ text, x, isUsed: false });
  }

  private addCells(first: Segment, segments: readonly Segment[]): void {
    const cells = this.columns.map(() => '');
    for (const segment of segments) {
      const column = nearestColumn(segment, this.columns);
      cells[column] = `${cells[column] ?? ''} ${segment.text}`.trim();
    }
    cells[0] = withoutLeader(cells[0] ?? '');
    const above = this.headings.at(-1);
    // The heading was the first line of a name with two lines.
    const isWrapped = above?.isUsed === false && /^\p{Ll}/u.test(cells[0]) && !above.text.endsWith(':');
    if (isWrapped) {
      this.headings.pop();
      cells[0] = `${above.text} ${cells[0]}`;
    }
    if (this.columns[0]?.isLabel) {
      this.closeHeadings((isWrapped ? above.x : first.x) - indentMin * first.size);
      cells[0] = this.underHeadings(cells[0]);
    }
    this.rows.push(cells);
  }

  private underHeadings(name: string): string {
    const headings = this.headings.map(({ text }) => text.replace(/:$/, ''));
    for (const heading of this.headings) heading.isUsed = true;
    // `Total cost of sales` ends the heading `Cost of sales:`, however far it is indented.
    if (name.toLowerCase().endsWith(headings.at(-1)?.toLowerCase() ?? ' ')) this.headings.pop();
    return [...headings, name].filter(Boolean).join(': ');
  }

  /** Ends the headings that do not stand left of x. */
  private closeHeadings(x: number): void {
    for (const { text, isUsed } of this.headings.filter((each) => each.x >= x))
      if (!isUsed) this.rows.push([text, ...this.columns.slice(1).map(() => '')]);
    this.headings = this.headings.filter((each) => each.x < x);
  }
}

/** Removes the dots that lead from a name to its numbers. */
function withoutLeader(name: string): string {
  return name.replace(/[\s.…·_]{3,}$/u, '');
}
