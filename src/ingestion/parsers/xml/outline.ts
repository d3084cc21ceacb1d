import { looksLikeHtml } from '../../../text/html-text.js';
import { inOneLine } from '../../../text/one-line.js';
import { htmlDocument } from '../html/document.js';
import type { ParsedBlock } from '../parser.js';
import { clipHeading } from '../outline.js';
import { lineBlocks, pieceCharactersMax, recordBlocks, valueLines } from '../value-text.js';
import type { ValueNode } from '../value-text.js';
import type { XmlElement, XmlEvents } from './reader.js';
import { XmlTable } from './table.js';

interface Frame {
  readonly name: string;
  readonly parent: Frame | undefined;
  /** The number, from 1, of the record that it is or belongs to. */
  row: number | undefined;
  title: string | undefined;
  readonly attributes: readonly ValueNode[];
  /** Text directly in it since its last child. */
  text: string[];
  /**
   * All text so far, of paragraphs and elements within them: their children may turn out to be mere marks.
   */
  words: string | undefined;
  pending: ValueNode[];
  characters: number;
  hasText: boolean;
  hasProse: boolean;
  isCut: boolean;
  /** How many children of each name it has had so far. */
  readonly children: Map<string, number>;
  /** How many open elements in a paragraph with text only mark its text. */
  marks: number;
  /** How many blocks there were when it began. */
  readonly blocksBefore: number;
}

/** Elements below this depth are read as text of their ancestor at this depth. */
const framesMax = 200;
const headingsMax = 6;
const namesMax = 1_000;
const paragraphs = new Set('p para simpara paragraph h li term td th entry text line verse quote'.split(' '));
/**
 * A paragraph without text of its own is one if it contains only these elements; otherwise it is a record.
 */
const marks = new Set(
  'a b i u s em strong small big sub sup span font tt code kbd mark abbr cite q br lb tspan textPath bold italic underline emphasis emph hi phrase link ulink xref w pc seg'.split(
    ' ',
  ),
);
/** Elements that separate words. */
const breaks = new Set([...paragraphs, 'br', 'lb']);
/** A formula in MathML, whose signs are elements of their own. */
const formula = 'math';
const verbatim = new Set('programlisting screen pre code verbatim literallayout'.split(' '));
const titles = new Set(['title', 'head', 'heading', 'caption', 'label']);
const markedTitles = new Set([...titles, 'subtitle', 'article-title']);
const htmlRows = /^(?:thead|tbody|tfoot|tr)$/;
/** Elements that only contain others; their names are no headings. */
const wrappers =
  /^(?:root|data|document|doc|xml|body|main|text|div\d?|sect(?:ion|\d)?|chapter|part|article|book|front|back|items?|entries|list|rows?|records?|rss|feed|table(?:-wrap)?|g)$/i;
const titleHolders = /^(?:channel|\w*info|head|header|metadata|front|titleStmt|title-group)$/i;
/** Attributes for the layout and the schema of a document. */
const layoutAttributes =
  /^(?:xmlns|xsi|xml)\b|^(?:class|style|schemaLocation|noNamespaceSchemaLocation|space|lang|base|version|xmlns)$/;
/** Attributes for the layout of table cells in HTML and DocBook. */
const cellAttributes =
  /^(?:colspan|rowspan|scope|headers|nowrap|width|height|bgcolor|v?align|char|charoff|colname|namest|nameend|spanname|morerows|colsep|rowsep|rotate)$/i;
const link = /^(?:https?|mailto):/i;
const htmlCharactersMax = 100_000;
const htmlTextsMax = 300;

/**
 * Makes blocks while elements are read. An element with only text becomes a line `name: value`, one that
 * mixes text and elements a paragraph; adjacent elements of one name are records. Headings are titles, or
 * else names of elements.
 */
export class XmlOutline implements XmlEvents {
  title: string | undefined;
  readonly blocks: ParsedBlock[] = [];
  private top: Frame | undefined;
  private table: XmlTable | undefined;
  private depth = 0;
  private isDrawing = false;
  private htmlTexts = 0;

  open(name: string, attributes: XmlElement['attributes']): void {
    if (this.table) return this.table.open(name, attributes);
    const parent = this.top;
    const isInText = parent && (parent.marks > 0 || parent.name === formula || isTextBegun(parent));
    if (parent && (isInText || this.depth >= framesMax)) {
      parent.marks += 1;
      if (breaks.has(name)) this.text(' ');
      return;
    }
    this.isDrawing ||= parent === undefined && name === 'svg';
    if (parent) this.closeText(parent);
    if (parent && name === 'tgroup') {
      this.table = new XmlTable();
      return;
    }
    if (parent?.name === 'table' && htmlRows.test(name)) {
      this.table = new XmlTable();
      return this.table.open(name, attributes);
    }
    this.depth += 1;
    const nodes = name === formula ? [] : this.attributeNodes(attributes);
    this.top = {
      name,
      parent,
      row: undefined,
      title: undefined,
      attributes: nodes,
      text: [],
      words: holdsWords(name) || parent?.words !== undefined ? '' : undefined,
      pending: [...nodes],
      characters: 0,
      hasText: false,
      hasProse: false,
      isCut: false,
      children: new Map(),
      marks: 0,
      blocksBefore: this.blocks.length,
    };
  }

