import { decodeText } from './charset.js';
import { mislabelledFile, parseSafely } from './parser.js';
import type { ParsedDocument, Parser } from './parser.js';
import { declaredEncoding, streamXml } from './xml/reader.js';

const rootCharacters = 4_000;
/**
 * An XML document begins with `<`, after a byte order mark of any encoding and blank lines; or it is empty.
 */
const beginning = /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)?\s*(?:<|$)/;
const page = /^[^<]*(?:<[?!][^>]*>[^<]*)*<(?:\w+:)?html\b/i;

/** Reads feeds, books in DocBook, drawings and data; a page in XHTML is read as a web page. */
async function xmlDocument(bytes: Uint8Array, charset: string | undefined): Promise<ParsedDocument> {
  const start = Buffer.from(bytes.subarray(0, rootCharacters)).toString('latin1').replaceAll('\0', '');
  if (!beginning.test(start)) throw mislabelledFile('it is no XML');
  if (page.test(start)) {
    const { htmlDocument } = await import('./html/document.js');
    return htmlDocument(decodeText(bytes, declaredEncoding(bytes) ?? charset));
  }
  const { XmlOutline } = await import('./xml/outline.js');
  const outline = new XmlOutline();
  streamXml(bytes, outline, charset);
  const { title, blocks } = outline;
  return title === undefined ? { blocks } : { title, blocks };
}

export const xml: Parser = {
  name: 'xml',
  extensions: ['xml'],
  contentTypes: ['application/xml', 'text/xml'],
  parse: (bytes, { charset }) => parseSafely(() => xmlDocument(bytes, charset)),
};
