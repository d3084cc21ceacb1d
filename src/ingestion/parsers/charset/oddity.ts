/** Symbols that do follow a letter in texts. */
const closing = new Set('’”»…–—°ªº„“´\u00a0\u00ad\u2019');

/**
 * How odd a text looks, from 0 to 1: the share of its non-ASCII characters that stand where nobody writes
 * them, such as a capital after a small letter, a symbol within a word, or letters of two scripts side by
 * side. A text read in the wrong charset is full of these.
 */
export function oddityOf(text: string): number {
  let foreign = 0;
  let odd = 0;
  let before = '';
  for (const character of text) {
    if (character > '\u007f') {
      foreign += 1;
      if (isOdd(before, character)) odd += 1;
    } else if (before > '\u007f' && /[A-Za-z]/.test(character) && isOdd(before, character)) odd += 1;
    before = character;
  }
  return foreign === 0 ? 0 : Math.min(1, odd / foreign);
}

function isOdd(before: string, character: string): boolean {
  if (/[\u0080-\u009f\u2500-\u259f\ufffd]/.test(character)) return true;
  if (!/[\p{L}\p{M}]/u.test(before)) return false;
  if (!/[\p{L}\p{M}]/u.test(character))
    return character > '\u007f' && !closing.has(character) && !isOwnPunctuation(character);
  if (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(character)) return true;
  return isLatin(before) !== isLatin(character) && !/\p{M}/u.test(character);
}

function isLatin(character: string): boolean {
  return /\p{Script=Latin}/u.test(character);
}

/** Punctuation of a script of its own, such as the Arabic comma, not of Western typography. */
function isOwnPunctuation(character: string): boolean {
  return character >= '\u0370' && !/[\u2000-\u206f]/.test(character) && /\p{P}/u.test(character);
}
