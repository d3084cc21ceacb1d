import { bufferOf } from '../../lib/buffer-of.js';
import { inOneLine } from '../../text/one-line.js';
import { decodeText } from './charset.js';
import { isCompoundFile, openCompoundFile, type CompoundStorage } from './office/compound-file.js';
import { slideBlocks, type SlideContent } from './office/slide-blocks.js';
import {
  encryptedFile,
  mislabelledFile,
  ParseError,
  parseSafely,
  type ParseContext,
  type ParsedBlock,
  type ParsedDocument,
  type Parser,
} from './parser.js';
import { plainTextDocument } from './plain-text.js';
import { presentedObjects } from './powerpoint/objects.js';
import { persistedDocument, type PersistedDocument } from './powerpoint/persist.js';
import {
  numberAt,
  RecordReader,
  recordsWithin,
  recordTypes,
  unicodeOf,
  type PowerPointRecord,
} from './powerpoint/records.js';
import { shapesOf, type SlideShape } from './powerpoint/shapes.js';
import { textsIn, type SlideText } from './powerpoint/text.js';

const slideList = 0;
const notesList = 2;
const titleKinds = new Set([0, 6]);
/** Placeholders for the date, the number and the picture of a slide. */
const emptyPlaceholders = new Set([0x07, 0x08, 0x0b]);
/** Placeholders for footer and header, each text of which is taken only once. */
const repeatedPlaceholders = new Set([0x09, 0x0a]);
/** How LibreOffice writes a footer that nobody has filled in. */
const unfilled = /^<[^>]*>$/;
/** The kind of texts that are shown as they are. On masters, titles, bodies and notes are only prompts. */
const otherTextKind = 4;
const repeatedStrings = new Set([1, 2]);

interface Page {
  readonly persistId: number;
  readonly slideId: number;
  readonly outline: readonly SlideText[];
}

async function presentationDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  if (!isCompoundFile(bytes)) throw mislabelledFile('it is no binary PowerPoint file');
  const file = openCompoundFile(bytes);
  // A file for both PowerPoint 95 and 97 contains the newer version in a storage of its own.
  const root = file.storages.get('PP97_DUALSTORAGE') ?? file;
  const stream = streamOf(root, 'PowerPoint Document');
  if (stream === undefined) throw withoutPresentation(root);
  const persisted = persistedDocument(stream, streamOf(root, 'Current User'));
  const contents = [...slidesOf(persisted)];
  const found = contents.length > 0 ? contents : unlistedSlides(stream);
  const outline = found.length > 0 ? undefined : streamOf(root, 'Text_Content');
  if (outline !== undefined) return oldPresentation(outline);
  const blocks = found.flatMap((content, index) => slideBlocks(content, index + 1));
  const title = found.find((content) => content.title !== '')?.title;
  blocks.push(...footers(persisted.document));
  for (const object of presentedObjects(persisted)) blocks.push(...(await context.readInner(object)));
  return { ...(title && { title }), blocks };
}

/**
 * Reads the plain text that PowerPoint 95 stores beside its records, with a blank line between text boxes;
 * those records are of another format.
 */
function oldPresentation(outline: Buffer): ParsedDocument {
  const { blocks } = plainTextDocument(decodeText(outline).replaceAll('\v', '\n'));
  const title = blocks[0] && inOneLine(blocks[0].text);
  return { ...(title && { title }), blocks };
}

function streamOf(storage: CompoundStorage, name: string): Buffer | undefined {
  const bytes = storage.streams.get(name)?.read();
  return bytes && bufferOf(bytes);
}

function withoutPresentation({ streams }: CompoundStorage): ParseError {
  const names = [...streams.keys()];
  if (names.some((name) => name.startsWith('Encrypt'))) return encryptedFile();
  return names.some((name) => name.startsWith('PP40'))
    ? new ParseError('E1001', 'The file is of PowerPoint 95 or older, which is not read.')
    : mislabelledFile('it holds no presentation');
}

function* slidesOf({ document, find }: PersistedDocument): Generator<SlideContent> {
  const notes = new Map<number, PowerPointRecord>();
  for (const { persistId } of pagesOf(document, notesList)) {
    const page = find(persistId);
    const atom = page?.children.find(({ type }) => type === recordTypes.notesAtom);
    if (page && atom) notes.set(numberAt(atom, 0), page);
  }
  const told = new Set<string>();
  const masters = new Map(pagesOf(document, 1).map(({ slideId, persistId }) => [slideId, persistId]));
  for (const { persistId, slideId, outline } of pagesOf(document, slideList)) {
    const slide = find(persistId);
    if (slide?.type !== recordTypes.slide) {
      yield contentOf(
        outline.map((text) => ({ texts: [text], placeholder: 0 })),
        told,
      );
      continue;
    }
    const content = slideContent(slide, outline, told);
    const notesPage = notes.get(slideId);
    if (notesPage) content.notes.push(...contentOf(shapesOf(notesPage, []), told).blocks);
    const atom = slide.children.find(({ type }) => type === recordTypes.slideAtom);
    const masterId = atom ? numberAt(atom, 12) : 0;
    const masterPage = find(masters.get(masterId) ?? -1);
    masters.delete(masterId);
    content.blocks.push(...contentOf(masterShapes(masterPage), told, true).blocks);
    yield content;
  }
}

