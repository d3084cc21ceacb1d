import { continuesFigure, isFigure, isYear, joinSpans, overlaps, type Span } from '../tables/figures.js';
import { rowsOf, type Segment } from './segments.js';

/** The pieces of one line, from left to right. */
export interface FigureRow {
  readonly segments: readonly Segment[];
  readonly figures: readonly Segment[];
  readonly y: number;
  readonly bottom: number;
}

/** Consecutive rows of numbers in columns, with the lines between them. */
export interface FigureRun {
  readonly rows: readonly FigureRow[];
  /** The index of the first row on the page. */
  readonly start: number;
  readonly columns: readonly Span[];
}

const signApart = /^([$€£¥])\s+/;
const dataRowsMin = 3;
/**
 * How many lines in a row may have no number: a heading of the next rows, and the first lines of a long
 * label.
 */
const otherRowsMax = 3;
/** A multiple of a line's size: what is further below is not part of the table. */
const gapMax = 3;
/** Words in place of a number are no longer than this. */
const wordCharactersMax = 40;
/** A multiple of the type size: the middles of the lines of two rows are further apart. */
const besideMax = 0.75;
/** In points: how far names of rows may begin from each other. */
const edgeTolerance = 2;

/** Finds the stretches of a page's lines that are numbers in columns. */
export function figureRuns(rows: readonly FigureRow[]): FigureRun[] {
  const runs: FigureRun[] = [];
  let end = 0;
  for (let start = 0; start < rows.length; start += 1) {
    const run = runAt(rows, start);
    if (run === undefined) continue;
    const whole = withRowsAbove(run, rows.slice(end, start));
    runs.push(whole);
    end = whole.start + whole.rows.length;
    start = end - 1;
  }
  return runs;
}

/** A run with the rows above it that have numbers in its columns too, though in one only. */
function withRowsAbove(run: FigureRun, above: readonly FigureRow[]): FigureRun {
  const { rows, columns } = run;
  const gapsMax = Math.max(...rows.slice(1).map((row, index) => row.y - (rows[index]?.bottom ?? row.y)));
  const edges = rows.flatMap(({ figures, segments }) => (figures.length > 0 ? (segments[0]?.x ?? []) : []));
  let taken = 0;
  for (let at = 1; at <= above.length && at - taken <= otherRowsMax + 1; at += 1) {
    const row = above.at(-at);
    const below = at > 1 ? above.at(1 - at) : rows[0];
    if (!row || !below || below.y - row.bottom > gapsMax + edgeTolerance || namesYears(row)) break;
    const inColumns = row.segments.filter((each) => columns.some((span) => overlaps(span, spanOf(each))));
    if (inColumns.length !== row.figures.length || isSetApart(row, below)) break;
    const isAligned = edges.some((x) => Math.abs(x - (row.segments[0]?.x ?? 0)) <= edgeTolerance);
    const [figure, ...others] = row.figures;
    if (figure && /\d/.test(figure.text) && others.length === 0 && isAligned) taken = at;
  }
  if (taken === 0) return run;
  return { rows: [...above.slice(-taken), ...rows], start: run.start - taken, columns };
}

function runAt(rows: readonly FigureRow[], start: number): FigureRun | undefined {
  const first = rows[start];
  if (first === undefined || first.figures.length < 2 || namesYears(first)) return undefined;
  let end = start;
  let dataRows = 1;
  let columns = joinSpans(first.figures.map(spanOf));
  for (let at = start + 1; at < rows.length && at - end <= otherRowsMax + 1; at += 1) {
    const [above, row] = [rows[at - 1], rows[at]];
    if (!above || !row || row.y - above.bottom > gapMax * sizeOf(row) || namesYears(row)) break;
    if (isSetApart(row, above)) break;
    const isOfWords = row.figures.length === 0 && above === rows[end] && standsInColumns(row, above, columns);
    if (isOfWords) end = at;
    const spans = row.figures.map(spanOf);
    if (!spans.some((span) => columns.some((column) => overlaps(column, span)))) continue;
    const widened = joinSpans([...columns, ...spans]);
    const isOneInEach = widened.every((column) => spans.filter((span) => overlaps(column, span)).length <= 1);
    if (widened.length < columns.length || !isOneInEach) break;
    columns = widened;
    end = at;
    dataRows += 1;
  }
  if (dataRows < dataRowsMin || columns.length < 2) return undefined;
  return { rows: rows.slice(start, end + 1), start, columns };
}

/**
 * Whether a row has words in the columns of numbers: `Enterprise  on request  on request` among rows of
 * prices.
 */
function standsInColumns(row: FigureRow, above: FigureRow, columns: readonly Span[]): boolean {
  const below = row.segments.map((each) => ({
    text: each.text,
    count: columns.filter((column) => overlaps(column, spanOf(each))).length,
  }));
  return (
    row.y - above.bottom <= sizeOf(row) &&
    below.every(({ text, count }) => count === 0 || (count === 1 && text.length <= wordCharactersMax)) &&
    below.some(({ count }) => count === 0) &&
    below.some(({ count }) => count === 1)
  );
}

/** The lines of a page, each with its numbers. */
export function figureRowsOf(segments: readonly Segment[]): FigureRow[] {
  return rowsOf(segments).map((row) => {
    const joined = withSigns(row);
    return {
      segments: joined,
      figures: joined.filter(({ text }) => isFigure(text)),
      y: Math.min(...joined.map((each) => each.y)),
      bottom: Math.max(...joined.map((each) => each.y + each.height)),
    };
  });
}

/**
 * Joins signs to their numbers: a currency sign at the left edge of the column, a bracket or a percent sign
 * behind.
 */
function withSigns(row: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (const segment of row) {
    const before = joined.at(-1);
    const belongs = before !== undefined && continuesFigure(before.text, segment.text);
    if (!belongs) {
      joined.push(
        isFigure(segment.text) ? { ...segment, text: segment.text.replace(signApart, '$1') } : segment,
      );
      continue;
    }
    const width = segment.x + segment.width - before.x;
    joined[joined.length - 1] = { ...before, width, text: before.text + segment.text };
  }
  return joined;
}

/** `2024  2023  2022` is no row of numbers, but names the columns of some. */
function namesYears({ figures }: FigureRow): boolean {
  return figures.length >= 2 && figures.every(({ text }) => isYear(text));
}

/** Whether a row is bold and the one above is not: several words then name the columns of the next table. */
function isSetApart({ segments, figures }: FigureRow, above: FigureRow): boolean {
  const isBold = (pieces: readonly Segment[]) => pieces.every(({ bold }) => bold);
  return segments.length > 1 && figures.length === 0 && isBold(segments) && !isBold(above.segments);
}

/** Whether two lines are of one row, because the one begins well before the other ends. */
export function standBeside(one: FigureRow, other: FigureRow): boolean {
  return Math.abs(middleOf(one) - middleOf(other)) < besideMax * Math.min(sizeOf(one), sizeOf(other));
}

/** The height on the page at which the middle of a line stands. */
export function middleOf({ y, bottom }: FigureRow): number {
  return (y + bottom) / 2;
}

/** The horizontal range of a piece. */
export function spanOf({ x, width }: Segment): Span {
  return { left: x, right: x + width };
}

/** The type size of a line: that of its largest piece. */
export function sizeOf({ segments }: FigureRow): number {
  return Math.max(...segments.map((each) => each.size));
}
