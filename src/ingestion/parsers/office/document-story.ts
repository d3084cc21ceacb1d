import type { Outline } from '../outline.js';
import { documentTable, type DocumentCell, type DocumentRow } from './document-table.js';
import { columnsByEdges, type PlacedRow, type RowCell } from './row-cells.js';

/** The heading level of a paragraph, and whether it is in a table. */
export interface StoryParagraph {
  /** The level of a heading, 0 for the highest; undefined for text. */
  readonly level: number | undefined;
  readonly isInTable: boolean;
}

/**
 * Collects the content of a body, note, header or text box: paragraph by paragraph into an outline or,
 * without one, into `texts`.
 */
export class DocumentStory {
  /** The number or bullet of the current paragraph. */
  label = '';
  isBold = true;
  /**
   * The number of paragraphs so far. Whoever remembers a place in a paragraph can tell by it whether that is
   * still current.
   */
  paragraphs = 0;
  isHeaderRow = false;
  /** The cells of the row as the file defines them; empty where it does not. */
  rowCells: readonly RowCell[] = [];
  readonly texts: string[] = [];
  /** In pieces: a string that grows and is cut again and again would take quadratic time. */
  private pieces: string[] = [];
  private cellTexts: string[] = [];
  private isCellBold = true;
  private cells: DocumentCell[] = [];
  private rows: PlacedRow[] = [];
  private waiting: string[] = [];
  /** How many of those that wait were appended in the table. */
  private waitingInTable = 0;

  constructor(private readonly outline?: Outline) {}

  /** Adds text to the current paragraph. */
  say(text: string): void {
    if (text !== '') this.pieces.push(text);
  }

  /** What was said last in the current paragraph. */
  get lastSaid(): string {
    return this.pieces.at(-1) ?? '';
  }

  /** The current place in the paragraph, for `takeBack`. */
  get place(): number {
    return this.pieces.length;
  }

  /** Removes and returns what was said since a place. */
  takeBack(place: number): string {
    return this.pieces.splice(place).join('');
  }

  /** Adds a text that follows when the current paragraph or table ends. */
  append(text: string): void {
    if (/\S/.test(text)) this.waiting.push(text);
  }

  endParagraph({ level, isInTable }: StoryParagraph): void {
    const [text, label] = [this.takeText(), this.label];
    this.label = '';
    if (isInTable) {
      this.waitingInTable = this.waiting.length;
      if (text !== '') this.cellTexts.push(label === '' ? text : `${label} ${text}`);
      return;
    }
    // A paragraph before a table says nothing about its first cell.
    this.isCellBold = true;
    this.endTable();
    if (text !== '' && level !== undefined && this.outline) {
      const number = label === '-' || label === '' ? '' : `${label} `;
      this.outline.openHeading(level + 1, `${number}${text}`.replace(/\s+/g, ' '));
    } else if (text !== '') this.tell(label === '' ? text : `${label} ${text}`, label !== '');
    this.tellWaiting(this.waiting.length);
  }

  endCell(): void {
    this.endNestedRow();
    this.endParagraph({ level: undefined, isInTable: true });
    this.cells.push({
      text: this.cellTexts.join('\n'),
      columns: 1,
      isBold: this.isCellBold,
    });
    this.cellTexts = [];
    this.isCellBold = true;
  }

  /** Ends a cell of a table within a cell. Such a table becomes one line for each of its rows. */
  endNestedCell(): void {
    const text = this.takeText();
    if (text !== '') this.nestedCells.push(text);
  }

  endNestedRow(): void {
    if (this.nestedCells.length > 0) this.cellTexts.push(this.nestedCells.join('; '));
    this.nestedCells = [];
  }

  private nestedCells: string[] = [];

  endRow(): void {
    if (this.pieces.some((piece) => /\S/.test(piece)) || this.cellTexts.length > 0) this.endCell();
    if (this.cells.length > 0) {
      const { cells, isHeaderRow: isHeader, rowCells: places } = this;
      this.rows.push({ cells, isHeader, places });
    }
    this.cells = [];
  }

  /** Ends the paragraph, and the table if there is one. */
  end(paragraph: StoryParagraph): void {
    this.endParagraph({ ...paragraph, isInTable: false });
  }

  private endTable(): void {
    if (this.cells.length > 0 || this.cellTexts.length > 0) this.endRow();
    const rows: DocumentRow[] = columnsByEdges(this.rows);
    if (rows.length === 0) return;
    this.rows = [];
    if (this.outline && rows.some(({ cells }) => cells.length > 1))
      this.outline.addTable(documentTable(rows));
    else
      for (const { cells } of rows)
        this.tell(
          cells
            .map(({ text }) => text)
            .filter((text) => text !== '')
            .join('; '),
        );
    this.tellWaiting(this.waitingInTable);
  }

  private takeText(): string {
    const text = this.takeBack(0)
      .replace(/[^\S\n]+\n/g, '\n')
      .trim();
    if (text !== '' && !this.isBold) this.isCellBold = false;
    this.isBold = true;
    this.paragraphs += 1;
    return text;
  }

  private tellWaiting(count: number): void {
    this.waitingInTable = 0;
    for (const text of this.waiting.splice(0, count)) this.tell(text);
  }

  private tell(text: string, keepTogether = false): void {
    if (text === '') return;
    if (this.outline) this.outline.add({ text, ...(keepTogether && { keepTogether }) });
    else this.texts.push(text);
  }
}
