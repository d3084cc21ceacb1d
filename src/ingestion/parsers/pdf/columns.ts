import { isListMark } from './list-mark.js';
import { areOfIndex } from './page-references.js';
import { besideEachOther, linesOf, type Line, type Segment } from './segments.js';

const depthMax = 8;
/** A page with more pieces is a drawing, and is read line by line. */
const segmentsMax = 6000;
const candidatesMax = 8;
const neighboursMax = 40;
/** By how many points a piece may begin left of its column's edge. */
const edgeTolerance = 0.5;
/** The same for scans, as a multiple of the piece's size; it must be less than gapMin. */
const scannedEdgeTolerance = 0.3;
/** How many times larger than the line above a heading is. */
const headingSizeMin = 1.1;
/** A multiple of the type size: how far the feet of a name and its value may be apart. */
const baselineTolerance = 0.2;
/** Fewer rows with a gap of more than this, as a multiple of the type size, are no column. */
const scatteredRowsMax = 4;
const scatteredGapMin = 15;

/** Pieces one above the other, without a gap between columns. */
export type Flow = Segment[];

interface Band {
  readonly left: Segment[];
  readonly right: Segment[];
}

/**
 * The pieces of a page in reading order: a column is read to its end before the next one begins, and what
 * spans several columns divides them.
 */
export function readingOrder(segments: readonly Segment[], isScan = false, depth = 0): Flow[] {
  if (segments.length === 0) return [];
  const sorted = [...segments].sort((a, b) => a.y + a.height / 2 - (b.y + b.height / 2) || a.x - b.x);
  if (sorted.length < 4 || sorted.length > segmentsMax || depth > depthMax) return [sorted];
  let best: { parts: (Band | Segment[])[]; score: number } | undefined;
  for (const x of gutters(sorted, isScan)) {
    const parts = cutAt(sorted, x);
    const score = parts.reduce(
      (sum, part) => sum + (Array.isArray(part) ? 0 : part.left.length + part.right.length),
      0,
    );
    if (score > (best?.score ?? 0)) best = { parts, score };
  }
  if (best === undefined) return [sorted];
  return best.parts.flatMap((part) =>
    Array.isArray(part)
      ? readingOrder(part, isScan, depth + 1)
      : [...readingOrder(part.left, isScan, depth + 1), ...readingOrder(part.right, isScan, depth + 1)],
  );
}

/**
 * Where columns may begin: at left edges of pieces that have another piece well to their left. The most
 * frequent first.
 */
function gutters(sorted: readonly Segment[], isScan: boolean): number[] {
  const counts = new Map<number, { x: number; count: number }>();
  sorted.forEach((segment, index) => {
    for (const other of sorted.slice(index + 1, index + 1 + neighboursMax)) {
      if (other.y > segment.y + segment.height) break;
      const [left, right] = segment.x <= other.x ? [segment, other] : [other, segment];
      if (right.x - left.x - left.width < gapMin(left, right) || !besideEachOther(left, right)) continue;
      const bucket = Math.round(right.x / 4);
      const x = right.x - (isScan ? scannedEdgeTolerance * right.size : edgeTolerance);
      const seen = counts.get(bucket) ?? { x, count: 0 };
      counts.set(bucket, { x: Math.min(seen.x, x), count: seen.count + 1 });
    }
  });
  return [...counts.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, candidatesMax)
    .map(({ x }) => x);
}

function gapMin(...segments: readonly Segment[]): number {
  return Math.max(6, 0.9 * Math.min(...segments.map((each) => each.size)));
}

/**
 * Cuts a page, from top to bottom, into bands of two columns at x, and the pieces across or between these
 * bands.
 */
function cutAt(sorted: readonly Segment[], x: number): (Band | Segment[])[] {
  const parts: (Band | Segment[])[] = [];
  let across: Segment[] = [];
  let run: Segment[] = [];
  const closeRun = (isLast: boolean) => {
    const { band, rest } = bandOf(run, x, isLast);
    if (band === undefined) {
      across.push(...run);
    } else {
      if (across.length > 0) parts.push(across);
      parts.push(band);
      across = rest;
    }
    run = [];
  };
  for (const segment of sorted) {
    const crosses = segment.x < x && segment.x + segment.width > x;
    if (!crosses) {
      run.push(segment);
      continue;
    }
    closeRun(false);
    across.push(segment);
  }
  closeRun(true);
  if (across.length > 0) parts.push(across);
  return parts;
}

