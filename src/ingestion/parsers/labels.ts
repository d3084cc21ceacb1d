import { bufferOf } from '../../lib/buffer-of.js';
import { csv } from './csv.js';
import { html } from './html.js';
import { kindOf, type ImageKind } from './image/image-header.js';
import { json } from './json.js';
import { log } from './log.js';
import { markdown } from './markdown.js';
import { mislabelledFile } from './parser.js';
import type { InnerFile } from './parser.js';
import { extensionOf } from './parsers.js';
import { plainText } from './plain-text.js';
import { xml } from './xml.js';
import { yaml } from './yaml.js';

/** What any text may be taken for, and is not. */
const textExtensions = new Set(
  [plainText, markdown, html, csv, json, xml, yaml, log].flatMap(({ extensions }) => extensions),
);
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
 * Refuses a file whose extension its parser would not miss: renaming does not convert. Other kinds of files are told by their parsers.
 * @throws ParseError E1001
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
