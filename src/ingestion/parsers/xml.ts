import { decodeText } from './charset.js';
import { parseSafely } from './parser.js';
import type { ParsedDocument, Parser } from './parser.js';
import { streamXml } from './xml-reader.js';

const rootCharacters = 4_000;

/** Feeds, books in DocBook, drawings and data; a page in XHTML is read as a page. */
async function xmlDocument(bytes: Uint8Array): Promise<ParsedDocument> {
  if (isPage(bytes)) {
    const { htmlDocument } = await import('./html-document.js');
    return htmlDocument(decodeText(bytes));
  }
  const { XmlOutline } = await import('./xml-outline.js');
  const outline = new XmlOutline();
  streamXml(bytes, outline);
  const { title, blocks } = outline;
  return title === undefined ? { blocks } : { title, blocks };
}

function isPage(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, rootCharacters)).toString('latin1').replaceAll('\0', '');
  return /^[^<]*(?:<[?!][^>]*>[^<]*)*<(?:\w+:)?html\b/i.test(start);
}

export const xml: Parser = {
  name: 'xml',
  extensions: ['xml'],
  contentTypes: ['application/xml', 'text/xml'],
  parse: (bytes) => parseSafely(() => xmlDocument(bytes)),
};
