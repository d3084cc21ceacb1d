import { clipUnits } from '../../lib/characters.js';
import type { ParsedBlock } from './parser.js';
import { tableBlocks, type Table } from './tables/table-rows.js';

/**
 * A longer heading is prose in the wrong style: it stays a block, and only its beginning is used as a
 * heading.
 */
export const headingCharactersMax = 200;

/** Collects blocks under the headings that are open; a heading with nothing below it becomes a block. */
export class Outline {
  readonly blocks: ParsedBlock[] = [];
  /** The first heading of depth 1. */
  title: string | undefined;
  private path: { depth: number; text: string; used: boolean; layout: ParsedBlock['layout'] }[] = [];
  private headings: string[] = [];

  /** Begins a section. `depth` counts from 1; `layout` is the place of the heading itself. */
  openHeading(depth: number, text: string, layout?: ParsedBlock['layout']): void {
    this.closeHeadings(depth);
    if (text === '') return;
    const short = clipHeading(text);
    if (depth === 1) this.title ??= short;
    this.path.push({ depth, text: short, used: false, layout });
    this.headings = this.path.map((heading) => heading.text);
    if (short !== text) this.add({ text, ...(layout && { layout }) });
  }

  /** Ends the sections of this depth and deeper. */
  closeHeadings(depth: number): void {
    for (let last = this.path.at(-1); last !== undefined && last.depth >= depth; last = this.path.at(-1)) {
      this.path.pop();
      this.headings = this.path.map((heading) => heading.text);
      if (!last.used) this.add({ text: last.text, ...(last.layout && { layout: last.layout }) });
    }
  }

  add(block: Omit<ParsedBlock, 'headings'>): void {
    this.addUnder({ ...block, headings: [] });
  }

  /** Adds a block that has headings of its own under those that are open. */
  addUnder(block: ParsedBlock): void {
    for (const heading of this.path) heading.used = true;
    const headings = block.headings.length > 0 ? [...this.headings, ...block.headings] : this.headings;
    this.blocks.push({ ...block, headings });
  }

  addTable(table: Omit<Table, 'headings'>): void {
    for (const block of tableBlocks({ ...table, headings: [] })) this.addUnder(block);
  }
}

/** A heading, or the beginning of one that is too long, cut between two code points. */
export function clipHeading(text: string): string {
  if (text.length <= headingCharactersMax) return text;
  return `${clipUnits(text, headingCharactersMax)}…`;
}
