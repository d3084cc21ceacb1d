import { chartNames, chartRows, chartShapes, diagramTexts } from './office/chart.js';
import { OfficePackage, type Relationship } from './office/office-package.js';
import { readPart } from './office/office-parts.js';
import { Outline } from './outline.js';
import {
  mislabelledFile,
  ParseError,
  parseSafely,
  type InnerFile,
  type ParseContext,
  type ParsedDocument,
  type Parser,
} from './parser.js';
import { listsOf, WordNumbering } from './word/numbering.js';
import { WordStory } from './word/story.js';
import { WordStyles } from './word/styles.js';
import { WordText, type Reference } from './word/text.js';
import { childOf, childrenOf, readXml, streamChildren, textOf, type XmlElement } from './xml/reader.js';

/** How deep notes and comments may refer to one another. */
const referenceDepthMax = 5;

/** The notes or comments of a document by id that have not been used yet. */
type Remarks = Map<string, XmlElement>;

class WordDocument {
  readonly outline = new Outline();
  readonly included: string[] = [];
  title: string | undefined;
  private readonly styles: WordStyles;
  private readonly numbering: WordNumbering;
  private readonly remarks: Record<string, { part: string; elements: Remarks }>;
  private readonly marks = new Map<string, string>();
  private referenceDepth = 0;

  constructor(
    private readonly files: OfficePackage,
    private readonly main: string,
  ) {
    this.styles = new WordStyles(this.tree('styles'));
    this.numbering = new WordNumbering(listsOf(this.tree('numbering')));
    this.remarks = {
      footnote: this.remarksOf('footnotes', 'footnote'),
      endnote: this.remarksOf('endnotes', 'endnote'),
      comment: this.remarksOf('comments', 'comment'),
    };
  }

  read(): void {
    const body = this.files.part(this.main);
    if (body === undefined) throw new ParseError('E1001', 'The file is damaged: it has no document.');
    const story = this.story(this.main);
    streamChildren(body, 'body', (child) => story.add(child));
    this.outline.closeHeadings(1);
    for (const id of this.remarks.comment?.elements.keys() ?? []) {
      for (const text of this.resolve({ kind: 'comment', id })) this.outline.add({ text });
    }
    this.addMargins();
  }

  /** Adds the headers and footers of pages, each text once. */
  private addMargins(): void {
    const told = new Set<string>();
    const parts = ['header', 'footer'].flatMap((type) => this.files.related(this.main, type));
    for (const part of parts) {
      const source = this.files.part(part);
      if (source === undefined) continue;
      for (const text of this.story(part).texts(readXml(source))) {
        if (!told.has(text)) this.outline.add({ text });
        told.add(text);
      }
    }
  }

  private story(part: string): WordStory {
    const relationships = new Map<string, Relationship>(
      this.files.relationships(part).map((relationship) => [relationship.id, relationship]),
    );
    return new WordStory({
      outline: this.outline,
      styles: this.styles,
      numbering: this.numbering,
      text: new WordText(this.styles, relationships, (kind, id) => this.markOf(kind, id)),
      resolve: (reference) => this.resolve(reference, part),
      include: (id) => this.included.push(relationships.get(id)?.target ?? ''),
      titled: (title) => {
        if (title !== '') this.title ??= title.replace(/\s+/g, ' ');
      },
    });
  }

  /** The mark of a note, counted in the order of the text; empty for a note that does not exist. */
  private markOf(kind: string, id: string): string {
    if (this.remarks[kind]?.elements.has(id) !== true) return '';
    const key = `${kind} ${id}`;
    const mark = this.marks.get(key) ?? `[${this.marks.size + 1}]`;
    this.marks.set(key, mark);
    return mark;
  }

  private resolve(reference: Reference, part = this.main): string[] {
    if (this.referenceDepth >= referenceDepthMax) return [];
    this.referenceDepth += 1;
    try {
      if (reference.box) return this.story(part).texts(reference.box);
      if (reference.kind === 'chart' || reference.kind === 'diagram') return this.drawn(reference.id);
      return this.remark(reference.kind, reference.id);
    } finally {
      this.referenceDepth -= 1;
    }
  }

  private remark(kind: string, id: string): string[] {
    const remarks = this.remarks[kind];
    const element = remarks?.elements.get(id);
    if (remarks === undefined || element === undefined) return [];
    const mark = kind === 'comment' ? undefined : this.markOf(kind, id);
    remarks.elements.delete(id);
    const text = this.story(remarks.part).texts(element).join('\n');
    if (text === '') return [];
    const author = element.attributes.author?.trim();
    return [kind === 'comment' ? `Comment${author ? ` by ${author}` : ''}: ${text}` : `${mark} ${text}`];
  }

  /** The words of a chart or diagram, and its rows of values. */
  private drawn(part: string): string[] {
    const root = readPart(this.files, part);
    if (root?.name !== 'chartSpace') return diagramTexts(root);
    return [chartNames(root, chartShapes(this.files, part)), ...chartRows(root)].filter(
      (text) => text !== '',
    );
  }

  private tree(type: string): XmlElement | undefined {
    const source = this.files.part(this.files.related(this.main, type)[0] ?? '');
    return source && readXml(source);
  }

  private remarksOf(type: string, name: string): { part: string; elements: Remarks } {
    const elements = childrenOf(this.tree(type), name).filter(
      ({ attributes }) => !/separator/i.test(attributes.type ?? ''),
    );
    return {
      part: this.files.related(this.main, type)[0] ?? '',
      elements: new Map(elements.map((element) => [element.attributes.id ?? '', element])),
    };
  }
}

async function wordDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const files = await OfficePackage.open(bytes);
  const main = mainPart(files);
  const document = new WordDocument(files, main);
  document.read();
  const blocks = [...document.outline.blocks];
  for (const file of innerFiles(files, main, document.included))
    blocks.push(...(await context.readInner(file)));
  const title = coreTitle(files) ?? document.title ?? document.outline.title;
  return title ? { title, blocks } : { blocks };
}

/** The name of the main part. @throws ParseError E1001 when it is no Word document */
function mainPart(files: OfficePackage): string {
  const main = files.related('', 'officeDocument')[0] ?? 'word/document.xml';
  if (files.part(main) !== undefined && /^(?:xl|ppt)\//i.test(main)) {
    throw mislabelledFile('it is no text document');
  }
  if (files.part(main) === undefined) {
    throw mislabelledFile('it is no Word document');
  }
  return main;
}

function coreTitle(files: OfficePackage): string | undefined {
  const core = files.part(files.related('', 'core-properties')[0] ?? 'docProps/core.xml');
  const title = core && childOf(readXml(core), 'title');
  return (title && textOf(title).trim()) || undefined;
}

function innerFiles(files: OfficePackage, main: string, included: readonly string[]): InnerFile[] {
  const names = new Set([...included, ...files.related(main, 'package', 'oleObject')]);
  return [...names].flatMap((part) => {
    const bytes = files.part(part);
    return bytes === undefined ? [] : [{ name: part.slice(part.lastIndexOf('/') + 1), bytes }];
  });
}

export const word: Parser = {
  name: 'word',
  extensions: ['docx'],
  contentTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  parse: (bytes, context) => parseSafely(() => wordDocument(bytes, context)),
};
