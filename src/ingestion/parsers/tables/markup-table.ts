import { continuesFigure, isFigure, isYear, joinSpans, overlaps, type Span } from './figures.js';
import { namesColumns } from './header-row.js';
import type { TableRow } from './table-rows.js';

/** A cell of a table in HTML or XML. */
export interface MarkupCell {
  readonly text: string;
  /** How many columns it covers, at least 1. */
  readonly columns: number;
}

/** A row of a table in HTML or XML. */
export interface MarkupRow {
  readonly cells: readonly MarkupCell[];
  /** Whether it is marked up as header, or formatted as one. */
  readonly isHeader: boolean;
}

/** How the rows of a table are to be read. */
export interface TableLayout {
  readonly header: readonly string[];
  /** How many rows at the top are in the header. */
  readonly headerRows: number;
  /** The cells of a row by column; `row` counts from 1. */
  readonly rowOf: (markup: MarkupRow, row: number) => TableRow;
}

type CellLayout = Omit<TableLayout, 'rowOf'> & { readonly cellsOf: (row: MarkupRow) => string[] };

/** A cell that may cover several rows. */
export interface SpanningCell extends MarkupCell {
  /** How many rows it covers, at least 1. */
  readonly rows: number;
}

const rowsSpannedMax = 1000;
const columnsSpannedMax = 100;

/**
 * Repeats a cell that covers several rows in each of them, so that every row can be understood alone. Bounds
 * how far cells reach.
 */
export class RowSpans {
  /** By column: the cell that reaches down, and for how many more rows. */
  private readonly spans: { cell: MarkupCell; rows: number }[] = [];

  cellsOf(cells: readonly SpanningCell[]): MarkupCell[] {
    const filled: MarkupCell[] = [];
    let column = 0;
    const goOn = () => {
      for (let span = this.spans[column]; span && span.rows > 0; span = this.spans[column]) {
        span.rows -= 1;
        filled.push(span.cell);
        column += span.cell.columns;
      }
    };
    for (const { text, rows, ...spanned } of cells) {
      goOn();
      const columns = Math.min(spanned.columns, columnsSpannedMax);
      const cell = { text, columns };
      this.spans[column] = { cell, rows: Math.min(rows, rowsSpannedMax) - 1 };
      filled.push(cell);
      column += columns;
    }
    goOn();
    return filled;
  }
}

interface PlacedCell extends Span {
  readonly text: string;
}

const headerRowsMax = 5;
const headerCharactersMax = 80;

/**
 * Finds the columns of a table and their names, which may take several rows. Tables of accounts keep the
 * signs and brackets of a number in cells of their own, and use empty columns as space; such a table gets the
 * columns of its numbers.
 */
export function layoutOf(rows: readonly MarkupRow[]): TableLayout {
  const columns = rows.reduce((most, row) => Math.max(most, widthOf(row)), 0);
  // Below the names of columns, a cell over all of them titles the rows that follow, however it is marked.
  const marked = rows.findIndex((row, index) => !row.isHeader || (index > 0 && isOverAll(row, columns)));
  const headerRows = marked < 0 ? Math.min(1, rows.length) : marked;
  const { cellsOf, ...layout } =
    figureLayout(rows, headerRows) ?? gridLayout(rows.slice(0, headerRows || unmarkedHeader(rows)));
  const rowOf = (markup: MarkupRow, row: number): TableRow =>
    isOverAll(markup, columns)
      ? { cells: markup.cells.map(({ text }) => text), row, aside: 'title' }
      : { cells: cellsOf(markup), row };
  return { ...layout, rowOf };
}

function unmarkedHeader(rows: readonly MarkupRow[]): number {
  const [first = [], ...below] = rows.map(({ cells }) => cells.map(({ text }) => text));
  return namesColumns(first, below) ? 1 : 0;
}

/** Whether a row is one cell over all columns of a table that has several. */
function isOverAll({ cells }: MarkupRow, columns: number): boolean {
  const [cell, ...others] = cells;
  return cell !== undefined && others.length === 0 && cell.columns > 1 && cell.columns >= columns;
}

function widthOf({ cells }: MarkupRow): number {
  return cells.reduce((sum, { columns }) => sum + columns, 0);
}

/** Each cell is in its own column; a cell over several columns leaves the others blank. */
function gridLayout(headerRows: readonly MarkupRow[]): CellLayout {
  const cellsOf = ({ cells }: MarkupRow) =>
    cells.flatMap(({ text, columns }) => [text, ...Array<string>(Math.max(0, columns - 1)).fill('')]);
  const [only, ...others] = headerRows;
  const header = only && others.length === 0 ? cellsOf(only) : joinedNames(headerRows);
  return { header, headerRows: headerRows.length, cellsOf };
}

