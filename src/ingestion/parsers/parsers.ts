import { calendar } from './calendar.js';
import { csv } from './csv.js';
import { email } from './email.js';
import { epub } from './epub.js';
import { excel } from './excel.js';
import { excelBinary } from './excel-binary.js';
import { html } from './html.js';
import { image } from './image.js';
import { keynote, numbers, pages } from './iwork.js';
import { json } from './json.js';
import { jsonLines } from './json-lines.js';
import { log } from './log.js';
import { markdown } from './markdown.js';
import { openDocumentText, openDocumentSlides } from './open-document.js';
import { openDocumentSheets } from './open-document-sheets.js';
import { outlook } from './outlook.js';
import type { BlockStream, InnerFile, Parser } from './parser.js';
import { pdf } from './pdf.js';
import { plainText } from './plain-text.js';
import { powerpoint } from './powerpoint.js';
import { powerpointBinary } from './powerpoint-binary.js';
import { rtf } from './rtf.js';
import { word } from './word.js';
import { wordBinary } from './word-binary.js';
import { xml } from './xml.js';
import { yaml } from './yaml.js';

/** All kinds of files that are accepted; the first match wins. */
export const PARSERS: readonly Parser<BlockStream>[] = [
  plainText,
  markdown,
  html,
  csv,
  email,
  epub,
  excel,
  excelBinary,
  image,
  json,
  jsonLines,
  keynote,
  log,
  numbers,
  openDocumentSheets,
  openDocumentSlides,
  openDocumentText,
  outlook,
  pages,
  pdf,
  powerpoint,
  powerpointBinary,
  rtf,
  word,
  wordBinary,
  xml,
  yaml,
];

/** Those that are read within other files: attachments of mails, objects of documents, files of archives. */
const INNER_PARSERS: readonly Parser<BlockStream>[] = [...PARSERS, calendar];

/**
 * The parser for a file; undefined when its kind is not supported. The extension decides, in any letter case;
 * only for a name without one the Content-Type, without its parameters.
 */
export function parserFor(filename: string, contentType?: string): Parser<BlockStream> | undefined {
  return extensionOf(filename) === undefined
    ? byContentType(PARSERS, contentType)
    : byExtension(PARSERS, filename);
}

/** The parser for a file within a file: by its extension, or else by the type that its sender gave it. */
export function innerParserFor({
  name,
  contentType,
}: Omit<InnerFile, 'bytes'>): Parser<BlockStream> | undefined {
  return byExtension(INNER_PARSERS, name) ?? byContentType(INNER_PARSERS, contentType);
}

function byExtension(parsers: typeof PARSERS, filename: string): Parser<BlockStream> | undefined {
  const extension = extensionOf(filename) ?? '';
  return parsers.find(({ extensions }) => extensions.includes(extension));
}

function byContentType(parsers: typeof PARSERS, contentType = ''): Parser<BlockStream> | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return parsers.find(({ contentTypes }) => contentTypes.includes(type));
}

/** The media types of extensions that are not the first type of their parser, or whose parser has several. */
const typesOfExtensions = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['bmp', 'image/bmp'],
  ['tsv', 'text/tab-separated-values'],
]);

/**
 * The media type under which a file is shown: by its extension, since clients often invent the type they
 * send.
 */
export function mediaTypeOf(filename: string, contentType: string | null): string {
  const extension = extensionOf(filename) ?? '';
  const types = PARSERS.find((parser) => parser.extensions.includes(extension))?.contentTypes;
  const sent = /^[\w.+-]+\/[\w.+-]+(?=\s*;|$)/.exec(contentType ?? '')?.[0].toLowerCase();
  if (!types) return sent ?? 'application/octet-stream';
  const own = typesOfExtensions.get(extension);
  if (own !== undefined) return own;
  // Of several types with one meaning, the one that was sent.
  const isAlike =
    sent !== undefined && types.includes(sent) && ![...typesOfExtensions.values()].includes(sent);
  return isAlike ? sent : (types[0] ?? 'application/octet-stream');
}

/**
 * The extension in lower case, without the dot. A dot at the beginning (`.profile`) or the end starts none.
 */
export function extensionOf(filename: string): string | undefined {
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(dot + 1).toLowerCase() : undefined;
}
