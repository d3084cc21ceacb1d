import { linkedText } from '../linked-text.js';
import type { CellFormat, CellFormats } from '../office/cell-text.js';
import { fillMerged, type MergedCells } from '../office/merged-cells.js';
import type { Links } from '../office/office-parts.js';
import type { SheetRow } from '../tables/sheet-row.js';
import { ParseError } from '../parser.js';
import { streamXml, type XmlElement, type XmlEvents } from '../xml/reader.js';

const rowsMax = 1_048_576;
const columnsMax = 16_384;
/** Each cell takes some hundred bytes until the file is indexed. */
const cellsMax = 2_500_000;
const pageText = /^(?:odd|even|first)(?:Header|Footer)$/;

/** What all sheets of a workbook share. */
export interface Book {
  readonly strings: readonly string[];
  /** By the index of a cell's style. */
  readonly styles: readonly CellFormat[];
  readonly formats: CellFormats;
}

/** The content of a sheet. */
export interface SheetContent {
  readonly rows: SheetRow[];
  /** Headers and footers of the printed pages, with their codes. */
  readonly pageTexts: readonly string[];
}

/**
 * Reads the cells of an Office Open XML worksheet, keeping only their texts in memory. @throws ParseError
 * E1001
 */
export function readSheet(xml: Uint8Array, book: Book, links: Links): SheetContent {
  const reader = new SheetReader(book, links);
  streamXml(xml, reader);
  return reader.finish();
}

class SheetReader implements XmlEvents {
  private readonly rows = new Map<number, (string | undefined)[]>();
  private readonly pageTexts: string[] = [];
  private readonly merges: MergedCells[] = [];
  private row = -1;
  private column = -1;
  private cells = 0;
  private cell: { type: string; style: number; value: string } | undefined;
  /** The text of the current element; undefined outside of elements that are read. */
  private value: string | undefined;
  private isReading = false;

  constructor(
    private readonly book: Book,
    private readonly links: Links,
  ) {}

  open(name: string, attributes: XmlElement['attributes']): void {
    if (name === 'row') {
      this.row = attributes.r ? Number(attributes.r) - 1 : this.row + 1;
      this.column = -1;
    } else if (name === 'c') {
      const place = placeOf(attributes.r);
      this.row = place?.r ?? this.row;
      this.column = place?.c ?? this.column + 1;
      this.cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: '' };
    } else if (name === 'rPh') this.isReading = true;
    else if (this.cell ? name === 'v' || name === 't' : pageText.test(name)) this.value = '';
    else if (name === 'mergeCell') this.addMerge(attributes.ref);
    else if (name === 'hyperlink') this.addTarget(attributes);
  }

  text(text: string): void {
    if (this.value !== undefined && !this.isReading) this.value += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.isReading = false;
    else if (name === 'c') this.addCell();
    else if (this.value !== undefined && this.cell && (name === 'v' || name === 't')) {
      this.cell.value += this.value;
      this.value = undefined;
    } else if (this.value !== undefined && pageText.test(name)) {
      this.pageTexts.push(this.value);
      this.value = undefined;
    }
  }

  finish(): SheetContent {
    const widths = fillMerged(this.merges, this.rows);
    const rows = [...this.rows].sort(([one], [other]) => one - other);
    return {
      rows: rows.map(([row, cells]) => ({ row: row + 1, cells, widest: widths.get(row) })),
      pageTexts: this.pageTexts,
    };
  }

  private addCell(): void {
    const { cell } = this;
    this.cell = undefined;
    const isPlace = this.row >= 0 && this.row < rowsMax && this.column >= 0 && this.column < columnsMax;
    if (!cell || cell.value === '' || !isPlace) return;
    this.cells += 1;
    if (this.cells > cellsMax)
      throw new ParseError('E1001', `The sheet is too large: over ${cellsMax} cells.`);
    const text = this.textOf(cell).trim();
    const cells = this.rows.get(this.row);
    if (text === '') return;
    if (cells) cells[this.column] = text;
    else {
      const first: (string | undefined)[] = [];
      first[this.column] = text;
      this.rows.set(this.row, first);
    }
  }

  private textOf({ type, style, value }: { type: string; style: number; value: string }): string {
    if (type === 's') return this.book.strings[Number(value)] ?? '';
    if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    if (type === 'd') return value.replace('T', ' ').replace(/(?: 00:00:00)?(?:\.0+)?Z?$/, '');
    const number = Number(value);
    if (type !== 'n' || value.trim() === '' || !Number.isFinite(number)) return unescaped(value);
    return this.book.formats.text(number, this.book.styles[style] ?? this.book.formats.of(undefined));
  }

  private addMerge(reference = ''): void {
    const [start, end] = reference.split(':').map(placeOf);
    if (start && end) this.merges.push({ s: start, e: { r: Math.min(end.r, rowsMax), c: end.c } });
  }

  private addTarget(attributes: XmlElement['attributes']): void {
    const place = placeOf(attributes.ref?.split(':', 1)[0]);
    const cells = place && this.rows.get(place.r);
    const link = this.links.get(attributes['r:id'] ?? attributes.id ?? '');
    const text = place && cells?.[place.c];
    if (text && link?.isExternal) cells[place.c] = linkedText(text, link.target);
  }
}

/** The zero-based row and column of a reference such as `B3` or `$B$3`; undefined for anything else. */
function placeOf(reference: string | undefined): { r: number; c: number } | undefined {
  const match = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference ?? '');
  if (!match?.[1]) return undefined;
  const column = [...match[1].toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return { r: Number(match[2]) - 1, c: column - 1 };
}

/** Decodes characters that XML does not allow, which Excel writes as `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\r\n?/g, '\n');
}
