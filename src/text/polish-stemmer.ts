import type { Stemmer } from 'snowball-stemmers';

// Folded endings of nouns and adjectives by case, number and gender, longest first.
// Snowball has no Polish stemmer.
const ending =
  /(?:iami|iach|iego|iemu|ymi|imi|ami|ach|ego|emu|owi|iem|iom|iej|ych|ich|ow|om|em|ej|ia|ie|iu|io|a|e|i|o|u|y)$/;
const stemCharactersMin = 3;

/** A light stemmer: removes the inflectional ending of a folded word, and nothing else. */
export const polishStemmer: Stemmer = {
  stem(word) {
    const stem = word.replace(ending, '');
    return stem.length < stemCharactersMin ? word : stem;
  },
};
