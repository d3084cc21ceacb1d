import type { Segment } from './segments.js';
import { linesOf } from './segments.js';

/** Page headers and footers stand in this part of the page's height, at each end. */
const edgeShare = 0.12;
const pageNumber =
  /^[-–—[(]?\s*(?:(?:page|seite|página|pagina|pág|p|s|стр)\.?\s*)?(?:#|[ivxlc]{1,6})\s*(?:(?:of|von|de|di|sur|из|\/|\|)\s*#)?\s*[-–—\])]?$/iu;

export interface PageText {
  readonly height: number;
  segments: Segment[];
}

/** Finds the lines that stand on every page, so that each is read once; page numbers not at all. */
export class RunningLines {
  private readonly seen = new Map<string, number>();
  private readonly kept = new Set<string>();

  /** Takes the repeated lines out of these pages, which follow those of the call before. */
  strip(pages: readonly PageText[], bodySize: number): void {
    const edges = pages.map((page) => edgeLines(page, bodySize));
    for (const lines of edges) {
      for (const key of new Set(lines.map((line) => line.key))) {
        this.seen.set(key, (this.seen.get(key) ?? 0) + 1);
      }
    }
    pages.forEach((page, index) => {
      const dropped = new Set<Segment>();
      for (const { key, segments } of edges[index] ?? []) {
        if (this.isRepeated(key)) for (const segment of segments) dropped.add(segment);
      }
      page.segments = page.segments.filter((segment) => !dropped.has(segment));
    });
  }

  private isRepeated(key: string): boolean {
    const text = key.slice(1);
    const times = this.seen.get(key) ?? 0;
    // Lines that differ in their numbers are a series from three on; two pages alike are enough for the same words.
    if (times < (text.includes('#') && !pageNumber.test(text) ? 3 : 2)) return false;
    if (pageNumber.test(text)) return true;
    const isFirst = !this.kept.has(key);
    this.kept.add(key);
    return !isFirst;
  }
}

/** Large type is a heading, however often it comes. */
function edgeLines(page: PageText, bodySize: number): { key: string; segments: Segment[] }[] {
  const atEdge = (part: (segment: Segment) => boolean, end: string) => {
    const segments = page.segments.filter((each) => each.table === undefined && part(each));
    return linesOf(segments)
      .filter((line) => line.size <= bodySize * 1.2)
      .map((line) => ({
        key: end + line.text.replace(/\d+/g, '#').replace(/\s+/g, ' '),
        segments: segments.filter((each) => each.y < line.bottom && each.y + each.height > line.y),
      }));
  };
  return [
    ...atEdge((each) => each.y + each.height <= page.height * edgeShare, '^'),
    ...atEdge((each) => each.y >= page.height * (1 - edgeShare), '$'),
  ];
}
