import { linkedText } from '../linked-text.js';
import { documentTable, type DocumentCell, type DocumentRow } from '../office/document-table.js';
import type { Outline } from '../outline.js';
import { raisedText } from '../raised-text.js';
import { childOf, childrenOf, elementsOf, textOf, type XmlElement } from '../xml/reader.js';
import { OpenDocumentLists } from './lists.js';
import type { OpenDocumentStyles } from './styles.js';

/** What a story needs of the rest of the document. */
export interface OpenDocumentContext {
  readonly outline: Outline;
  readonly styles: OpenDocumentStyles;
  /** The texts of an embedded object, such as a chart or a formula. */
  object(name: string): readonly string[];
  titled(title: string): void;
  readonly layout?: Record<string, unknown>;
}

const spacesMax = 100;
/** How many cells of one story may be read by repetition: a file may claim any number. */
const repeatedCellsMax = 100_000;
const columnsMax = 1_000;
const nestingMax = 5;
/** Grouping elements whose children belong to the text. */
const groups = new Set([
  'index-body',
  'index-title',
  'table-of-content',
  'illustration-index',
  'table-index',
  'object-index',
  'user-index',
  'alphabetical-index',
  'bibliography',
  'numbered-paragraph',
  'text-box',
  'page-sequence',
]);
const shapes = new Set([
  'frame',
  'g',
  'custom-shape',
  'rect',
  'ellipse',
  'circle',
  'line',
  'connector',
  'polygon',
  'polyline',
  'path',
  'caption',
  'measure',
  'regular-polygon',
  'scene',
]);
const unshown = new Set([
  'tracked-changes',
  'placeholder',
  'script',
  'event-listeners',
  'forms',
  'note-citation',
  'annotation-end',
]);

/**
 * Puts the paragraphs, lists and tables of an OpenDocument text into the outline, each followed by its notes
 * and text boxes.
 */
export class OpenDocumentStory {
  private readonly lists: OpenDocumentLists;
  private waiting: (() => string[])[] = [];
  private notes = 0;
  private nesting = 0;
  private repeatsLeft = repeatedCellsMax;

  constructor(private readonly context: OpenDocumentContext) {
    this.lists = new OpenDocumentLists(context.styles);
  }

  add(element: XmlElement): void {
    if (element.name === 'p' || element.name === 'h') this.addParagraph(element);
    else if (element.name === 'table') this.addTable(element);
    else if (element.name === 'list') this.lists.within(element, (child) => this.add(child));
    else if (element.name === 'annotation') this.outlineAll(this.comment(element));
    else if (shapes.has(element.name) || element.name === 'a') this.addShape(element);
    else for (const child of this.contentOf(element)) this.add(child);
  }

  /** The paragraphs within an element as texts; a table gives one line per row. */
  texts(element: XmlElement): string[] {
    const texts = elementsOf(element).flatMap((child) => this.textsOf(child));
    return [...texts, ...this.takeWaiting()].filter((text) => /\S/.test(text));
  }

  private addParagraph(element: XmlElement): void {
    const { outline, styles } = this.context;
    const label = this.lists.label();
    const text = this.paragraph(element);
    if (styles.get('paragraph', element.attributes['style-name']).isTitle) this.context.titled(text);
    const level = Number(element.attributes['outline-level']) || 1;
    if (element.name === 'h' && text !== '') {
      outline.openHeading(level, withLabel(label === '-' ? undefined : label, text).replace(/\s+/g, ' '));
    } else if (text !== '') {
      this.outlineAll([withLabel(label, text)], label !== undefined);
    }
    this.outlineAll(this.takeWaiting());
  }

  private outlineAll(texts: readonly string[], keepTogether = false): void {
    const { outline, layout } = this.context;
    for (const text of texts)
      outline.add({ text, ...(keepTogether && { keepTogether }), ...(layout && { layout }) });
  }

  private addShape(element: XmlElement): void {
    const tables = element.name === 'frame' ? childrenOf(element, 'table') : [];
    for (const table of tables) this.addTable(table);
    const boxes = childrenOf(element, 'text-box');
    for (const box of boxes) for (const child of elementsOf(box)) this.add(child);
    if (tables.length === 0 && boxes.length === 0) {
      this.outlineAll([...this.described(element), ...this.shape(element)].filter((text) => /\S/.test(text)));
    }
  }

