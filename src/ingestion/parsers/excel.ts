import { readSheet, unescaped, type Book } from './excel/sheet.js';
import { drawnTexts, pageTexts, sheetComments } from './excel/sheet-parts.js';
import { CellFormats, type CellFormat, type NumberFormats } from './office/cell-text.js';
import { OfficePackage } from './office/office-package.js';
import { linksOf, readPart, referenceOf } from './office/office-parts.js';
import { sheetBlocks } from './office/sheet-blocks.js';
import { mislabelledFile, ParseError, parseSafely } from './parser.js';
import type { ParseContext, ParsedBlock, ParsedDocument, Parser } from './parser.js';
import { childOf, childrenOf, streamXml } from './xml/reader.js';

/** A limit for the texts that cells share; a file of 50 MB may hold twice as many. */
const sharedCharactersMax = 100_000_000;

async function workbookDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const parts = await OfficePackage.open(bytes);
  const workbook = parts.related('', 'officeDocument')[0] ?? 'xl/workbook.xml';
  const root = readPart(parts, workbook);
  if (root?.name !== 'workbook') throw mislabelledFile('it holds no workbook');
  const links = linksOf(parts, workbook);
  const { date1904 } = childOf(root, 'workbookPr')?.attributes ?? {};
  const book = await readBook(parts, workbook, /^(?:1|true)$/.test(date1904 ?? ''));
  const blocks: ParsedBlock[] = [];
  for (const sheet of childrenOf(childOf(root, 'sheets'), 'sheet')) {
    const { type, target = '' } = links.get(referenceOf(sheet)) ?? {};
    const xml = parts.part(target);
    const isSheet = type === 'worksheet' || type === 'chartsheet';
    if (!isSheet || xml === undefined) continue;
    // A sheet that is a chart has no rows.
    const { rows, pageTexts: codes } = readSheet(xml, book, linksOf(parts, target));
    const beside = [...drawnTexts(parts, target), ...pageTexts(codes)].map((text) => ({ text }));
    const asides = [...sheetComments(parts, target), ...beside];
    // One by one, because a call takes at most some hundred thousand arguments.
    for (const block of sheetBlocks({ name: sheet.attributes.name ?? '', rows, asides })) blocks.push(block);
    for (const name of parts.related(target, 'package', 'oleObject')) {
      const content = parts.part(name);
      const inner = content && { name: name.slice(name.lastIndexOf('/') + 1), bytes: content };
      for (const block of inner ? await context.readInner(inner) : []) blocks.push(block);
    }
  }
  return { blocks };
}

async function readBook(parts: OfficePackage, workbook: string, date1904: boolean): Promise<Book> {
  const { SSF } = (await import('@e965/xlsx')) as unknown as { SSF: NumberFormats };
  const formats = new CellFormats(SSF, date1904);
  const [strings, styles] = ['sharedStrings', 'styles'].map((type) => parts.related(workbook, type)[0] ?? '');
  return {
    strings: sharedStrings(parts.part(strings ?? '')),
    styles: styleFormats(parts, styles ?? '', formats),
    formats,
  };
}

function styleFormats(parts: OfficePackage, name: string, formats: CellFormats): CellFormat[] {
  const root = readPart(parts, name);
  const codes = new Map(
    childrenOf(childOf(root, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode,
    ]),
  );
  return childrenOf(childOf(root, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = Number(attributes.numFmtId ?? 0);
    return formats.of(codes.get(id) ?? id);
  });
}

/** The texts that cells share, by index; without the phonetic readings of East Asian words. */
function sharedStrings(xml: Uint8Array | undefined): string[] {
  const strings: string[] = [];
  let characters = 0;
  let [isText, isReading] = [false, false];
  if (xml === undefined) return strings;
  let text = '';
  streamXml(xml, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isReading = true;
      else isText = name === 't';
    },
    text(piece) {
      if (isText && !isReading) text += piece;
    },
    close(name) {
      if (name === 'rPh') isReading = false;
      else if (name === 't') isText = false;
      else if (name === 'si') {
        characters += text.length;
        if (characters > sharedCharactersMax)
          throw new ParseError('E1001', 'The workbook is too large to be read.');
        strings.push(unescaped(text));
      }
    },
  });
  return strings;
}

export const excel: Parser = {
  name: 'excel',
  extensions: ['xlsx'],
  contentTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  parse: (bytes, context) => parseSafely(() => workbookDocument(bytes, context)),
};
