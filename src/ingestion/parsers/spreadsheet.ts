import { cellText, type Cell, type DateReader } from './cell-text.js';
import { isCompoundFile, refuseCompoundFile } from './compound-file.js';
import { withTarget } from './drawing-text.js';
import { ParseError, parseSafely } from './parser.js';
import type { ParseContext, ParsedBlock, ParsedDocument, Parser } from './parser.js';
import { sheetBlocks, type Sheet } from './sheet-blocks.js';
import { sheetAsides } from './sheet-parts.js';
import { repack, unzip } from './zip.js';

const unread = /^xl\/(?:media|printerSettings|externalLinks|pivotCache|model|vbaProject)|^customXml\//i;
const embedded = /^xl\/embeddings\//i;
/** SheetJS takes up to ten times as much memory while it reads a sheet. */
const sheetBytesMax = 100 * 1024 * 1024;
const mergedFillsMax = 1_000_000;

interface Place {
  readonly r: number;
  readonly c: number;
}

/** What SheetJS gives in its dense mode, with holes. */
interface Worksheet {
  readonly '!data'?: readonly (readonly (FullCell | undefined)[] | undefined)[];
  readonly '!merges'?: readonly { s: Place; e: Place }[];
}

interface FullCell extends Cell {
  readonly l?: { Target?: string };
  readonly c?: readonly { a?: string; t?: string }[];
}

interface Workbook {
  readonly SheetNames: readonly string[];
  readonly Sheets: Readonly<Record<string, Worksheet | undefined>>;
  readonly Workbook?: { WBProps?: { date1904?: boolean } };
}

interface SheetJs {
  read(bytes: Uint8Array, options: object): Workbook;
  set_cptable(tables: unknown): void;
  readonly SSF: { parse_date_code(serial: number, options: object): ReturnType<DateReader> };
}

/** Opens the archive first: SheetJS itself believes what an archive declares. */
async function xlsxDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  await refuseCompoundFile(bytes);
  const parts = await unzip(bytes, (name) => !unread.test(name));
  if (![...parts.keys()].some((name) => /^xl\/workbook\./i.test(name)))
    throw new ParseError('E1001', 'The file is not what its extension says: it holds no workbook.');
  for (const [name, { byteLength }] of parts) {
    if (/^xl\/(?:worksheets\/|sharedStrings)/i.test(name) && byteLength > sheetBytesMax)
      throw new ParseError('E1001', `The workbook is too large to be read: ${name}.`);
  }
  const inner = [...parts].filter(([name]) => embedded.test(name));
  for (const [name] of inner) parts.delete(name);
  const asides = sheetAsides(parts);
  const blocks = await workbookBlocks(await repack(parts), (name) => asides.get(name) ?? []);
  for (const [name, content] of inner) {
    blocks.push(
      ...(await context.readInner({ name: name.slice(name.lastIndexOf('/') + 1), bytes: content })),
    );
  }
  return { blocks };
}

/** Beginnings of workbooks of Excel 2 to 5 that are not wrapped in a compound file. */
const bareBiff = new Set([0x0009, 0x0209, 0x0409, 0x0809]);

async function xlsDocument(bytes: Uint8Array): Promise<ParsedDocument> {
  if (!isCompoundFile(bytes) && !bareBiff.has((bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8)))
    throw new ParseError('E1001', 'The file is not what its extension says: it is no binary Excel file.');
  return { blocks: await workbookBlocks(bytes, () => []) };
}

async function workbookBlocks(
  bytes: Uint8Array,
  asidesOf: (sheet: string) => Sheet['asides'],
): Promise<ParsedBlock[]> {
  const sheetJs = (await import('@e965/xlsx')) as unknown as SheetJs;
  sheetJs.set_cptable(await import('@e965/xlsx/dist/cpexcel'));
  const book = readBook(sheetJs, bytes);
  const options = { date1904: book.Workbook?.WBProps?.date1904 === true };
  const readDate: DateReader = (serial) => sheetJs.SSF.parse_date_code(serial, options);
  return book.SheetNames.flatMap((name) => {
    const sheet = book.Sheets[name];
    if (!sheet) return [];
    const { rows, comments } = cellsOf(sheet, readDate);
    return sheetBlocks({ name, rows, asides: [...comments, ...asidesOf(name)] });
  });
}

function readBook(sheetJs: SheetJs, bytes: Uint8Array): Workbook {
  try {
    return sheetJs.read(bytes, {
      type: 'array',
      dense: true,
      cellNF: true,
      cellFormula: false,
      cellHTML: false,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/password|encrypt/i.test(reason)) throw new ParseError('E1001', 'The file is encrypted.');
    throw new ParseError('E1001', `The file cannot be read: ${reason}`);
  }
}

/** Walks what is there: a sheet of two cells may claim a million rows. */
function cellsOf(sheet: Worksheet, readDate: DateReader): { rows: Sheet['rows']; comments: Sheet['asides'] } {
  const rows = new Map<number, Map<number, string>>();
  const comments: { text: string; row: number }[] = [];
  sheet['!data']?.forEach((line, index) => {
    const cells = new Map<number, string>();
    for (const column of Object.keys(line ?? [])) {
      const cell = line?.[Number(column)];
      if (!cell) continue;
      const text = withTarget(cellText(cell, readDate), cell.l?.Target ?? '');
      if (text !== '') cells.set(Number(column), text);
      for (const { a, t } of cell.c ?? []) comments.push({ text: commentText(a, t), row: index + 1 });
    }
    if (cells.size > 0) rows.set(index, cells);
  });
  fillMerged(sheet['!merges'] ?? [], rows);
  return { rows: [...rows].map(([index, cells]) => ({ row: index + 1, cells })), comments };
}

/** Excel begins the text of a note with its author. */
function commentText(author = '', text = ''): string {
  const said = text.replace(/\r\n?/g, '\n').trim();
  return author === '' || said === '' || said.startsWith(author) ? said : `${author}: ${said}`;
}

/** A cell merged over several rows counts for each of them, so that no row is understood wrongly by itself. */
function fillMerged(
  merges: readonly { s: Place; e: Place }[],
  rows: ReadonlyMap<number, Map<number, string>>,
): void {
  let fills = 0;
  for (const { s, e } of merges) {
    const text = rows.get(s.r)?.get(s.c);
    if (text === undefined) continue;
    for (let row = s.r + 1; row <= e.r && fills < mergedFillsMax; row += 1, fills += 1) {
      const cells = rows.get(row);
      if (cells && !cells.has(s.c)) cells.set(s.c, text);
    }
  }
}

export const excel: Parser = {
  name: 'excel',
  extensions: ['xlsx'],
  contentTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  parse: (bytes, context) => parseSafely(() => xlsxDocument(bytes, context)),
};

export const excelBinary: Parser = {
  name: 'excel-binary',
  extensions: ['xls'],
  contentTypes: ['application/vnd.ms-excel'],
  parse: (bytes) => parseSafely(() => xlsDocument(bytes)),
};
