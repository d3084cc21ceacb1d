import type { ParsedPage } from '@llamaindex/liteparse';
import { addToList } from '../../../lib/add-to-list.js';
import { Outline } from '../outline.js';
import type { ParsedBlock } from '../parser.js';
import { readingOrder, type Flow } from './columns.js';
import { withNoteMarks } from './foot-notes.js';
import { linksOf, notesOf } from './page-notes.js';
import { joinTexts, paragraphsOf, type Paragraph } from './paragraphs.js';
import { commonSize, linesOf, type Segment } from './segments.js';
import { blocksOfTable, lettersOf, type PageTable } from './tables.js';

/** A page whose text has been laid out in pieces and tables. */
export interface LaidOutPage {
  readonly page: ParsedPage;
  readonly number: number;
  readonly height: number;
  segments: Segment[];
  /** Lines that several pages have in common, as RunningLines found them. */
  readonly head: Segment[];
  readonly foot: Segment[];
  /** Text along the sides of the page or across it, by direction. */
  readonly turned: readonly Segment[][];
  readonly tables: readonly PageTable[];
  /** Whether the page was read by OCR, which gives no type sizes to tell headings by. */
  readonly isOcr: boolean;
}

/**
 * How many times larger than the text a heading is, outermost first. A bold line of the text's size is one
 * level deeper.
 */
const headingRatios = [1.7, 1.35, 1.13];
/** In points, of a document without text. */
const defaultBodySize = 10;
const headingCharactersMax = 200;
const boldHeadingCharactersMax = 90;

/** Turns pages into blocks under headings, which are recognised by their type size. */
export class PageBlocks {
  private readonly outline = new Outline();
  /** The last paragraph, as long as the next page or column may continue it. */
  private open: { block: ParsedBlock; page: number } | undefined;

  addPage(laidOut: LaidOutPage, bodySize: number): void {
    const { page, segments, turned } = laidOut;
    this.addRunning(laidOut.head, page.pageNum);
    this.addFlows(readingOrder(withTargets(segments, linksOf(page)), laidOut.isOcr), laidOut, bodySize);
    for (const each of turned) {
      this.open = undefined;
      if (isMostOf(page, each)) this.addFlows(readingOrder(each), laidOut, bodySize);
      else this.addAside(readingOrder(each), page.pageNum);
    }
    this.addRunning(laidOut.foot, page.pageNum);
    for (const note of notesOf(page, [])) this.outline.add(note);
  }

  /**
   * Adds headers and footers as blocks of their own. They do not divide a sentence that continues on the next
   * page.
   */
  private addRunning(segments: readonly Segment[], page: number): void {
    for (const { text } of paragraphsOf(linesOf(segments))) this.outline.add({ text, layout: { page } });
  }

  private addFlows(flows: readonly Flow[], { page, tables, isOcr }: LaidOutPage, bodySize: number): void {
    const lines = flows.map(linesOf);
    for (const paragraph of (isOcr ? lines : withNoteMarks(lines, bodySize)).flatMap(paragraphsOf)) {
      const table = paragraph.table === undefined ? undefined : tables[paragraph.table];
      const level = isOcr ? undefined : headingLevel(paragraph, bodySize);
      if (!table && level === undefined) {
        this.addParagraph(paragraph, page.pageNum);
        continue;
      }
      this.open = undefined;
      if (table)
        for (const block of blocksOfTable(table, [], { page: page.pageNum })) this.outline.add(block);
      else if (level !== undefined) this.outline.openHeading(level, paragraph.text, { page: page.pageNum });
    }
  }

  /** Adds what stands at the side of a text or a drawing, which is no heading of what follows. */
  private addAside(flows: readonly Flow[], page: number): void {
    for (const paragraph of flows.map(linesOf).flatMap(paragraphsOf)) this.addParagraph(paragraph, page);
  }

  private addParagraph(paragraph: Paragraph, page: number): void {
    const { open } = this;
    if (open && page <= open.page + 1 && goesOn(open.block.text, paragraph)) {
      open.block.text = joinTexts(open.block.text, paragraph.text);
      return;
    }
    this.outline.add({
      text: paragraph.text,
      layout: { page },
      ...(paragraph.isItem && { keepTogether: true }),
    });
    const block = this.outline.blocks.at(-1);
    this.open = block && { block, page };
  }

  close(): ParsedBlock[] {
    this.outline.closeHeadings(1);
    return this.outline.blocks;
  }
}

/**
 * Whether a paragraph continues a text: the text is an unfinished sentence, and the paragraph does not begin
 * one.
 */
function goesOn(text: string, { text: next, isItem }: Paragraph): boolean {
  return !isItem && /[\p{Ll},\u00ad\u2010-]$/u.test(text) && text.length > 40 && /^\p{Ll}{2}/u.test(next);
}

function isMostOf(page: ParsedPage, segments: readonly Segment[]): boolean {
  const letters = lettersOf(segments.map(({ text }) => text).join('')).length;
  return letters * 2 >= lettersOf(page.text).length;
}

function headingLevel(paragraph: Paragraph, bodySize: number): number | undefined {
  const { text, size, bold, lines, isItem, columns } = paragraph;
  if (paragraph.isEntry) return undefined;
  if (text.length > headingCharactersMax || lines > 3 || !/\p{L}.*\p{L}/u.test(text)) return undefined;
  if (/[.,;]$/.test(text)) return undefined;
  const level = headingRatios.findIndex((ratio) => size >= bodySize * ratio);
  if (level >= 0) return level + 1;
  // More columns are the names of those of a table.
  const isBoldLine = bold && lines === 1 && size >= bodySize * 0.95 && !isItem && columns <= 2;
  if (!isBoldLine || text.length > boldHeadingCharactersMax || /[:!?]$/.test(text)) return undefined;
  return headingRatios.length + 1;
}

/** Adds to pieces of text the targets of links on them, unless the text is the target itself. */
function withTargets(
  segments: readonly Segment[],
  links: readonly { x: number; y: number; target: string }[],
): Segment[] {
  const targets = new Map<Segment, string[]>();
  for (const { x, y, target } of links) {
    const segment = segments.find(
      (each) => x >= each.x && x <= each.x + each.width && y >= each.y - 2 && y <= each.y + each.height + 2,
    );
    const bare = target.replace(/^(?:https?:\/\/|mailto:)|\/$/gi, '');
    if (segment && !segment.text.includes(bare)) addToList(targets, segment, target);
  }
  return segments.map((segment) => ({ ...segment, targets: targets.get(segment) ?? [] }));
}

/** The type size of most letters of all pages, in half points. */
export function bodySizeOf(pages: readonly LaidOutPage[]): number {
  const rounded = pages.flatMap(({ segments }) =>
    segments.map(({ size, text }) => ({ size: Math.round(size * 2) / 2, text })),
  );
  return commonSize(rounded) ?? defaultBodySize;
}
