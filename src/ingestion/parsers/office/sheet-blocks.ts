import type { ParsedBlock } from '../parser.js';
import { filled, type TableStart } from '../tables/header-row.js';
import { tablesOf } from '../tables/row-tables.js';
import { tableBlocks, type TableRow } from '../tables/table-rows.js';

/** Rows times columns; above it columns lose their places, or a cell far out would make every row as wide. */
const placesMax = 20_000_000;

export interface SheetRow {
  /** Counted from 1 in the sheet. */
  readonly row: number;
  /** By column from 0, with holes. */
  readonly cells: readonly (string | undefined)[];
}

export interface Sheet {
  readonly name: string;
  readonly rows: readonly SheetRow[];
  /** What stands beside the cells: comments, texts of drawings, headers and footers. */
  readonly asides: readonly { text: string; row?: number }[];
  /** Where the program itself knows: how many rows at the top name the columns. */
  readonly headerRows?: number;
}

/** The rows of a sheet under its name, each with the names of its columns; then what stands beside them. */
export function sheetBlocks({ name, rows, asides, headerRows }: Sheet): ParsedBlock[] {
  const headings = name === '' ? [] : [name];
  const cells = withColumns(rows);
  const tables = headerRows === undefined ? splitTables(cells) : [splitAt(cells, headerRows)];
  const blocks = tables.flatMap(({ preamble, header, body }) => [
    ...preamble.map((row) => ({ text: filled(row).join(' '), headings, layout: { row: row.row } })),
    ...tableBlocks({ header, rows: body, headings }),
  ]);
  const beside = asides
    .filter(({ text }) => /\S/.test(text))
    .map(({ text, row }) => ({ text, headings, layout: row === undefined ? {} : { row } }));
  return [...blocks, ...beside].map((block) => ({
    ...block,
    layout: { ...(name !== '' && { sheet: name }), ...block.layout },
  }));
}

/** Columns that are blank all over are left out. */
function withColumns(rows: readonly SheetRow[]): TableRow[] {
  const used = new Set<number>();
  for (const { cells } of rows) for (const column of filledColumns(cells)) used.add(column);
  const columns = [...used].sort((one, other) => one - other);
  const keepsPlaces = rows.length * columns.length <= placesMax;
  return rows.map(({ row, cells }) => ({
    row,
    cells: (keepsPlaces ? columns : filledColumns(cells)).map((column) => cells[column] ?? ''),
  }));
}

/** A wide row is mostly holes, which are not walked through. */
function filledColumns(cells: SheetRow['cells']): number[] {
  return Object.keys(cells)
    .map(Number)
    .filter((column) => cells[column] !== undefined && cells[column] !== '');
}

function splitTables(rows: readonly TableRow[]): TableStart[] {
  const tables: (TableStart & { body: TableRow[] })[] = [];
  for (const next of tablesOf(rows)) {
    if ('row' in next) tables.at(-1)?.body.push(next);
    else tables.push({ ...next, body: [] });
  }
  return tables;
}

function splitAt(rows: readonly TableRow[], headerRows: number): TableStart {
  const above = rows.slice(0, headerRows);
  const last = above.at(-1);
  if (last === undefined) return { preamble: [], header: [], body: rows };
  // A line of totals above the names is no name; a line of groups is.
  const names = above.filter((row) => 2 * filled(row).length > filled(last).length);
  const header = last.cells.map((_, column) =>
    names
      .map(({ cells }) => cells[column] ?? '')
      .filter((cell) => cell !== '')
      .join(' '),
  );
  const preamble = above.filter((row) => !names.includes(row));
  return { preamble, header, body: rows.slice(above.length) };
}
