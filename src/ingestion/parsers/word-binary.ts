import { alphabetCharsets } from './charset/alphabet.js';
import { objectsIn } from './embedded-object.js';
import { DocumentStory } from './office/document-story.js';
import { Outline } from './outline.js';
import { parseSafely, type ParseContext, type ParsedDocument, type Parser } from './parser.js';
import type { Iconv } from './rtf/charset.js';
import { openWordFile, type WordFile } from './word/binary-file.js';
import { binaryLists } from './word/binary-lists.js';
import type { BinaryProperties } from './word/binary-properties.js';
import { binaryStyles, type BinaryStyle } from './word/binary-styles.js';
import { BinaryText, type BinaryParagraph } from './word/binary-text.js';
import { WordNumbering } from './word/numbering.js';

/** A note or comment: its text (`from`, `to`), and the position in the body that refers to it. */
interface Remark {
  readonly place: number;
  readonly from: number;
  readonly to: number;
  readonly author?: string | undefined;
}

/** The numbers of tables in the header of Word 97. */
const tables = {
  footnotes: { references: 2, texts: 3, entryBytes: 2 },
  comments: { references: 4, texts: 5, entryBytes: 30 },
  endnotes: { references: 46, texts: 47, entryBytes: 2 },
  authors: 36,
  margins: 11,
};
/** How many separators between text and notes come before the headers and footers. */
const separatorStories = 6;
/** The Windows code page of each primary language, for documents of Word 95; other languages are Western. */
const codePages: Readonly<Record<number, number>> = {
  0x01: 1256,
  0x02: 1251,
  0x04: 936,
  0x05: 1250,
  0x08: 1253,
  0x0d: 1255,
  0x0e: 1250,
  0x11: 932,
  0x12: 949,
  0x15: 1250,
  0x18: 1250,
  0x19: 1251,
  0x1a: 1250,
  0x1b: 1250,
  0x1e: 874,
  0x1f: 1254,
  0x22: 1251,
  0x23: 1251,
  0x24: 1250,
  0x25: 1257,
  0x26: 1257,
  0x27: 1257,
};

class BinaryDocument {
  readonly outline = new Outline();
  title: string | undefined;
  private readonly text: BinaryText;
  private readonly styleOf: ReturnType<typeof binaryStyles>;
  private readonly numbering: WordNumbering;
  private readonly starts: Readonly<
    Record<'footnotes' | 'margins' | 'comments' | 'endnotes' | 'boxes', number>
  >;

  constructor(
    private readonly file: WordFile,
    decodeOld: (text: string) => string,
  ) {
    this.text = new BinaryText(file, decodeOld);
    this.styleOf = binaryStyles(file);
    this.numbering = new WordNumbering(binaryLists(file));
    const { body, footnotes, margins, macros, comments } = file.lengths;
    const atComments = body + footnotes + margins + macros;
    this.starts = {
      footnotes: body,
      margins: body + footnotes,
      comments: atComments,
      endnotes: atComments + comments,
      boxes: atComments + comments + file.lengths.endnotes,
    };
  }

  read(): void {
    const { lengths } = this.file;
    const notes = [...this.remarks('footnotes'), ...this.remarks('endnotes')].sort(
      (one, other) => one.place - other.place,
    );
    const marks = new Map(notes.map(({ place }, index) => [place, `[${index + 1}]`]));
    const comments = this.remarks('comments');
    const remarks = [...notes, ...comments].sort((one, other) => one.place - other.place);
    const body = this.text.paragraphs(0, lengths.body || this.text.text.length, marks);
    this.addBody(body, remarks, marks);
    this.outline.closeHeadings(1);
    if (notes.length === 0) this.addRest(this.starts.footnotes, lengths.footnotes);
    if (comments.length === 0) this.addRest(this.starts.comments, lengths.comments);
    if (notes.length === 0) this.addRest(this.starts.endnotes, lengths.endnotes);
    this.addRest(this.starts.boxes, lengths.boxes + lengths.marginBoxes);
    this.addMargins();
  }

  private addBody(
    body: BinaryParagraph[],
    remarks: readonly Remark[],
    marks: ReadonlyMap<number, string>,
  ): void {
    const story = new DocumentStory(this.outline);
    let next = 0;
    let previousEnd = '';
    for (const paragraph of body) {
      story.say(paragraph.text);
      story.isBold = paragraph.isBold;
      for (
        let remark = remarks[next];
        remark !== undefined && remark.place <= paragraph.place;
        remark = remarks[next]
      ) {
        story.append(this.remark(remark, marks.get(remark.place)));
        next += 1;
      }
      this.addParagraph(story, paragraph, previousEnd);
      previousEnd = paragraph.end;
    }
    story.end({ level: undefined, isInTable: false });
    for (const remark of remarks.slice(next))
      this.outline.add({ text: this.remark(remark, marks.get(remark.place)) });
  }

