import { stemEnglish } from './english-stemmer.js';

const plural = /(?<![\p{L}\p{N}])([A-Z]{2,8})s(?![\p{L}\p{N}])/gu;

/**
 * The singulars, in lower case, of the abbreviations that a text has in the plural, where the stemmer takes their plural for
 * a word of its own, as it does of most without a vowel: pdf for PDFs, nda for NDAs.
 */
export function singularAbbreviationsIn(text: string): string[] {
  const singulars = [...text.matchAll(plural)].map(([, short = '']) => short.toLowerCase());
  return singulars.filter((short) => stemEnglish(`${short}s`) !== stemEnglish(short));
}
