import { chartBlocks, chartShapes, diagramTexts } from './office/chart.js';
import { drawnTable, paragraphsOf } from './office/drawing-text.js';
import { OfficePackage } from './office/office-package.js';
import { linksOf, readPart, referenceOf, type Links } from './office/office-parts.js';
import { slideBlocks, type SlideContent } from './office/slide-blocks.js';
import { mislabelledFile, parseSafely } from './parser.js';
import type { ParseContext, ParsedBlock, ParsedDocument, Parser } from './parser.js';
import { inReadingOrder, type Place } from './powerpoint/reading-order.js';
import { slideComments } from './powerpoint/slide-comments.js';
import { tableBlocks } from './tables/table-rows.js';
import { childOf, childrenOf, descendantsOf, elementsOf, type XmlElement } from './xml/reader.js';

/** Placeholders that the program fills in. */
const emptyPlaceholders = new Set(['dt', 'sldNum', 'sldImg']);
/** Placeholders for footer and header, each text of which is taken only once. */
const repeatedPlaceholders = new Set(['ftr', 'hdr']);
/** How LibreOffice writes a footer that nobody has filled in. */
const unfilled = /^<[^>]*>$/;
const titlePlaceholders = new Set(['title', 'ctrTitle']);
const shapeDepthMax = 50;

interface Deck {
  readonly parts: OfficePackage;
  readonly context: ParseContext;
  /**
   * The layouts and masters that have been read, and the texts that are taken only once: those of layouts and
   * masters, footers, headers.
   */
  readonly told: Set<string>;
}

interface Slide extends Deck {
  readonly links: Links;
  readonly content: SlideContent;
  /** Whether it is a layout or a master, whose placeholders hold prompts. */
  readonly isTemplate: boolean;
}

async function presentationDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const parts = await OfficePackage.open(bytes);
  const deck: Deck = { parts, context, told: new Set() };
  const blocks: ParsedBlock[] = [];
  let title: string | undefined;
  for (const [index, name] of slideNames(parts).entries()) {
    const content = await slideContent(deck, name);
    title ??= content.title;
    for (const block of slideBlocks(content, index + 1)) blocks.push(block);
  }
  return title ? { title, blocks } : { blocks };
}

/**
 * The part names of the slides in the order of the presentation, or by their numbers when the order is lost.
 */
function slideNames(parts: OfficePackage): string[] {
  const presentation = parts.related('', 'officeDocument')[0] ?? 'ppt/presentation.xml';
  const links = linksOf(parts, presentation);
  const list = childOf(readPart(parts, presentation), 'sldIdLst');
  const listed = childrenOf(list, 'sldId').map((slide) => links.get(referenceOf(slide))?.target ?? '');
  const names = listed.filter((name) => parts.part(name) !== undefined);
  if (names.length > 0) return names;
  const numbered: string[] = [];
  for (let name = slideName(1); parts.part(name); name = slideName(numbered.length + 1)) numbered.push(name);
  if (numbered.length === 0 && readPart(parts, presentation)?.name !== 'presentation')
    throw mislabelledFile('it holds no presentation');
  return numbered;
}

function slideName(number: number): string {
  return `ppt/slides/slide${number}.xml`;
}

async function slideContent(deck: Deck, name: string): Promise<SlideContent> {
  const content = await shapesOf(deck, name);
  for (const { type, target } of linksOf(deck.parts, name).values()) {
    if (type === 'notesSlide') content.notes.push(...(await shapesOf(deck, target)).blocks);
    else if (type === 'comments') content.comments.push(...slideComments(deck.parts, target));
    else if (type === 'slideLayout') await addTemplate(deck, target, content);
  }
  return content;
}

/** Adds what a layout and its master show on every slide; only to the first slide that uses them. */
async function addTemplate(deck: Deck, name: string, content: SlideContent): Promise<void> {
  if (deck.told.has(name)) return;
  deck.told.add(name);
  content.blocks.push(...(await shapesOf(deck, name, true)).blocks);
  for (const { type, target } of linksOf(deck.parts, name).values()) {
    if (type === 'slideMaster') await addTemplate(deck, target, content);
  }
}

async function shapesOf(deck: Deck, name: string, isTemplate = false): Promise<SlideContent> {
  const content: SlideContent = { title: '', blocks: [], notes: [], comments: [] };
  const tree = childOf(childOf(readPart(deck.parts, name), 'cSld'), 'spTree');
  const slide = { ...deck, links: linksOf(deck.parts, name), content, isTemplate };
  if (tree) await addShapes(slide, tree, 0);
  return content;
}

