import { EmbeddedObjects } from './open-document/objects.js';
import { unpackOpenDocument, pageMargins, type OpenDocumentParts } from './open-document/package.js';
import { OpenDocumentStory } from './open-document/story.js';
import { OpenDocumentStyles, stylesIn } from './open-document/styles.js';
import { Outline } from './outline.js';
import { parseSafely, type ParseContext, type ParsedDocument, type Parser } from './parser.js';
import {
  childOf,
  childrenOf,
  elementsOf,
  readXml,
  streamChildren,
  textOf,
  type XmlElement,
} from './xml/reader.js';

const wanted = /(?:^|\/)content\.xml$|^(?:styles|meta)\.xml$|^Obj[^/]*$/;
/** Frames of a slide that only repeat the master slide. */
const repeated = new Set(['header', 'footer', 'date-time', 'page-number', 'page']);

class OpenDocument {
  readonly outline = new Outline();
  title: string | undefined;
  private readonly styles = new OpenDocumentStyles();
  private readonly shared: XmlElement | undefined;
  readonly objects: EmbeddedObjects;
  private slides = 0;

  constructor(parts: OpenDocumentParts) {
    this.objects = new EmbeddedObjects(parts, { areChartsOfCells: false });
    const styles = parts.get('styles.xml');
    this.shared = styles && readXml(styles);
    for (const style of stylesIn(this.shared)) this.styles.take(style);
  }

  read(content: Uint8Array): void {
    streamChildren(content, 'automatic-styles', (style) => this.styles.take(style));
    const story = this.story();
    streamChildren(content, 'text', (child) => story.add(child));
    streamChildren(content, 'presentation', (child) => {
      if (child.name === 'page') this.addSlide(child);
    });
    this.outline.closeHeadings(1);
    this.addMargins();
  }

  private story(layout?: Record<string, unknown>): OpenDocumentStory {
    return new OpenDocumentStory({
      outline: this.outline,
      styles: this.styles,
      object: (name) => this.objects.texts(name),
      titled: (title) => {
        if (title !== '') this.title ??= title.replace(/\s+/g, ' ');
      },
      ...(layout && { layout }),
    });
  }

  private addSlide(slide: XmlElement): void {
    this.slides += 1;
    const layout = { slide: this.slides };
    const story = this.story(layout);
    const shapes = elementsOf(slide).filter(
      ({ attributes }) => attributes.placeholder !== 'true' && !repeated.has(attributes.class ?? ''),
    );
    const isTitle = ({ attributes }: XmlElement) => attributes.class === 'title';
    const title = shapes
      .filter(isTitle)
      .flatMap((shape) => story.texts(wrap(shape)))
      .join(' ')
      .replace(/\s+/g, ' ');
    this.outline.closeHeadings(1);
    this.outline.openHeading(1, title);
    const before = this.outline.blocks.length;
    for (const shape of shapes) if (!isTitle(shape)) story.add(shape);
    for (const notes of childrenOf(slide, 'notes')) {
      for (const frame of childrenOf(notes, 'frame')) {
        const { placeholder, class: kind = 'notes' } = frame.attributes;
        if (kind === 'notes' && placeholder !== 'true') story.add(frame);
      }
    }
    if (title !== '' && this.outline.blocks.length === before) this.outline.add({ text: title, layout });
  }

  /** Adds the headers and footers of pages, each text once. */
  private addMargins(): void {
    const told = new Set<string>();
    for (const margin of pageMargins(this.shared)) {
      for (const text of this.story().texts(margin)) {
        if (!told.has(text)) this.outline.add({ text });
        told.add(text);
      }
    }
  }
}

function wrap(element: XmlElement): XmlElement {
  return { name: 'text-box', attributes: {}, children: [element] };
}

async function openDocument(bytes: Uint8Array, kind: string, context: ParseContext): Promise<ParsedDocument> {
  const { parts, content } = await unpackOpenDocument(bytes, { kind, wanted });
  const document = new OpenDocument(parts);
  document.read(content);
  const title = metaTitle(parts.get('meta.xml')) ?? document.title ?? document.outline.title;
  const blocks = [...document.outline.blocks];
  for (const file of document.objects.files) blocks.push(...(await context.readInner(file)));
  return title ? { title, blocks } : { blocks };
}

function metaTitle(meta: Uint8Array | undefined): string | undefined {
  const title = meta && childOf(childOf(readXml(meta), 'meta'), 'title');
  return (title && textOf(title).trim()) || undefined;
}

export const openDocumentText: Parser = {
  name: 'open-document-text',
  extensions: ['odt'],
  contentTypes: ['application/vnd.oasis.opendocument.text'],
  parse: (bytes, context) => parseSafely(() => openDocument(bytes, 'text', context)),
};

export const openDocumentSlides: Parser = {
  name: 'open-document-slides',
  extensions: ['odp'],
  contentTypes: ['application/vnd.oasis.opendocument.presentation'],
  parse: (bytes, context) => parseSafely(() => openDocument(bytes, 'presentation', context)),
};
