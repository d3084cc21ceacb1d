import { chartBlocks } from './chart.js';
import { refuseCompoundFile } from './compound-file.js';
import { drawnTable, lineOf, paragraphsOf } from './drawing-text.js';
import { readPart, referenceOf, relationshipsOf, type Parts, type Relationship } from './opc.js';
import { ParseError, parseSafely } from './parser.js';
import type { ParseContext, ParsedBlock, ParsedDocument, Parser } from './parser.js';
import { slideComments } from './slide-comments.js';
import { slideBlocks, type SlideContent } from './slide-blocks.js';
import { tableBlocks } from './table-rows.js';
import { childOf, childrenOf, descendantsOf, elementsOf, type XmlElement } from './xml-reader.js';
import { unzip } from './zip.js';

const unread = /^ppt\/(?:media|slideLayouts|slideMasters|theme|fonts|printerSettings)\//i;
/** Places for what a program fills in. */
const emptyPlaceholders = new Set(['dt', 'sldNum', 'sldImg']);
/** Told once. */
const repeatedPlaceholders = new Set(['ftr', 'hdr']);
const titlePlaceholders = new Set(['title', 'ctrTitle']);
const shapeDepthMax = 50;

interface Slide {
  readonly parts: Parts;
  readonly links: ReadonlyMap<string, Relationship>;
  readonly content: SlideContent;
  /** Footers and headers that were told before. */
  readonly footers: Set<string>;
  readonly context: ParseContext;
}

async function presentationDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  await refuseCompoundFile(bytes);
  const parts = await unzip(bytes, (name) => !unread.test(name));
  const footers = new Set<string>();
  const blocks: ParsedBlock[] = [];
  let title: string | undefined;
  for (const [index, name] of slideNames(parts).entries()) {
    const content = await slideContent({ parts, footers, context }, name);
    title ??= content.title;
    blocks.push(...slideBlocks(content, index + 1));
  }
  return title ? { title, blocks } : { blocks };
}

/** In the order of the presentation; by their numbers when that is lost. */
function slideNames(parts: Parts): string[] {
  const main = [...relationshipsOf(parts, '').values()].find(({ type }) => type === 'officeDocument');
  const presentation = main?.target ?? 'ppt/presentation.xml';
  const links = relationshipsOf(parts, presentation);
  const list = childOf(readPart(parts, presentation), 'sldIdLst');
  const listed = childrenOf(list, 'sldId').map((slide) => links.get(referenceOf(slide))?.target ?? '');
  const names = listed.filter((name) => parts.has(name));
  if (names.length > 0) return names;
  const number = (name: string) => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);
  const found = [...parts.keys()].filter((name) => /^ppt\/slides\/[^/]+\.xml$/.test(name));
  if (found.length === 0 && !parts.has(presentation))
    throw new ParseError('E1001', 'The file is not what its extension says: it holds no presentation.');
  return found.sort((one, other) => number(one) - number(other));
}

async function slideContent(
  deck: Pick<Slide, 'parts' | 'footers' | 'context'>,
  name: string,
): Promise<SlideContent> {
  const links = relationshipsOf(deck.parts, name);
  const content: SlideContent = { title: '', blocks: [], notes: [], comments: [] };
  const slide: Slide = { ...deck, links, content };
  const tree = shapeTree(readPart(deck.parts, name));
  if (tree) await addShapes(slide, tree, 0);
  for (const { type, target } of links.values()) {
    if (type === 'notesSlide') await addNotes(deck, target, content);
    if (type === 'comments') content.comments.push(...slideComments(deck.parts, target));
  }
  return content;
}

function shapeTree(slide: XmlElement | undefined): XmlElement | undefined {
  return childOf(childOf(slide, 'cSld'), 'spTree');
}

async function addNotes(
  deck: Pick<Slide, 'parts' | 'footers' | 'context'>,
  name: string,
  content: SlideContent,
): Promise<void> {
  const notes: SlideContent = { title: '', blocks: [], notes: [], comments: [] };
  const tree = shapeTree(readPart(deck.parts, name));
  if (tree) await addShapes({ ...deck, links: relationshipsOf(deck.parts, name), content: notes }, tree, 0);
  content.notes.push(...notes.blocks);
}

async function addShapes(slide: Slide, tree: XmlElement, depth: number): Promise<void> {
  if (depth > shapeDepthMax) return;
  for (const shape of elementsOf(tree)) {
    if (isHidden(shape)) continue;
    if (shape.name === 'sp' || shape.name === 'cxnSp') addText(slide, shape);
    else if (shape.name === 'grpSp') await addShapes(slide, shape, depth + 1);
    else if (shape.name === 'graphicFrame') await addGraphic(slide, shape);
    else if (shape.name === 'pic') addPicture(slide, shape);
    else if (shape.name === 'AlternateContent') await addAlternative(slide, shape, depth);
  }
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
  const { content, links, footers } = slide;
  const placeholder = childOf(childOf(propertiesOf(shape), 'nvPr'), 'ph')?.attributes;
  const kind = placeholder ? (placeholder.type ?? 'body') : '';
  if (emptyPlaceholders.has(kind)) return;
  const paragraphs = paragraphsOf(childOf(shape, 'txBody'), links);
  if (titlePlaceholders.has(kind) && content.title === '') {
    content.title = paragraphs.join(' ').replace(/\s+/g, ' ');
    return;
  }
  for (const text of paragraphs) {
    if (repeatedPlaceholders.has(kind)) {
      if (footers.has(text)) continue;
      footers.add(text);
    }
    content.blocks.push({ text, headings: [] });
  }
}

/** Its description, when somebody wrote one; programs put the name of the file there. */
function addPicture({ content }: Slide, picture: XmlElement): void {
  const text = childOf(propertiesOf(picture), 'cNvPr')?.attributes.descr?.trim() ?? '';
  if (text !== '' && !/\.\w{2,5}$|^https?:/i.test(text)) content.blocks.push({ text, headings: [] });
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
      const bytes = parts.get(target());
      const name = target().slice(target().lastIndexOf('/') + 1);
      if (bytes) content.blocks.push(...(await context.readInner({ name, bytes })));
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
