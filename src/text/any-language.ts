import { stemmedSplits } from './analyzer.js';
import { compounding } from './compound-words.js';
import { stemsInAnyLanguage } from './languages.js';

// Shorter stems would match too many other words.
const stemCharactersMin = 4;

/**
 * The terms that a folded word may be indexed by, whatever language it is of: first its stems, one to a
 * list, then the pairs of stems of the two words that it may be a compound of.
 */
export function formsInAnyLanguage(word: string): (readonly string[])[] {
  const stems = [...stemsInAnyLanguage(word)].filter((stem) => stem.length >= stemCharactersMin);
  const splits = [...compounding].flatMap((language) => stemmedSplits(word, language));
  const distinct = new Map(splits.map((split) => [split.join(' '), split]));
  return [...stems.map((stem) => [stem]), ...distinct.values()];
}