  private addTable(element: XmlElement): void {
    const { outline, layout } = this.context;
    const rows = this.rows(element);
    if (rows.every(({ cells }) => cells.length < 2)) {
      for (const { cells } of rows)
        for (const { text } of cells) this.outlineAll(text.split('\n').filter((line) => /\S/.test(line)));
    } else {
      const before = outline.blocks.length;
      outline.addTable(documentTable(rows));
      for (const block of layout ? outline.blocks.slice(before) : [])
        block.layout = { ...layout, ...block.layout };
    }
    this.outlineAll(this.takeWaiting());
  }

  private contentOf(element: XmlElement): XmlElement[] {
    if (element.name === 'section') {
      const isHidden =
        element.attributes.display === 'none' ||
        isHiddenByCondition(element) ||
        this.context.styles.get('section', element.attributes['style-name']).isHidden;
      return isHidden ? [] : elementsOf(element);
    }
    return groups.has(element.name) ? elementsOf(element) : [];
  }

  private textsOf(element: XmlElement): string[] {
    if (element.name === 'p' || element.name === 'h') {
      const label = this.lists.label();
      const text = this.paragraph(element);
      return [text === '' ? '' : withLabel(label, text)];
    }
    if (element.name === 'table') {
      return this.rows(element).map(({ cells }) =>
        cells
          .map(({ text }) => text)
          .filter((text) => text !== '')
          .join('; '),
      );
    }
    if (element.name === 'list') {
      const texts: string[] = [];
      this.lists.within(element, (child) => texts.push(...this.textsOf(child)));
      return texts;
    }
    if (element.name === 'annotation') return this.comment(element);
    if (shapes.has(element.name)) return [...this.described(element), ...this.shape(element)];
    return this.contentOf(element).flatMap((child) => this.textsOf(child));
  }

  private paragraph(element: XmlElement): string {
    if (this.context.styles.get('paragraph', element.attributes['style-name']).isHidden) return '';
    if (childrenOf(element, 'hidden-paragraph').some(isHiddenByCondition)) return '';
    return this.inline(element)
      .replace(/ {2,}/g, ' ')
      .replaceAll(keptSpace, ' ')
      .replace(/[^\S\n]+\n/g, '\n')
      .trim();
  }

  private inline(element: XmlElement): string {
    return element.children.reduce<string>(
      (text, child) =>
        text + (typeof child === 'string' ? child.replace(/[ \t\r\n]+/g, ' ') : this.piece(child, text)),
      '',
    );
  }

  private piece(element: XmlElement, before: string): string {
    const { name, attributes } = element;
    if (unshown.has(name) || isHiddenByCondition(element)) return '';
    if (shapes.has(name)) {
      this.waiting.push(() => this.shape(element));
      return this.described(element).join(' ');
    }
    switch (name) {
      case 's':
        return keptSpace.repeat(Math.min(Math.max(Number(attributes.c) || 1, 1), spacesMax));
      case 'tab':
        return '\t';
      case 'line-break':
        return '\n';
      case 'note':
        return this.note(element);
      case 'annotation':
        this.waiting.push(() => this.comment(element));
        return '';
      case 'a':
        return linkedText(this.inline(element), attributes.href);
      case 'ruby-text':
        return `(${this.inline(element)})`;
      case 'span': {
        const style = this.context.styles.get('text', attributes['style-name']);
        if (style.isHidden) return '';
        return style.isRaised ? raisedText(this.inline(element), before) : this.inline(element);
      }
      default:
        return this.inline(element);
    }
  }

  private note(element: XmlElement): string {
    this.notes += 1;
    const mark = `[${this.notes}]`;
    const body = childOf(element, 'note-body');
    if (body) this.waiting.push(() => [`${mark} ${this.nested(() => this.texts(body)).join('\n')}`]);
    return mark;
  }

