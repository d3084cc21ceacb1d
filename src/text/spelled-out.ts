import { withoutOrdinals } from './dates.js';

/** What a text is analyzed for: to ask, to be found, or to be a vector that is compared with others. */
export type Purpose = 'query' | 'index' | 'vector';

const signs = /[§%]|\d,\d/;

/** Signs as they are read, numbers without marks between their thousands, and days of months as numbers: not in vectors, which are stored. */
export function spellOut(text: string, purpose: Purpose = 'index'): string {
  const counted = purpose === 'vector' ? text : withoutOrdinals(text);
  if (!signs.test(counted)) return counted;
  return counted
    .replace(/§+/g, ' section ')
    .replace(/(?<=\d)\s?%/g, ' percent ')
    .replace(/(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/g, (number) => number.replaceAll(',', ''));
}