/**
 * The shapes of a master that its slides show: everything but placeholders, which hold prompts, except header
 * and footer.
 */
function masterShapes(master: PowerPointRecord | undefined): SlideShape[] {
  return (master ? shapesOf(master, []) : []).filter(
    (shape) =>
      'table' in shape ||
      ((shape.placeholder === 0 || repeatedPlaceholders.has(shape.placeholder)) &&
        shape.texts.every(({ kind }) => kind === otherTextKind)),
  );
}

/** The pages of a list in the order of the presentation, with the texts in the list itself. */
function pagesOf(document: PowerPointRecord | undefined, instance: number): Page[] {
  const list = document?.children.find(
    (child) => child.type === recordTypes.slideListWithText && child.instance === instance,
  );
  const pages: { atom: PowerPointRecord; texts: PowerPointRecord[] }[] = [];
  for (const record of list?.children ?? []) {
    if (record.type === recordTypes.slidePersistAtom) pages.push({ atom: record, texts: [] });
    else pages.at(-1)?.texts.push(record);
  }
  return pages.map(({ atom, texts }) => ({
    persistId: numberAt(atom, 0),
    slideId: numberAt(atom, 12),
    outline: textsIn(texts),
  }));
}

function slideContent(
  slide: PowerPointRecord,
  outline: readonly SlideText[],
  told: Set<string>,
): SlideContent {
  const content = contentOf(shapesOf(slide, outline), told);
  for (const comment of recordsWithin(slide, recordTypes.comment)) {
    const string = (instance: number) => {
      const record = comment.children.find(
        (child) => child.type === recordTypes.cString && child.instance === instance,
      );
      return record ? unicodeOf(record).replace(/\0/g, '').replace(/\r/g, '\n').trim() : '';
    };
    const [author, text] = [string(0), string(1)];
    if (text !== '') content.comments.push(author === '' ? text : `${author}: ${text}`);
  }
  return content;
}

/** The content of shapes. `told` collects the texts that are taken only once for all slides. */
function contentOf(shapes: readonly SlideShape[], told: Set<string>, isMaster = false): SlideContent {
  const content: SlideContent = { title: '', blocks: [], notes: [], comments: [] };
  for (const shape of shapes) {
    if ('table' in shape) {
      content.blocks.push(...shape.table);
      continue;
    }
    if (emptyPlaceholders.has(shape.placeholder)) continue;
    const isRepeated = isMaster || repeatedPlaceholders.has(shape.placeholder);
    for (const { kind, paragraphs } of shape.texts) {
      if (titleKinds.has(kind) && content.title === '')
        content.title = paragraphs.join(' ').replace(/\s+/g, ' ');
      else if (!isRepeated) content.blocks.push(...paragraphs.map((text) => ({ text, headings: [] })));
      else content.blocks.push(...untold(paragraphs, told));
    }
  }
  return content;
}

function untold(paragraphs: readonly string[], told: Set<string>): ParsedBlock[] {
  const left = paragraphs.filter((text) => !told.has(text) && !unfilled.test(text));
  for (const text of left) told.add(text);
  return left.map((text) => ({ text, headings: [] }));
}

/** The slides of a damaged file, in the order in which they are stored. */
function unlistedSlides(stream: Buffer): SlideContent[] {
  const told = new Set<string>();
  return new RecordReader(stream)
    .all()
    .filter(({ type }) => type === recordTypes.slide)
    .map((slide) => slideContent(slide, [], told));
}

/** The headers and footers of slides and notes, each once. */
function footers(document: PowerPointRecord | undefined): ParsedBlock[] {
  const strings = recordsWithin(document, recordTypes.headersFooters)
    .flatMap(({ children }) => children)
    .filter(({ type, instance }) => type === recordTypes.cString && repeatedStrings.has(instance))
    .map((record) => unicodeOf(record).replace(/\0/g, '').trim());
  return [...new Set(strings)].map((text) => ({ text, headings: [] }));
}

export const powerpointBinary: Parser = {
  name: 'powerpoint-binary',
  extensions: ['ppt'],
  contentTypes: ['application/vnd.ms-powerpoint'],
  parse: (bytes, context) => parseSafely(() => presentationDocument(bytes, context)),
};
