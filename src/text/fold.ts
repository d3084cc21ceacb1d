const beyondAscii = /[\u0080-\uffff]/;
// Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. The marks of Thai, Japanese and Indic scripts
// are letters to their readers (and to the segmenter), so they stay.
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670]/g;
// Letters that Unicode does not take apart, as they are typed without their stroke or ligature.
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};
// Unicode takes this vowel apart for compatibility, and no Thai word is recognised after that.
const thaiAm = '\u0e33';
const thaiAmApart = '\u0e4d\u0e32';
const strokedLetters = /[ßæœøđðłþı]/g;

// What is not seen: soft hyphens, signs of no width, directions, selectors of variants. The non-joiner ends a word in Persian.
const invisible =
  /[\u00ad\u034f\u061c\u180b-\u180e\u200b\u200d-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|(?<!\p{Script=Arabic})\u200c/gu;
const hyphens = /[\u2010\u2011]/g;

/** Compatibility forms made one, lower case, without accents and signs that are not seen: what two spellings of a word have in common. */
export function fold(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text
    .replace(invisible, '')
    .replace(hyphens, '-')
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFKC')
    .replaceAll(thaiAmApart, thaiAm)
    .toLowerCase()
    .replace(strokedLetters, (letter) => plainLetters[letter] ?? letter);
}
