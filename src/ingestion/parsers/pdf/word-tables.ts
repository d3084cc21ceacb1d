import { areFields } from '../tables/field-list.js';
import { overlaps, type Span } from '../tables/figures.js';
import { valueClassOf } from '../tables/value-kind.js';
import { isListMark } from './list-mark.js';
import { partsOf, rowsOf, type Segment } from './segments.js';
import type { PageTable } from './tables.js';

/** A multiple of the type size: the gap between cells is greater than that between words. */
const cellGapMin = 0.9;
/** A multiple of the type size: rows are not further apart. */
const rowGapMax = 2;
/**
 * A multiple of the type size, from line to line: text is hardly ever set as widely as the rows of some
 * tables.
 */
const paddedPitchMin = 1.7;
const rowsMin = 3;
const columnsMax = 8;
const cellCharactersMax = 60;
/** The same below bold names of columns. */
const namedCellCharactersMax = 120;
/** The limit for the average; lines of text columns are longer. */
const meanCharactersMax = 32;
/** In points: how far the cells of a column may be from a common edge or middle. */
const edgeTolerance = 1.5;
/** A share of a column's cells: lines of text begin with lower-case letters more often. */
const smallLettersMax = 0.3;
const figuresMin = 0.6;

interface Cell extends Span {
  readonly text: string;
  readonly bold: boolean;
}

interface Row {
  readonly cells: readonly Cell[];
  readonly y: number;
  readonly bottom: number;
  readonly size: number;
}

/**
 * Finds tables of words that are recognised only by alignment, even with a few narrow rows: labels beside
 * values, names beside a column of numbers, or rows set further apart than text. Two boxes side by side, such
 * as addresses, are no table.
 */
export function wordTablesOf(segments: readonly Segment[]): PageTable[] {
  const rows = rowsOf(segments).map(rowOf);
  const tables: PageTable[] = [];
  for (let start = 0; start < rows.length; start += 1) {
    const body = runAt(rows, start);
    if (body.length < rowsMin - 1) continue;
    const above = rows[start - 1];
    const header = above && namesColumns(above, body) ? above : undefined;
    const all = header ? [header, ...body] : body;
    if (all.length < rowsMin || !isTable(all)) continue;
    tables.push(tableOf(all, header !== undefined || isHeader(all)));
    start += body.length - 1;
  }
  return tables;
}

function rowOf(segments: readonly Segment[]): Row {
  const cells = partsOf(segments, cellGapMin).map((part) => ({
    text: part.map(({ text }) => text).join(' '),
    left: Math.min(...part.map(({ x }) => x)),
    right: Math.max(...part.map(({ x, width }) => x + width)),
    bold: part.every(({ bold }) => bold),
  }));
  return {
    cells,
    y: Math.min(...segments.map(({ y }) => y)),
    bottom: Math.max(...segments.map(({ y, height }) => y + height)),
    size: Math.max(...segments.map(({ size }) => size)),
  };
}

/** The consecutive rows from `start` on whose cells are in the same columns. */
function runAt(rows: readonly Row[], start: number): Row[] {
  const [first] = rows.slice(start, start + 1);
  if (first === undefined || first.cells.length < 2 || first.cells.length > columnsMax) return [];
  const run = [first];
  for (const row of rows.slice(start + 1)) {
    const above = run.at(-1) ?? first;
    const isNear = row.y - above.bottom <= rowGapMax * above.size;
    // Bold cells below others name the columns of the next table.
    if (isBold(row) && !isBold(above)) break;
    if (!isNear || row.cells.length !== first.cells.length || !standInColumns([...run, row])) break;
    run.push(row);
  }
  return run;
}

function standInColumns(rows: readonly Row[]): boolean {
  const columns = columnsOf(rows);
  const areApart = columns.every((cells, index) => {
    const next = columns[index + 1];
    return !next || Math.max(...cells.map(({ right }) => right)) < Math.min(...next.map(({ left }) => left));
  });
  return areApart && columns.every(isAligned);
}

