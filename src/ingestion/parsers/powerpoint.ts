import { chartBlocks } from './office/chart.js';
import { drawnTable, lineOf, paragraphsOf } from './office/drawing-text.js';
import { OfficePackage } from './office/office-package.js';
import { linksOf, readPart, referenceOf, type Links } from './office/office-parts.js';
import { slideBlocks, type SlideContent } from './office/slide-blocks.js';
import { mislabelledFile, parseSafely } from './parser.js';
import type { ParseContext, ParsedBlock, ParsedDocument, Parser } from './parser.js';
import { inReadingOrder, type Place } from './powerpoint/reading-order.js';
import { slideComments } from './powerpoint/slide-comments.js';
import { tableBlocks } from './tables/table-rows.js';
import { childOf, childrenOf, descendantsOf, elementsOf, type XmlElement } from './xml/reader.js';

/** Places for what a program fills in. */
const emptyPlaceholders = new Set(['dt', 'sldNum', 'sldImg']);
/** Told once. */
const repeatedPlaceholders = new Set(['ftr', 'hdr']);
/** As LibreOffice writes a footer that nobody has filled in. */
const unfilled = /^<[^>]*>$/;
const titlePlaceholders = new Set(['title', 'ctrTitle']);
const shapeDepthMax = 50;

interface Deck {
  readonly parts: OfficePackage;
  readonly context: ParseContext;
  /** Layouts and masters that were read, and what is told once: their texts, footers, headers. */
  readonly told: Set<string>;
}

interface Slide extends Deck {
  readonly links: Links;
  readonly content: SlideContent;
  /** A layout or a master: its placeholders hold prompts. */
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

/** In the order of the presentation; by their numbers when that is lost. */
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

/** What a layout and its master write on every slide, with the first slide that shows it. */
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

/** In units of its group; placeholders that stand where their layout has them say none. */
function placeOf(shape: XmlElement): Place | undefined {
  const frame = childOf(shape, 'xfrm') ?? childOf(childOf(shape, 'spPr', 'grpSpPr'), 'xfrm');
  const [offset, size] = [childOf(frame, 'off')?.attributes, childOf(frame, 'ext')?.attributes];
  const [left, top] = [Number(offset?.x), Number(offset?.y)];
  const [right, bottom] = [left + Number(size?.cx), top + Number(size?.cy)];
  return [right, bottom].every(Number.isFinite) ? { left, top, right, bottom } : undefined;
}

/** What this reader understands of the choices; a program that writes both writes the same text in both. */
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

/** Its description, when somebody wrote one; programs put the name of the file there. */
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
      if (chart) content.blocks.push(...chartBlocks(chart, []));
    } else if (element.name === 'relIds') {
      content.blocks.push(...diagramTexts(readPart(parts, target('dm'))));
    } else {
      const bytes = parts.part(target());
      const name = target().slice(target().lastIndexOf('/') + 1);
      for (const block of bytes ? await context.readInner({ name, bytes }) : []) content.blocks.push(block);
      break;
    }
  }
}

/** SmartArt: the points that stand for text, as they were typed in. */
function diagramTexts(model: XmlElement | undefined): ParsedBlock[] {
  return childrenOf(childOf(model, 'ptLst'), 'pt')
    .filter(({ attributes }) => attributes.type === undefined || /^(?:node|asst)$/.test(attributes.type))
    .map((point) => ({ text: lineOf(childOf(point, 't')), headings: [] }));
}

export const powerpoint: Parser = {
  name: 'powerpoint',
  extensions: ['pptx'],
  contentTypes: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  parse: (bytes, context) => parseSafely(() => presentationDocument(bytes, context)),
};
