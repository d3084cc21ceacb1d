import { captionOf } from '../caption.js';
import { alternative } from '../office/alternative.js';
import { documentTable, type DocumentCell, type DocumentRow } from '../office/document-table.js';
import type { Outline } from '../outline.js';
import { childOf, childrenOf, descendantsOf, elementsOf, type XmlElement } from '../xml/reader.js';
import type { WordNumbering } from './numbering.js';
import { isOn, paragraphStyle, type WordStyle, type WordStyles } from './styles.js';
import type { Reference, WordText } from './text.js';

/** What a story needs of the rest of the document. */
export interface StoryContext {
  readonly outline: Outline;
  readonly styles: WordStyles;
  readonly numbering: WordNumbering;
  readonly text: WordText;
  /** The texts to which a paragraph refers; they follow it. */
  resolve(reference: Reference): string[];
  /** Includes a file whose content belongs here. */
  include(relationshipId: string): void;
  titled(title: string): void;
}

/** A cell with a longer text contains a part of the page, and its table is only for the layout. */
const cellCharactersMax = 2_000;
const boldHeadingCharactersMax = 90;
/** Deeper than all styled headings. */
const boldHeadingDepth = 10;
const containers = new Set([
  'sdtContent',
  'customXml',
  'smartTag',
  'ins',
  'moveTo',
  'Choice',
  'Fallback',
  'txbxContent',
]);

/**
 * Puts paragraphs and tables into the outline, each followed by the notes and text boxes that it refers to.
 */
export class WordStory {
  private waiting: Reference[] = [];
  /** A drop cap: a paragraph of its own before the paragraph that it begins. */
  private initial = '';

  constructor(private readonly context: StoryContext) {}

  add(element: XmlElement): void {
    if (element.name === 'p') this.paragraph(element);
    else if (element.name === 'tbl') this.table(element);
    else if (element.name === 'altChunk') {
      this.context.include(element.attributes['r:id'] ?? element.attributes.id ?? '');
    } else for (const child of contentOf(element)) this.add(child);
  }

  /** The paragraphs of a small part as texts; a table gives one line per row. */
  texts(element: XmlElement): string[] {
    const texts = elementsOf(element).flatMap((child) => this.textsOf(child));
    return [...texts, ...this.takeWaiting()].filter((text) => /\S/.test(text));
  }

  private paragraph(element: XmlElement): void {
    const { outline } = this.context;
    const { text, label, style, isBold } = this.read(element);
    const labelled = label === undefined || text === '' ? text : `${label} ${text}`;
    const level = style.outlineLevel ?? 9;
    if (style.isTitle === true) this.context.titled(text);
    if (level >= 0 && level < 9 && text !== '') {
      outline.openHeading(level + 1, (label === '-' ? text : labelled).replace(/\s+/g, ' '));
    } else if (isBold && label === undefined && isHeadingLike(text)) {
      outline.openHeading(boldHeadingDepth + (captionOf(text)?.depth ?? 0), text);
    } else if (text !== '') {
      outline.add({ text: labelled, ...(label !== undefined && { keepTogether: true }) });
    }
    for (const waiting of this.takeWaiting()) outline.add({ text: waiting });
  }

  private read(element: XmlElement): {
    text: string;
    label: string | undefined;
    style: WordStyle;
    isBold: boolean;
  } {
    const { styles, numbering } = this.context;
    const properties = childOf(element, 'pPr');
    const styleId = childOf(properties, 'pStyle')?.attributes.val;
    const style = { ...styles.get(styleId), ...paragraphStyle(properties) };
    const { text: own, isBold, references } = this.context.text.paragraph(element);
    this.waiting.push(...references);
    const text = own === '' ? own : this.initial + own;
    this.initial = isInitial(properties, text) ? text : own === '' ? this.initial : '';
    if (this.initial !== '') return { text: '', label: undefined, style, isBold };
    const { listId } = style;
    const isListed = listId !== undefined && listId !== '0' && text !== '';
    const label = isListed
      ? numbering.next(listId, style.listDepth ?? numbering.depthOf(listId, styleId))
      : undefined;
    return { text, label, style, isBold };
  }

  private textsOf(element: XmlElement): string[] {
    if (element.name === 'p') {
      const { text, label } = this.read(element);
      return [label === undefined || text === '' ? text : `${label} ${text}`];
    }
    if (element.name === 'tbl') return this.rows(element).map(({ cells }) => lineOf(cells));
    return contentOf(element).flatMap((child) => this.textsOf(child));
  }

  private table(element: XmlElement): void {
    const isLayout = columnsOf(element) < 2 || holdsHeadings(element, this.context.styles);
    const rows = isLayout ? [] : this.rows(element);
    const isTooLong = rows.some(({ cells }) => cells.some(({ text }) => text.length > cellCharactersMax));
    if (isLayout) {
      for (const row of rowsOf(element))
        for (const cell of cellsOf(row)) elementsOf(cell).forEach((child) => this.add(child));
      return;
    }
    const { outline } = this.context;
    if (isTooLong) {
      for (const { cells } of rows)
        for (const { text } of cells) for (const part of text.split('\n')) outline.add({ text: part });
    } else outline.addTable(documentTable(rows));
    for (const text of this.takeWaiting()) outline.add({ text });
  }

