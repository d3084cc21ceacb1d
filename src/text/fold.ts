const beyondAscii = /[\u0080-\uffff]/;
// Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. The marks of Thai, Japanese and Indic
// scripts are letters to their readers (and to the segmenter), so they stay.
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670]/g;
// Letters that Unicode does not decompose, without their stroke or ligature, as they are typed.
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
// NFKD decomposes this vowel, after which no Thai word is recognised.
const thaiAm = '\u0e33';
const thaiAmApart = '\u0e4d\u0e32';
const strokedLetters = /[ßæœøđðłþı]/g;

// Invisible characters: soft hyphens, zero-width signs, direction marks, variation selectors. The
// non-joiner stays in Persian, where it ends a word.
const invisible =
  /[\u00ad\u034f\u061c\u180b-\u180e\u200b\u200d-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|(?<!\p{Script=Arabic})\u200c/gu;
const hyphens = /[\u2010\u2011]/g;

/**
 * Normalises a text so that spellings of a word become equal: compatibility forms resolved (NFKC), lower
 * case, without accents and invisible characters.
 */
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
