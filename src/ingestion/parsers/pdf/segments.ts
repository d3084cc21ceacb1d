import type { TextItem } from '@llamaindex/liteparse';
import { inOneLine } from '../../../text/one-line.js';
import { lineAsRead, piecesAsRead } from '../../../text/reading-direction.js';

/** A piece of one line, in points from the upper left corner of the page. */
export interface Segment {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The font size, in points. */
  readonly size: number;
  readonly bold: boolean;
  /** The targets of links in it. */
  readonly targets?: readonly string[];
  /** If set, the piece stands for the table with this index on the page. */
  readonly table?: number;
  /** Whether it is a line of a table of contents. */
  readonly isEntry?: boolean;
}

/** A line of pieces, in points from the upper left corner of the page. */
export interface Line {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
  readonly size: number;
  readonly bold: boolean;
  /** How many pieces stand well apart. */
  readonly columns: number;
  readonly targets: readonly string[];
  readonly table?: number;
  /** Whether a note at the foot of the page begins with it. */
  readonly isNote?: boolean;
  /** Whether it is a line of a table of contents. */
  readonly isEntry?: boolean;
}

/** The type size of most letters, in points; undefined without any letter. */
export function commonSize(pieces: readonly Pick<Segment, 'size' | 'text'>[]): number | undefined {
  const letters = new Map<number, number>();
  for (const { size, text } of pieces) letters.set(size, (letters.get(size) ?? 0) + text.length);
  const none: readonly [number | undefined, number] = [undefined, 0];
  return [...letters].reduce((best, each) => (each[1] > best[1] ? each : best), none)[0];
}

/** Bullets that symbol fonts draw with characters of the private use area. */
const privateBullets = /^[\uf0b7\uf0a7\uf0d8\uf0fc\uf076]$/;
/** Kangxi radicals, which some fonts use for the glyphs of words: `\u2f47` for `\u65e5`. */
const radicals = /[\u2e9f\u2ef3\u2f00-\u2fd5]/g;
/** In degrees, because scans are slightly askew. */
const slantMax = 10;
/** Dots that lead from a title to its page number. */
const leader = /(?:[.·…_] ?){6,}/g;
/** A multiple of the type size: words of one column are not further apart. */
const columnGapMin = 1.5;
/** The same between pieces of one word. */
const touchingMax = 0.12;
const cjk = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;

/**
 * Joins items that touch each other: a raised `6` would stand on a line of its own, above the number that it
 * belongs to.
 */
function withoutSeams(items: readonly TextItem[]): TextItem[] {
  const joined: TextItem[] = [];
  for (const item of items) {
    const before = joined.at(-1);
    const touches =
      before !== undefined &&
      isBold(before) === isBold(item) &&
      besideEachOther(before, item) &&
      Math.abs(item.x - rightOf(before)) < touchingMax * Math.min(before.height, item.height);
    if (!touches) {
      joined.push(item);
      continue;
    }
    const main = item.text.length > before.text.length ? item : before;
    const width = item.x + item.width - before.x;
    joined[joined.length - 1] = { ...main, x: before.x, width, text: before.text + item.text };
  }
  return joined;
}

/** Turns the library's text items into pieces. */
export function segmentsOf(items: readonly TextItem[]): Segment[] {
  return items.flatMap((item) => {
    const text = clean(item.text);
    if (text === '') return [];
    const size = item.fontSize && item.fontSize > 1 ? item.fontSize : item.height;
    const { x, y, width, height } = item;
    return [{ text, x, y, width, height, size, bold: isBold(item) }];
  });
}

function isBold({ fontName = '' }: TextItem): boolean {
  return /bold|black|heavy/i.test(fontName);
}

/** The pieces in the page's own direction, and those of each other direction, turned upright. */
export function byDirection(items: readonly TextItem[]): { upright: Segment[]; turned: Segment[][] } {
  const quarters: TextItem[][] = [];
  const slanting: Segment[][] = [];
  for (const item of items) {
    const angle = item.rotation ?? 0;
    const quarter = Math.round(angle / 90);
    if (Math.abs(angle - quarter * 90) > slantMax) slanting.push(segmentsOf([item]));
    else (quarters[quarter & 3] ??= []).push(item);
  }
  const turned = [1, 2, 3].flatMap((quarter) => {
    const segments = segmentsOf(quarters[quarter] ?? []);
    return segments.length > 0 ? [segments.map((segment) => turnedBack(segment, quarter))] : [];
  });
  return { upright: segmentsOf(withoutSeams(quarters[0] ?? [])), turned: [...turned, ...slanting] };
}

