import { bufferOf } from '../../lib/buffer-of.js';
import { kindOf, readImageHeader } from './image/image-header.js';
import { startingAt, tiffPages, tiffTags, type Directory } from './image/tiff.js';
import { tiffAsPdf } from './image/tiff-as-pdf.js';
import { OcrBudget } from './ocr/ocr-budget.js';
import { recognizeImage } from './ocr/recognize.js';
import { Turns } from './ocr/turns.js';
import {
  mislabelledFile,
  ParseError,
  parseSafely,
  type ParseContext,
  type ParsedBlock,
  type ParsedDocument,
  type Parser,
} from './parser.js';
import { readingOrder } from './pdf/columns.js';
import { paragraphsOf } from './pdf/paragraphs.js';
import { linesOf, type Segment } from './pdf/segments.js';
import { alignedTablesOf, blocksOfTable, withTablePlaces } from './pdf/tables.js';

/**
 * The declared size is checked before anything is decoded: at four bytes a pixel, an image must fit into
 * memory.
 */
const pixelsMax = 50_000_000;
const sideMax = 65_000;

/** The text in a picture, read by OCR; a TIFF file may have many pages. */
async function imageDocument(source: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const bytes = bufferOf(source);
  const kind = kindOf(bytes);
  if (kind === undefined) {
    const isPdf = bytes.toString('latin1', 0, 5) === '%PDF-';
    throw mislabelledFile(`it is ${isPdf ? 'a PDF' : 'no image'}`);
  }
  if (kind === 'TIFF') return { blocks: await tiffBlocks(bytes, context) };
  const header = readImageHeader(bytes);
  if (header === undefined) throw new ParseError('E1001', `The ${kind} image is damaged.`);
  requireReadableSize(header.width, header.height);
  return { blocks: blocksOf(await recognizeImage(bytes, header, { context, turns: new Turns() })) };
}

async function tiffBlocks(bytes: Buffer, context: ParseContext): Promise<ParsedBlock[]> {
  const blocks: ParsedBlock[] = [];
  const budget = new OcrBudget();
  const turns = new Turns();
  let page = 0;
  for (const directory of tiffPages(bytes)) {
    page += 1;
    if (!budget.takePage()) {
      const text = `[The pages from page ${page} on were not read.]`;
      return [...blocks, { text, headings: [], layout: { page } }];
    }
    blocks.push(...blocksOf(await recognizeTiffPage(bytes, directory, { context, turns }), page));
  }
  if (page === 0) throw new ParseError('E1001', 'The TIFF image is damaged.');
  return blocks;
}

async function recognizeTiffPage(
  bytes: Buffer,
  directory: Directory & { offset: number },
  reading: { readonly context: ParseContext; readonly turns: Turns },
): Promise<Segment[]> {
  const width = directory.values.get(tiffTags.width)?.[0] ?? 0;
  const height = directory.values.get(tiffTags.height)?.[0] ?? 0;
  requireReadableSize(width, height);
  const picture = tiffAsPdf(bytes, directory) ?? startingAt(bytes, directory.offset);
  return recognizeImage(picture, { width, height, angle: 0 }, reading);
}

function requireReadableSize(width: number, height: number): void {
  if (width * height <= pixelsMax && Math.max(width, height) <= sideMax && width * height > 0) return;
  throw new ParseError('E1001', `The image is too large to be read: ${width} x ${height} pixels.`);
}

function blocksOf(segments: readonly Segment[], page?: number): ParsedBlock[] {
  const place = page === undefined ? {} : { page };
  const tables = alignedTablesOf(segments);
  return readingOrder(withTablePlaces(segments, tables), true)
    .flatMap((flow) => paragraphsOf(linesOf(flow)))
    .flatMap(({ text, table: index }) => {
      const table = index === undefined ? undefined : tables[index];
      if (table) return blocksOfTable(table, [], place);
      return [{ text, headings: [], ...(page !== undefined && { layout: place }) }];
    });
}

export const image: Parser = {
  name: 'image',
  extensions: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'tif', 'tiff', 'bmp'],
  contentTypes: [
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'image/tiff',
    'image/bmp',
    'image/x-ms-bmp',
  ],
  parse: (bytes, context) => parseSafely(() => imageDocument(bytes, context)),
};
