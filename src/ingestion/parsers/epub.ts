import { inOneLine } from '../../text/one-line.js';
import { decodeText } from './charset.js';
import {
  encryptedFile,
  mislabelledFile,
  parseSafely,
  type ParsedBlock,
  type ParsedDocument,
  type Parser,
} from './parser.js';
import { childOf, childrenOf, descendantsOf, readXml, textOf, type XmlElement } from './xml/reader.js';
import { unzip } from './zip.js';

const unread = /\.(?:png|jpe?g|gif|webp|svg|css|js|[ot]tf|woff2?|mp[34]|m4[av]|ogg|smil)$/i;
const readable = /xhtml|text\/html|x-dtbook|x-oeb1-document/i;
/** The algorithms that disguise fonts. They do not encrypt the text. */
const fontDisguise = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/i;
const voidTags = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|[\w-]+:[\w-]+)$/i;

type Files = ReadonlyMap<string, Uint8Array>;

interface Chapter {
  /** The path as the book writes it. */
  readonly href: string;
  readonly file: string;
}

interface Book {
  readonly title: string | undefined;
  readonly chapters: readonly Chapter[];
  /** The title of each file in the table of contents. */
  readonly labels: ReadonlyMap<string, string>;
}

async function epubDocument(bytes: Uint8Array): Promise<ParsedDocument> {
  const files = await unzip(bytes, (name) => !unread.test(name));
  const book = openBook(files);
  const encrypted = encryptedFiles(files);
  const chapters = new Map<string, string>();
  for (const { file } of book.chapters) {
    if (encrypted.has(file)) throw encryptedFile('the book is protected against copying');
    const content = files.get(file);
    if (content !== undefined) chapters.set(file, asHtml(decodeText(content, declaredEncoding(content))));
  }
  const { placeNotes } = await import('./epub/notes.js');
  placeNotes(chapters, (file, href) => resolve(folderOf(file), decoded(href)));
  const blocks: ParsedBlock[] = [];
  for (const { file, href } of book.chapters) {
    const source = chapters.get(file);
    // A book may list each section of a file: `chapter.xhtml#s2`.
    chapters.delete(file);
    if (source !== undefined) blocks.push(...(await chapterBlocks(source, href, book.labels.get(file))));
  }
  return book.title ? { title: book.title, blocks } : { blocks };
}

/** @throws ParseError E1001 when the file holds no book */
function openBook(files: Files): Book {
  const container = files.get('META-INF/container.xml');
  const named = container && descendantsOf(readXml(container), 'rootfile')[0]?.attributes['full-path'];
  const name = named && files.has(named) ? named : [...files.keys()].find((file) => /\.opf$/i.test(file));
  const source = files.get(name ?? '');
  if (name === undefined || source === undefined) return bookWithoutPackage(files);
  const folder = folderOf(name);
  const root = readXml(source);
  const items = childrenOf(childOf(root, 'manifest'), 'item');
  const isChapter = ({ attributes }: XmlElement) =>
    readable.test(attributes['media-type'] ?? '') && !/\bnav\b/.test(attributes.properties ?? '');
  const spine = childrenOf(childOf(root, 'spine'), 'itemref').flatMap(({ attributes }) =>
    items.filter((item) => item.attributes.id === attributes.idref),
  );
  const chapters = (spine.some(isChapter) ? spine : items).filter(isChapter).map(({ attributes }) => {
    const href = decoded(attributes.href ?? '');
    return { href, file: resolve(folder, href) };
  });
  const title = descendantsOf(root, 'title')[0];
  return {
    title: title && inOneLine(textOf(title)),
    chapters,
    labels: labelsOf(files, items, folder),
  };
}

function bookWithoutPackage(files: Files): Book {
  const chapters = [...files.keys()].filter((name) => /\.x?html?$/i.test(name)).sort();
  if (chapters.length === 0) {
    throw mislabelledFile('it holds no book');
  }
  return { title: undefined, chapters: chapters.map((file) => ({ file, href: file })), labels: new Map() };
}

/** The titles of files in the table of contents, of EPUB 2 or 3; the first title of a file counts. */
function labelsOf(files: Files, items: readonly XmlElement[], folder: string): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { attributes } of items) {
    const file = resolve(folder, decoded(attributes.href ?? ''));
    const source = files.get(file);
    const isNew = /\bnav\b/.test(attributes.properties ?? '');
    if (source === undefined || (!isNew && !/dtbncx/i.test(attributes['media-type'] ?? ''))) continue;
    const root = readXml(source);
    const entries = isNew
      ? descendantsOf(root, 'a').map((link) => [link.attributes.href, textOf(link)] as const)
      : descendantsOf(root, 'navPoint').map((point) => {
          const label = childOf(point, 'navLabel');
          return [childOf(point, 'content')?.attributes.src, label ? textOf(label) : ''] as const;
        });
    for (const [target, label] of entries) {
      const name = resolve(folderOf(file), decoded(target ?? ''));
      const words = inOneLine(label);
      if (words !== '' && !labels.has(name)) labels.set(name, words);
    }
  }
  return labels;
}

function encryptedFiles(files: Files): Set<string> {
  const encryption = files.get('META-INF/encryption.xml');
  if (encryption === undefined) return new Set();
  return new Set(
    descendantsOf(readXml(encryption), 'EncryptedData')
      .filter((data) => !fontDisguise.test(childOf(data, 'EncryptionMethod')?.attributes.Algorithm ?? ''))
      .flatMap((data) => descendantsOf(data, 'CipherReference'))
      .map(({ attributes }) => decoded(attributes.URI ?? '')),
  );
}

/**
 * The blocks of a chapter. Text before its first heading gets the title from the table of contents as
 * heading.
 */
async function chapterBlocks(
  source: string,
  file: string,
  label: string | undefined,
): Promise<ParsedBlock[]> {
  const { htmlDocument } = await import('./html/document.js');
  const { blocks } = htmlDocument(source, 'whole');
  return blocks.map((block) => ({
    ...block,
    headings:
      block.headings.length > 0 || label === undefined || block.text === label ? block.headings : [label],
    layout: { file, ...block.layout },
  }));
}

/**
 * Makes XHTML readable as HTML, which reads `<title/>` otherwise. Notes that are hidden until somebody taps
 * them are shown.
 */
function asHtml(source: string): string {
  return source
    .replace(/<\?xml[^<>]*\?>/, '')
    .replace(/<([a-z][\w:-]*)([^<>]*)\/>/gi, (tag, name: string, attributes: string) =>
      voidTags.test(name) ? tag : `<${name}${attributes}></${name}>`,
    )
    .replace(/<(?:aside|section|div|li|ol|p)\b[^<>]*>/gi, (tag) =>
      /notes?["'\s]/i.test(tag) ? tag.replace(/\shidden(?:=(?:"[^"]*"|'[^']*'))?(?=[\s>])/i, '') : tag,
    );
}

function declaredEncoding(content: Uint8Array): string | undefined {
  const start = Buffer.from(content.subarray(0, 1024)).toString('latin1');
  return /\b(?:encoding|charset)\s*=\s*["']?([\w-]+)/i.exec(start)?.[1];
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

function resolve(folder: string, href: string): string {
  const path: string[] = [];
  for (const step of `${folder}${href.replace(/[#?].*$/s, '')}`.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  }
  return path.join('/');
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

export const epub: Parser = {
  name: 'epub',
  extensions: ['epub'],
  contentTypes: ['application/epub+zip'],
  parse: (bytes) => parseSafely(() => epubDocument(bytes)),
};
