import { sheetBlocks } from './office/sheet-blocks.js';
import { EmbeddedObjects } from './open-document/objects.js';
import { unpackOpenDocument, pageMargins } from './open-document/package.js';
import { lineText, pageFields, readSheets } from './open-document/sheets-reader.js';
import { parseSafely, type ParseContext, type ParsedDocument, type Parser } from './parser.js';
import { descendantsOf, elementsOf, readXml } from './xml/reader.js';

const wanted = /(?:^|\/)content\.xml$|^styles\.xml$|^Obj[^/]*$/;

/** The texts of headers and footers of the printed pages, each once. */
function pageTexts(styles: Uint8Array | undefined): string[] {
  const texts = pageMargins(styles && readXml(styles))
    .flatMap((margin) => descendantsOf(margin, 'p'))
    .filter((paragraph) => elementsOf(paragraph).every(({ name }) => !pageFields.has(name)));
  return [...new Set(texts.map((paragraph) => lineText(paragraph).trim()))].filter(
    (text) => text !== '' && text !== '???',
  );
}

async function sheetsDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const { parts, content } = await unpackOpenDocument(bytes, { kind: 'spreadsheet', wanted });
  // The values of a chart on a sheet are in cells anyway.
  const objects = new EmbeddedObjects(parts, { areChartsOfCells: true });
  const blocks = readSheets(content, (name) => objects.texts(name)).flatMap(sheetBlocks);
  blocks.push(...pageTexts(parts.get('styles.xml')).map((text) => ({ text, headings: [] })));
  for (const file of objects.files) for (const block of await context.readInner(file)) blocks.push(block);
  return { blocks };
}

export const openDocumentSheets: Parser = {
  name: 'open-document-sheets',
  extensions: ['ods'],
  contentTypes: ['application/vnd.oasis.opendocument.spreadsheet'],
  parse: (bytes, context) => parseSafely(() => sheetsDocument(bytes, context)),
};
