import { inOneLine } from '../../../text/one-line.js';
import { linkedText } from '../linked-text.js';
import { raisedText } from '../raised-text.js';
import type { TableRow } from '../tables/table-rows.js';
import { childOf, childrenOf, elementsOf, textOf, type XmlElement } from '../xml/reader.js';
import { alternative } from './alternative.js';
import { formulaText } from './formula-text.js';
import type { Links } from './office-parts.js';

/** Fields that are on every slide and say nothing, or repeat in a label what the chart shows. */
const emptyFields =
  /^(?:slidenum|datetime|cellrange$|seriesname$|categoryname$|value$|[xy]value$|percentage$|bubblesize$)/i;

/**
 * The paragraphs of a DrawingML text body. Line breaks are kept, and the target of a link follows it in
 * brackets.
 */
export function paragraphsOf(body: XmlElement | undefined, links: Links): string[] {
  return childrenOf(body, 'p')
    .map((paragraph) => runsOf(paragraph, links).trim())
    .filter((text) => text !== '');
}

/** The text of a text body in one line. */
export function lineOf(body: XmlElement | undefined): string {
  return inOneLine(paragraphsOf(body, new Map()).join(' '));
}

function runsOf(paragraph: XmlElement, links: Links): string {
  return elementsOf(paragraph).reduce((text, element) => text + pieceOf(element, links, text), '');
}

function pieceOf(element: XmlElement, links: Links, before: string): string {
  switch (element.name) {
    case 'r': {
      const isRaised = Number(childOf(element, 'rPr')?.attributes.baseline ?? 0) > 0;
      return isRaised ? raisedText(runText(element, links), before) : runText(element, links);
    }
    case 'fld':
      return emptyFields.test(element.attributes.type ?? '') ? '' : runText(element, links);
    case 'br':
      return '\n';
    case 'm':
      return elementsOf(element)
        .map((formula) => formulaText(formula, (run) => runText(run, links)))
        .join('');
    case 'AlternateContent':
      return runsOf(alternative(element), links);
    default:
      return '';
  }
}

function runText(run: XmlElement, links: Links): string {
  const text = childrenOf(run, 't').map(textOf).join('');
  const link = childOf(childOf(run, 'rPr'), 'hlinkClick');
  const target = link && links.get(link.attributes['r:id'] ?? link.attributes.id ?? '');
  return target?.isExternal ? linkedText(text, target.target) : text;
}

/** The header and the rows of a DrawingML table. Cells covered by a merged one are blank. */
export function drawnTable(table: XmlElement): { header: readonly string[]; rows: TableRow[] } {
  const rows = childrenOf(table, 'tr').map((row, index) => ({
    cells: childrenOf(row, 'tc').map((cell) => lineOf(childOf(cell, 'txBody'))),
    row: index + 1,
  }));
  const firstRow = childOf(table, 'tblPr')?.attributes.firstRow;
  const hasHeader = firstRow === undefined || /^(?:1|true)$/.test(firstRow);
  return hasHeader ? { header: rows[0]?.cells ?? [], rows: rows.slice(1) } : { header: [], rows };
}
