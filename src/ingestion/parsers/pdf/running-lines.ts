import { linesOf, partsOf, rowsOf, type Segment } from './segments.js';

/** Page headers and footers are within this share of the page's height, at each end. */
const edgeShare = 0.09;
/** More pieces than this are a drawing. */
const edgeSegmentsMax = 1000;
/**
 * A multiple of a line's size: parts with a greater gap say different things, such as `Acme` and `Page 2`.
 */
const partGapMin = 2;
/** At the left, in the middle and at the right; more parts are the columns of a table. */
const partsMax = 3;
const pageNumber =
  /^[-–—[(]?\s*(?:(?:page|seite|página|pagina|pág|p|s|стр)\.?\s*)?#\s*(?:(?:of|von|de|di|sur|из|\/|\|)\s*\d+)?\s*[-–—\])]?$/iu;

/** The text of a page, from which repeated lines are taken out. */
export interface PageText {
  /** Counted from 1. */
  readonly number: number;
  readonly height: number;
  segments: Segment[];
  /** The repeated lines that are read on this page, at its top and at its bottom. */
  readonly head: Segment[];
  readonly foot: Segment[];
}

interface EdgeLine {
  /**
   * What the line says and where; one key for each number in it, in which that number is replaced by `#` and
   * its distance from the page number. The last key is the line as it is.
   */
  readonly keys: readonly string[];
  readonly segments: readonly Segment[];
}

/**
 * Finds lines that are repeated on every page, so that each is read only once, and page numbers not at all.
 */
export class RunningLines {
  private readonly seen = new Map<string, number>();
  private readonly kept = new Set<string>();

  /** Takes repeated lines out of the text of these pages, which follow those of the previous call. */
  strip(pages: readonly PageText[], bodySize: number): void {
    const edges = pages.map((page) => edgeLines(page, bodySize));
    for (const lines of edges) {
      for (const key of new Set(lines.flatMap((line) => line.keys))) {
        this.seen.set(key, (this.seen.get(key) ?? 0) + 1);
      }
    }
    pages.forEach((page, index) => {
      const dropped = new Set<Segment>();
      for (const line of edges[index] ?? []) {
        const repetition = this.repetitionOf(line);
        if (repetition === undefined) continue;
        for (const segment of line.segments) {
          dropped.add(segment);
          if (repetition === 'first') (segment.y < page.height / 2 ? page.head : page.foot).push(segment);
        }
      }
      if (dropped.size > 0) page.segments = page.segments.filter((segment) => !dropped.has(segment));
    });
  }

  private repetitionOf({ keys }: EdgeLine): 'first' | 'further' | undefined {
    const key = keys.find((each) => {
      const times = this.seen.get(each) ?? 0;
      // `Exhibit 1` and `Exhibit 2` may be two titles; three of them are a series.
      return times >= (each.includes('#') && !isPageNumber(each) ? 3 : 2);
    });
    if (key === undefined) return undefined;
    if (isPageNumber(key) || this.kept.has(key)) return 'further';
    this.kept.add(key);
    return 'first';
  }
}

function isPageNumber(key: string): boolean {
  return pageNumber.test(key.slice(key.indexOf(' ') + 1).replace(/#-?\d+/, '#'));
}

/**
 * The lines at the top and bottom of a page. Large type is left out: it is a heading, however often it
 * occurs.
 */
function edgeLines(page: PageText, bodySize: number): EdgeLine[] {
  const { height } = page;
  const segments = page.segments.filter(
    (each) =>
      each.table === undefined &&
      (each.y + each.height <= height * edgeShare || each.y >= height * (1 - edgeShare)),
  );
  if (segments.length > edgeSegmentsMax) return [];
  return rowsOf(segments)
    .flatMap(sidesOf)
    .flatMap((part) => linesOf(part).map((line) => ({ line, segments: part })))
    .filter(({ line }) => line.size <= bodySize * 1.2)
    .map(({ line, ...rest }) => ({
      ...rest,
      keys: keysOf(line.text, page.number).map((key) => `${Math.round(line.y / 6)} ${key}`),
    }));
}

function sidesOf(row: readonly Segment[]): Segment[][] {
  const parts = partsOf(row, partGapMin);
  return parts.length > partsMax ? [[...row]] : parts;
}

/** `Page 5 of 9` on page 3 gives `Page #2 of 9` and `Page 5 of #6`; the first is the same on every page. */
function keysOf(text: string, page: number): string[] {
  const numbers = [...text.matchAll(/\d{1,6}/g)].slice(0, 6);
  const keys = numbers.map(
    ({ 0: digits, index }) =>
      `${text.slice(0, index)}#${Number(digits) - page}${text.slice(index + digits.length)}`,
  );
  const roman = romanNumber(text);
  return [...(roman > 0 ? [`#${roman - page}`] : keys), text];
}

/**
 * The value of a Roman number such as `iv`, with which pages before the first are numbered; 0 for any other
 * text.
 */
function romanNumber(text: string): number {
  if (!/^(?:[ivxl]{1,8}|[IVXL]{1,8})$/.test(text)) return 0;
  const values = [...text.toLowerCase()].map((digit) => ({ i: 1, v: 5, x: 10, l: 50 })[digit] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
