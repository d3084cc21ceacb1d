import type { ParsedPage } from '@llamaindex/liteparse';

/** Whether what a page shows is not in its text: a scan, letters drawn as lines, a font without names for its letters. */
export function isPicture(
  { complexity, text }: Pick<ParsedPage, 'complexity' | 'text'>,
  ocrLanguages: readonly string[],
): boolean {
  if (!complexity) return false;
  const { textLength, fullPageImage, imageCoverage, isGarbled, reasons } = complexity;
  if (isGarbled && !isBeyondOcr(text, ocrLanguages)) return true;
  if (textLength < 20 && (fullPageImage || imageCoverage > 0.01)) return true;
  if (textLength < 200 && (imageCoverage > 0.3 || fullPageImage)) return true;
  return textLength < 20 && reasons.includes('vector-text');
}

/** English OCR makes Latin letters of every script: text in another one that the library takes for garbled is more than that. */
function isBeyondOcr(text: string, ocrLanguages: readonly string[]): boolean {
  if (ocrLanguages.some((language) => language !== 'eng')) return false;
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return count(/\p{L}/gu) > 2 * count(/\p{Script=Latin}/gu);
}
