import { joinSpans, overlaps, type Span } from '../tables/figures.js';
import { spanOf, type FigureRow, type FigureRun } from './figure-rows.js';
import type { Segment } from './segments.js';

/** With a longer text on average, a column is one of the page beside the table. */
const cellCharactersMax = 60;
/** The same for columns left of the names of rows. */
const leftCellCharactersMax = 30;
/** How far from the middle of its columns a name may stand, as a share of their width. */
const offCentreMax = 0.3;

/** A column of a table of numbers. */
export interface Column extends Span {
  /** Whether it has the words left of all numbers, which say what a row is about. */
  readonly isLabel: boolean;
}

/**
 * The columns of numbers, and of the words beside them; undefined when there is prose between the numbers.
 */
export function columnsOf({ rows, columns: figures }: FigureRun): Column[] | undefined {
  const place = placeOf(figures);
  const data = rows.filter((row) => row.figures.length > 0);
  const words = data.map((row) => row.segments.filter((each) => !row.figures.includes(each)));
  const left = words.map((row) => row.filter(({ x }) => x < place.left));
  const apart = words.map((row) =>
    row.filter((each) => each.x >= place.left && !figures.some((figure) => overlaps(figure, spanOf(each)))),
  );
  const labels = besideEachOther(left, place.left);
  const others = besideEachOther(apart, Infinity);
  const isProse = (span: Span, charactersMax = cellCharactersMax) =>
    meanLength(words.flat().filter((each) => overlaps(span, spanOf(each)))) > charactersMax;
  if (others.some((span) => span.left < place.right && isProse(span))) return undefined;
  const labelsKept = labels.filter(
    (span, index) => index === labels.length - 1 || !isProse(span, leftCellCharactersMax),
  );
  return [
    ...labelsKept.map((span) => ({ ...span, isLabel: true })),
    ...[...figures, ...others.filter((span) => !isProse(span))]
      .sort((a, b) => a.left - b.left)
      .map((span) => ({ ...span, isLabel: false })),
  ];
}

/**
 * Columns of words. Pieces that no row has side by side belong to one column, however far they are indented.
 */
function besideEachOther(rows: readonly (readonly Segment[])[], right: number): Span[] {
  const spans = joinSpans(
    rows.flat().map((each) => ({ ...spanOf(each), right: Math.min(right, each.x + each.width) })),
  );
  return spans.reduce<Span[]>((kept, span) => {
    const before = kept.at(-1);
    const areBeside =
      before !== undefined &&
      rows.some((row) => [before, span].every((one) => row.some((each) => overlaps(one, spanOf(each)))));
    if (before === undefined || areBeside) return [...kept, span];
    return [...kept.slice(0, -1), { left: before.left, right: span.right }];
  }, []);
}

function meanLength(segments: readonly Segment[]): number {
  return segments.reduce((sum, { text }) => sum + text.length, 0) / segments.length;
}

/** The range that all spans lie in. */
export function placeOf(spans: readonly Span[]): Span {
  return {
    left: Math.min(...spans.map(({ left }) => left)),
    right: Math.max(...spans.map(({ right }) => right)),
  };
}

/** The index of the column that a piece overlaps most, or of the nearest one. */
export function nearestColumn(segment: Segment, columns: readonly Span[]): number {
  const { left, right } = spanOf(segment);
  // Where they overlap, more overlap counts as nearer.
  const distance = (column: Span) => Math.max(column.left, left) - Math.min(column.right, right);
  let nearest = 0;
  columns.forEach((column, index) => {
    if (distance(column) < distance(columns[nearest] ?? column)) nearest = index;
  });
  return nearest;
}

/** The names above each column, joined from top to bottom. */
export function columnNames(header: readonly FigureRow[], columns: readonly Column[]): string[] {
  const names: string[][] = columns.map(() => []);
  const labels = columns.filter(({ isLabel }) => isLabel).length;
  const values = columns.slice(labels);
  for (const { segments } of header) {
    const above = segments.filter((each) => overlaps(placeOf(columns), spanOf(each)));
    const cells = above.filter((each) => nearestColumn(each, columns) >= labels);
    for (const each of above.filter((segment) => !cells.includes(segment)))
      names[nearestColumn(each, columns)]?.push(each.text);
    const groups = groupsBelow(cells, values);
    values.forEach((column, index) => {
      const own = groups
        ? [cells[Math.floor((index * cells.length) / values.length)]]
        : cells.filter((cell) => namesColumn(cell, { column, index }, values));
      for (const cell of own) if (cell) names[labels + index]?.push(cell.text);
    });
  }
  return names.map((texts) => texts.join(' '));
}

/** Whether each name stands above the middle of a group of equally many columns. */
function groupsBelow(cells: readonly Segment[], columns: readonly Span[]): boolean {
  const each = columns.length / cells.length;
  if (!Number.isInteger(each) || each < 2) return false;
  return cells.every(({ x, width }, index) => {
    const { left, right } = placeOf(columns.slice(index * each, (index + 1) * each));
    return Math.abs(x + width / 2 - (left + right) / 2) <= offCentreMax * (right - left);
  });
}

/**
 * Whether a name belongs to a column: it covers the column's middle, or is nearer to it than to any other.
 */
function namesColumn(
  cell: Segment,
  { column, index }: { column: Span; index: number },
  columns: readonly Span[],
): boolean {
  const middle = (column.left + column.right) / 2;
  return nearestColumn(cell, columns) === index || (cell.x <= middle && middle <= cell.x + cell.width);
}
