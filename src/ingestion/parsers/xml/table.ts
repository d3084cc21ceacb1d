import { inOneLine } from '../../../text/one-line.js';
import type { ParsedBlock } from '../parser.js';
import { layoutOf, RowSpans, type MarkupRow, type SpanningCell } from '../tables/markup-table.js';
import { tableBlocks } from '../tables/table-rows.js';
import type { XmlElement, XmlEvents } from './reader.js';

const rowNames = /^(?:row|tr)$/;

/**
 * Reads the rows of a table in the model of CALS (`tgroup`, used by DocBook and others) or HTML. Tables
 * within its cells become text of the cells.
 */
export class XmlTable implements XmlEvents {
  /** How many elements within it are open. */
  depth = 0;
  private readonly columns: string[] = [];
  private readonly rows: MarkupRow[] = [];
  private spans = new RowSpans();
  private isHead = false;
  private cells: SpanningCell[] = [];
  private isRow = false;
  private hasValues = false;
  private cell: { attributes: XmlElement['attributes']; text: string; depth: number } | undefined;

  open(name: string, attributes: XmlElement['attributes']): void {
    this.depth += 1;
    if (this.cell) this.cell.text += ' ';
    else if (name === 'colspec') this.columns.push(attributes.colname ?? '');
    else if (this.isRow) {
      this.cell = { attributes, text: '', depth: this.depth };
      this.hasValues ||= name !== 'th';
    } else if (rowNames.test(name)) {
      this.isRow = true;
      this.hasValues = false;
    } else if (/^(?:thead|tbody|tfoot)$/.test(name)) {
      this.isHead = name === 'thead';
      this.spans = new RowSpans();
    }
  }

  text(text: string): void {
    if (this.cell) this.cell.text += text;
  }

  close(name: string): void {
    if (this.cell?.depth === this.depth) {
      const { attributes, text } = this.cell;
      const [first, last] = [attributes.namest, attributes.nameend].map((each) =>
        this.columns.indexOf(each ?? ''),
      );
      const columns = Number(attributes.colspan) || Math.max(1, (last ?? 0) - (first ?? 0) + 1);
      const rows = Number(attributes.rowspan) || 1 + (Number(attributes.morerows) || 0);
      this.cells.push({ text: inOneLine(text), columns, rows });
      this.cell = undefined;
    } else if (rowNames.test(name) && !this.cell) {
      this.rows.push({ cells: this.spans.cellsOf(this.cells), isHeader: this.isHead || !this.hasValues });
      this.cells = [];
      this.isRow = false;
    }
    this.depth -= 1;
  }

  blocks(headings: string[]): ParsedBlock[] {
    const { header, headerRows, rowOf } = layoutOf(this.rows);
    const rows = this.rows.slice(headerRows).map((row, index) => rowOf(row, headerRows + index + 1));
    return tableBlocks({ header, rows, headings });
  }
}