function bandOf(
  run: readonly Segment[],
  x: number,
  isLast: boolean,
): { band: Band | undefined; rest: Segment[] } {
  const left = run.filter((segment) => segment.x < x);
  const right = run.filter((segment) => segment.x >= x);
  const none = { band: undefined, rest: [] };
  if (rowCount(left) < 2 || rowCount(right) < 2) return none;
  const clearance =
    Math.min(...right.map((each) => each.x)) - Math.max(...left.map((each) => each.x + each.width));
  if ([left, right].some(areScattered)) return none;
  if (clearance < gapMin(...run) || !overlapInHeight(left, right) || isListOfPairs(left, right)) return none;
  const rest = isLast ? [] : takeHeadingOfWhatFollows(left, right);
  return { band: { left, right }, rest };
}

/** Whether pieces are too few, and too far apart, for a column: a sum and the number of the page at its foot. */
function areScattered(segments: readonly Segment[]): boolean {
  if (rowCount(segments) >= scatteredRowsMax) return false;
  return segments.some((segment, index) => {
    const above = segments[index - 1];
    return above !== undefined && segment.y - above.y - above.height > scatteredGapMin * segment.size;
  });
}

function rowCount(segments: readonly Segment[]): number {
  let rows = 0;
  let bottom = -Infinity;
  for (const segment of segments) {
    if (segment.y + segment.height / 2 < bottom) continue;
    rows += 1;
    bottom = segment.y + segment.height;
  }
  return rows;
}

function overlapInHeight(left: readonly Segment[], right: readonly Segment[]): boolean {
  const top = (side: readonly Segment[]) => Math.min(...side.map((each) => each.y));
  const bottom = (side: readonly Segment[]) => Math.max(...side.map((each) => each.y + each.height));
  return Math.min(bottom(left), bottom(right)) > Math.max(top(left), top(right));
}

/**
 * Whether two sides form pairs that are read across the gap: bullets with their texts, `Name: Ann`, `Total
 * 12.50`.
 */
function isListOfPairs(left: readonly Segment[], right: readonly Segment[]): boolean {
  const [names, values] = [linesOf(left), linesOf(right)];
  const areBeside = (name: Line, value: Line) => name.y < value.bottom && name.bottom > value.y;
  const beside = names.filter((name) => values.some((value) => areBeside(name, value)));
  if (beside.length > 1 && beside.every(({ text }) => isListMark(text))) return true;
  if ([names, values].every(areOfIndex)) return false;
  const isPaired = (value: Line) => names.some((name) => areBeside(name, value));
  if (values.filter(isPaired).length < values.length * 0.8) return false;
  // Above or below the names other texts may stand, for example an address.
  const aligned = values.flatMap((value) => nearestOnLine(left, value) ?? []);
  const paired = aligned.length >= values.length * 0.8 ? aligned : names;
  const share = (side: readonly Pick<Line, 'text'>[], like: (text: string) => boolean) =>
    side.filter((each) => like(each.text)).length / side.length;
  return (
    share(paired, (text) => /[:：]$/.test(text)) >= 0.5 ||
    share(paired, (text) => text.split(' ').length <= 2) >= 0.8 ||
    share(values, (text) => /^[^\p{L}]*\d[^\p{L}]*\p{Lu}{0,3}$/u.test(text)) >= 0.6
  );
}

/** The last piece whose foot is on that of a line. */
function nearestOnLine(pieces: readonly Segment[], { bottom }: Line): Segment | undefined {
  const rightOf = (piece: Segment | undefined) => (piece ? piece.x + piece.width : -Infinity);
  return pieces
    .filter(({ y, height, size }) => Math.abs(y + height - bottom) <= baselineTolerance * size)
    .reduce<Segment | undefined>((last, each) => (rightOf(each) > rightOf(last) ? each : last), undefined);
}

/**
 * Takes lines out of the left column that stand alone below both columns, after a gap or as a heading: they
 * belong to what follows across the page.
 */
function takeHeadingOfWhatFollows(left: Segment[], right: readonly Segment[]): Segment[] {
  const bottom = Math.max(...right.map((each) => each.y + each.height));
  for (let index = 1; index < left.length; index += 1) {
    const [above, below] = [left[index - 1], left[index]];
    if (above === undefined || below === undefined || below.y < bottom) continue;
    const isHeading = below.size > above.size * headingSizeMin || (below.bold && !above.bold);
    if (isHeading || below.y - above.y - above.height > below.size * 0.8) return left.splice(index);
  }
  return [];
}
