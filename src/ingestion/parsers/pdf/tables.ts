import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import { inOneLine } from '../../../text/one-line.js';
import { lineAsRead } from '../../../text/reading-direction.js';
import type { ParsedBlock } from '../parser.js';
import { areFields } from '../tables/field-list.js';
import { namesColumns } from '../tables/header-row.js';
import { tableBlocks } from '../tables/table-rows.js';
import { figureTablesOf } from './figure-tables.js';
import { withGroupNames } from './group-names.js';
import { withJoinedTables } from './joined-tables.js';
import { withMergedRows } from './merged-rows.js';
import { areOfIndex } from './page-references.js';
import { rowsOf, type Segment } from './segments.js';
import { wordTablesOf } from './word-tables.js';

interface Cell {
  readonly text: string;
}

/** A table with its place on the page, in points. */
export interface PageTable {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly header: readonly string[];
  /** A row of one cell is over all columns. */
  readonly rows: readonly (readonly string[])[];
}

/** With longer cells on average, these are lines of text columns that happen to stand side by side. */
const cellCharactersMax = 32;
const cellCharactersMaxInColumns = 20;
const ruledCellCharactersMax = 400;
/** A multiple of the type size: names of columns do not stand further above each other. */
const titleGapMin = 1;
/** How many times larger than the names of columns a title is. */
const titleSizeMin = 1.15;
const filledShareMin = 0.45;
/** The share of letters in a table's place that its cells must contain; the others would be lost. */
const coveredShareMin = 0.9;

/**
 * The tables of a page: columns of numbers, what the library has found if it really looks like a table, and
 * other text that is aligned like one.
 */
export function tablesOf(page: ParsedPage, segments: readonly Segment[]): PageTable[] {
  const figures = figureTablesOf(segments);
  const words = wordTablesOf(segments);
  const found = foundTables(page, segments);
  // Lines around cells tell more than alignment does. Alignment tells more than what the library finds,
  // unless that has more rows.
  const isRuled = (page.complexity?.layout?.ruledTableCount ?? 0) > 0;
  const isMore = (table: PageTable) =>
    words.every((other) => !shareAPlace(table, other) || lineCount(table) > lineCount(other));
  const sources = isRuled
    ? [found, figures, words]
    : [figures, found.filter(isMore), words, found.filter((table) => !isMore(table))];
  const tables: PageTable[] = [];
  for (const table of sources.flat())
    if (!isIndex(table) && !tables.some((other) => shareAPlace(table, other))) tables.push(table);
  return tables;
}

/** The tables of a page of which only its text is known: what is aligned like one. */
export function alignedTablesOf(segments: readonly Segment[]): PageTable[] {
  const figures = figureTablesOf(segments);
  const words = wordTablesOf(segments);
  return [...figures, ...words.filter((table) => !figures.some((other) => shareAPlace(table, other)))].filter(
    (table) => !isIndex(table),
  );
}

/** Whether a table is an index in two columns. */
function isIndex({ header, rows }: PageTable): boolean {
  const width = Math.max(header.length, rows[0]?.length ?? 0);
  const columns = Array.from({ length: width }, (_, at) =>
    [header, ...rows].map((cells) => ({ text: cells[at] ?? '' })),
  );
  return columns.filter(areOfIndex).length > 1;
}

function lineCount({ header, rows }: Pick<PageTable, 'header' | 'rows'>): number {
  return rows.length + (header.length > 0 ? 1 : 0);
}

function shareAPlace(one: PageTable, other: PageTable): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function foundTables(page: ParsedPage, segments: readonly Segment[]): PageTable[] {
  const layout = page.complexity?.layout;
  const ruled = layout?.ruledTableCount ?? 0;
  const charactersMax = (layout?.columnCount ?? 1) > 1 ? cellCharactersMaxInColumns : cellCharactersMax;
  return withJoinedTables(page.blocks ?? []).flatMap((block) => {
    const table = block.kind === 'table' ? readTable(block, segments) : undefined;
    if (!table || !coversItsPlace(table, segments)) return [];
    const isTable =
      ruled > 0 ? isFilled(table, ruledCellCharactersMax) : isFilled(table, charactersMax) && isNamed(table);
    if (!isTable) return [];
    return [ruled > 0 || hasHeader(table, segments) ? table : withoutHeader(table)];
  });
}