  private addParagraph(
    story: DocumentStory,
    { text, end, properties, isBold }: BinaryParagraph,
    previousEnd: string,
  ): void {
    const style = this.styleOf(properties.style ?? 0);
    story.isBold = isBold || style.isBold;
    if (style.isTitle && text !== '') this.title ??= text.replace(/\s+/g, ' ');
    if (end === '\x07') {
      // The properties of Word 95 are not read; there an empty cell after another cell ends the row.
      const isRowEnd = this.file.isOld ? text === '' && previousEnd === '\x07' : properties.isRowEnd === true;
      story.isHeaderRow = isRowEnd && properties.isHeaderRow === true;
      story.rowCells = properties.rowCells ?? [];
      if (isRowEnd) story.endRow();
      else story.endCell();
    } else if (properties.isNestedRowEnd === true) story.endNestedRow();
    else if (properties.isNestedCell === true) story.endNestedCell();
    else {
      if (text !== '') story.label = this.labelOf(properties, style);
      const level = properties.outlineLevel ?? style.outlineLevel ?? 9;
      story.endParagraph({ level: level < 9 ? level : undefined, isInTable: properties.isInTable === true });
    }
  }

  /** The number or bullet of a paragraph of a list; a bullet too where the list is not known. */
  private labelOf(properties: BinaryProperties, style: BinaryStyle): string {
    const list = properties.list ?? style.list ?? 0;
    if (list === 0) return '';
    const name = String(list);
    if (!this.numbering.has(name)) return '-';
    const depth =
      properties.listDepth ?? style.listDepth ?? this.numbering.depthOf(name, String(properties.style ?? 0));
    return this.numbering.next(name, depth) ?? '';
  }

  private remark({ from, to, author }: Remark, mark: string | undefined): string {
    const text = this.texts(from, to).join('\n');
    if (text === '') return '';
    return mark === undefined ? `Comment${author ? ` by ${author}` : ''}: ${text}` : `${mark} ${text}`;
  }

  private texts(from: number, to: number): string[] {
    return this.text
      .paragraphs(from, to)
      .map(({ text }) => text)
      .filter((text) => text !== '');
  }

  /** Adds a part of the text to which nothing refers. */
  private addRest(start: number, length: number): void {
    for (const text of this.texts(start, start + length)) this.outline.add({ text });
  }

  /** Adds the headers and footers of pages, each text once. */
  private addMargins(): void {
    const start = this.starts.margins;
    const first = boundary(this.file.tableOf(tables.margins), separatorStories) ?? 0;
    const told = new Set<string>();
    for (const text of this.texts(start + first, start + this.file.lengths.margins)) {
      if (!told.has(text)) this.outline.add({ text });
      told.add(text);
    }
  }

  private remarks(kind: 'footnotes' | 'comments' | 'endnotes'): Remark[] {
    const { references, texts, entryBytes } = tables[kind];
    const [places, ranges] = [this.file.tableOf(references), this.file.tableOf(texts)];
    const count = Math.max(0, Math.floor((places.length - 4) / (4 + entryBytes)));
    const authors = kind === 'comments' ? authorsOf(this.file.tableOf(tables.authors)) : [];
    const start = this.starts[kind];
    const limit = start + this.file.lengths[kind];
    return Array.from({ length: count }, (_, index) => {
      const entry = (count + 1) * 4 + index * entryBytes;
      return {
        place: boundary(places, index) ?? 0,
        from: Math.min(start + (boundary(ranges, index) ?? 0), limit),
        to: Math.min(start + (boundary(ranges, index + 1) ?? 0), limit),
        author: kind === 'comments' ? authors[places.readUInt16LE(entry + 20)] : undefined,
      };
    });
  }
}

function boundary(table: Buffer, index: number): number | undefined {
  return index * 4 + 4 <= table.length ? table.readUInt32LE(index * 4) : undefined;
}

function authorsOf(names: Buffer): string[] {
  const authors: string[] = [];
  for (let at = 0; at + 2 <= names.length;) {
    const bytes = names.readUInt16LE(at) * 2;
    authors.push(names.toString('utf16le', at + 2, at + 2 + bytes).trim());
    at += 2 + bytes;
  }
  return authors;
}

/** The charset of a document of Word 95. An English Word says that it is in English whatever was written. */
function encodingOf({ language, pieces, stream }: WordFile): string {
  const isTraditional = language === 0x0404 || language === 0x0c04;
  const codePage = isTraditional ? 950 : codePages[language & 0x3ff];
  if (codePage !== undefined) return `cp${codePage}`;
  const text = pieces.map(({ start, end, offset }) => stream.subarray(offset, offset + end - start));
  return alphabetCharsets(Buffer.concat(text)).find((charset) => charset.startsWith('windows-')) ?? 'cp1252';
}

async function binaryDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = openWordFile(bytes);
  const { default: iconv } = (await import('iconv-lite')) as unknown as { default: Iconv };
  const encoding = file.isMac ? 'macroman' : encodingOf(file);
  const document = new BinaryDocument(file, (text) => iconv.decode(Buffer.from(text, 'latin1'), encoding));
  document.read();
  const title = document.title ?? document.outline.title;
  const blocks = [...document.outline.blocks];
  for (const object of await objectsIn(file.objects)) blocks.push(...(await context.readInner(object)));
  return title ? { title, blocks } : { blocks };
}

export const wordBinary: Parser = {
  name: 'word-binary',
  extensions: ['doc'],
  contentTypes: ['application/msword'],
  parse: (bytes, context) => parseSafely(() => binaryDocument(bytes, context)),
};
