import type { ParsedPage, TextItem } from '@llamaindex/liteparse';
import { lineAsRead } from '../../../text/reading-direction.js';
import { pictureDpi } from '../image/picture-pdf.js';
import type { ParseContext } from '../parser.js';
import { bothCjk, partsOf, rowsOf, segmentsOf, type Segment } from '../pdf/segments.js';
import { builtInOcrData, hasOcrData } from './ocr-data.js';
import { pictureOptions, straightened, type PagePicture } from './straightened.js';
import type { Angle, Turns } from './turns.js';

/** As many as a page of A3 has at 200 dots per inch. More take longer and read no better. */
const renderedPixelsMax = 12_000_000;
const pageDpi = 200;
const pageDpiMax = 400;
/** Smaller pictures are enlarged, since letters ten pixels high can only be guessed. */
const longerSidePixelsMin = 1600;
const enlargementMax = 3;
/** Tesseract's confidence, 0 to 1; words below this are guesses. */
const wordConfidenceMin = 0.5;
/** The mean confidence of all words. Patterns of a photo that look like letters stay below it. */
const meanConfidenceMin = 0.65;

/** The mean confidence of all that was read, guesses included. Text that is upside down stays below it. */
const uprightConfidenceMin = 0.75;
/** A page with fewer pieces has too little text to tell whether it is upright. */
const piecesToTurnMin = 10;
/** Shorter words may be higher than wide. */
const tellingLettersMin = 3;

/** The greatest gap within a phrase, as a multiple of the type size. */
const wordGapMax = 1;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What was read, and the height of the picture after it was turned upright. */
interface Recognized {
  readonly segments: Segment[];
  readonly height: number;
}

interface Reading extends Recognized {
  /** How many pieces were read, guesses included. */
  readonly pieces: number;
  /** The mean of all pieces, 0 to 1. */
  readonly confidence: number;
  readonly isOnItsSide: boolean;
}

interface Reader {
  readonly context: ParseContext;
  readonly turns: Turns;
}

/** Recognises a page of a PDF, given as bytes or a path, as a picture; sizes are in points. */
export async function recognizePage(
  pdf: Buffer | string,
  page: { readonly number: number; readonly isTextWrong?: boolean } & Size,
  reader: Reader,
): Promise<Recognized> {
  const longerInches = Math.max(page.width, page.height) / 72;
  const wanted = Math.min(pageDpiMax, Math.max(pageDpi, longerSidePixelsMin / longerInches));
  const squareInches = (page.width * page.height) / 72 ** 2;
  const dpi = Math.min(wanted, Math.sqrt(renderedPixelsMax / squareInches));
  const { number, isTextWrong = false } = page;
  return recognizePicture({ file: pdf, page: number, angle: 0, dpi, longerInches, isTextWrong }, reader);
}

/** Recognises the first picture in an image file, turned clockwise by the angle; sizes are in pixels. */
export async function recognizeImage(
  bytes: Buffer,
  { width, height, angle }: Size & { readonly angle: Angle },
  reader: Reader,
): Promise<Segment[]> {
  const enlarged = Math.min(enlargementMax, longerSidePixelsMin / Math.max(width, height));
  const reduced = Math.sqrt(renderedPixelsMax / (width * height));
  const dpi = pictureDpi * Math.min(Math.max(1, enlarged), reduced);
  const longerInches = Math.max(width, height) / pictureDpi;
  const { segments } = await recognizePicture({ file: bytes, page: 1, angle, dpi, longerInches }, reader);
  return segments;
}

async function recognizePicture(picture: PagePicture, { context, turns }: Reader): Promise<Recognized> {
  const straight = await straightened(picture, context);
  return recognizeUpright((turn) => recognize(straight, turn, context), turns);
}

/**
 * Reads a picture as it is. If that gives guesses, or text that runs up or down the page, it is also read
 * turned.
 */
async function recognizeUpright(
  read: (angle: Angle) => Promise<ParsedPage | undefined>,
  turns: Turns,
): Promise<Recognized> {
  const asItLies = readingOf(await read(0));
  if (isUpright(asItLies) || asItLies.pieces < piecesToTurnMin) return asItLies;
  let best = { ...asItLies, angle: 0 as Angle };
  for (const angle of turns.worthTrying()) {
    const turned = { ...readingOf(await read(angle)), angle };
    if (worth(turned) > worth(best)) best = turned;
    if (isUpright(best)) break;
  }
  turns.note(best.angle);
  return best;
}

