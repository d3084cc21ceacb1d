import { parse } from 'csv-parse/sync';
import { decodeText } from './charset.js';
import { parseSafely, type ParsedBlock, type ParsedDocument, type Parser } from './parser.js';
import { tableBlocks } from './table-rows.js';

/** On a tie the rarer character in prose wins: `1,5;2,5` is two columns. */
const delimiters = ['\t', ';', '|', ','] as const;
const sniffedCharacters = 64 * 1024;
const sniffedRows = 20;

type Row = { cells: string[]; row: number };

function csvDocument(text: string): ParsedDocument {
  const delimiter = sniffDelimiter(text.slice(0, sniffedCharacters));
  const rows = records(text, delimiter)
    .map((cells, index) => ({ cells, row: index + 1 }))
    .filter(({ cells }) => cells.some((cell) => /\S/.test(cell)));
  const { preamble, header, body } = splitHeader(rows);
  const notes: ParsedBlock[] = preamble.map(({ cells, row }) => ({
    text: cells.join(' ').trim(),
    headings: [],
    layout: { row },
  }));
  return { blocks: [...notes, ...tableBlocks({ header, rows: body, headings: [] })] };
}

/** An unclosed quote would swallow or refuse the file; then quotes are read as ordinary characters. */
function records(text: string, delimiter: string, rowsMax?: number): string[][] {
  const options = {
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    ...(rowsMax === undefined ? {} : { to: rowsMax }),
  };
  try {
    return parse(text, options);
  } catch {
    return parse(text, { ...options, quote: false });
  }
}

/** The delimiter that gives the most rows of one width above one; a comma when none does. */
function sniffDelimiter(sample: string): string {
  let best = { delimiter: ',', alike: 0 };
  for (const delimiter of delimiters) {
    const rowsOfWidth = new Map<number, number>();
    for (const { length } of records(sample, delimiter, sniffedRows)) {
      if (length > 1) rowsOfWidth.set(length, (rowsOfWidth.get(length) ?? 0) + 1);
    }
    const alike = Math.max(0, ...rowsOfWidth.values());
    if (alike > best.alike) best = { delimiter, alike };
  }
  return best.delimiter;
}

/**
 * The header is the first row with two filled cells (of one, in a file of one column); the lines before it are
 * a title or notes. A first row of nothing but numbers is data: the file has no header.
 */
function splitHeader(rows: readonly Row[]): { preamble: Row[]; header: string[]; body: Row[] } {
  const filled = ({ cells }: Row) => cells.filter((cell) => /\S/.test(cell));
  const start = Math.max(
    0,
    rows.findIndex((row) => filled(row).length > 1),
  );
  const first = rows[start];
  const preamble = rows.slice(0, start);
  if (first === undefined || filled(first).every(isNumber))
    return { preamble, header: [], body: rows.slice(start) };
  return { preamble, header: first.cells, body: rows.slice(start + 1) };
}

function isNumber(cell: string): boolean {
  return /^[\s\d.,+\-%€$£/:]+$/.test(cell);
}

export const csv: Parser = {
  name: 'csv',
  extensions: ['csv'],
  contentTypes: ['text/csv'],
  parse: (bytes) => parseSafely(() => csvDocument(decodeText(bytes))),
};