/**
 * Where a piece would be if the page were turned so that the piece is upright; `quarter` counts quarter
 * turns.
 */
function turnedBack(segment: Segment, quarter: number): Segment {
  const { x, y, width, height } = segment;
  if (quarter === 2) return { ...segment, x: -x - width, y: -y - height };
  const side = { width: height, height: width };
  return quarter === 1
    ? { ...segment, ...side, x: y, y: -x - width }
    : { ...segment, ...side, x: -y - height, y: x };
}

/** Removes control and private-use characters, which fonts leave that have no names for their glyphs. */
function clean(text: string): string {
  return lineAsRead(
    inOneLine(
      text
        .trim()
        .replace(privateBullets, '•')
        .replace(radicals, (radical) => radical.normalize('NFKC'))
        .replace(/[\u200b\ufeff\ufffd\ufffe\p{Cc}\p{Co}]+/gu, ' '),
    ),
  );
}

type Extent = Pick<Segment, 'x' | 'y' | 'width' | 'height'>;

/** Whether two pieces are on one line: they share at least half the height of the lower one. */
export function besideEachOther(one: Extent, other: Extent): boolean {
  const shared = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return shared >= Math.min(one.height, other.height) / 2;
}

/** The lines of one column, from top to bottom. */
export function linesOf(segments: readonly Segment[]): Line[] {
  return rowsOf(segments).map(joinLine);
}

/** The pieces of each line, from left to right; lines from top to bottom. */
export function rowsOf(segments: readonly Segment[]): Segment[][] {
  const lines: Segment[][] = [];
  for (const segment of [...segments].sort((a, b) => middle(a) - middle(b))) {
    const line = lines.at(-1);
    const isSame =
      line?.[0] !== undefined &&
      segment.table === undefined &&
      line[0].table === undefined &&
      line.slice(-4).some((each) => besideEachOther(each, segment));
    if (isSame) line.push(segment);
    else lines.push([segment]);
  }
  return lines.map((line) => line.sort((a, b) => a.x - b.x));
}

/** Splits a line where a gap is greater than `gapMax` times the type size. */
export function partsOf(row: readonly Segment[], gapMax: number): Segment[][] {
  const parts: Segment[][] = [];
  for (const segment of row) {
    const part = parts.at(-1);
    const before = part?.at(-1);
    const isApart = !before || segment.x - before.x - before.width > gapMax * segment.size;
    if (part && !isApart) part.push(segment);
    else parts.push([segment]);
  }
  return parts;
}

function middle(segment: Segment): number {
  // The place of a table in the text is where it begins.
  return segment.table === undefined ? segment.y + segment.height / 2 : segment.y;
}

/** The gap between two pieces of a line, whichever is read first. */
function gapBetween(one: Segment, other: Segment): number {
  return one.x <= other.x ? other.x - rightOf(one) : one.x - rightOf(other);
}

function rightOf(segment: Extent | undefined): number {
  return segment === undefined ? 0 : segment.x + segment.width;
}

function joinLine(segments: readonly Segment[]): Line {
  let text = '';
  let before: Segment | undefined;
  for (const segment of piecesAsRead(segments, (each) => each.text)) {
    const touches = before !== undefined && gapBetween(before, segment) < segment.size * touchingMax;
    text += text === '' || touches || bothCjk(text, segment.text) ? segment.text : ` ${segment.text}`;
    before = segment;
  }
  // The longest piece decides, because a raised note mark does not make the line a smaller one.
  const main = segments.reduce((best, each) => (each.text.length > best.text.length ? each : best));
  return {
    text: inOneLine(text.replace(leader, ' ')),
    x: Math.min(...segments.map((each) => each.x)),
    y: main.y,
    right: rightOf(segments.at(-1)),
    bottom: main.y + main.height,
    size: main.size,
    bold: segments.every((each) => each.bold),
    columns: partsOf(segments, columnGapMin).length,
    targets: segments.flatMap((each) => each.targets ?? []),
    ...(main.table !== undefined && { table: main.table }),
    ...(main.isEntry && { isEntry: true }),
  };
}

/**
 * Whether a text ends, and the next begins, with a Chinese, Japanese or Korean character; then no space is
 * needed.
 */
export function bothCjk(before: string, after: string): boolean {
  return cjk.test(before.at(-1) ?? '') && cjk.test(after.charAt(0));
}