function readTable(block: LayoutBlock, segments: readonly Segment[]): PageTable | undefined {
  const whole = withMergedRows(withoutTitle(block, segments), segments);
  return toTable(withGroupNames(whole, segments));
}

function toTable({ bbox, header, rows }: LayoutBlock): PageTable | undefined {
  if (!bbox) return undefined;
  const texts = (cells: readonly Cell[] = []) => cells.map((cell) => withoutMarkdown(cell.text));
  const { x, y, width, height } = bbox;
  const place = { x, y, width, height };
  const cells = (rows ?? []).map(texts);
  const names = texts(header);
  const all = names.length > 0 ? [names, ...cells] : cells;
  if (areFields(all)) return { ...place, header: [], rows: all };
  if (names.length > 0) return { ...place, header: names, rows: cells };
  const [first = [], ...others] = cells;
  return isOfWords(first) || namesColumns(first, others)
    ? { ...place, header: first, rows: others }
    : { ...place, header: [], rows: cells };
}

/**
 * Takes out of the first row what stands further above its last line, or in larger type: the library gives
 * all text of the page above a line to the table that the line begins.
 */
function withoutTitle(block: LayoutBlock, segments: readonly Segment[]): LayoutBlock {
  const first = block.header?.length ? block.header : block.rows?.[0];
  const places = first?.flatMap(({ bbox }) => bbox ?? []) ?? [];
  if (!first || !block.bbox || places.length < first.length) return block;
  const bottom = Math.max(...places.map(({ y, height }) => y + height));
  const row = { ...block.bbox, height: bottom - block.bbox.y };
  const lines = rowsOf(segments.filter((segment) => isInside(segment, row)));
  const start = lines.findLastIndex((line, index) => isTitleAbove(line, lines[index + 1]));
  if (start < 0) return block;
  const kept = lines.slice(start + 1).flat();
  const cells = first.map((cell, index) => ({ ...cell, text: textInside(kept, places[index]) }));
  const y = Math.min(...kept.map((segment) => segment.y));
  const bbox = { ...block.bbox, y, height: block.bbox.y + block.bbox.height - y };
  return first === block.header
    ? { ...block, bbox, header: cells }
    : { ...block, bbox, rows: [cells, ...(block.rows ?? []).slice(1)] };
}

function isTitleAbove(line: readonly Segment[], below: readonly Segment[] | undefined): boolean {
  if (below === undefined) return false;
  const size = Math.max(...below.map((segment) => segment.size));
  const gap = Math.min(...below.map(({ y }) => y)) - Math.max(...line.map(({ y, height }) => y + height));
  return gap > titleGapMin * size || line.some((segment) => segment.size > titleSizeMin * size);
}

function textInside(segments: readonly Segment[], place: LayoutBlock['bbox']): string {
  if (!place) return '';
  const inside = segments.filter(({ x, width }) => {
    const middle = x + width / 2;
    return middle >= place.x && middle < place.x + place.width;
  });
  return inside.map(({ text }) => text).join(' ');
}

/** Whether a first row may be the header: words, with hardly any missing. The library does not tell. */
function isOfWords(row: readonly string[]): boolean {
  const names = row.filter((cell) => /\p{L}/u.test(cell) && cell.length <= 80);
  return names.length >= 2 && names.length >= row.length - 1;
}

/**
 * Whether a table without lines around its cells has a header: its first line alone is bold, or stands above
 * values. Otherwise it may be a list of pairs.
 */
