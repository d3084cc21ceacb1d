import { overlaps } from '../tables/figures.js';
import type { Column } from './figure-columns.js';
import { middleOf, sizeOf, spanOf, standBeside, type FigureRow } from './figure-rows.js';
import type { Segment } from './segments.js';

/** A multiple of the type size: steps between lines that differ less are the same. */
const stepTolerance = 0.25;
/** The same, from line to line of a cell. */
const cellStepMax = 1.6;

/**
 * The pieces of each row of a table's body. Several lines are one row where cells of several lines stand
 * beside the middle or the first line of the others. A line of the first column is a row, unless it stands
 * beside another, since names without figures may be headings of those below.
 */
export function withWrappedCells(lines: readonly FigureRow[], columns: readonly Column[]): Segment[][] {
  const rows: FigureRow[][] = [];
  lines.forEach((line, index) => {
    const row = rows.at(-1);
    if (row && continuesRow(row, { line, below: lines[index + 1] }, columns)) row.push(line);
    else rows.push([line]);
  });
  return rows.map((row) => row.flatMap(({ segments }) => segments));
}

/** Whether a line below a table continues cells of its last row. */
export function continuesLastRow(line: FigureRow, last: FigureRow, columns: readonly Column[]): boolean {
  if (isBeside(last, line, columns)) return true;
  return isRestOfCells(line, columns) && stepBetween(last, line) <= cellStepMax * sizeOf(line);
}

interface Place {
  readonly line: FigureRow;
  readonly below: FigureRow | undefined;
}

function continuesRow(row: readonly FigureRow[], { line, below }: Place, columns: readonly Column[]) {
  const above = row.at(-1);
  if (above === undefined) return false;
  if (isBeside(above, line, columns) || row.every((each) => isRestOfCells(each, columns))) return true;
  const hasFigures = row.some(({ figures }) => figures.length > 0);
  if (!hasFigures && line.figures.length > 0) return above.segments.length > 1 && isFirstEmpty(line, columns);
  const tolerance = stepTolerance * sizeOf(line);
  return isRestOfCells(line, columns) && stepBetween(above, line) <= stepBetween(line, below) + tolerance;
}

/** Whether two lines stand beside each other and are not two rows, with names, figures or cells of their own. */
function isBeside(above: FigureRow, line: FigureRow, columns: readonly Column[]): boolean {
  const both = [above, line];
  if (!standBeside(above, line) || both.every(({ figures }) => figures.length > 0)) return false;
  const shared = columns.filter((column) =>
    both.every(({ segments }) => segments.some((each) => overlaps(column, spanOf(each)))),
  );
  return both.some((each) => isFirstEmpty(each, columns)) && shared.length <= 1;
}

/** Whether a line has words only, and none in the first column. */
function isRestOfCells(line: FigureRow, columns: readonly Column[]): boolean {
  return line.figures.length === 0 && isFirstEmpty(line, columns);
}

function isFirstEmpty({ segments }: FigureRow, columns: readonly Column[]): boolean {
  const [first, ...others] = columns;
  return segments.every((each) => {
    const inside = others.filter((column) => overlaps(column, spanOf(each)));
    return inside.length === 1 && first !== undefined && !overlaps(first, spanOf(each));
  });
}

function stepBetween(above: FigureRow, below: FigureRow | undefined): number {
  return below ? middleOf(below) - middleOf(above) : Infinity;
}
