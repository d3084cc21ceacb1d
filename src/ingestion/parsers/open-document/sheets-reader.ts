import { linkedText } from '../linked-text.js';
import type { Sheet } from '../office/sheet-blocks.js';
import type { SheetRow } from '../tables/sheet-row.js';
import { ParseError } from '../parser.js';
import { childOf, childrenOf, descendantsOf, elementsOf, streamXml, textOf } from '../xml/reader.js';
import type { XmlElement, XmlEvents } from '../xml/reader.js';

/**
 * A cell or row is read at most as often as this; more repetitions are background that nobody has filled in.
 */
const repeatsMax = 1_000;
const cellsMax = 2_500_000;
const elementDepthMax = 300;
/** Fields that the program fills in, such as the page number. */
export const pageFields = new Set([
  'page-number',
  'page-count',
  'sheet-name',
  'date',
  'time',
  'file-name',
  'title',
]);

type MutableSheet = { name: string; rows: SheetRow[]; asides: { text: string; row?: number }[] };

/** The texts of an object by the name that the sheet calls it by. */
export type ObjectTexts = (name: string) => readonly string[];

/** The sheets of a spreadsheet, from its content.xml. @throws ParseError E1001 */
export function readSheets(content: Uint8Array, object: ObjectTexts): Sheet[] {
  const reader = new SheetsReader(object);
  streamXml(content, reader);
  return reader.sheets;
}

/** Builds a tree of each row, and drops it when it is read. */
class SheetsReader implements XmlEvents {
  readonly sheets: Sheet[] = [];
  private sheet: MutableSheet | undefined;
  private row = 0;
  private cells = 0;
  /** By column: a cell that reaches down, and the row before which it ends. */
  private readonly spans = new Map<number, { text: string; end: number }>();
  /** The open elements of the current row or drawing. */
  private readonly building: {
    name: string;
    attributes: XmlElement['attributes'];
    children: (XmlElement | string)[];
  }[] = [];
  /** The nesting of tables: those within charts and cells are no sheets. */
  private depth = 0;

  constructor(private readonly object: ObjectTexts) {}

  open(name: string, attributes: XmlElement['attributes']): void {
    if (this.building.length > 0 || (this.sheet && (name === 'table-row' || name === 'shapes'))) {
      if (this.building.length > elementDepthMax)
        throw new ParseError('E1001', 'The sheet is nested too deep.');
      const element = { name, attributes, children: [] };
      this.building.at(-1)?.children.push(element);
      this.building.push(element);
    } else if (name === 'table') {
      this.depth += 1;
      if (this.depth > 1) return;
      this.sheet = { name: attributes.name ?? '', rows: [], asides: [] };
      this.sheets.push(this.sheet);
      this.row = 0;
      this.spans.clear();
    }
  }

  text(text: string): void {
    this.building.at(-1)?.children.push(text);
  }

  close(name: string): void {
    const element = this.building.pop();
    if (element === undefined) {
      if (name === 'table') this.depth -= 1;
      if (this.depth === 0) this.sheet = undefined;
    } else if (this.building.length === 0 && this.sheet) {
      if (name === 'table-row') this.addRow(this.sheet, element);
      else this.sheet.asides.push(...this.drawnTexts(element).map((text) => ({ text })));
    }
  }

  /** The texts that reach down from above into some columns. */
  private spansAt(column: number, count: number): (readonly [column: number, text: string])[] {
    const columns =
      this.spans.size < count
        ? [...this.spans.keys()].filter((at) => at >= column && at < column + count)
        : Array.from({ length: count }, (_, index) => column + index);
    return columns.flatMap((at) => {
      const span = this.spans.get(at);
      return span && span.text !== '' && span.end > this.row ? [[at, span.text] as const] : [];
    });
  }

