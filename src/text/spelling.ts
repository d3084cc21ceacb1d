/**
 * The letters of each script that may be mistyped, as folding leaves them. Korean is left out, as it is
 * searched by pairs of syllables anyway. So are scripts that do not separate words, and those with hundreds
 * of syllable signs: such typing errors do not occur there.
 */
const alphabets: readonly (readonly [script: RegExp, letters: readonly string[]])[] = [
  [/^[a-z]+$/, lettersOf('az')],
  [/^\p{Script=Latin}+$/u, lettersOf('az')],
  [/^\p{Script=Greek}+$/u, lettersOf('αω')],
  [/^\p{Script=Cyrillic}+$/u, [...lettersOf('ая'), ...'єіґђјљњћџѕәғқңөұүһ']],
  [/^\p{Script=Hebrew}+$/u, lettersOf('את')],
  [/^\p{Script=Arabic}+$/u, [...lettersOf('ءغ', 'في'), ...'پچژکگیٹڈڑںہھے']],
  [/^\p{Script=Armenian}+$/u, lettersOf('աֆ')],
  [/^\p{Script=Georgian}+$/u, lettersOf('აჰ')],
  [/^\p{Script=Devanagari}+$/u, lettersOf('\u0901\u094d')],
  [/^\p{Script=Bengali}+$/u, lettersOf('\u0981\u09cd')],
  [/^\p{Script=Gurmukhi}+$/u, lettersOf('\u0a01\u0a4d')],
  [/^\p{Script=Gujarati}+$/u, lettersOf('\u0a81\u0acd')],
  [/^\p{Script=Oriya}+$/u, lettersOf('\u0b01\u0b4d')],
  [/^\p{Script=Tamil}+$/u, lettersOf('\u0b82\u0bcd')],
  [/^\p{Script=Telugu}+$/u, lettersOf('\u0c01\u0c4d')],
  [/^\p{Script=Kannada}+$/u, lettersOf('\u0c81\u0ccd')],
  [/^\p{Script=Malayalam}+$/u, lettersOf('\u0d01\u0d4d')],
  [/^\p{Script=Sinhala}+$/u, lettersOf('\u0d82\u0ddf')],
];
const charactersMin = 4;
const charactersMax = 24;

/** Whether a word can be misspelt: it consists of letters of one script. In codes every character counts. */
export function isSpelt(word: string): boolean {
  return alphabetOf(word) !== undefined;
}

/**
 * The variants of a term with one typing error: a letter too many, missing or wrong, or two swapped. None
 * for codes, nor for short words, whose variants would mean something else. At most `rightMax` correct
 * letters precede the error.
 */
export function spellingVariants(term: string, rightMax = term.length): string[] {
  if (term.length < charactersMin || term.length > charactersMax) return [];
  const letters = alphabetOf(term);
  if (!letters) return [];
  const variants = new Set<string>();
  for (let at = 0; at <= Math.min(term.length, rightMax); at += 1) {
    const [before, after] = [term.slice(0, at), term.slice(at)];
    if (after !== '') variants.add(before + after.slice(1));
    if (after.length > 1) variants.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of letters) {
      variants.add(before + letter + after);
      if (after !== '') variants.add(before + letter + after.slice(1));
    }
  }
  variants.delete(term);
  return [...variants];
}

function alphabetOf(word: string): readonly string[] | undefined {
  return alphabets.find(([script]) => script.test(word))?.[1];
}

/** The letters of several ranges, each given by its first and last letter. */
function lettersOf(...ranges: readonly string[]): string[] {
  return ranges.flatMap((range) => {
    const [first, last] = [range.charCodeAt(0), range.charCodeAt(1)];
    return Array.from({ length: last - first + 1 }, (_, nth) => String.fromCharCode(first + nth));
  });
}