function isAligned(cells: readonly Cell[]): boolean {
  const places = [
    cells.map(({ left }) => left),
    cells.map(({ right }) => right),
    cells.map(({ left, right }) => (left + right) / 2),
  ];
  return places.some((each) => Math.max(...each) - Math.min(...each) <= edgeTolerance);
}

/**
 * Whether a row names the columns: bold above cells that are not, or words above numbers, each above its own
 * column.
 */
function namesColumns(above: Row, body: readonly Row[]): boolean {
  const [first] = body;
  if (!first || above.cells.length !== first.cells.length) return false;
  if (first.y - above.bottom > rowGapMax * first.size || above.size > 1.15 * first.size) return false;
  const columns = columnsOf(body);
  const spans = columns.map((cells) => ({
    left: Math.min(...cells.map(({ left }) => left)),
    right: Math.max(...cells.map(({ right }) => right)),
  }));
  const isAbove = above.cells.every((cell, index) =>
    spans.every((span, column) => overlaps(cell, span) === (column === index)),
  );
  return isAbove && isHeader([above, ...body]);
}

function isHeader([first, ...below]: readonly Row[]): boolean {
  if (first === undefined || areFields(textsOf([first, ...below]))) return false;
  if (isSetApart([first, ...below])) return true;
  const isOfWords = first.cells.every(({ text }) => valueClassOf(text) === 'words');
  return isOfWords && columnsOf(below).some((cells) => figureShare(cells) >= figuresMin);
}

function isBold({ cells }: Row): boolean {
  return cells.every(({ bold }) => bold);
}

/** Whether the first row alone is bold. */
function isSetApart([first, ...below]: readonly Row[]): boolean {
  return first !== undefined && isBold(first) && !below.some(isBold);
}

/** Whether rows are more than lines of text that happen to stand side by side. */
function isTable(rows: readonly Row[]): boolean {
  const columns = columnsOf(rows);
  const texts = columns.flat().map(({ text }) => text);
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const charactersMax = isSetApart(rows) ? namedCellCharactersMax : cellCharactersMax;
  if (mean > meanCharactersMax || texts.some(({ length }) => length > charactersMax)) return false;
  if (columns.some((cells) => cells.every(({ text }) => isListMark(text)))) return false;
  const small = columns.map(
    (cells) => cells.filter(({ text }) => /^\p{Ll}/u.test(text)).length / cells.length,
  );
  if ((small[0] ?? 0) > smallLettersMax) return false;
  if (areFields(textsOf(rows)) || isHeader(rows)) return true;
  if (columns.slice(1).some((cells) => figureShare(cells) >= figuresMin)) return true;
  const pitches = rows.slice(1).map((row, index) => row.y - (rows[index]?.y ?? 0));
  return Math.min(...pitches) >= paddedPitchMin * Math.max(...rows.map(({ size }) => size));
}

function tableOf(rows: readonly Row[], hasHeader: boolean): PageTable {
  const cells = rows.flatMap((row) => row.cells);
  const [x, y] = [Math.min(...cells.map(({ left }) => left)), Math.min(...rows.map((row) => row.y))];
  const right = Math.max(...cells.map((cell) => cell.right));
  const [first = [], ...others] = textsOf(rows);
  return {
    ...{ x, y, width: right - x, height: Math.max(...rows.map(({ bottom }) => bottom)) - y },
    header: hasHeader ? first : [],
    rows: hasHeader ? others : [first, ...others],
  };
}

function figureShare(cells: readonly Cell[]): number {
  return cells.filter(({ text }) => valueClassOf(text) === 'figure').length / cells.length;
}

function columnsOf(rows: readonly Row[]): Cell[][] {
  return (rows[0]?.cells ?? []).map((_, column) =>
    rows.flatMap(({ cells }) => cells.slice(column, column + 1)),
  );
}

function textsOf(rows: readonly Row[]): string[][] {
  return rows.map(({ cells }) => cells.map(({ text }) => text));
}