  text(text: string): void {
    if (this.top === undefined) return;
    if (this.table) return this.table.text(text);
    this.top.text.push(text);
    addWords(this.top, text);
  }

  close(name: string): void {
    const frame = this.top;
    if (frame === undefined) return;
    if (this.table) return this.closeInTable(this.table, frame, name);
    if (frame.marks > 0) {
      frame.marks -= 1;
      if (breaks.has(name)) this.text(' ');
      return;
    }
    if (isParagraph(frame) || isMarkedTitle(frame)) asParagraph(frame);
    else if (isEmptyParagraph(frame)) asValues(frame);
    this.closeText(frame);
    this.depth -= 1;
    this.top = frame.parent;
    if (frame.parent) addWords(frame.parent, breaks.has(name) ? ` ${frame.words ?? ''} ` : frame.words);
    if (frame.isCut || frame.parent === undefined || (frame.title && frame.hasProse))
      this.finishSection(frame);
    else this.put(frame.parent, nodeOf(frame));
  }

  private closeInTable(table: XmlTable, frame: Frame, name: string): void {
    if (table.depth > 0) return table.close(name);
    this.table = undefined;
    this.flushUp(frame);
    this.push(table.blocks(headingsOf(frame)));
    // A `tgroup` is in the frame of its table; HTML rows are ended by the table itself.
    if (name === frame.name) this.close(name);
  }

  private finishSection(frame: Frame): void {
    this.flushUp(frame.parent);
    this.flush(frame);
    const isEmpty = this.blocks.length === frame.blocksBefore;
    if (isEmpty && frame.title) this.push([{ text: frame.title, headings: headingsOf(frame).slice(0, -1) }]);
    if (frame.parent) countChild(frame.parent, frame.name);
  }

  /** Adds the text between two elements. */
  private closeText(frame: Frame): void {
    const joined = frame.text.join('');
    frame.text = [];
    if (!/\S/.test(joined)) return;
    const text = verbatim.has(frame.name) ? joined.trimEnd() : this.plain(joined);
    const isProse = paragraphs.has(frame.name) || verbatim.has(frame.name);
    frame.hasText = true;
    frame.hasProse ||= isProse;
    frame.pending.push({ key: undefined, text, isObject: false, isProse: true, characters: text.length });
    frame.characters += text.length;
    if (frame.characters > pieceCharactersMax && frame.pending.length > 1) this.flushUp(frame);
  }

  /** Feeds contain their articles as HTML in the text. */
  private plain(text: string): string {
    if (looksLikeHtml(text) && text.length < htmlCharactersMax && this.htmlTexts < htmlTextsMax) {
      this.htmlTexts += 1;
      return htmlDocument(text, 'whole')
        .blocks.map((block) => block.text)
        .join('\n');
    }
    return inOneLine(text);
  }

  private put(parent: Frame, node: ValueNode): void {
    const name = node.key ?? '';
    const isNamed = titles.has(name) || (name === 'article-title' && parent.name === 'title-group');
    const isTitle = isNamed && node.text !== undefined && node.text !== '';
    if (isTitle) this.takeTitle(parent, node.text);
    parent.hasProse ||= node.isProse === true;
    const before = countChild(parent, name);
    if (node.isObject && before > 0 && parent.row === undefined && !parent.hasText) {
      this.putRecord(parent, { node, row: before + 1 });
      return;
    }
    parent.pending.push(node);
    parent.characters += node.characters;
    if (parent.characters > pieceCharactersMax) this.flushUp(parent);
  }

  /**
   * Hands over a record. The first record is still pending then, since nothing told that others would follow.
   */
  private putRecord(parent: Frame, { node, row }: { node: ValueNode; row: number }): void {
    const first = parent.pending.at(-1);
    const isFirst = row === 2 && first?.key === node.key && first?.isObject === true;
    const firstRecord = isFirst ? parent.pending.pop() : undefined;
    this.flushUp(parent);
    const headings = headingsOf(parent);
    if (firstRecord) this.push(recordBlocks(firstRecord, { headings, row: 1 }));
    this.push(recordBlocks(node, { headings, row }));
  }

  private takeTitle(parent: Frame, text: string | undefined): void {
    parent.title ??= text;
    const isOfDocument = this.depth === 1 || (this.depth <= 4 && titleHolders.test(parent.name));
    if (isOfDocument && text !== undefined) this.title ??= clipHeading(text);
  }

  private flushUp(frame: Frame | undefined): void {
    const frames: Frame[] = [];
    for (let each = frame; each !== undefined; each = each.parent) frames.push(each);
    for (const each of frames.reverse()) this.flush(each);
  }

