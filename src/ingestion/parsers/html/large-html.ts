import { decodeHTML } from 'entities';
import type { ParsedBlock } from '../parser.js';
import {
  layoutOf,
  RowSpans,
  type MarkupRow,
  type SpanningCell,
  type TableLayout,
} from '../tables/markup-table.js';
import { TableParts } from '../tables/table-rows.js';
import { tagEnd } from './tag-end.js';

/**
 * The largest page for which a tree is built. The libraries that read trees take a second for every megabyte,
 * and longer for many tags.
 */
const treeCharactersMax = 1_500_000;
const treeMarksMax = 25_000;
const blockCharactersMax = 20_000;
const cellsMax = 1_000;
/** How many rows are held back to find out what the columns of a table are. */
const rowsHeldMax = 200;
const headerCharactersMax = 2_000;
const headingCharactersMax = 200;
const skipped = new Set(
  'script style noscript template iframe object svg nav select textarea button title annotation annotation-xml'.split(
    ' ',
  ),
);
const inline = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby rt s samp small span strike strong sub sup time tt u var wbr img input'.split(
    ' ',
  ),
);

/** Whether a page is too large, or has too much markup, to be read as a tree. */
export function isLargeHtml(source: string): boolean {
  if (source.length > treeCharactersMax) return true;
  let marks = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    // `<`, `&` and `=`, which stand for tags, entities and attributes.
    if (code === 0x3c || code === 0x26 || code === 0x3d) marks += 1;
    if (marks > treeMarksMax) return true;
  }
  return false;
}

/** The title of a page in one line, read without building a tree; empty when it has none. */
export function titleOfLargeHtml(source: string): string {
  const start = source.slice(0, 100_000);
  const open = /<title\b[^<>]{0,1000}>/i.exec(start);
  if (open === null) return '';
  const from = open.index + open[0].length;
  return plain(start.slice(from, start.indexOf('<', from)));
}

/**
 * The blocks of a page, read from beginning to end without building a tree: paragraphs, list items and table
 * rows under their headings. Everything but menus is kept.
 */
export function* largeHtmlBlocks(source: string): Generator<ParsedBlock> {
  const page = new PageReader();
  for (const { name, isEnd, text, span } of tagsOf(source)) {
    page.text(text);
    if (name === '') continue;
    if (isEnd) page.close(name);
    else page.open(name, span);
    yield* page.take();
  }
  page.endBlock();
  page.endTable();
  page.closeHeadings(1);
  yield* page.take();
}

interface CellSpan {
  readonly columns: number;
  readonly rows: number;
}

const oneCell: CellSpan = { columns: 1, rows: 1 };

interface Tag {
  /** In lower case; empty at the end of the page. */
  readonly name: string;
  readonly isEnd: boolean;
  /** The text before the tag. */
  readonly text: string;
  /** How many columns and rows a cell covers. */
  readonly span: CellSpan;
}

