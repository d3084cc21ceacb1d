import { stemmedSplits } from './analyzer.js';
import { compounding } from './compound-words.js';
import { stemsInAnyLanguage } from './languages.js';

// Shorter ones are stems of too much else.
const stemCharactersMin = 4;

/**
 * What a folded word may be indexed as, if it is of whatever language: its stems, then the stems of the two words that it may be
 * made of.
 */
export function formsInAnyLanguage(word: string): (readonly string[])[] {
  const stems = [...stemsInAnyLanguage(word)].filter((stem) => stem.length >= stemCharactersMin);
  const splits = [...compounding].flatMap((language) => stemmedSplits(word, language));
  const distinct = new Map(splits.map((split) => [split.join(' '), split]));
  return [...stems.map((stem) => [stem]), ...distinct.values()];
}
