import { parse } from 'csv-parse/sync';
import { decodeText } from './charset.js';
import { streamSafely, type BlockStream, type ParsedBlock, type Parser } from './parser.js';
import { filled } from './tables/header-row.js';
import { tablesOf } from './tables/row-tables.js';
import { tablesSideBySide } from './tables/side-by-side.js';
import { headerBlocks, rowBlocks, TableParts, type TableRow } from './tables/table-rows.js';

/** Of two that fit equally well, the one that is rarer in prose comes first: `1,5;2,5` is two columns. */
const delimiters = ['\t', ';', '|', ','] as const;
const sniffedCharacters = 64 * 1024;
const sniffedRows = 20;
const batchRows = 500;
/** How much text is cut into cells at once. */
const pieceCharacters = 64 * 1024;
/**
 * How many times its size a text may grow by the repetition of its header; the same bound as in TableParts.
 */
const repeatedHeaderFactorMax = 8;
const repeatedHeaderCharactersFree = 1_000_000;
/** A longer text is an export of one table, and is not held in memory to look for others. */
const comparedCharactersMax = 1_000_000;

/** Makes blocks while rows are read, so that the cells of a large file are never all in memory. */
function* csvBlocks(text: string): Generator<ParsedBlock> {
  const rows = filledRows(text, dialectOf(text));
  const parts = text.length > comparedCharactersMax ? [rows] : tablesApart(rows);
  const table = new StreamedTable(text.length);
  for (const part of parts) yield* partBlocks(part, table);
}

/** The rows of tables that stand side by side, table by table. */
function tablesApart(rows: Iterable<TableRow>): TableRow[][] {
  const blanked = [...rows].map(({ row, cells }) => ({
    row,
    cells: cells.map((cell) => (isFilled(cell) ? cell : '')),
  }));
  return tablesSideBySide(blanked).map((part) =>
    part.map(({ row, cells }) => ({ row, cells: cells.map((cell = '') => cell) })),
  );
}

function* partBlocks(rows: Iterable<TableRow>, table: StreamedTable): Generator<ParsedBlock> {
  for (const next of tablesOf(rows)) {
    if ('row' in next) {
      if (table.add(next)) yield* table.take();
      continue;
    }
    yield* table.end();
    for (const above of next.preamble)
      yield { text: filled(above).join(' ').trim(), headings: [], layout: { row: above.row } };
    table.begin(next.header);
  }
  yield* table.end();
}

/**
 * Makes the blocks of tables in batches. It stops repeating the header in each row when that would swell the
 * text too much.
 */
class StreamedTable {
  private rows: TableRow[] = [];
  private charactersLeft: number;
  private isHeaderShown = false;
  private header: readonly string[] = [];
  private parts = new TableParts([]);

  constructor(fileCharacters: number) {
    this.charactersLeft = Math.max(repeatedHeaderCharactersFree, fileCharacters * repeatedHeaderFactorMax);
  }

  begin(header: readonly string[]): void {
    this.header = header;
    this.parts = new TableParts(header);
    this.isHeaderShown = false;
  }

  /** Adds a row; true when the batch is full. */
  add(row: TableRow): boolean {
    return this.rows.push(row) >= batchRows;
  }

  take(): ParsedBlock[] {
    const { rows } = this;
    this.rows = [];
    const headerCharacters = this.header.reduce((sum, name) => sum + name.length + 2, 0);
    this.charactersLeft -= headerCharacters * rows.length;
    if (this.charactersLeft >= 0) return this.parts.blocksOf(rows, []);
    const shown = this.isHeaderShown ? [] : headerBlocks(this.header, []);
    this.isHeaderShown = true;
    return [...shown, ...rowBlocks({ header: [], rows, headings: [] })];
  }

  /** The remaining rows, and names of columns that no row has filled. */
  end(): ParsedBlock[] {
    const rows = this.rows.length > 0 ? this.take() : [];
    return this.isHeaderShown ? rows : [...rows, ...this.parts.end([])];
  }
}

interface Dialect {
  readonly delimiter: string;
  /** Where the rows begin: a first line such as `sep=;` tells Excel the delimiter. */
  readonly start: number;
}

function dialectOf(text: string): Dialect {
  const [line, named] = /^\ufeff?sep=([^\n])\n/i.exec(text.slice(0, 10)) ?? [];
  if (line !== undefined && named !== undefined) return { delimiter: named, start: line.length };
  return { delimiter: sniffDelimiter(text.slice(0, sniffedCharacters)), start: 0 };
}

/** The rows that are not blank, with their numbers from 1, blank rows counted. */
function* filledRows(text: string, { delimiter, start }: Dialect): Generator<TableRow> {
  let row = start === 0 ? 0 : 1;
  for (let at = start; at < text.length;) {
    const end = pieceEnd(text, at);
    const piece = text.slice(at, end);
    at = end;
    if (!isFilled(piece)) {
      row += piece.length;
      continue;
    }
    for (const cells of records(piece, { delimiter })) {
      row += 1;
      if (cells.some(isFilled)) yield { cells, row };
    }
  }
}

/**
 * Where a piece of text may end: after a line end outside of quotes. If a quote stays open to the end of the
 * piece, after any line end.
 */
function pieceEnd(text: string, start: number): number {
  const limit = start + pieceCharacters;
  if (limit >= text.length) return text.length;
  let lastEnd = 0;
  let lastEndOutside = 0;
  let isQuoted = false;
  for (let at = start; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isQuoted = !isQuoted;
    else if (code === 0x0a) {
      lastEnd = at + 1;
      if (!isQuoted) lastEndOutside = at + 1;
    }
  }
  return lastEndOutside || lastEnd || limit;
}

/** The delimiter that gives the most rows of one width above one; a comma when none does. */
function sniffDelimiter(sample: string): string {
  let best = { delimiter: ',', alike: 0 };
  for (const delimiter of delimiters) {
    const rowsOfWidth = new Map<number, number>();
    for (const { length } of records(sample, { delimiter, to: sniffedRows })) {
      if (length > 1) rowsOfWidth.set(length, (rowsOfWidth.get(length) ?? 0) + 1);
    }
    const alike = Math.max(0, ...rowsOfWidth.values());
    if (alike > best.alike) best = { delimiter, alike };
  }
  return best.delimiter;
}

/**
 * Cuts text into cells. Text with an unclosed quote would be swallowed or refused; it is read again with
 * quotes as ordinary characters.
 */
function records(text: string, options: { delimiter: string; to?: number }): string[][] {
  const relaxed = { ...options, bom: true, relax_column_count: true, relax_quotes: true };
  try {
    return parse(text, relaxed);
  } catch {
    return parse(text, { ...relaxed, quote: false });
  }
}

function isFilled(cell: string): boolean {
  return /\S/.test(cell);
}

export const csv: Parser<BlockStream> = {
  name: 'csv',
  extensions: ['csv', 'tsv'],
  contentTypes: ['text/csv', 'text/tab-separated-values'],
  parse: (bytes, { charset }) => streamSafely(() => ({ blocks: csvBlocks(decodeText(bytes, charset)) })),
};
