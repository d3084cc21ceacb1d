import type { LiteParseConfig, ParsedPage, TextItem } from '@llamaindex/liteparse';
import { bothCjk, partsOf, rowsOf, segmentsOf, type Segment } from '../pdf/segments.js';
import type { ParseContext } from '../parser.js';
import { builtInOcrData, hasOcrData } from './ocr-data.js';

/** For the pages of one file together; those that are left then are not read. */
export const ocrMillisecondsMax = 120_000;
/** A page of A3 at 200 dots to the inch; more takes longer and reads no better. */
const renderedPixelsMax = 12_000_000;
const pageDpi = 200;
const pageDpiMax = 400;
/** Smaller pictures are enlarged: letters of ten pixels are guessed at. */
const longerSidePixelsMin = 1600;
const enlargementMax = 3;
/** The library takes a picture for one of 150 dots to the inch. */
const pictureDpi = 150;
/** Of Tesseract, 0..1: below it words are guesses. */
const wordConfidenceMin = 0.5;
/** Of all words together: the patterns of a photo that look like letters stay below. */
const meanConfidenceMin = 0.65;

/** Of a word's size. */
const wordGapMax = 1;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reads one page of a PDF, given as bytes or path, as a picture; sizes in points. */
export async function recognizePage(
  pdf: Buffer | string,
  page: { readonly number: number } & Size,
  context: ParseContext,
): Promise<Segment[]> {
  const longerInches = Math.max(page.width, page.height) / 72;
  const wanted = Math.min(pageDpiMax, Math.max(pageDpi, longerSidePixelsMin / longerInches));
  const squareInches = (page.width * page.height) / 72 ** 2;
  const dpi = Math.min(wanted, Math.sqrt(renderedPixelsMax / squareInches));
  const read = await recognize(pdf, { dpi, targetPages: String(page.number) }, context);
  return read ? wordsOf(read) : [];
}

/** Reads the first picture of an image file; sizes in pixels, turned clockwise by the angle. */
export async function recognizeImage(
  bytes: Buffer,
  { width, height, angle }: Size & { readonly angle: 0 | 90 | 180 | 270 },
  context: ParseContext,
): Promise<Segment[]> {
  const enlarged = Math.min(enlargementMax, longerSidePixelsMin / Math.max(width, height));
  const reduced = Math.sqrt(renderedPixelsMax / (width * height));
  const dpi = pictureDpi * Math.min(Math.max(1, enlarged), reduced);
  const turned = angle === 0 ? {} : { pageOrientationCorrections: [{ page: 1, angle }] };
  const read = await recognize(bytes, { dpi, ...turned }, context);
  return read ? wordsOf(read) : [];
}

async function recognize(
  file: Buffer | string,
  options: Partial<LiteParseConfig>,
  context: ParseContext,
): Promise<ParsedPage | undefined> {
  const tessdataPath = context.ocrDataDir ?? builtInOcrData;
  // The library would download what is missing.
  if (!hasOcrData(tessdataPath, context.ocrLanguages)) {
    throw new Error(`there is no OCR data for ${context.ocrLanguages.join(', ')}`);
  }
  const { LiteParse } = await import('@llamaindex/liteparse');
  const reader = new LiteParse({
    ocrEnabled: true,
    ocrLanguage: context.ocrLanguages.join('+'),
    tessdataPath,
    numWorkers: 1,
    maxPages: Number.MAX_SAFE_INTEGER,
    quiet: true,
    ...options,
  });
  const { pages } = await reader.parse(file);
  context.progress?.();
  return pages[0];
}

/** Without guesses; nothing when there are hardly any words that are none. */
function wordsOf(page: ParsedPage): Segment[] {
  const sure = page.textItems.filter(
    (item) => item.confidence === undefined || item.confidence >= wordConfidenceMin,
  );
  const read = sure.filter((item) => item.confidence !== undefined);
  if (read.length > 0 && !isText(read)) return [];
  // The height of a word depends on its letters: `an` is lower than `All`.
  const heights = read.map((item) => item.height).sort((a, b) => a - b);
  const size = heights[Math.floor(heights.length / 2)] ?? 0;
  const words = segmentsOf(sure).map((segment) => ({ ...segment, size: size || segment.size, bold: false }));
  return rowsOf(words).flatMap(phrasesOf);
}

/** Words of a line as close as those of a sentence become one piece: a column begins within none. */
export function phrasesOf(row: readonly Segment[]): Segment[] {
  return partsOf(row, wordGapMax).map((words) => words.reduce(joined));
}

function joined(before: Segment, word: Segment): Segment {
  const y = Math.min(before.y, word.y);
  const bottom = Math.max(before.y + before.height, word.y + word.height);
  const text = bothCjk(before.text, word.text) ? before.text + word.text : `${before.text} ${word.text}`;
  return { ...before, y, height: bottom - y, width: word.x + word.width - before.x, text };
}

function isText(items: readonly TextItem[]): boolean {
  const length = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const characters = items.reduce((sum, item) => sum + item.text.replace(/\s/g, '').length, 0);
  const letters = items.reduce((sum, item) => sum + length(item.text), 0);
  const weighted = items.reduce((sum, item) => sum + (item.confidence ?? 0) * item.text.length, 0);
  const total = items.reduce((sum, item) => sum + item.text.length, 0);
  return letters >= 2 && letters >= characters * 0.6 && weighted >= meanConfidenceMin * total;
}