  private addRow(sheet: MutableSheet, element: XmlElement): void {
    const cells: (string | undefined)[] = [];
    const covered: (readonly [column: number, text: string])[] = [];
    let [column, widest] = [0, 1];
    for (const cell of childrenOf(element, 'table-cell', 'covered-table-cell')) {
      const repeated = Math.max(1, Number(cell.attributes['number-columns-repeated']) || 1);
      const text = cell.name === 'table-cell' ? cellText(cell) : '';
      for (let index = 0; text !== '' && index < Math.min(repeated, repeatsMax); index += 1)
        cells[column + index] = text;
      if (text !== '') widest = Math.max(widest, Number(cell.attributes['number-columns-spanned']) || 1);
      const rows = Number(cell.attributes['number-rows-spanned']) || 1;
      if (rows > 1) this.spans.set(column, { text, end: this.row + rows });
      else if (cell.name === 'covered-table-cell') covered.push(...this.spansAt(column, repeated));
      column += repeated;
      for (const note of childrenOf(cell, 'annotation'))
        sheet.asides.push({ text: annotationText(note), row: this.row + 1 });
      for (const text of this.drawnTexts(cell)) sheet.asides.push({ text, row: this.row + 1 });
    }
    // A cell over several rows is repeated in those of them that have other cells.
    if (cells.length > 0) for (const [at, text] of covered) cells[at] ??= text;
    const repeated = Math.max(1, Number(element.attributes['number-rows-repeated']) || 1);
    for (let index = 0; cells.length > 0 && index < Math.min(repeated, repeatsMax); index += 1) {
      this.cells += Object.keys(cells).length;
      if (this.cells > cellsMax)
        throw new ParseError('E1001', `The sheet is too large: over ${cellsMax} cells.`);
      sheet.rows.push({ row: this.row + index + 1, cells, widest });
    }
    this.row += repeated;
  }

  /** The texts of text boxes, shapes and objects on the sheet. */
  private drawnTexts(element: XmlElement): string[] {
    const shapes = elementsOf(element).filter(({ name }) => name !== 'p' && name !== 'annotation');
    return descendantsOf({ ...element, children: shapes }, 'p', 'object', 'object-ole').flatMap((found) =>
      found.name === 'p' ? [lineText(found).trim()] : this.object(found.attributes.href ?? ''),
    );
  }
}

/** The text of a cell as people see it, but dates as `2024-03-31`, whatever their format. */
function cellText(cell: XmlElement): string {
  const date = cell.attributes['date-value'];
  const shown = childrenOf(cell, 'p').map(lineText).join('\n').replace(/ {2,}/g, ' ').trim();
  if (date !== undefined && /^\d{4}-\d\d-\d\d/.test(date))
    return wholeSeconds(date)
      .replace('T', ' ')
      .replace(/ 00:00:00$/, '');
  if (shown !== '') return shown;
  const { value, 'boolean-value': truth, 'string-value': words } = cell.attributes;
  return words ?? value ?? truth ?? '';
}

/**
 * Rounds a time to seconds. Programs store times as fractions of days, so `2024-03-31T14:05:09.9999997` means
 * ten seconds past.
 */
function wholeSeconds(date: string): string {
  const time = /\.\d+$/.test(date) ? Date.parse(`${date}Z`) : NaN;
  return Number.isNaN(time) ? date : new Date(Math.round(time / 1000) * 1000).toISOString().slice(0, 19);
}

/**
 * The text of a paragraph without notes and fields of the page, with the targets of its links. Only its own
 * line breaks are kept.
 */
export function lineText(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === 'string') return child.replace(/\s+/g, ' ');
      if (child.name === 's') return ' ';
      if (child.name === 'tab') return '\t';
      if (child.name === 'line-break') return '\n';
      if (child.name === 'annotation' || child.name === 'ruby-text' || pageFields.has(child.name)) return '';
      const text = lineText(child);
      return child.name === 'a' ? linkedText(text, child.attributes.href ?? '') : text;
    })
    .join('');
}

function annotationText(note: XmlElement): string {
  const author = childOf(note, 'creator');
  const text = descendantsOf(note, 'p').map(lineText).join('\n').trim();
  return author && text !== '' ? `${textOf(author).trim()}: ${text}` : text;
}
