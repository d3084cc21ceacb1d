import { csv } from './csv.js';
import { html } from './html.js';
import { markdown } from './markdown.js';
import { openDocumentText, openDocumentSlides } from './open-document.js';
import { epub } from './epub.js';
import { rtf } from './rtf.js';
import { wordBinary } from './word-binary.js';
import type { Parser } from './parser.js';
import { plainText } from './plain-text.js';
import { word } from './word.js';

/** Every kind of file that can be read; the first match wins. */
export const PARSERS: readonly Parser[] = [
  plainText,
  markdown,
  html,
  csv,
  word,
  openDocumentText,
  openDocumentSlides,

  epub,
  rtf,
  wordBinary,
];

/**
 * The parser for a file, or undefined when its kind is not supported. The extension decides, in any case;
 * only a name without one is decided by the Content-Type, whose parameters are ignored.
 */
export function parserFor(filename: string, contentType?: string): Parser | undefined {
  const extension = extensionOf(filename);
  if (extension !== undefined) return PARSERS.find((parser) => parser.extensions.includes(extension));
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type ? PARSERS.find((parser) => parser.contentTypes.includes(type)) : undefined;
}

/** Lower case, without the dot; a leading dot (`.profile`) or a last one starts no extension. */
function extensionOf(filename: string): string | undefined {
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(dot + 1).toLowerCase() : undefined;
}