/** The alternative text of an image, with spaces: between a picture and a word none is seen. */
function alternativeText(image: string): string {
  const [, , quoted, bare] = /\salt\s*=\s*(?:(["'])(.*?)\1|([^\s"'>]+))/is.exec(image) ?? [];
  return ` ${quoted ?? bare ?? ''} `;
}

const tagName = /\/?[a-z][\w:-]{0,40}/iy;

/**
 * Yields the tags that are shown, each with the text before it. Scripts, menus and the like are passed over.
 */
function* tagsOf(source: string): Generator<Tag> {
  let text = '';
  let start = 0;
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', at)) {
    text += source.slice(start, at);
    start = at;
    tagName.lastIndex = at + 1;
    const found = tagName.exec(source)?.[0].toLowerCase();
    const isComment = source.startsWith('<!--', at);
    const isOther = !isComment && (source[at + 1] === '!' || source[at + 1] === '?');
    if (found === undefined && !isComment && !isOther) {
      at += 1;
      continue;
    }
    const end = isComment
      ? source.indexOf('-->', at + 2)
      : isOther
        ? source.indexOf('>', at + 1)
        : tagEnd(source, at);
    if (end < 0) {
      start = source.length;
      break;
    }
    const tagStart = at;
    at = start = isComment ? end + 3 : end + 1;
    if (found === undefined) continue;
    if (skipped.has(found)) {
      at = start = afterElement(source, found, start);
      continue;
    }
    if (found === 'img') text += alternativeText(source.slice(tagStart, end));
    const span = found === 'td' || found === 'th' ? spanOf(source.slice(tagStart, end)) : oneCell;
    yield { name: found.replace('/', ''), isEnd: found.startsWith('/'), text, span };
    text = '';
  }
  yield { name: '', isEnd: true, text: text + source.slice(start), span: oneCell };
}

const columnsSpanned = /\scolspan\s*=\s*["']?(\d{1,3})/i;
const rowsSpanned = /\srowspan\s*=\s*["']?(\d{1,3})/i;

function spanOf(cell: string): CellSpan {
  const span = (pattern: RegExp) => Math.max(1, Number(pattern.exec(cell)?.[1] ?? 1));
  return { columns: span(columnsSpanned), rows: span(rowsSpanned) };
}

function afterElement(source: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}\\b[^<>]*>?`, 'gi');
  closing.lastIndex = from;
  const found = closing.exec(source);
  return found ? found.index + found[0].length : source.length;
}

interface OpenTable {
  /** Rows held back until it is known how they are to be read. */
  held: MarkupRow[];
  layout?: { parts: TableParts; rowOf: TableLayout['rowOf'] };
  readonly spans: RowSpans;
  rows: number;
}

/** Gathers text into blocks while tags are read. */
class PageReader {
  private pieces: string[] = [];
  private characters = 0;
  private isItem = false;
  private readonly path: { depth: number; text: string; isUsed: boolean }[] = [];
  private headings: string[] = [];
  private headingDepth = 0;
  private row: { cells: SpanningCell[]; isHeader: boolean; open?: CellSpan } | undefined;
  private table: OpenTable | undefined;
  private ready: ParsedBlock[] = [];

  take(): ParsedBlock[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  text(text: string): void {
    if (text === '') return;
    this.pieces.push(text);
    this.characters += text.length;
    if (this.characters > blockCharactersMax && this.row === undefined) this.endBlock();
  }

  open(name: string, span: CellSpan): void {
    if (name === 'br') this.pieces.push(this.row ? ' ' : '\u2028');
    else if (name === 'td' || name === 'th') this.beginCell(name === 'th', span);
    else if (name === 'tr') this.beginRow();
    else if (!inline.has(name)) {
      if (this.row) {
        this.pieces.push(' ');
        return;
      }
      this.endBlock();
      if (name === 'table') this.beginTable();
      this.isItem = name === 'li' || name === 'dd' || name === 'dt';
      this.headingDepth = /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
    }
  }

  close(name: string): void {
    if (inline.has(name) || name === 'br') return;
    if (name === 'tr' || name === 'table') this.endRow();
    if (name === 'table') this.endTable();
    if (this.row) this.pieces.push(' ');
    else this.endBlock();
  }

  endBlock(): void {
    this.endRow();
    const text = this.takeText();
    if (text === '') return;
    this.readHeldRows();
    if (this.headingDepth > 0) this.openHeading(text);
    else this.add({ text, headings: this.headings, ...(this.isItem && { keepTogether: true }) });
    this.isItem = false;
  }

  private openHeading(text: string): void {
    this.closeHeadings(this.headingDepth);
    this.path.push({ depth: this.headingDepth, text: text.slice(0, headingCharactersMax), isUsed: false });
    this.headings = this.path.map((heading) => heading.text);
    this.headingDepth = 0;
    if (text.length > headingCharactersMax) this.add({ text, headings: this.headings });
  }

  /** Ends the sections of this depth and deeper. A heading with nothing below it becomes a block. */
  closeHeadings(depth: number): void {
    for (let last = this.path.at(-1); last !== undefined && last.depth >= depth; last = this.path.at(-1)) {
      this.path.pop();
      this.headings = this.path.map((heading) => heading.text);
      if (!last.isUsed) this.add({ text: last.text, headings: this.headings });
    }
  }

  private add(block: ParsedBlock): void {
    for (const heading of this.path) heading.isUsed = true;
    this.ready.push(block);
  }

  private beginTable(): void {
    this.endTable();
    this.table = { held: [], spans: new RowSpans(), rows: 0 };
  }

  /** Ends the table; names of columns that no row has filled come last. */
  endTable(): void {
    this.readHeldRows();
    const { table } = this;
    this.table = undefined;
    for (const block of table?.layout?.parts.end(this.headings) ?? []) this.add(block);
  }

  private beginRow(): void {
    this.endBlock();
    if (!this.table) this.beginTable();
    this.row = { cells: [], isHeader: true };
  }

  private beginCell(isHeader: boolean, span: CellSpan): void {
    if (this.row === undefined) this.beginRow();
    this.endCell();
    if (this.row) {
      this.row.isHeader &&= isHeader;
      this.row.open = span;
    }
  }

  private endCell(): void {
    const text = this.takeText();
    const { row } = this;
    if (row && (row.open || text !== '') && row.cells.length < cellsMax) {
      row.cells.push({ text, ...(row.open ?? oneCell) });
    }
  }

  private endRow(): void {
    const { row, table } = this;
    if (row === undefined || table === undefined) return;
    this.endCell();
    this.row = undefined;
    const characters = row.cells.reduce((sum, { text }) => sum + text.length, 0);
    table.held.push({
      cells: table.spans.cellsOf(row.cells),
      isHeader: row.isHeader && characters <= headerCharactersMax,
    });
    if (table.layout || table.held.length >= rowsHeldMax) this.readHeldRows();
  }

  private readHeldRows(): void {
    const { table } = this;
    if (table === undefined || table.held.length === 0) return;
    const rows = table.held;
    table.held = [];
    let start = 0;
    if (table.layout === undefined) {
      const { header, headerRows, rowOf } = layoutOf(rows);
      table.layout = { parts: new TableParts(header), rowOf };
      start = headerRows;
    }
    const { parts, rowOf } = table.layout;
    const body = rows.slice(start).map((each, index) => rowOf(each, table.rows + start + index + 1));
    table.rows += rows.length;
    for (const block of parts.blocksOf(body, this.headings)) this.add(block);
  }

  private takeText(): string {
    const text = plain(this.pieces.join(''));
    this.pieces = [];
    this.characters = 0;
    return text;
  }
}

function plain(text: string): string {
  return decodeHTML(text)
    .replace(/[^\S\u2028]+/g, ' ')
    .replaceAll('\u2028', '\n')
    .trim();
}
