import { bufferOf } from '../../lib/buffer-of.js';
import { csv } from './csv.js';
import { email } from './email.js';
import { html } from './html.js';
import { kindOf, type ImageKind } from './image/image-header.js';
import { json } from './json.js';
import { jsonLines } from './json-lines.js';
import { log } from './log.js';
import { markdown } from './markdown.js';
import { mislabelledFile, nothingReadable } from './parser.js';
import type { InnerFile } from './parser.js';
import { extensionOf } from './parsers.js';
import { plainText } from './plain-text.js';
import { rtf } from './rtf.js';
import { xml } from './xml.js';
import { yaml } from './yaml.js';

/** Formats that almost any text can be read as, so that their parsers do not notice another format. */
const textExtensions = new Set(
  [plainText, markdown, html, csv, json, jsonLines, xml, yaml, log].flatMap(({ extensions }) => extensions),
);
const writtenExtensions = new Set([...textExtensions, ...email.extensions, ...rtf.extensions]);
const blanks = new Set(Buffer.from(' \t\n\f\r'));
const utf8Mark = [0xef, 0xbb, 0xbf];
const beginnings: readonly (readonly [found: string, beginning: RegExp])[] = [
  ['it is a PDF', /^%PDF-\d\.\d\s/],
  ['it is rich text', /^\{\\rtf\d/],
];
const imageKinds: Readonly<Record<string, ImageKind>> = {
  png: 'PNG',
  jpg: 'JPEG',
  jpeg: 'JPEG',
  gif: 'GIF',
  webp: 'WebP',
  tif: 'TIFF',
  tiff: 'TIFF',
  bmp: 'BMP',
};

/**
 * Refuses an empty or blank file, where its parser would not notice that the beginning of its format is
 * missing. @throws ParseError E2002
 */
export function requireContent({ name, bytes }: Pick<InnerFile, 'name' | 'bytes'>): void {
  const isBlank = (byte: number, index: number) => blanks.has(byte) || utf8Mark[index] === byte;
  const mayBeBlank = writtenExtensions.has(extensionOf(name) ?? '');
  if (bytes.length === 0 || (mayBeBlank && bytes.every(isBlank))) throw nothingReadable('file');
}

/**
 * Refuses a file of another kind than its extension says, where its parser would not notice that; other
 * parsers do. @throws ParseError E1001
 */
export function requireLabel({ name, bytes }: Pick<InnerFile, 'name' | 'bytes'>): void {
  const extension = extensionOf(name) ?? '';
  const source = bufferOf(bytes);
  if (textExtensions.has(extension)) {
    const start = source.toString('latin1', 0, 16);
    const found = beginnings.find(([, beginning]) => beginning.test(start))?.[0];
    if (found !== undefined) throw mislabelledFile(found);
  }
  const kind = imageKinds[extension] && kindOf(source);
  if (kind && kind !== imageKinds[extension]) throw mislabelledFile(`it is a ${kind} image`);
}
