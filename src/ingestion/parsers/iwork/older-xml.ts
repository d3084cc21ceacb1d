import { gunzipSync } from 'node:zlib';
import { linkedText } from '../linked-text.js';
import { sheetBlocks } from '../office/sheet-blocks.js';
import type { SheetRow } from '../tables/sheet-row.js';
import { slideBlocks } from '../office/slide-blocks.js';
import { mislabelledFile, type ParsedBlock, type ParsedDocument } from '../parser.js';
import { childrenOf, descendantsOf, elementsOf, readXml, textOf, type XmlElement } from '../xml/reader.js';

const inflatedBytesMax = 100 * 1024 * 1024;
const repeatsMax = 10_000;
/** Elements that are not read: templates, deleted content, and data of the program itself. */
const unread = new Set([
  'stylesheet',
  'prototypes',
  'section-prototypes',
  'theme-list',
  'theme',
  'master-slides',
  'metadata',
  'deleted',
  'version-history',
  'calc-engine',
  'publication-info',
  'ghost-text',
  'slide-thumbnails',
  'placeholder-text',
]);
/** Fields that the program fills in. */
const fields = new Set([
  'page-number',
  'page-count',
  'date-time',
  'footnote-mark',
  'ghost-text',
  'slide-number',
]);
const breaks = new Set(['br', 'lnbr', 'crbr', 'pgbr', 'sectbr', 'layoutbr', 'contbr', 'selbr']);
const kinds = { pages: 'document', keynote: 'presentation', numbers: 'document' };

/** Reads an iWork '08 or '09 document: one XML file, which may be gzipped. @throws ParseError E1001 */
export function oldDocument(bytes: Uint8Array, kind: keyof typeof kinds): ParsedDocument {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const root = readXml(isPacked ? gunzipSync(bytes, { maxOutputLength: inflatedBytesMax }) : bytes);
  const isNumbers = descendantsOf(root, 'workspace').length > 0;
  if (root.name !== kinds[kind] || (kind !== 'keynote' && isNumbers !== (kind === 'numbers')))
    throw mislabelledFile(`it is no document of ${kind}`);
  if (kind === 'keynote') return { blocks: slidesOf(root) };
  if (kind === 'numbers') return { blocks: descendantsOf(root, 'workspace').flatMap(sheetOf) };
  const margins = new Set<string>();
  const blocks = storyOf(root, margins);
  return { blocks: [...blocks, ...[...margins].map((text) => ({ text, headings: [] }))] };
}

function slidesOf(root: XmlElement): ParsedBlock[] {
  const slides = descendantsOf(root, 'slide-list').flatMap((list) => childrenOf(list, 'slide'));
  return slides.flatMap((slide, index) => {
    const parts = (...names: string[]) => descendantsOf(slide, ...names).flatMap((part) => storyOf(part));
    const title = parts('title-placeholder')
      .map(({ text }) => text.replace(/\s+/g, ' '))
      .join(' ');
    const drawn = elementsOf(slide)
      .filter(({ name }) => name !== 'notes' && name !== 'title-placeholder')
      .flatMap((part) => storyOf(part, undefined, 'title-placeholder'));
    return slideBlocks({ title, blocks: drawn, notes: parts('notes'), comments: [] }, index + 1);
  });
}

function sheetOf(workspace: XmlElement): ParsedBlock[] {
  const sheet = workspace.attributes['workspace-name'] ?? '';
  return storyOf(workspace).map((block) => ({
    ...block,
    headings: [...(sheet === '' ? [] : [sheet]), ...block.headings],
    layout: { ...(sheet !== '' && { sheet }), ...block.layout },
  }));
}

/**
 * The paragraphs and tables within an element. If `margins` is given, the texts of headers and footers are
 * collected there instead.
 */
function storyOf(element: XmlElement, margins?: Set<string>, except?: string): ParsedBlock[] {
  if (unread.has(element.name) || element.name === except) return [];
  if (element.name === 'tabular-model') return tableOf(element);
  if (margins && (element.name === 'header' || element.name === 'footer')) {
    for (const { text } of storyOf(element)) margins.add(text);
    return [];
  }
  if (element.name === 'p') {
    const text = lineOf(element).trim();
    const held = elementsOf(element).flatMap((child) => storyOf(child, margins, except));
    return [...(text === '' ? [] : [{ text, headings: [] }]), ...held];
  }
  return elementsOf(element).flatMap((child) => storyOf(child, margins, except));
}

/** The text of a paragraph, without the paragraphs that are attached to it. */
function lineOf(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === 'string') return child.replace(/[\r\n]+/g, '');
      if (child.name === 'tab') return '\t';
      if (breaks.has(child.name)) return '\n';
      if (child.name === 'p' || fields.has(child.name)) return '';
      const text = lineOf(child);
      return child.name === 'link' ? linkedText(text, child.attributes.href ?? '') : text;
    })
    .join('');
}

/** Cells follow each other row by row; empty ones are counted together. */
function tableOf(model: XmlElement): ParsedBlock[] {
  const [grid] = descendantsOf(model, 'grid');
  const [source] = descendantsOf(model, 'datasource');
  const columns = Math.max(
    1,
    Number(grid?.attributes.numcols) || descendantsOf(model, 'grid-column').length || 1,
  );
  const rows = new Map<number, string[]>();
  let place = 0;
  for (const cell of source ? elementsOf(source) : []) {
    const text = cellText(cell).trim();
    const row = Math.floor(place / columns);
    if (text !== '') {
      const cells = rows.get(row) ?? [];
      cells[place % columns] = text;
      rows.set(row, cells);
    }
    place += cell.name === 'g' ? Math.min(Math.max(1, Number(cell.attributes.ct) || 1), repeatsMax) : 1;
  }
  const found: SheetRow[] = [...rows].map(([row, cells]) => ({ row: row + 1, cells }));
  const name = model.attributes.name ?? '';
  return sheetBlocks({ name: '', rows: found, asides: [] }).map((block) => ({
    ...block,
    headings: name === '' ? [] : [name],
  }));
}

function cellText(cell: XmlElement): string {
  const [content] = descendantsOf(cell, 'ct');
  const paragraphs = descendantsOf(cell, 'p').map((paragraph) => lineOf(paragraph).trim());
  if (paragraphs.length > 0) return paragraphs.join('\n');
  if (content?.attributes.s) return content.attributes.s;
  const [date] = descendantsOf(cell, 'cell-date', 'date');
  const shown =
    date?.attributes.val ??
    valueOf(cell) ??
    elementsOf(cell)
      .map(valueOf)
      .find((value) => value !== undefined);
  return shown ?? (content ? textOf(content) : '');
}

function valueOf({ attributes }: XmlElement): string | undefined {
  return attributes.v ?? attributes['cell-date'];
}