function isUpright({ confidence, isOnItsSide }: Reading): boolean {
  return confidence >= uprightConfidenceMin && !isOnItsSide;
}

function worth({ segments, confidence, isOnItsSide }: Reading): number {
  return isOnItsSide || segments.length === 0 ? 0 : confidence;
}

async function recognize(
  picture: PagePicture,
  turn: Angle,
  context: ParseContext,
): Promise<ParsedPage | undefined> {
  const tessdataPath = context.ocrDataDir ?? builtInOcrData;
  // The library would download missing data.
  if (!hasOcrData(tessdataPath, context.ocrLanguages)) {
    throw new Error(`there is no OCR data for ${context.ocrLanguages.join(', ')}`);
  }
  const { LiteParse } = await import('@llamaindex/liteparse');
  const reader = new LiteParse({
    ...pictureOptions(picture, turn),
    ocrEnabled: true,
    ocrLanguage: context.ocrLanguages.join('+'),
    tessdataPath,
  });
  const { pages } = await reader.parse(picture.file);
  context.progress?.();
  return pages[0];
}

/** The result of a page without guesses; without any text when hardly any words are certain. */
function readingOf(page: ParsedPage | undefined): Reading {
  const { textItems, height } = page ?? { textItems: [], height: 0 };
  const read = textItems.filter(({ confidence }) => confidence !== undefined);
  const sure = textItems.filter(({ confidence = 1 }) => confidence >= wordConfidenceMin);
  const words = sure.filter(({ confidence }) => confidence !== undefined);
  const isLegible = words.length === 0 || isText(words);
  return {
    segments: isLegible ? phrasesOfPage(sure, words) : [],
    height,
    pieces: read.length,
    confidence: meanConfidence(read),
    isOnItsSide: lieOnTheirSide(words),
  };
}

function phrasesOfPage(items: readonly TextItem[], words: readonly TextItem[]): Segment[] {
  // One size for all words, because the height of a word depends on its letters: `an` is lower than `All`.
  const heights = words.map((item) => item.height).sort((a, b) => a - b);
  const size = heights[Math.floor(heights.length / 2)] ?? 0;
  const sized = segmentsOf(items).map((segment) => ({ ...segment, size: size || segment.size, bold: false }));
  return rowsOf(sized).flatMap(phrasesOf);
}

/**
 * Whether most words are higher than wide: Tesseract also reads lines that run down a page, one word below
 * the other.
 */
function lieOnTheirSide(words: readonly TextItem[]): boolean {
  const telling = words.filter(({ text }) => lettersIn(text) >= tellingLettersMin && !bothCjk(text, text));
  return telling.filter(({ width, height }) => height > width).length > telling.length / 2;
}

/** Joins words that are as close as in a sentence into pieces; no column begins within a piece. */
export function phrasesOf(row: readonly Segment[]): Segment[] {
  return partsOf(row, wordGapMax).map((words) => {
    const phrase = words.reduce(joined);
    return { ...phrase, text: lineAsRead(phrase.text) };
  });
}

function joined(before: Segment, word: Segment): Segment {
  const y = Math.min(before.y, word.y);
  const bottom = Math.max(before.y + before.height, word.y + word.height);
  const text = bothCjk(before.text, word.text) ? before.text + word.text : `${before.text} ${word.text}`;
  return { ...before, y, height: bottom - y, width: word.x + word.width - before.x, text };
}

function isText(words: readonly TextItem[]): boolean {
  const characters = words.reduce((sum, { text }) => sum + text.replace(/\s/g, '').length, 0);
  const letters = words.reduce((sum, { text }) => sum + lettersIn(text), 0);
  return letters >= 2 && letters >= characters * 0.6 && meanConfidence(words) >= meanConfidenceMin;
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** The mean confidence, weighted by length; 1 when there are no items. */
function meanConfidence(items: readonly TextItem[]): number {
  const weighted = items.reduce((sum, { text, confidence = 0 }) => sum + confidence * text.length, 0);
  const total = items.reduce((sum, { text }) => sum + text.length, 0);
  return total === 0 ? 1 : weighted / total;
}
