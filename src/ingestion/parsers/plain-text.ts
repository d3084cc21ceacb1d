import { decodeText } from './charset.js';
import { parseSafely, type ParsedDocument, type Parser } from './parser.js';

/** Splits a text at its blank lines into paragraphs without headings. */
export function plainTextDocument(text: string): ParsedDocument {
  const blocks = text
    .split(/\n(?:[^\S\n]*\n)+/)
    .filter((paragraph) => /\S/.test(paragraph))
    .map((paragraph) => ({ text: paragraph.trimEnd(), headings: [] }));
  return { blocks };
}

export const plainText: Parser = {
  name: 'plain-text',
  extensions: ['txt', 'text'],
  contentTypes: ['text/plain'],
  parse: (bytes) => parseSafely(() => plainTextDocument(decodeText(bytes))),
};