/** A name over several columns is repeated in each. */
function joinedNames(rows: readonly MarkupRow[]): string[] {
  const names: string[] = [];
  for (const { cells } of rows) {
    cells
      .flatMap(({ text, columns }) => Array<string>(columns).fill(text))
      .forEach((text, column) => {
        const above = names[column] ?? '';
        names[column] = text === '' || text === above ? above : `${above} ${text}`.trim();
      });
  }
  return Array.from(names, (name) => name ?? '');
}

function figureLayout(rows: readonly MarkupRow[], marked: number): CellLayout | undefined {
  const placed = rows.map(placedCells);
  const isSpread = placed.some((cells, index) => cells.length < filledCells(rows[index]) && index >= marked);
  const [first] = rows;
  const isUnmarked =
    marked === 0 &&
    (first?.cells[0]?.text === '' || rows.some(({ cells }) => cells.some(({ columns }) => columns > 1)));
  if (!isSpread && !isUnmarked) return undefined;
  const headerRows = marked > 0 ? marked : namingRows(placed);
  const slots = slotsOf(placed.slice(headerRows));
  if (slots.length < 2 || (marked === 0 && headerRows === 0 && !isSpread)) return undefined;
  const header = slots.map((slot, index) => {
    const above = placed
      .slice(0, headerRows)
      .flatMap((cells) =>
        cells.filter((cell) => slotOf(cell, slots) === index || (index > 0 && overlaps(cell, slot))),
      );
    return [...new Set(above.map(({ text }) => text))].join(' ');
  });
  const cellsOf = (row: MarkupRow) => {
    const texts = slots.map(() => '');
    for (const cell of placedCells(row)) {
      const index = slotOf(cell, slots);
      texts[index] = `${texts[index] ?? ''} ${cell.text}`.trim();
    }
    return texts;
  };
  return { header, headerRows, cellsOf };
}

/** The filled cells with their columns; signs and brackets are joined to their numbers. */
function placedCells({ cells }: MarkupRow): PlacedCell[] {
  const placed: PlacedCell[] = [];
  let column = 0;
  for (const { text, columns } of cells) {
    const cell = { text, left: column, right: column + columns };
    column += columns;
    if (text === '') continue;
    const before = placed.at(-1);
    if (before && continuesFigure(before.text, text))
      placed[placed.length - 1] = { text: before.text + text, left: before.left, right: cell.right };
    else placed.push(cell);
  }
  return placed;
}

function filledCells(row: MarkupRow | undefined): number {
  return row?.cells.filter(({ text }) => text !== '').length ?? 0;
}

/**
 * How many rows of words, years and dates stand above the first numbers and name columns. 0 if they name only
 * what rows are about.
 */
function namingRows(rows: readonly (readonly PlacedCell[])[]): number {
  const first = rows.findIndex((cells) =>
    cells.some(({ text, left }) => left > 0 && isFigure(text) && !isYear(text)),
  );
  if (first < 1) return 0;
  const above = rows.slice(0, first);
  // A heading of rows may stand between the names and the first numbers.
  const count = above.findLastIndex((cells) => cells.some(({ left }) => left > 0)) + 1;
  const names = above.slice(0, count).flat();
  const isList = slotsOf(rows.slice(first)).length < 3 && names.some(({ left }) => left === 0);
  const areShort = names.every(({ text }) => text.length <= headerCharactersMax);
  return count <= headerRowsMax && areShort && !isList ? count : 0;
}

/** The columns of numbers, and of words where there are no numbers. */
function slotsOf(rows: readonly (readonly PlacedCell[])[]): Span[] {
  const cells = rows.filter((row) => row.length > 1).flat();
  const figures = joinSpans(cells.filter(({ text, left }) => left > 0 && isFigure(text)));
  const words = cells.filter((cell) => !figures.some((figure) => overlaps(figure, cell)));
  return joinSpans([...figures, ...words]);
}

/** The index of the column that a cell overlaps most, or of the nearest one. */
function slotOf(cell: Span, slots: readonly Span[]): number {
  const distance = (slot: Span) => Math.max(slot.left, cell.left) - Math.min(slot.right, cell.right);
  return slots.reduce(
    (best, slot, index) => (distance(slot) < distance(slots[best] ?? slot) ? index : best),
    0,
  );
}
