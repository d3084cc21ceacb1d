import { parse } from 'csv-parse/sync';
import { decodeText } from './charset.js';
import { streamSafely, type BlockStream, type ParsedBlock, type Parser } from './parser.js';
import { tablesOf } from './tables/row-tables.js';
import { headerBlocks, rowBlocks, TableParts, type TableRow } from './tables/table-rows.js';

/** On a tie the rarer character in prose wins: `1,5;2,5` is two columns. */
const delimiters = ['\t', ';', '|', ','] as const;
const sniffedCharacters = 64 * 1024;
const sniffedRows = 20;
const batchRows = 500;
/** What is cut into cells at once. */
const pieceCharacters = 64 * 1024;
/** A file may grow to this many times its size by repeating its header, as within TableParts. */
const repeatedHeaderFactorMax = 8;
const repeatedHeaderCharactersFree = 1_000_000;

/** Rows as they are read, so that a large file is never whole in memory as cells. */
function* csvBlocks(text: string): Generator<ParsedBlock> {
  const { delimiter, start } = dialectOf(text);
  const table = new StreamedTable(text.length);
  for (const next of tablesOf(filledRows(text, { delimiter, start }))) {
    if ('row' in next) {
      if (table.add(next)) yield* table.take();
      continue;
    }
    yield* table.end();
    for (const { cells, row } of next.preamble)
      yield { text: cells.join(' ').trim(), headings: [], layout: { row } };
    table.begin(next.header);
  }
  yield* table.end();
}

/** Makes the blocks of tables batch by batch, and stops repeating headers when that would swell the text. */
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

  /** True when a batch is full. */
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

  /** The last rows, and names of columns that no row has filled. */
  end(): ParsedBlock[] {
    const rows = this.rows.length > 0 ? this.take() : [];
    return this.isHeaderShown ? rows : [...rows, ...this.parts.end([])];
  }
}

interface Dialect {
  readonly delimiter: string;
  /** Where the rows begin: a first line `sep=;` tells Excel the delimiter. */
  readonly start: number;
}

function dialectOf(text: string): Dialect {
  const [line, named] = /^\ufeff?sep=([^\n])\n/i.exec(text.slice(0, 10)) ?? [];
  if (line !== undefined && named !== undefined) return { delimiter: named, start: line.length };
  return { delimiter: sniffDelimiter(text.slice(0, sniffedCharacters)), start: 0 };
}

/** Rows that are not blank, counted from 1 with the blank ones. */
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

/** After a line end outside of quotes. Where a quote stays open to the end of a piece it is an ordinary character. */
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

/** An unclosed quote would swallow or refuse the text; then quotes are read as ordinary characters. */
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
