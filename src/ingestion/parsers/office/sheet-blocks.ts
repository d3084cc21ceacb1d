import type { ParsedBlock } from '../parser.js';
import { filled, type TableStart } from '../tables/header-row.js';
import { tablesOf } from '../tables/row-tables.js';
import { tableBlocks, type TableRow } from '../tables/table-rows.js';
import { filledColumns, type SheetRow } from '../tables/sheet-row.js';
import { tablesSideBySide } from '../tables/side-by-side.js';

/**
 * A limit for rows times columns. Above it cells do not keep their columns; otherwise a single cell far to
 * the right would make every row as wide.
 */
const placesMax = 20_000_000;

/** A sheet of a workbook, whatever its format. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly SheetRow[];
  /** Texts beside the cells: comments, texts of drawings, headers and footers. */
  readonly asides: readonly { text: string; row?: number }[];
  /** How many rows at the top name the columns, if the program itself says so. */
  readonly headerRows?: number;
}

/**
 * The blocks of a sheet under its name: its rows, each with the names of its columns, then the texts beside
 * them.
 */
export function sheetBlocks({ name, rows, asides, headerRows }: Sheet): ParsedBlock[] {
  const headings = name === '' ? [] : [name];
  const tables =
    headerRows === undefined
      ? tablesSideBySide(rows).flatMap((each) => splitTables(withColumns(each)))
      : [splitAt(withColumns(rows), headerRows)];
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

/** Leaves out columns that are blank in all rows. */
function withColumns(rows: readonly SheetRow[]): TableRow[] {
  const used = new Set<number>();
  for (const { cells } of rows) for (const column of filledColumns(cells)) used.add(column);
  const columns = [...used].sort((one, other) => one - other);
  const keepsPlaces = rows.length * columns.length <= placesMax;
  return rows.map(({ row, cells, widest = 1 }) => {
    const own = filledColumns(cells);
    const isTitle = widest > 1 && widest * 2 > columns.length && own.length === 1;
    return {
      row,
      cells: (keepsPlaces ? columns : own).map((column) => cells[column] ?? ''),
      ...(isTitle && { aside: 'title' }),
    };
  });
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
  // A line of totals above the names is not part of them; a line of groups is.
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