  /** Hands over what an element contains so far. Its title is a heading, and is not repeated. */
  private flush(frame: Frame): void {
    const place = { headings: headingsOf(frame), row: frame.row };
    const children = frame.pending.filter(
      ({ key, text }) => !(titles.has(key ?? '') && text !== undefined && text === frame.title),
    );
    frame.isCut = true;
    frame.words = undefined;
    frame.pending = [];
    frame.characters = 0;
    let values: ValueNode[] = [];
    const closeValues = () => {
      const lines = valueLines({ key: undefined, isObject: true, children: values, characters: 0 });
      this.push(lineBlocks(lines, place));
      values = [];
    };
    for (const child of children) {
      if (child.isProse && child.children === undefined) {
        closeValues();
        this.push([{ text: child.text ?? '', headings: place.headings }]);
      } else values.push(child);
    }
    closeValues();
  }

  private push(blocks: readonly ParsedBlock[]): void {
    for (const block of blocks) if (/\S/.test(block.text)) this.blocks.push(block);
  }

  private attributeNodes(attributes: XmlElement['attributes']): ValueNode[] {
    const nodes: ValueNode[] = [];
    for (const [key, value = ''] of Object.entries(attributes)) {
      const isPrefix = attributes[`xmlns:${key}`] !== undefined;
      if (isPrefix || key.includes(':') || layoutAttributes.test(key)) continue;
      if (!/[\p{L}\p{N}]/u.test(value)) continue;
      if (!this.isDrawing || link.test(value))
        nodes.push({ key, text: value.trim(), isObject: false, characters: key.length + value.length });
    }
    return nodes;
  }
}

function holdsWords(name: string): boolean {
  return paragraphs.has(name) || markedTitles.has(name);
}

/** Whether a title contains nothing but text and marks: `On <italic>bees</italic>`. */
function isMarkedTitle({ name, isCut, words = '', children }: Frame): boolean {
  if (isCut || !markedTitles.has(name) || !/\S/.test(words) || children.size === 0) return false;
  return [...children.keys()].every((child) => marks.has(child));
}

function addWords(frame: Frame, words = ''): void {
  if (frame.words !== undefined) frame.words += words;
}

function isTextBegun({ name, text }: Frame): boolean {
  return paragraphs.has(name) && text.some((piece) => /\S/.test(piece));
}

function isEmptyParagraph(frame: Frame): boolean {
  return paragraphs.has(frame.name) && isWordless(frame) && frame.children.size === 0 && !frame.isCut;
}

/**
 * Whether an element is a paragraph: by its name, and because it begins with text, or has text and only marks
 * and paragraphs in it.
 */
function isParagraph(frame: Frame): boolean {
  const isProse = (name: string) => marks.has(name) || paragraphs.has(name);
  if (frame.isCut || !paragraphs.has(frame.name) || isWordless(frame)) return false;
  return isTextBegun(frame) || [...frame.children.keys()].every(isProse);
}

function isWordless({ words }: Frame): boolean {
  return words !== undefined && !/\S/.test(words);
}

/** Reads an empty paragraph as the values of its attributes, except those of a table cell or an anchor. */
function asValues(frame: Frame): void {
  const told = frame.attributes.filter(({ key = '' }) => !cellAttributes.test(key));
  frame.pending = told.every(({ key }) => key === 'id') ? [] : told;
}

/**
 * Reads an element as a paragraph after all, though its children were read as values. Of its attributes only
 * links are kept.
 */
function asParagraph(frame: Frame): void {
  frame.text = [frame.words ?? ''];
  frame.title = undefined;
  frame.pending = frame.attributes.filter(({ text = '' }) => link.test(text));
  frame.characters = 0;
}

/** The value of an element that is small enough to be a part of its parent. */
function nodeOf({ name: key, pending, characters, hasText, hasProse }: Frame): ValueNode {
  const texts = pending.filter((node) => node.key === undefined && node.text !== undefined);
  const isPlain = pending.length === 0 || (pending.length === 1 && texts.length === 1);
  if (isPlain) {
    const isProse = paragraphs.has(key) || verbatim.has(key);
    return { key, text: texts[0]?.text ?? '', isObject: false, isProse, characters: characters + key.length };
  }
  const mixes = hasText && pending.some((node) => node.key !== undefined && node.text !== undefined);
  if (!mixes || texts.length < 2) {
    const children = hasProse
      ? pending
      : pending.map((node) => (texts.includes(node) ? { ...node, isProse: false } : node));
    return { key, children, isObject: true, isProse: hasProse, characters: characters + key.length };
  }
  const text = pending.flatMap((node) => (node.children ? valueLines(node) : (node.text ?? []))).join(' ');
  return { key, text, isObject: false, isProse: true, characters: text.length };
}

function countChild(parent: Frame, name: string): number {
  const before = parent.children.get(name) ?? 0;
  if (before > 0 || parent.children.size < namesMax) parent.children.set(name, before + 1);
  return before;
}

/** The headings of an element: titles, or else names that tell something; not the name of the root. */
function headingsOf(frame: Frame): string[] {
  const headings: string[] = [];
  for (let each: Frame | undefined = frame; each !== undefined; each = each.parent) {
    const isNamed = each.parent !== undefined && !wrappers.test(each.name);
    const heading = each.title ?? (isNamed ? each.name : undefined);
    if (heading !== undefined) headings.push(clipHeading(heading));
  }
  return headings.reverse().slice(0, headingsMax);
}
