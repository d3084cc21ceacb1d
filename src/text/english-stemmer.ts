import { americanSpelling } from './english-spelling.js';

/** The end of a word, what replaces it, and what must precede it. */
interface Suffix {
  readonly suffix: string;
  readonly replacement: string;
  readonly after?: RegExp;
}

/** Suffixes by their last letter, the longest first. */
type Suffixes = ReadonlyMap<string, readonly Suffix[]>;

const irregular = new Map(
  ['skis ski', 'skies sky', 'dying die', 'lying lie', 'tying tie', 'idly idl', 'gently gentl', 'ugly ugli']
    .concat(['early earli', 'only onli', 'singly singl', 'sky sky', 'news news', 'howe howe', 'atlas atlas'])
    .concat(['cosmos cosmos', 'bias bias', 'andes andes'])
    .map((pair) => pair.split(' ') as [string, string]),
);
/** Words that are stems once they are singular. */
const stemsAsTheyAre: ReadonlySet<string> = new Set(
  'inning outing canning herring earring proceed exceed succeed'.split(' '),
);
const lettersMin = 3;

// A y that is a consonant is written Y while a word is stemmed.
const vowel = /[aeiouy]/;
const vowelThenY = /([aeiouy])y/g;
const shortSyllable = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;
const regionBegins = /[aeiouy][^aeiouy]/g;
const longPrefix = /^(?:gener|commun|arsen)/;
const needsE = /(?:at|bl|iz)$/;
const doubled = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

const pasts = suffixes('eedly>ee eed>ee ingly> edly> ing> ed>');
const derivations = suffixes(
  `tional>tion enci>ence anci>ance abli>able entli>ent izer>ize ization>ize ational>ate ation>ate ator>ate alism>al aliti>al
   alli>al fulness>ful ousli>ous ousness>ous iveness>ive iviti>ive biliti>ble bli>ble fulli>ful lessli>less ogi>og li>`,
  { ogi: /l$/, li: /[cdeghkmnrt]$/ },
);
const degrees = suffixes('tional>tion ational>ate alize>al icate>ic iciti>ic ical>ic ful> ness> ative>');
const endings = suffixes(
  'al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ism> ate> iti> ous> ive> ize> ion>',
  { ion: /[st]$/ },
);

/**
 * The stem of a word of the letters a to z. Beyond Snowball's stem of its American spelling, forms of
 * analysis and analyses, and of analyze and analyse, are made equal.
 */
export function stemEnglish(word: string): string {
  return snowballStem(americanSpelling(word))
    .replace(/^([a-z]{3,}[aeioy]s)is?$/, '$1')
    .replace(/lyz$/, 'lys');
}

/**
 * Snowball's stem of an English word (Porter2), as the snowball-stemmers package gives it,
 * in a tenth of the time. Speed matters because the hundreds of variants of a misspelt word
 * are stemmed while a query waits.
 */
export function snowballStem(word: string): string {
  if (word.length < lettersMin) return word;
  const known = irregular.get(word);
  if (known !== undefined) return known;
  const marked = markConsonantY(word);
  const [first, second] = regionsOf(marked);
  const singular = withoutPlural(marked);
  if (stemsAsTheyAre.has(singular)) return singular;
  let stem = withoutPast(singular, first).replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  stem = replaceSuffix(stem, derivations, () => first);
  stem = replaceSuffix(stem, degrees, (suffix) => (suffix === 'ative' ? Math.max(first, second) : first));
  stem = replaceSuffix(stem, endings, () => second);
  return withoutLast(stem, first, second).replaceAll('Y', 'y');
}

function markConsonantY(word: string): string {
  if (!word.includes('y')) return word;
  return word.replace(/^y/, 'Y').replace(vowelThenY, '$1Y');
}

/**
 * Where the regions R1 and R2 of Porter2 begin: R1 after the first consonant that follows a vowel, R2
 * likewise within R1.
 */
function regionsOf(word: string): readonly [first: number, second: number] {
  const first = longPrefix.exec(word)?.[0].length ?? regionFrom(word, 0);
  return [first, regionFrom(word, first)];
}

function regionFrom(word: string, start: number): number {
  regionBegins.lastIndex = start;
  return regionBegins.test(word) ? regionBegins.lastIndex : word.length;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word;
  return vowel.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutPast(word: string, first: number): string {
  const found = suffixOf(word, pasts);
  if (!found) return word;
  const stem = word.slice(0, -found.suffix.length);
  if (found.replacement !== '') return stem.length >= first ? stem + found.replacement : word;
  if (!vowel.test(stem)) return word;
  if (needsE.test(stem)) return `${stem}e`;
  if (doubled.test(stem)) return stem.slice(0, -1);
  return stem.length === first && shortSyllable.test(stem) ? `${stem}e` : stem;
}

/** Replaces the longest suffix that fits, if it stands in its region. */
function replaceSuffix(word: string, known: Suffixes, regionOf: (suffix: string) => number): string {
  const found = suffixOf(word, known);
  if (!found) return word;
  const { suffix, replacement, after } = found;
  const stem = word.slice(0, -suffix.length);
  return stem.length >= regionOf(suffix) && (after?.test(stem) ?? true) ? stem + replacement : word;
}

function withoutLast(word: string, first: number, second: number): string {
  const stem = word.slice(0, -1);
  if (word.endsWith('e'))
    return stem.length >= second || (stem.length >= first && !shortSyllable.test(stem)) ? stem : word;
  return word.endsWith('ll') && stem.length >= second ? stem : word;
}

function suffixOf(word: string, known: Suffixes): Suffix | undefined {
  return known.get(word.charAt(word.length - 1))?.find(({ suffix }) => word.endsWith(suffix));
}

function suffixes(pairs: string, after: Readonly<Record<string, RegExp>> = {}): Suffixes {
  const found = pairs
    .trim()
    .split(/\s+/)
    .map((pair): Suffix => {
      const [suffix = '', replacement = ''] = pair.split('>');
      return { suffix, replacement, ...(after[suffix] && { after: after[suffix] }) };
    });
  found.sort((a, b) => b.suffix.length - a.suffix.length);
  const last = ({ suffix }: Suffix) => suffix.slice(-1);
  return new Map(found.map((one) => [last(one), found.filter((other) => last(other) === last(one))]));
}
