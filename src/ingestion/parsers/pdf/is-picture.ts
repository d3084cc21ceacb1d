import type { ParsedPage } from '@llamaindex/liteparse';

/** So many words tell how many of them have one letter. */
const wordsCompared = 30;
/** In Polish and Czech, up to a tenth of the words have only one letter. */
const singleLettersMax = 0.3;

/**
 * Whether the text of a page does not say what the page shows: a scan, letters drawn as lines, or a font
 * without names for its letters.
 */
export function isPicture(
  { complexity, text }: Pick<ParsedPage, 'complexity' | 'text'>,
  ocrLanguages: readonly string[],
): boolean {
  if (!complexity) return false;
  const { textLength, fullPageImage, imageCoverage, isGarbled, reasons } = complexity;
  const isLost = isGarbled || (fullPageImage && isTorn(text));
  if (isLost && !isBeyondOcr(text, ocrLanguages)) return true;
  if (textLength < 20 && (fullPageImage || imageCoverage > 0.01)) return true;
  if (textLength < 200 && (imageCoverage > 0.3 || fullPageImage)) return true;
  return textLength < 20 && reasons.includes('vector-text');
}

/**
 * Whether words are torn: `Th e Republi c`. Scanners put texts behind their pages whose letters are narrower
 * than those on the picture.
 */
export function isTorn(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  const single = words.filter((word) => /^.$/u.test(word)).length;
  return words.length >= wordsCompared && single > words.length * singleLettersMax;
}

/** A part of the words: OCR misreads some, and of letters without names hardly a word is right by chance. */
const wordsConfirmed = 0.25;

/**
 * Whether OCR reads words that the library takes for garbled, as it does with codes and words that it does
 * not know. The text of the page is then right, and has letters that OCR misreads or leaves out.
 */
export function isConfirmed(
  { complexity, text }: Pick<ParsedPage, 'complexity' | 'text'>,
  read: readonly string[],
): boolean {
  if (complexity?.isGarbled !== true) return false;
  const words = wordsOf(text);
  const readWords = wordsOf(read.join(' '));
  const found = [...words].filter((word) => readWords.has(word)).length;
  return found > 0 && found >= words.size * wordsConfirmed;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));
}

/**
 * Whether the text of a page is better than what OCR could read. English OCR turns every script into Latin
 * letters, so garbled text in another script is still better.
 */
function isBeyondOcr(text: string, ocrLanguages: readonly string[]): boolean {
  if (ocrLanguages.some((language) => language !== 'eng')) return false;
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return count(/\p{L}/gu) > 2 * count(/\p{Script=Latin}/gu);
}
