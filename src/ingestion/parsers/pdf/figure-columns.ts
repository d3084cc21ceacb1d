import { joinSpans, overlaps, type Span } from '../tables/figures.js';
import { spanOf, type FigureRow, type FigureRun } from './figure-rows.js';
import type { Segment } from './segments.js';

/** With a longer text on average, a column is one of the page beside the table. */
const cellCharactersMax = 60;
/** The same for columns left of the names of rows. */
const leftCellCharactersMax = 30;
/** How far from the middle of its columns a name may stand, as a share of their width. */
const offCentreMax = 0.3;
/** In points: how far a name may begin from its columns. */
const startTolerance = 2;

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

/**
 * The names above each column, joined from top to bottom. As many names as columns belong to them in their
 * order, since names are often set at the left and numbers at the right.
 */
export function columnNames(header: readonly FigureRow[], columns: readonly Column[]): string[] {
  const names: string[][] = columns.map(() => []);
  const labels = columns.filter(({ isLabel }) => isLabel).length;
  // Where the columns stand for the row above: where they are named, if each is.
  let places: readonly Span[] = columns;
  for (const [index, { segments }] of [...header.entries()].reverse()) {
    const isLast = index > 0 && index === header.length - 1;
    const above = segments
      .filter((each) => overlaps(placeOf(columns), spanOf(each)))
      .flatMap((each) => (isLast ? namesApart(each, columns) : [each]));
    const cells = above.filter((each) => nearestColumn(each, places) >= labels);
    const isEachNamed = above.length === columns.length;
    const own = isEachNamed ? above : cells;
    if (!isEachNamed)
      for (const each of above.filter((segment) => !cells.includes(segment)).toReversed())
        names[nearestColumn(each, places)]?.unshift(each.text);
    const named = isEachNamed ? places : places.slice(labels);
    const first = columns.length - named.length;
    namesOf(own, named).forEach((texts, at) => names[first + at]?.unshift(...texts));
    if (own.length === named.length) places = [...places.slice(0, first), ...own.map(spanOf)];
  }
  return names.map((texts) => texts.join(' '));
}

/** For each column the names that a row of names has for it. */
function namesOf(cells: readonly Segment[], columns: readonly Span[]): string[][] {
  if (cells.length === columns.length) return cells.map(({ text }) => [text]);
  const isAtStart = areAtStarts(cells, columns);
  const areCentred = areAboveMiddles(cells, columns);
  return columns.map((column, index) => {
    const own = areCentred
      ? cells.slice(Math.floor((index * cells.length) / columns.length)).slice(0, 1)
      : isAtStart
        ? cells.filter(({ x }) => x <= column.left + startTolerance).slice(-1)
        : cells.filter((cell) => namesColumn(cell, { column, index }, columns));
    return own.map(({ text }) => text);
  });
}

/**
 * The names of columns that the library has read as one piece: as many words as there are columns below.
 */
function namesApart(segment: Segment, columns: readonly Span[]): Segment[] {
  const { left, right } = spanOf(segment);
  const below = columns.filter((column) => left <= middleOf(column) && middleOf(column) <= right);
  const words = segment.text.split(' ');
  if (below.length < 2 || words.length !== below.length) return [segment];
  return words.map((text, index) => {
    const x = index === 0 ? left : (below[index]?.left ?? left);
    return { ...segment, text, x, width: (below[index]?.right ?? right) - x };
  });
}

/** Whether each name stands above the middle of a group of equally many columns. */
function areAboveMiddles(cells: readonly Segment[], columns: readonly Span[]): boolean {
  const each = columns.length / cells.length;
  if (!Number.isInteger(each) || each < 2) return false;
  return cells.every(({ x, width }, index) => {
    const { left, right } = placeOf(columns.slice(index * each, (index + 1) * each));
    return Math.abs(x + width / 2 - (left + right) / 2) <= offCentreMax * (right - left);
  });
}

/** Whether several names begin where columns do; each then stands for those up to the next one. */
function areAtStarts(cells: readonly Segment[], columns: readonly Span[]): boolean {
  return (
    cells.length > 1 &&
    cells.every(({ x }) => columns.some(({ left }) => Math.abs(x - left) <= startTolerance))
  );
}

/**
 * Whether a name belongs to a column: it covers the column's middle, or is nearer to it than to any other.
 */
function namesColumn(
  cell: Segment,
  { column, index }: { column: Span; index: number },
  columns: readonly Span[],
): boolean {
  const middle = middleOf(column);
  return nearestColumn(cell, columns) === index || (cell.x <= middle && middle <= cell.x + cell.width);
}

function middleOf({ left, right }: Span): number {
  return (left + right) / 2;
}
