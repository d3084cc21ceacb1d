import type { Segment } from './segments.js';
import { linesOf } from './segments.js';

/** Page headers and footers stand in this part of the page's height, at each end. */
const edgeShare = 0.09;
/** More pieces than this are a drawing. */
const edgeSegmentsMax = 1000;
const pageNumber =
  /^[-–—[(]?\s*(?:(?:page|seite|página|pagina|pág|p|s|стр)\.?\s*)?#\s*(?:(?:of|von|de|di|sur|из|\/|\|)\s*\d+)?\s*[-–—\])]?$/iu;

export interface PageText {
  /** Counted from 1. */
  readonly number: number;
  readonly height: number;
  segments: Segment[];
}

interface EdgeLine {
  /** What the line says and where, the number in it that counts the pages as `#`: one for each number it has. */
  readonly keys: readonly string[];
  readonly segments: readonly Segment[];
}

/** Finds the lines that stand on every page, so that each is read once; page numbers not at all. */
export class RunningLines {
  private readonly seen = new Map<string, number>();
  private readonly kept = new Set<string>();

  /** Takes the repeated lines out of these pages, which follow those of the call before. */
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
        if (this.isRepeated(line)) for (const segment of line.segments) dropped.add(segment);
      }
      if (dropped.size > 0) page.segments = page.segments.filter((segment) => !dropped.has(segment));
    });
  }

  private isRepeated({ keys }: EdgeLine): boolean {
    const key = keys.find((each) => {
      const times = this.seen.get(each) ?? 0;
      // `Exhibit 1` and `Exhibit 2` may be two titles; from three on it is a series.
      return times >= (each.includes('#') && !isPageNumber(each) ? 3 : 2);
    });
    if (key === undefined) return false;
    if (isPageNumber(key)) return true;
    const isFirst = !this.kept.has(key);
    this.kept.add(key);
    return !isFirst;
  }
}

function isPageNumber(key: string): boolean {
  return pageNumber.test(key.slice(key.indexOf(' ') + 1).replace(/#-?\d+/, '#'));
}

/** Large type is a heading, however often it comes. */
function edgeLines(page: PageText, bodySize: number): EdgeLine[] {
  const { height } = page;
  const segments = page.segments.filter(
    (each) =>
      each.table === undefined &&
      (each.y + each.height <= height * edgeShare || each.y >= height * (1 - edgeShare)),
  );
  if (segments.length > edgeSegmentsMax) return [];
  return linesOf(segments)
    .filter((line) => line.size <= bodySize * 1.2)
    .map((line) => ({
      keys: keysOf(line.text, page.number).map((key) => `${Math.round(line.y / 6)} ${key}`),
      segments: segments.filter((each) => each.y < line.bottom && each.y + each.height > line.y),
    }));
}

/** `Page 5 of 9` on page 3 as `Page #2 of 9` and `Page 5 of #6`, of which the first is the same on every page. */
function keysOf(text: string, page: number): string[] {
  const numbers = [...text.matchAll(/\d{1,6}/g)].slice(0, 6);
  const keys = numbers.map(
    ({ 0: digits, index }) =>
      `${text.slice(0, index)}#${Number(digits) - page}${text.slice(index + digits.length)}`,
  );
  return [...keys, text];
}
