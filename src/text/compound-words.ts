import type { Language } from './languages.js';

/**
 * The languages that write compounds as one word. English is left out, because its compounds seldom mean
 * what their parts mean (`keyboard`).
 */
export const compounding: ReadonlySet<Language> = new Set([
  'german',
  'dutch',
  'danish',
  'swedish',
  'norwegian',
  'finnish',
]);
// Linking elements between the words of a compound, which belong to neither: Information-s-system,
// Datei-en-liste.
const links = ['', 's', 'es', 'n', 'en', 'e', 'er'];
const partCharactersMin = 4;
const linkedCharactersMin = 3;
const lettersOnly = /^\p{L}+$/u;
const wordCharactersMax = 64;

/**
 * All ways to split a folded word into two words, the first one without a linking element. Empty for words
 * that are too long or short, and for languages that do not write compounds as one word.
 */
export function compoundSplits(word: string, language: Language): (readonly [first: string, last: string])[] {
  if (!compounding.has(language) || word.length > wordCharactersMax || !lettersOnly.test(word)) return [];
  const splits: [string, string][] = [];
  for (let at = partCharactersMin; at <= word.length - partCharactersMin; at += 1) {
    const first = word.slice(0, at);
    for (const link of links) {
      const length = at - link.length;
      if (first.endsWith(link) && length >= linkedCharactersMin)
        splits.push([first.slice(0, length), word.slice(at)]);
    }
  }
  return splits;
}
