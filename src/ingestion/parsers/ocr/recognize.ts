import type { LiteParseConfig, ParsedPage, TextItem } from '@llamaindex/liteparse';
import { lineAsRead } from '../../../text/reading-direction.js';
import type { ParseContext } from '../parser.js';
import { bothCjk, partsOf, rowsOf, segmentsOf, type Segment } from '../pdf/segments.js';
import { builtInOcrData, hasOcrData } from './ocr-data.js';
import type { Angle, Turns } from './turns.js';

/** For all pages of a file together; the pages that are left are not read. */
export const ocrMsMax = 120_000;
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

/** Of all that was read, guesses too: text that lies on its head stays below. */
const uprightConfidenceMin = 0.75;
/** Where a page gives fewer pieces as it lies there is too little to tell how it lies. */
const piecesToTurnMin = 10;
/** Shorter words may be higher than wide. */
const tellingLettersMin = 3;

/** Of a word's size. */
const wordGapMax = 1;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What was read, in a picture of that height that lies as the text does. */
interface Recognized {
  readonly segments: Segment[];
  readonly height: number;
}

interface Reading extends Recognized {
  /** Guesses too. */
  readonly pieces: number;
  /** Of all pieces, 0..1. */
  readonly confidence: number;
  readonly isOnItsSide: boolean;
}

/** Recognises a page of a PDF, given as bytes or a path, as a picture; sizes are in points. */
export async function recognizePage(
  pdf: Buffer | string,
  page: { readonly number: number } & Size,
  { context, turns }: { readonly context: ParseContext; readonly turns: Turns },
): Promise<Recognized> {
  const longerInches = Math.max(page.width, page.height) / 72;
  const wanted = Math.min(pageDpiMax, Math.max(pageDpi, longerSidePixelsMin / longerInches));
  const squareInches = (page.width * page.height) / 72 ** 2;
  const dpi = Math.min(wanted, Math.sqrt(renderedPixelsMax / squareInches));
  const read = (angle: Angle) =>
    recognize(pdf, { dpi, targetPages: String(page.number), ...turnedBy(page.number, angle) }, context);
  return recognizeUpright(read, turns);
}

/** Recognises the first picture in an image file, turned clockwise by the angle; sizes are in pixels. */
export async function recognizeImage(
  bytes: Buffer,
  { width, height, angle }: Size & { readonly angle: Angle },
  { context, turns }: { readonly context: ParseContext; readonly turns: Turns },
): Promise<Segment[]> {
  const enlarged = Math.min(enlargementMax, longerSidePixelsMin / Math.max(width, height));
  const reduced = Math.sqrt(renderedPixelsMax / (width * height));
  const dpi = pictureDpi * Math.min(Math.max(1, enlarged), reduced);
  const read = (turn: Angle) =>
    recognize(bytes, { dpi, ...turnedBy(1, ((angle + turn) % 360) as Angle) }, context);
  const { segments } = await recognizeUpright(read, turns);
  return segments;
}

function turnedBy(page: number, angle: Angle): Partial<LiteParseConfig> {
  return angle === 0 ? {} : { pageOrientationCorrections: [{ page, angle }] };
}

/** Reads a picture as it lies, and turned when that gives guesses, or text that runs up or down the page. */
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
  // The height of a word depends on its letters: `an` is lower than `All`.
  const heights = words.map((item) => item.height).sort((a, b) => a - b);
  const size = heights[Math.floor(heights.length / 2)] ?? 0;
  const sized = segmentsOf(items).map((segment) => ({ ...segment, size: size || segment.size, bold: false }));
  return rowsOf(sized).flatMap(phrasesOf);
}

/** Tesseract reads lines that run down a page too, one word below the other. */
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

/** By length; of nothing 1. */
function meanConfidence(items: readonly TextItem[]): number {
  const weighted = items.reduce((sum, { text, confidence = 0 }) => sum + confidence * text.length, 0);
  const total = items.reduce((sum, { text }) => sum + text.length, 0);
  return total === 0 ? 1 : weighted / total;
}
