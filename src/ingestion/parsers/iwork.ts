import { IwaObjects, type IwaObject } from './iwork/iwa.js';
import { IwaStory, type StoryPart } from './iwork/iwa-story.js';
import { oldDocument } from './iwork/older-xml.js';
import { bytesOf, integerOf, messageOf, textOf } from './iwork/protobuf.js';
import { sheetBlocks } from './office/sheet-blocks.js';
import { slideBlocks } from './office/slide-blocks.js';
import { Outline } from './outline.js';
import {
  encryptedFile,
  mislabelledFile,
  parseSafely,
  type ParsedBlock,
  type ParsedDocument,
  type Parser,
} from './parser.js';
import { unzip } from './zip.js';

/** The files that are read, in the document itself or in a folder that was packed around it. */
const wanted = /(?:^|\/)(?:index\.(?:xml|apxl)(?:\.gz)?|Index\.zip|Index\/.*\.iwa|\.iwph|\.iwpv2)$/;
/** Archives that belong to no page, among them the texts of templates. */
const unread = /(?:Stylesheet|ThemeStylesheet|Metadata|MasterSlide|TemplateSlide|ViewState)[^/]*\.iwa$/;
/** For each kind: the type of its document object, and a field that only that kind of document has. */
const documents = {
  pages: { type: 10000, field: 4 },
  keynote: { type: 1, field: 2 },
  numbers: { type: 1, field: 1 },
};
const showType = 2;
const slideNodeType = 4;
const slideTypes = new Set([5, 6]);
const noteType = 15;
const sheetType = 2;
const titleField = 5;

type Kind = keyof typeof documents;

async function iworkDocument(bytes: Uint8Array, kind: Kind): Promise<ParsedDocument> {
  const files = await unzip(bytes, (name) => wanted.test(name));
  const named = (pattern: RegExp) =>
    [...files].filter(([name]) => pattern.test(name)).map(([, content]) => content);
  if (named(/\.iwp(?:h|v2)$/).length > 0) throw encryptedFile();
  const [packed] = named(/Index\.zip$/);
  const archives = packed ? await unzip(packed, (name) => name.endsWith('.iwa')) : files;
  const readable = [...archives].filter(([name]) => name.endsWith('.iwa') && !unread.test(name));
  if (readable.length === 0) {
    const [old] = named(/index\.(?:xml|apxl)(?:\.gz)?$/);
    if (old) return oldDocument(old, kind);
    throw mislabelledFile('it is no document of iWork');
  }
  const styled = kind === 'pages' ? [...archives].filter(([name]) => /Stylesheet[^/]*\.iwa$/.test(name)) : [];
  const objects = new IwaObjects([...readable, ...styled].map(([, content]) => content));
  const { type, field } = documents[kind];
  const [document] = objects.ofType(type);
  if (document === undefined || bytesOf(messageOf(document.body), field).length === 0)
    throw mislabelledFile(`it is no document of ${kind}`);
  const story = new IwaStory(objects);
  if (kind === 'pages') return pagesDocument(document, objects, story);
  return { blocks: kind === 'keynote' ? slides(document, objects, story) : sheets(document, objects, story) };
}

/** The text comes first, then what floats on the pages, then headers and footers. */
function pagesDocument(document: IwaObject, objects: IwaObjects, story: IwaStory): ParsedDocument {
  const outline = new Outline();
  const body = objects.referred(messageOf(document.body), 4);
  for (const part of [...story.partsOf(body), ...story.partsOf(document)]) {
    if ('table' in part) {
      for (const block of tableParts([part])) outline.add(block);
      continue;
    }
    const depth = headingDepth(part.style);
    if (depth === undefined) outline.add({ text: part.text });
    else outline.openHeading(depth, part.text);
  }
  outline.closeHeadings(1);
  return outline.title ? { title: outline.title, blocks: outline.blocks } : { blocks: outline.blocks };
}

/**
 * The depth of a heading, 1 the highest, by the English style names of Apple's templates; undefined for other
 * styles.
 */
function headingDepth(style: string): number | undefined {
  if (/^title$/i.test(style)) return 1;
  const heading = /^heading(?: (\d))?$/i.exec(style);
  return heading ? Number(heading[1] ?? 1) : undefined;
}

function slides(document: IwaObject, objects: IwaObjects, story: IwaStory): ParsedBlock[] {
  const show = objects.within(document).find(({ type }) => type === showType);
  const found = new Set<IwaObject>();
  const seen = new Set<IwaObject>();
  const addNode = (node: IwaObject) => {
    if (seen.has(node)) return;
    seen.add(node);
    const within = objects.within(node);
    const slide = within.find(({ type }) => slideTypes.has(type));
    if (slide) found.add(slide);
    for (const child of within) if (child.type === slideNodeType) addNode(child);
  };
  for (const node of show ? objects.within(show) : []) if (node.type === slideNodeType) addNode(node);
  return [...found].flatMap((slide, index) => slideBlocks(slideContent(slide, objects, story), index + 1));
}

function slideContent(
  slide: IwaObject,
  objects: IwaObjects,
  story: IwaStory,
): Parameters<typeof slideBlocks>[0] {
  const title = textParts(story.partsOf(objects.referred(messageOf(slide.body), titleField)));
  const notes = objects.within(slide).filter(({ type }) => type === noteType);
  const noted = notes.flatMap((note) => story.partsOf(note));
  return {
    title: title.join(' '),
    blocks: tableParts(story.partsOf(slide)),
    notes: tableParts(noted),
    comments: [],
  };
}

function sheets(document: IwaObject, objects: IwaObjects, story: IwaStory): ParsedBlock[] {
  const found = objects.within(document).filter(({ type }) => type === sheetType);
  return found.flatMap((sheet) => {
    const message = messageOf(sheet.body);
    const name = textOf(message, 1);
    const drawn = bytesOf(message, 2).map((reference) => objects.get(integerOf(messageOf(reference), 1)));
    const parts = [...drawn.flatMap((each) => story.partsOf(each)), ...story.partsOf(sheet)];
    return tableParts(parts, name).map((block) => ({
      ...block,
      headings: [name, ...block.headings],
      layout: { sheet: name, ...block.layout },
    }));
  });
}

function textParts(parts: readonly StoryPart[]): string[] {
  return parts.flatMap((part) => ('text' in part ? [part.text.replace(/\s+/g, ' ')] : []));
}

/** The blocks of texts and tables; a table gets its name as heading. */
function tableParts(parts: readonly StoryPart[], sheet = ''): ParsedBlock[] {
  return parts.flatMap((part): ParsedBlock[] => {
    if ('text' in part) return part.text === '' ? [] : [{ text: part.text, headings: [] }];
    const { name, rows, headerRows } = part.table;
    const under = sheet === '' || name === sheet ? '' : name;
    const headed = headerRows > 0 ? { headerRows } : {};
    return sheetBlocks({ name: '', rows, asides: [], ...headed }).map((block) => ({
      ...block,
      headings: under === '' ? [] : [under],
    }));
  });
}

const parserOf = (kind: Kind, extension: string, contentType: string): Parser => ({
  name: kind,
  extensions: [extension],
  contentTypes: [contentType],
  parse: (bytes) => parseSafely(() => iworkDocument(bytes, kind)),
});

export const pages = parserOf('pages', 'pages', 'application/vnd.apple.pages');
export const keynote = parserOf('keynote', 'key', 'application/vnd.apple.keynote');
export const numbers = parserOf('numbers', 'numbers', 'application/vnd.apple.numbers');
