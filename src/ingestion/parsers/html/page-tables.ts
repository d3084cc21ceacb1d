import { inOneLine } from '../../../text/one-line.js';
import { linkedText } from '../linked-text.js';
import type { ParsedBlock } from '../parser.js';
import { layoutOf, RowSpans, type MarkupCell, type SpanningCell } from '../tables/markup-table.js';
import { tableBlocks, type Table } from '../tables/table-rows.js';
import type { DomDocument, DomElement } from './dom.js';

/** A table that contains these is for the layout of the page, not for data. */
const layoutContent = 'table,h1,h2,h3,h4,h5,h6,pre,blockquote,hr';
/** Stands for a table while the rest of the page goes through Markdown; `withoutTableMarks` sees to it that nothing else does. */
const tableMark = '\ue000';
/** The private-use character itself, and its names: fonts of signs begin with it. */
const tableMarks = /\ue000|&#(?:x0*e000|0*57344);?/gi;

/** The source of a page without what would be taken for a table. */
export function withoutTableMarks(source: string): string {
  return source.replace(tableMarks, ' ');
}

/**
 * Replaces data tables by marks, and returns them: the gfm plugin's own table rules take quadratic time
 * (4,000 rows took a minute).
 */
export function takeTables(document: DomDocument, root: DomElement): Table[] {
  const tables: Table[] = [];
  for (const element of root.querySelectorAll('table')) {
    // One within another that has been flattened. The article of a page stands in no document, so `isConnected` cannot tell.
    if (element.parentElement === null) continue;
    if (isNamedTable(element)) flattenCells(element);
    const table = element.querySelector(layoutContent) === null ? dataTable(element) : undefined;
    if (table === undefined) continue;
    const mark = document.createElement('p');
    const above = [element.querySelector('caption'), titleRowOf(element)];
    const caption = above.map((each) => inOneLine(each?.textContent ?? '')).filter((text) => text !== '');
    mark.textContent = `${caption.join(': ')}${tableMark}${tables.length}${tableMark}`;
    element.replaceWith(mark);
    tables.push(table);
  }
  return tables;
}

/** Whether the first row names columns, so that tables in its cells, as mails have for pictures, are no layout of a page. */
function isNamedTable(element: DomElement): boolean {
  const names = [...(element.querySelector('tr')?.children ?? [])];
  const areNames = names.every((cell) => cell.nodeName === 'TH' && /\S/.test(cell.textContent));
  return names.length > 1 && areNames && element.querySelector('tr')?.querySelector('table') === null;
}

function flattenCells(element: DomElement): void {
  for (const inner of element.querySelectorAll('table')) {
    for (const part of inner.querySelectorAll('td,th,br,p,div')) part.after(' ');
    inner.replaceWith(` ${inOneLine(inner.textContent)} `);
  }
}

/** A first row of one cell over all columns, which says what the table is about and names none of them. */
function titleRowOf(element: DomElement): DomElement | undefined {
  const [first, ...others] = element.querySelectorAll('tr');
  const [cell, ...more] = first?.children ?? [];
  const isOverAll = cell !== undefined && more.length === 0 && toCell(cell).columns > 1;
  return isOverAll && others.some((line) => [...line.children].length > 1) ? first : undefined;
}

/** Reads a table; undefined for one of a single column. */
function dataTable(element: DomElement): Table | undefined {
  const above = titleRowOf(element) === undefined ? 0 : 1;
  const lines = [...element.querySelectorAll('tr')].slice(above);
  const cells = lines.map((line) => [...line.children]);
  if (!cells.some((row) => row.length > 1)) return undefined;
  const spans = new RowSpans();
  const isNamed = (row: readonly DomElement[]) =>
    row.length > 0 && row.every((cell) => cell.nodeName === 'TH');
  const [first = [], second = []] = cells;
  const isSetAsNames = !isNamed(second) && isBold(first) && !isBold(second);
  const areLabelled = cells.every((row) => row.length === 2 && isNamed(row.slice(0, 1)) && !isNamed(row));
  const rows = cells.map((row, index) => ({
    cells: spans.cellsOf(row.map(toCell)).map((cell, at) => (areLabelled && at === 0 ? asLabel(cell) : cell)),
    isHeader:
      (lines[index]?.closest('thead') ?? null) !== null || isNamed(row) || (index === 0 && isSetAsNames),
  }));
  const { header, headerRows, rowOf } = layoutOf(rows);
  const body = rows.slice(headerRows).map((row, index) => rowOf(row, above + headerRows + index + 1));
  return { header, rows: body, headings: [] };
}

/** The first cell of a row of two, marked up as the label of the second. */
function asLabel<Cell extends MarkupCell>(cell: Cell): Cell {
  return /[\p{L}\p{N})]$/u.test(cell.text) ? { ...cell, text: `${cell.text}:` } : cell;
}

function isBold(row: readonly DomElement[]): boolean {
  const texts = row.map((cell) => inOneLine(cell.textContent));
  return (
    texts.filter((text) => text !== '').length > 1 &&
    row.every((cell, index) => texts[index] === inOneLine(cell.querySelector('b,strong')?.textContent ?? ''))
  );
}

function toCell(cell: DomElement): SpanningCell {
  for (const inner of cell.querySelectorAll('br,p,li,div')) inner.after(' ');
  for (const link of cell.querySelectorAll('a[href]'))
    link.textContent = linkedText(link.textContent, link.getAttribute('href') ?? undefined);
  const span = (name: string) => Math.max(1, Math.trunc(Number(cell.getAttribute(name)) || 1));
  return { text: inOneLine(cell.textContent), columns: span('colspan'), rows: span('rowspan') };
}

/** Puts tables back in the place of their marks in a block. */
export function withTables(block: ParsedBlock, tables: readonly Table[]): ParsedBlock[] {
  return block.text.split(tableMark).flatMap((part, index) => {
    const table = index % 2 === 1 ? tables[Number(part)] : undefined;
    return table ? tableBlocks({ ...table, headings: block.headings }) : [{ ...block, text: part }];
  });
}
