/**
 * Patterns of British spellings and their American ones, so that a tumour is found as a tumor. Only
 * patterns that change no other word are here.
 */
const rules: readonly (readonly [RegExp, string])[] = [
  [/isation(s?)$/, 'ization$1'],
  [/^(arm|behavi|col|endeav|fav|flav|glam|harb|hon|hum|lab|neighb|rum|sav|tum|vap|vig)our/, '$1or'],
  [/^(cent|fib|kilomet|lit|met|theat)re(s?)$/, '$1er$2'],
  [/^(def|lic|off|pret)ence/, '$1ense'],
  [/aemi(?=[ac])/, 'emi'],
  [/^haem/, 'hem'],
  [/^oedema/, 'edema'],
  [/^oestr/, 'estr'],
  [/^foet/, 'fet'],
  [/paed/, 'ped'],
  [/sulph/, 'sulf'],
  [/^judgement/, 'judgment'],
  [/^programme(s?)$/, 'program$1'],
];

const british = new RegExp(rules.map(([pattern]) => pattern.source).join('|'));

/** The American spelling of a lower-case word; the word itself if it has no other. */
export function americanSpelling(word: string): string {
  if (!british.test(word)) return word;
  return rules.reduce((spelt, [pattern, american]) => spelt.replace(pattern, american), word);
}