function hasHeader(table: PageTable, segments: readonly Segment[]): boolean {
  const [first, second] = rowsOf(segments.filter((segment) => isInside(segment, table)));
  const isBold = (row: readonly Segment[] = []) => row.every(({ bold }) => bold);
  const isSetApart = first !== undefined && isBold(first) && !isBold(second);
  return isSetApart || namesColumns(table.header, table.rows);
}

function withoutHeader(table: PageTable): PageTable {
  return table.header.length > 0 ? { ...table, header: [], rows: [table.header, ...table.rows] } : table;
}

/** Removes the library's marks for bold and italic words, and its escapes. */
function withoutMarkdown(text: string): string {
  const lines = text
    .replace(/\\([!-/:-@[-`{-~])|\*{1,3}/g, (_mark, escaped?: string) => escaped ?? '')
    .split(/<br\s*\/?>/);
  return inOneLine(lines.map((line) => lineAsRead(inOneLine(line))).join(' '));
}

function isFilled({ header, rows }: PageTable, charactersMax: number): boolean {
  const cells = [header, ...rows].flat();
  const filled = cells.filter((cell) => cell !== '');
  const lines = rows.length + (header.length > 0 ? 1 : 0);
  // Rows of one cell are over all columns.
  const whole = rows.filter(({ length }) => length === 1).length;
  const hasColumns = whole < rows.length && cells.length - whole >= 2 * (lines - whole) - 1;
  if (!hasColumns || filled.length < cells.length * filledShareMin) return false;
  return filled.reduce((sum, cell) => sum + cell.length, 0) <= charactersMax * filled.length;
}

function coversItsPlace(table: PageTable, segments: readonly Segment[]): boolean {
  const inside = segments.filter((segment) => isInside(segment, table)).map(({ text }) => text);
  const cells = [table.header, ...table.rows].flat();
  return countLetters(cells) >= coveredShareMin * countLetters(inside);
}

function countLetters(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + lettersOf(text).length, 0);
}

/** The letters and digits of a text, by which cells are compared. */
export function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a header consists of names. Prose that was taken for a table has pieces of sentences instead. */
function isNamed({ header }: PageTable): boolean {
  const names = header.filter((cell) => cell !== '');
  return (
    names.every((name) => /^[\p{L}\p{N}#$€£%(]/u.test(name)) &&
    names.filter((name) => /^\p{Ll}/u.test(name)).length <= names.length / 2
  );
}

/**
 * The pieces of a page, with one piece in the place of each table. A piece in the place of a table that none
 * of its cells says is left as it is.
 */
export function withTablePlaces(segments: readonly Segment[], tables: readonly PageTable[]): Segment[] {
  const said = tables.map(({ header, rows }) => lettersOf([header, ...rows].flat().join('')));
  const outside = segments.filter(
    (each) =>
      !tables.some((table, index) => isInside(each, table) && said[index]?.includes(lettersOf(each.text))),
  );
  const places = tables.map(({ x, y, width, height }, index) => ({
    ...{ x, y, width, height, text: ' ', size: 10, bold: false, table: index },
  }));
  return [...outside, ...places];
}

function isInside(segment: Segment, table: Pick<PageTable, 'x' | 'y' | 'width' | 'height'>): boolean {
  const x = segment.x + segment.width / 2;
  const y = segment.y + segment.height / 2;
  const margin = 1;
  return (
    x >= table.x - margin &&
    x <= table.x + table.width + margin &&
    y >= table.y - margin &&
    y <= table.y + table.height + margin
  );
}

/** The blocks of a table; `place` says where it is in the file. */
export function blocksOfTable(
  table: PageTable,
  headings: string[],
  place: { readonly page?: number },
): ParsedBlock[] {
  const first = table.header.length > 0 ? 2 : 1;
  const rows = table.rows.map((cells, index) => ({
    cells,
    row: index + first,
    ...(cells.length === 1 ? { aside: 'note' as const } : {}),
  }));
  return tableBlocks({ header: table.header, rows, headings }).map((block) => ({
    ...block,
    layout: { ...place, ...block.layout },
  }));
}