  private comment(element: XmlElement): string[] {
    const author = childOf(element, 'creator');
    const texts = this.nested(() =>
      elementsOf(element)
        .filter(({ name }) => name === 'p' || name === 'list')
        .flatMap((child) => this.textsOf(child)),
    );
    const text = texts.filter((line) => /\S/.test(line)).join('\n');
    const name = author ? textOf(author).trim() : '';
    return text === '' ? [] : [`Comment${name ? ` by ${name}` : ''}: ${text}`];
  }

  /** The texts in a shape, or in the object that it shows. */
  private shape(element: XmlElement): string[] {
    return this.nested(() => {
      const object = childOf(element, 'object', 'object-ole');
      const own = elementsOf(element).flatMap((child) =>
        child.name === 'text-box' ? this.texts(child) : this.textsOf(child),
      );
      const shown = object ? this.context.object(object.attributes.href ?? '') : [];
      return [...own, ...shown].filter((text) => /\S/.test(text));
    });
  }

  private nested(work: () => string[]): string[] {
    if (this.nesting >= nestingMax) return [];
    this.nesting += 1;
    const outer = this.waiting;
    this.waiting = [];
    const texts = this.lists.apart(() => [...work(), ...this.takeWaiting()]);
    this.waiting = outer;
    this.nesting -= 1;
    return texts;
  }

  private described(element: XmlElement): string[] {
    return childrenOf(element, 'title', 'desc').map((description) => textOf(description).trim());
  }

  private rows(table: XmlElement, isHeader = false): DocumentRow[] {
    return elementsOf(table).flatMap((child) => {
      if (child.name === 'table-header-rows') return this.rows(child, true);
      if (child.name === 'table-rows' || child.name === 'table-row-group') return this.rows(child, isHeader);
      if (child.name !== 'table-row' || child.attributes.visibility === 'collapse') return [];
      const cells = this.cells(child);
      const repeated = Number(child.attributes['number-rows-repeated']) || 1;
      const wanted = cells.length > 0 ? Math.max(repeated, 1) : 1;
      const rows = Math.min(wanted, 1 + Math.floor(this.repeatsLeft / Math.max(cells.length, 1)));
      this.repeatsLeft -= (rows - 1) * cells.length;
      return Array<DocumentRow>(rows).fill({ cells, isHeader });
    });
  }

  private cells(row: XmlElement): DocumentCell[] {
    const cells: DocumentCell[] = [];
    let covered = 0;
    for (const cell of childrenOf(row, 'table-cell', 'covered-table-cell')) {
      const repeated = Math.min(
        Number(cell.attributes['number-columns-repeated']) || 1,
        columnsMax - cells.length,
      );
      for (let count = 0; count < repeated; count += 1) {
        const isCovered = cell.name === 'covered-table-cell';
        if (isCovered && covered > 0) {
          covered -= 1;
          continue;
        }
        const columns = isCovered ? 1 : Number(cell.attributes['number-columns-spanned']) || 1;
        covered = columns - 1;
        const text = isCovered ? '' : this.cellText(cell);
        cells.push({ text, columns, isContinued: isCovered, isBold: this.isBold(cell) });
      }
    }
    while (cells.at(-1)?.text === '' && cells.at(-1)?.isContinued !== true) cells.pop();
    return cells;
  }

  private cellText(cell: XmlElement): string {
    return elementsOf(cell)
      .flatMap((child) => this.textsOf(child))
      .filter((text) => text !== '')
      .join('\n');
  }

  private isBold(cell: XmlElement): boolean {
    const { styles } = this.context;
    return childrenOf(cell, 'p').every((paragraph) => {
      if (styles.get('paragraph', paragraph.attributes['style-name']).isBold) return true;
      return paragraph.children.every((child) =>
        typeof child === 'string'
          ? !/\S/.test(child)
          : styles.get('text', child.attributes['style-name']).isBold,
      );
    });
  }

  private takeWaiting(): string[] {
    const waiting = this.waiting;
    this.waiting = [];
    return waiting.flatMap((tell) => tell());
  }
}

/**
 * Stands for a space that must not be joined with its neighbours. It is a private-use character, which does
 * not occur in texts.
 */
const keptSpace = '\ue001';

function withLabel(label: string | undefined, text: string): string {
  return label === undefined ? text : `${label} ${text}`;
}

function isHiddenByCondition({ attributes }: XmlElement): boolean {
  return attributes['is-hidden'] === 'true';
}