async function addShapes(slide: Slide, tree: XmlElement, depth: number): Promise<void> {
  if (depth > shapeDepthMax) return;
  for (const shape of inReadingOrder(elementsOf(tree), placeOf)) {
    if (isHidden(shape)) continue;
    if (shape.name === 'sp' || shape.name === 'cxnSp') addText(slide, shape);
    else if (shape.name === 'grpSp') await addShapes(slide, shape, depth + 1);
    else if (shape.name === 'graphicFrame') await addGraphic(slide, shape);
    else if (shape.name === 'pic') addPicture(slide, shape);
    else if (shape.name === 'AlternateContent') await addAlternative(slide, shape, depth);
  }
}

/**
 * The place of a shape in units of its group. Undefined for a placeholder that stays where its layout has put
 * it.
 */
function placeOf(shape: XmlElement): Place | undefined {
  const frame = childOf(shape, 'xfrm') ?? childOf(childOf(shape, 'spPr', 'grpSpPr'), 'xfrm');
  const [offset, size] = [childOf(frame, 'off')?.attributes, childOf(frame, 'ext')?.attributes];
  const [left, top] = [Number(offset?.x), Number(offset?.y)];
  const [right, bottom] = [left + Number(size?.cx), top + Number(size?.cy)];
  return [right, bottom].every(Number.isFinite) ? { left, top, right, bottom } : undefined;
}

/**
 * Adds the first alternative that this reader understands. A program that writes several writes the same text
 * in each.
 */
async function addAlternative(slide: Slide, element: XmlElement, depth: number): Promise<void> {
  for (const alternative of childrenOf(element, 'Choice', 'Fallback')) {
    const before = slide.content.blocks.length;
    await addShapes(slide, alternative, depth + 1);
    if (slide.content.blocks.length > before) return;
  }
}

function propertiesOf(shape: XmlElement): XmlElement | undefined {
  return elementsOf(shape).find(({ name }) => name.startsWith('nv'));
}

function isHidden(shape: XmlElement): boolean {
  return /^(?:1|true)$/.test(childOf(propertiesOf(shape), 'cNvPr')?.attributes.hidden ?? '');
}

function addText(slide: Slide, shape: XmlElement): void {
  const { content, links, told, isTemplate } = slide;
  const placeholder = childOf(childOf(propertiesOf(shape), 'nvPr'), 'ph')?.attributes;
  const kind = placeholder ? (placeholder.type ?? 'body') : '';
  const isRepeated = isTemplate || repeatedPlaceholders.has(kind);
  if (emptyPlaceholders.has(kind) || (isTemplate && placeholder && !repeatedPlaceholders.has(kind))) return;
  const paragraphs = paragraphsOf(childOf(shape, 'txBody'), links);
  if (titlePlaceholders.has(kind) && content.title === '') {
    content.title = paragraphs.join(' ').replace(/\s+/g, ' ');
    return;
  }
  for (const text of paragraphs) {
    if (isRepeated && (told.has(text) || unfilled.test(text))) continue;
    if (isRepeated) told.add(text);
    content.blocks.push({ text, headings: [] });
  }
}

/** Adds the description of a picture if a person wrote it; programs put the file name there. */
function addPicture({ content, isTemplate }: Slide, picture: XmlElement): void {
  const text = childOf(propertiesOf(picture), 'cNvPr')?.attributes.descr?.trim() ?? '';
  if (text !== '' && !isTemplate && !/\.\w{2,5}$|^https?:/i.test(text))
    content.blocks.push({ text, headings: [] });
}

async function addGraphic(slide: Slide, frame: XmlElement): Promise<void> {
  const { parts, links, content, context } = slide;
  const data = childOf(childOf(frame, 'graphic'), 'graphicData');
  for (const element of data ? descendantsOf(data, 'tbl', 'chart', 'relIds', 'oleObj') : []) {
    const target = (name?: string) => links.get(referenceOf(element, name))?.target ?? '';
    if (element.name === 'tbl') {
      content.blocks.push(...tableBlocks({ ...drawnTable(element), headings: [] }));
    } else if (element.name === 'chart') {
      const chart = readPart(parts, target());
      if (chart) content.blocks.push(...chartBlocks(chart, [], chartShapes(parts, target())));
    } else if (element.name === 'relIds') {
      for (const text of diagramTexts(readPart(parts, target('dm'))))
        content.blocks.push({ text, headings: [] });
    } else {
      const bytes = parts.part(target());
      const name = target().slice(target().lastIndexOf('/') + 1);
      for (const block of bytes ? await context.readInner({ name, bytes }) : []) content.blocks.push(block);
      break;
    }
  }
}

export const powerpoint: Parser = {
  name: 'powerpoint',
  extensions: ['pptx'],
  contentTypes: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  parse: (bytes, context) => parseSafely(() => presentationDocument(bytes, context)),
};
