import type { Stemmer } from 'snowball-stemmers';

// Endings of cases, numbers and genders of nouns and adjectives, folded, the longest first. Snowball has no Polish.
const ending =
  /(?:iami|iach|iego|iemu|ymi|imi|ami|ach|ego|emu|owi|iem|iom|iej|ych|ich|ow|om|em|ej|ia|ie|iu|io|a|e|i|o|u|y)$/;
const stemCharactersMin = 3;

/** Leaves a folded word its stem, as light stemmers do: without what inflects it, and no more. */
export const polishStemmer: Stemmer = {
  stem(word) {
    const stem = word.replace(ending, '');
    return stem.length < stemCharactersMin ? word : stem;
  },
};
