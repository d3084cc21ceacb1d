import { parse } from 'csv-parse/sync';
import { decodeText } from './charset.js';
import { splitHeader } from './header-row.js';
import { parseSafely, type ParsedBlock, type ParsedDocument, type Parser } from './parser.js';
import { tableBlocks } from './table-rows.js';

/** On a tie the rarer character in prose wins: `1,5;2,5` is two columns. */
const delimiters = ['\t', ';', '|', ','] as const;
const sniffedCharacters = 64 * 1024;
const sniffedRows = 20;

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

export const csv: Parser = {
  name: 'csv',
  extensions: ['csv'],
  contentTypes: ['text/csv'],
  parse: (bytes) => parseSafely(() => csvDocument(decodeText(bytes))),
};
