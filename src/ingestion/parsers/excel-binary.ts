import { bufferOf } from '../../lib/buffer-of.js';
import { reasonOf } from '../../lib/reason-of.js';
import { objectsIn } from './embedded-object.js';
import { drawnTexts } from './excel/drawn-records.js';
import { commentText } from './excel/sheet-parts.js';
import { linkedText } from './linked-text.js';
import { CellFormats, type NumberFormats } from './office/cell-text.js';
import { isCompoundFile, openCompoundFile, type CompoundStorage } from './office/compound-file.js';
import { fillMerged, type MergedCells } from './office/merged-cells.js';
import { sheetBlocks, type Sheet } from './office/sheet-blocks.js';
import {
  encryptedFile,
  mislabelledFile,
  ParseError,
  parseSafely,
  type ParseContext,
  type ParsedDocument,
  type Parser,
} from './parser.js';

/** A sheet as SheetJS gives it in dense mode: arrays with holes. */
interface Worksheet {
  readonly '!data'?: readonly (readonly (Cell | undefined)[] | undefined)[];
  readonly '!merges'?: readonly MergedCells[];
}

interface Cell {
  /** The type; n is a number. */
  readonly t?: string;
  readonly v?: unknown;
  /** The text that Excel shows. */
  readonly w?: string;
  /** The number format. */
  readonly z?: string | number;
  readonly l?: { readonly Target?: string };
  /** Comments: `a` is the author, `t` the text. */
  readonly c?: readonly { readonly a?: string; readonly t?: string }[];
}

interface Workbook {
  readonly SheetNames: readonly string[];
  readonly Sheets: Readonly<Record<string, Worksheet | undefined>>;
  readonly Workbook?: { readonly WBProps?: { readonly date1904?: boolean } };
}

interface SheetJs {
  read(bytes: Uint8Array, options: object): Workbook;
  set_cptable(tables: unknown): void;
  readonly SSF: NumberFormats;
}

/** The first two bytes of workbooks of Excel 2, 3 and 4, and of Excel 5 and later. */
const beginnings = new Set([0x0009, 0x0209, 0x0409, 0x0809]);

/** How the storages of files within a workbook are called. */
const objectName = /^MBD/;

async function workbookDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = isCompoundFile(bytes) ? openCompoundFile(bytes) : undefined;
  const stream = file ? workbookStream(file) : bytes;
  const [first = 0, second = 0] = stream;
  if (!beginnings.has(first + 256 * second)) throw mislabelledFile('it is no binary Excel file');
  const sheetJs = (await import('@e965/xlsx')) as unknown as SheetJs;
  sheetJs.set_cptable(await import('@e965/xlsx/dist/cpexcel'));
  const book = readBook(sheetJs, stream);
  const formats = new CellFormats(sheetJs.SSF, book.Workbook?.WBProps?.date1904 === true);
  const drawn = drawnTexts(bufferOf(stream));
  const blocks = book.SheetNames.flatMap((name) => {
    const { rows, asides } = contentOf(book.Sheets[name] ?? {}, formats);
    const beside = (drawn.get(name) ?? []).map((text) => ({ text }));
    return sheetBlocks({ name, rows, asides: [...asides, ...beside] });
  });
  const objects = [...(file?.storages ?? [])].filter(([name]) => objectName.test(name));
  for (const object of await objectsIn(objects.map(([, storage]) => storage)))
    for (const block of await context.readInner(object)) blocks.push(block);
  return { blocks };
}

/**
 * Reads the stream of the workbook. SheetJS's own reader fills the memory when chains of sectors run in
 * circles.
 */
function workbookStream({ streams }: CompoundStorage): Uint8Array {
  const stream =
    streams.get('Workbook') ?? streams.get('WORKBOOK') ?? streams.get('Book') ?? streams.get('BOOK');
  if (stream) return stream.read();
  throw streams.has('EncryptedPackage') ? encryptedFile() : mislabelledFile('it holds no workbook');
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
    const reason = reasonOf(error);
    if (/password|encrypt/i.test(reason)) throw encryptedFile();
    throw new ParseError('E1001', `The file cannot be read: ${reason}`);
  }
}

function contentOf(sheet: Worksheet, formats: CellFormats): Pick<Sheet, 'rows' | 'asides'> {
  const rows = new Map<number, (string | undefined)[]>();
  const asides: { text: string; row: number }[] = [];
  sheet['!data']?.forEach((line, index) => {
    const cells: (string | undefined)[] = [];
    for (const key of Object.keys(line ?? [])) {
      const cell = line?.[Number(key)];
      if (!cell) continue;
      const text = linkedText(textOf(cell, formats), cell.l?.Target ?? '');
      if (text !== '') cells[Number(key)] = text;
      for (const { a, t } of cell.c ?? [])
        asides.push({ text: commentText(a, beforeZero(t)), row: index + 1 });
    }
    if (cells.length > 0) rows.set(index, cells);
  });
  const widths = fillMerged(sheet['!merges'] ?? [], rows);
  const placed = [...rows].map(([index, cells]) => ({ row: index + 1, cells, widest: widths.get(index) }));
  return { rows: placed, asides };
}

/**
 * A comment without the bytes of its formatting. For comments in single-byte characters SheetJS includes
 * these, after a zero.
 */
function beforeZero(text = ''): string {
  return text.split('\0', 1)[0] ?? '';
}

function textOf({ t, v, w, z }: Cell, formats: CellFormats): string {
  const format = formats.of(z);
  // Dates and long whole numbers are not searched for in the form that SheetJS shows.
  if (t === 'n' && typeof v === 'number' && (format.isDate || w === undefined || Number.isSafeInteger(v)))
    return formats.text(v, format).trim();
  return (w ?? (typeof v === 'string' ? v : '')).trim();
}

export const excelBinary: Parser = {
  name: 'excel-binary',
  extensions: ['xls'],
  contentTypes: ['application/vnd.ms-excel'],
  parse: (bytes, context) => parseSafely(() => workbookDocument(bytes, context)),
};