  private rows(table: XmlElement): DocumentRow[] {
    const properties = childOf(table, 'tblPr');
    const look = childOf(properties, 'tblLook')?.attributes;
    const isFirstStyled = isOnOrBit(look?.firstRow, look?.val, 0x20);
    const style = this.context.styles.get(childOf(properties, 'tblStyle')?.attributes.val);
    const rows = rowsOf(table);
    return rows.map((row, index) => {
      const rowProperties = childOf(row, 'trPr');
      const before = Number(childOf(rowProperties, 'gridBefore')?.attributes.val ?? 0) || 0;
      const cells = cellsOf(row).map((cell) => this.cell(cell));
      const isStyled = index === 0 && rows.length > 1 && isFirstStyled && style.hasHeaderRow === true;
      return {
        cells: before > 0 ? [{ text: '', columns: before }, ...cells] : cells,
        isHeader: isOn(childOf(rowProperties, 'tblHeader')) === true || isStyled,
      };
    });
  }

  private cell(cell: XmlElement): DocumentCell {
    const properties = childOf(cell, 'tcPr');
    const merge = childOf(properties, 'vMerge');
    const paragraphs = childrenOf(cell, 'p');
    const texts: string[] = [];
    let isBold = paragraphs.length > 0;
    for (const child of elementsOf(cell)) {
      if (child.name === 'p') {
        const read = this.read(child);
        texts.push(read.label === undefined ? read.text : `${read.label} ${read.text}`);
        if (read.text !== '' && !read.isBold) isBold = false;
      } else texts.push(...this.textsOf(child));
    }
    return {
      text: texts.filter((text) => text !== '').join('\n'),
      columns: Number(childOf(properties, 'gridSpan')?.attributes.val ?? 1) || 1,
      isContinued: merge !== undefined && merge.attributes.val !== 'restart',
      isBold,
    };
  }

  private takeWaiting(): string[] {
    const references = this.waiting;
    this.waiting = [];
    return references.flatMap((reference) => this.context.resolve(reference));
  }
}

/**
 * Whether a paragraph is a drop cap of one letter, perhaps with a quotation mark. After a whole word a space
 * would be needed.
 */
function isInitial(properties: XmlElement | undefined, text: string): boolean {
  const drop = childOf(properties, 'framePr')?.attributes.dropCap;
  return drop !== undefined && drop !== 'none' && /^\P{L}?\p{L}$/u.test(text);
}

/**
 * Whether a bold line was probably set as a heading by hand: it is short, and does not end like a sentence.
 */
function isHeadingLike(text: string): boolean {
  return text.length <= boldHeadingCharactersMax && /\p{L}.*\p{L}/u.test(text) && !/\n|[.,;:!?]$/.test(text);
}

/** The shown content of an element that only groups others. */
function contentOf(element: XmlElement): XmlElement[] {
  if (element.name === 'AlternateContent') return elementsOf(alternative(element));
  if (element.name === 'sdt') {
    if (childOf(childOf(element, 'sdtPr'), 'showingPlcHdr')) return [];
    return elementsOf(childOf(element, 'sdtContent') ?? element);
  }
  return containers.has(element.name) ? elementsOf(element) : [];
}

function rowsOf(table: XmlElement): XmlElement[] {
  return inGroups(table, 'tr').filter((row) => childOf(childOf(row, 'trPr'), 'del') === undefined);
}

function cellsOf(row: XmlElement): XmlElement[] {
  return inGroups(row, 'tc').filter((cell) => childOf(childOf(cell, 'tcPr'), 'cellDel') === undefined);
}

/** The rows or cells in an element, including those in content controls. */
function inGroups(element: XmlElement, name: string): XmlElement[] {
  return elementsOf(element).flatMap((child) => {
    if (child.name === name) return [child];
    return child.name === 'sdt' || containers.has(child.name) ? inGroups(child, name) : [];
  });
}

function columnsOf(table: XmlElement): number {
  return rowsOf(table).reduce((most, row) => Math.max(most, cellsOf(row).length), 0);
}

/** Whether a table contains headings below its first row, where they would be names of columns. */
function holdsHeadings(table: XmlElement, styles: WordStyles): boolean {
  return rowsOf(table)
    .slice(1)
    .some((row) =>
      descendantsOf(row, 'pStyle').some(
        ({ attributes }) => (styles.get(attributes.val).outlineLevel ?? 9) < 9,
      ),
    );
}

function isOnOrBit(flag: string | undefined, bits: string | undefined, bit: number): boolean {
  if (flag !== undefined) return flag === '1' || flag === 'true' || flag === 'on';
  return (Number.parseInt(bits ?? '0', 16) & bit) !== 0;
}

function lineOf(cells: readonly DocumentCell[]): string {
  return cells
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('; ');
}
