import { withoutOrdinals } from './dates.js';

/** What a text is analysed for: as a query, to be indexed, or as a vector that is compared with others. */
export type Purpose = 'query' | 'index' | 'vector';

const signs = /[§%]|\d,\d/;

/**
 * Writes out signs (§, %), and removes the marks between thousands and, except for vectors, the ordinal
 * endings of dates. Vectors are stored, so their text must not change.
 */
export function spellOut(text: string, purpose: Purpose = 'index'): string {
  const counted = purpose === 'vector' ? text : withoutOrdinals(text);
  if (!signs.test(counted)) return counted;
  return counted
    .replace(/§+/g, ' section ')
    .replace(/(?<=\d)\s?%/g, ' percent ')
    .replace(/(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/g, (number) => number.replaceAll(',', ''));
}
