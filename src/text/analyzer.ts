import { compoundSplits } from './compound-words.js';
import { stemEnglish } from './english-stemmer.js';
import { firstPerson, firstPersonContracted, ofAsker } from './first-person.js';
import { fold } from './fold.js';
import { stemOfIrregular } from './irregular-forms.js';
import { detectLanguage, foreignStem, isFrequentIn, tellLanguage } from './languages.js';
import type { Language } from './languages.js';
import { otherSpellings } from './other-spellings.js';
import { RecentTexts } from './recent-texts.js';
import { spellOut } from './spelled-out.js';
import type { Purpose } from './spelled-out.js';
import { stopWords } from './stop-words.js';
import { pairedWordShare, pairsOf, segment, withoutSpaces, withParticleShare } from './undivided-words.js';
import type { WordForm } from './undivided-words.js';
import { sharedCode } from './word-codes.js';

/** Term ids run from 1 to this: the most dimensions of a pgvector sparsevec, and within a 32-bit integer. */
export const termIdMax = 1_000_000_000;

/** The terms of a text for keyword search: unique ids in ascending order, and the count of each. */
export interface TermVector {
  readonly ids: Int32Array;
  readonly counts: Int32Array;
  /** Terms with repetitions. BM25 normalises chunks by the length of their AnalyzedText instead. */
  readonly length: number;
}

const stems = new Map<string, string>();
const stemsMax = 100_000;

// A run of letters, digits and the marks that join codes and ids: ERR-4042, v1.2.3, foo_bar, user@host.com,
// don't; or the name of a programming language: c++, f#; or an emoji. Folding has taken composed emoji
// apart into plain ones.
const runPattern =
  /[\p{L}\p{N}\p{M}]+(?:['’._@:/+#&-]+[\p{L}\p{N}\p{M}]+|(?<![\p{L}\p{N}]{2})(?:\+\+|#))*|(?![©®])\p{Extended_Pictographic}|\p{RI}{2}/gu;
const emoji = /^[\p{Extended_Pictographic}\p{RI}]/u;
const partPattern = /[\p{L}\p{N}\p{M}]+/gu;
const plainWord = /^[a-z]+$/;
const possessive = /['’]s?$/;
const contraction = /^(\p{L}+)['’](\p{L}+)$/u;
// U.S., e.g.
const acronym = /^(?:\p{L}\.)+\p{L}$/u;
const numeric = /^\d+(?:[./-]\d+)+$/;
/** Indexed whole and as its two parts, which do not count towards the length of the text. */
const decimal = /^\d+\.\d+$/;
const decimalParts = 2;
/** FY2018, FY18, 3Q23, Q3FY22, H1-2024, 2025E: possibly a quarter or half, and a year. */
const fiscalPeriod = /^(?:([1-4]q|q[1-4]|[12]h|h[12])[-/’']?)?(fy|cy)?[-/’']?((?:19|20)?\d{2})e?$/;
/** A word that is made up of words joined by hyphens or apostrophes. */
const compound = /^\p{L}+(?:['’-]\p{L}+)+$/u;
const hyphenated = /^[^_.@:/+#&'’-]+(?:-[^_.@:/+#&'’-]+)+$/;
const hangul = /\p{Script=Hangul}/u;
const longParticle =
  /(?<=.)(?:에게서|으로부터|로부터|이라고|이라는|입니다|에서는|에서도|에게는|까지도|에서|에게|께서|한테|으로|부터|까지|처럼|보다|마다|조차|이며|이고|이나|이라|이다|라고|라는|들은|들이|들을|들의|에는|에도)$/u;
const shortParticle = /(?<=..)[은는이가을를의에와과도만로]$/u;
// d'Angelo, l'avion: what follows so short a prefix is a word of its own.
const elisionCharactersMax = 2;
const tailCharactersMin = 3;
// A long word can be split in some fifty ways.
const splitWordsMax = 16;
const codeCharactersMax = 64;
const wordCharactersMax = 128;

// The weight of a query word that is frequent in its language. At full weight, a frequent word that few of
// the stored texts have would be taken for the topic.
const frequentShare = 0.5;

/** What a text is indexed or searched by. */
export interface AnalyzedText {
  /** The terms of its words in order, then further terms that are found but do not count as words. */
  readonly terms: readonly string[];
  /** The number of words that it counts as; parts of decimals are left out. */
  readonly length: number;
  /** Whether any of its words indicates a language. */
  readonly isTold: boolean;
  /** A code for each word as written, in order: the number of a stop word, else its sharedCode. */
  readonly wordCodes: readonly number[];
}

/** How the terms of a query are related. */
interface QueryForms {
  /** The word that each term was first made from. Stems of other languages are left out. */
  readonly written: Map<string, string>;
  /** The second term of a word, by its first one: see secondStem. */
  readonly secondStems: Map<string, string>;
  /** Which share of its word's weight each term has. Stems of other languages are left out. */
  readonly shares: Map<string, number>;
  /** Additional terms that are no words of the query. A text without them may still match completely. */
  readonly beside: Set<string>;
  /** The term of each compound as a whole (`data-base`, `l'avion`), and the terms of its parts. */
  readonly compounds: Map<string, readonly string[]>;
  /**
   * The terms of words that may be compounds written as one, with the pairs of terms that may make them up.
   */
  readonly splits: Map<string, readonly (readonly [first: string, last: string])[]>;
}

export type AnalyzedQuery = AnalyzedText & {
  readonly [Form in keyof QueryForms]: QueryForms[Form] extends Map<string, infer Value>
    ? ReadonlyMap<string, Value>
    : ReadonlySet<string>;
};

// Most steps of a search analyse its query, which may be long; so the last few are remembered. Texts that are
// indexed are not: each is analysed once.
const rememberedCharactersMax = 65_536;
const analyzedQueries = new RecentTexts<AnalyzedQuery>(rememberedCharactersMax);
const analyzedTexts = {
  query: new RecentTexts<AnalyzedText>(rememberedCharactersMax),
  vector: new RecentTexts<AnalyzedText>(rememberedCharactersMax),
};

/**
 * The index terms of a text, in order. Words are in lower case, without accents, stemmed, and without stop
 * words. Text in scripts without spaces is segmented into words. Codes and ids are kept whole and in parts;
 * each emoji is a term. A text of nothing but stop words keeps them.
 * A word of another language gets two terms, its English stem and its own, so that a query too short to
 * show its language still finds it. Frequent words of other languages are kept when a text is indexed: what
 * looks like another language may be a name.
 */
export function analyze(text: string, purpose: Purpose = 'query'): readonly string[] {
  return analyzeText(text, purpose).terms;
}

/** Analyses a query like `analyze`, and also returns how its terms are related. */
export function analyzeQuery(query: string): AnalyzedQuery {
  return analyzedQueries.get(query, () => {
    const forms: QueryForms = {
      written: new Map(),
      secondStems: new Map(),
      shares: new Map(),
      beside: new Set(),
      compounds: new Map(),
      splits: new Map(),
    };
    return { ...analyzeAnew(query, 'query', forms), ...forms };
  });
}

/** Like `analyze`; also returns the length and the codes of all words. */
export function analyzeText(text: string, purpose: Purpose = 'query'): AnalyzedText {
  if (purpose === 'index') return analyzeAnew(text, purpose);
  return analyzedTexts[purpose].get(text, () => analyzeAnew(text, purpose));
}

/** Fills `forms` if it is given. */
function analyzeAnew(text: string, purpose: Purpose, forms?: QueryForms): AnalyzedText {
  const wordCodes: number[] = [];
  const terms: string[] = [];
  const skipped: string[] = [];
  let uncounted = 0;
  const spelled = spellOut(text, purpose);
  const runs = fold(spelled).match(runPattern) ?? [];
  const { certain: language, likeliest, isTold } = tellLanguage(runs);
  // A wrong stem is simply not found; but a word that is frequent in a wrong
  // language may be part of a name.
  const stemLanguage = purpose === 'vector' ? language : likeliest;
  const wantsPersons = (purpose === 'index' || forms !== undefined) && likeliest === 'english';
  const beside: string[] = [];
  for (const other of otherSpellings(spelled, purpose)) addBeside(stem(other));
  const persons: string[] = [];
  for (const run of runs) {
    if (plainWord.test(run)) addWord(run);
    else if (withoutSpaces.test(run)) for (const { word, share } of segment(run)) addWord(word, share);
    else if (hangul.test(run)) for (const { word, share } of koreanForms(run)) addWord(word, share);
    else {
      const bare = run.replace(possessive, '');
      const words = wordsOf(bare);
      for (const word of words) addWord(word);
      if (firstPersonContracted.test(run)) addPerson('i');
      if (decimal.test(run)) uncounted += decimalParts;
      if (forms && words.length > 1 && compound.test(bare)) noteCompound(words.map(stem), forms);
    }
  }
  for (const person of ofAsker(persons, spelled)) addBeside(person);
  if (terms.length === 0) return { terms: skipped, length: skipped.length - uncounted, isTold, wordCodes };
  return { terms: [...terms, ...beside], length: terms.length - uncounted, isTold, wordCodes };

  function addBeside(term: string, share = 1): void {
    beside.push(term);
    forms?.beside.add(term);
    forms?.shares.set(term, share);
  }

  function addPerson(term: string | undefined): void {
    if (term !== undefined && wantsPersons) persons.push(term);
  }

  function addWord(word: string, share = 1): void {
    const known = stem(word);
    forms?.shares.set(known, Math.max(share * shareIn(stemLanguage, word), forms.shares.get(known) ?? 0));
    const isFrequent = purpose !== 'index' && language !== 'english' && isFrequentIn(language, word);
    const stopWord = stopWords.get(word);
    wordCodes.push(stopWord ?? sharedCode(termId(word)));
    if (stopWord !== undefined || isFrequent) {
      skipped.push(known);
      addPerson(firstPerson.get(word));
      return;
    }
    terms.push(known);
    if (forms) noteWord(known, word, { language: stemLanguage, forms });
    const second = secondStem(word, stemLanguage, purpose);
    if (second === undefined || second === known) return;
    terms.push(second);
    if (stemLanguage === 'english') uncounted += 1;
    forms?.secondStems.set(known, second);
  }
}

function noteWord(
  known: string,
  word: string,
  { language, forms }: { language: Language; forms: QueryForms },
): void {
  if (!forms.written.has(known)) forms.written.set(known, word);
  if (forms.splits.size >= splitWordsMax) return;
  const parted = stemmedSplits(word, language);
  if (parted.length > 0) forms.splits.set(known, parted);
}

function shareIn(language: Language, word: string): number {
  return language !== 'english' && isFrequentIn(language, word) ? frequentShare : 1;
}

function noteCompound([whole = '', ...parts]: readonly string[], forms: QueryForms): void {
  forms.compounds.set(whole, parts);
}

/** A word of a text, compared by its terms, or if it is a stop word by `=` and the word. */
export interface ComparedWord {
  /** The terms of the word as written: its English stem, and its stem in the text's language. */
  readonly exact: readonly string[];
  /** The same, with the other terms that the word is indexed by (Angelo for d'Angelo, c for c++). */
  readonly all: readonly string[];
  /** For a part of a hyphenated word: the terms of that word without its hyphens. */
  readonly joined?: readonly string[];
}

/**
 * The words of a text in order, for comparison with others; the terms are those of `analyze`. A code is
 * returned as its parts. A hyphenated word is returned as its parts, or as one word without hyphens, as
 * `hyphenation` says.
 */
export function wordsInOrder(text: string, hyphenation: 'parts' | 'joined' = 'parts'): ComparedWord[] {
  const runs = fold(spellOut(text)).match(runPattern) ?? [];
  const language = detectLanguage(runs);
  const compared = (...ways: string[]): ComparedWord => {
    const [exact = [], ...others] = ways.map((word) => wordKeys(word, language));
    return { exact, all: [exact, ...others].flat() };
  };
  return runs.flatMap((run) => {
    if (plainWord.test(run)) return [compared(run)];
    if (withoutSpaces.test(run)) return segment(run).map(({ word }) => compared(word));
    const bare = hangul.test(run) ? withoutParticle(run) : run.replace(possessive, '');
    const parts = partsOf(bare);
    if (parts.length <= 1 || contraction.test(bare)) return [compared(...wordsOf(bare))];
    if (!isHyphenatedWord(bare)) return parts.map((part) => compared(part));
    const joined = compared(withoutHyphens(bare));
    return hyphenation === 'joined'
      ? [joined]
      : parts.map((part) => ({ ...compared(part), joined: joined.exact }));
  });
}

/** Whether a term is an emoji, which has neither spelling variants nor an entry in a dictionary. */
export function isEmoji(term: string): boolean {
  return emoji.test(term);
}

/** All ways to split a folded compound into two words, as pairs of stems; none in other languages. */
export function stemmedSplits(word: string, language: Language): (readonly [string, string])[] {
  const ownStem = (part: string) => foreignStem(part, language) ?? stem(part);
  return compoundSplits(word, language).map(([first, last]) => [ownStem(first), ownStem(last)]);
}

function wordKeys(word: string, language: Language): string[] {
  if (stopWords.has(word)) return [`=${word}`];
  const known = stem(word);
  const second = secondStem(word, language, 'query');
  return second === undefined || second === known ? [known] : [known, second];
}

/**
 * The second term of a word, beside its English stem: its stem in its own language, or for an irregular
 * English form the stem of its base word.
 */
function secondStem(word: string, language: Language, purpose: Purpose): string | undefined {
  const foreign = foreignStem(word, language);
  return language === 'english' && purpose !== 'vector'
    ? (foreign ?? stemOfIrregular(word, purpose))
    : foreign;
}

/** The forms that a word or code is indexed by: a code whole and in parts. */
function wordsOf(run: string): string[] {
  const [, head, tail] = contraction.exec(run) ?? [];
  if (head !== undefined && tail !== undefined) {
    const elided = head.length <= elisionCharactersMax && tail.length >= tailCharactersMin;
    return elided ? [head + tail, tail] : [head + tail];
  }
  const period = periodOf(run);
  if (period.length > 0) return [withoutHyphens(run), ...period];
  const parts = partsOf(run);
  if (parts[0] === run || run.length > codeCharactersMax || acronym.test(run)) return parts;
  return [isHyphenatedWord(run) ? withoutHyphens(run) : run, ...parts];
}

/** `q3` and `2022` for Q3FY22, `q3` for 3Q; nothing for what may be a code: H264, Q400. */
function periodOf(run: string): string[] {
  if (/^[1-4]q$/.test(run)) return [`q${run.charAt(0)}`];
  const [, part = '', fiscal, year = ''] = fiscalPeriod.exec(run) ?? [];
  const isYear = year.length === 4 || fiscal !== undefined || /^\d/.test(part);
  if (!isYear || year === run || year === '') return [];
  const quarter = /^\d/.test(part) ? part.charAt(1) + part.charAt(0) : part;
  return [...(quarter === '' ? [] : [quarter]), year.length === 4 ? year : `20${year}`];
}

/** Whether hyphens make no difference to a word: e-mail, pre-tax, 10-K, COVID-19. */
function isHyphenatedWord(run: string): boolean {
  return hyphenated.test(run) && !numeric.test(run);
}

function withoutHyphens(word: string): string {
  return word.replaceAll('-', '');
}

/**
 * A Korean word as written, without its particle, and as pairs of syllables, which match parts of compounds
 * and the roots of verbs.
 */
function koreanForms(run: string): WordForm[] {
  const bare = withoutParticle(run);
  const pairs = pairsOf(bare);
  const share = pairs.length > 0 ? pairedWordShare : 1;
  return [
    ...(bare === run ? [] : [{ word: run, share: withParticleShare }]),
    ...wordsOf(bare).map((word) => ({ word, share })),
    ...pairs,
  ];
}

/** Removes a Korean particle; one of a single syllable only where it can hardly be part of the noun. */
function withoutParticle(word: string): string {
  return word.replace(longParticle, '').replace(shortParticle, '');
}

/** The parts of a code. U.S. is one part, and numbers of a date lose their leading zeros. */
function partsOf(run: string): string[] {
  if (acronym.test(run)) return [run.replaceAll('.', '')];
  const parts = run.match(partPattern) ?? [];
  return numeric.test(run) ? parts.map((part) => part.replace(/^0(?=\d$)/, '')) : parts;
}

/** The stem of a folded word. Stems are cached, since few words make up most of every text. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  // Too long to be a word: nothing to stem or to remember.
  if (word.length > wordCharactersMax) return word;
  // A copy: a slice would keep the whole text that it was cut from in memory.
  const key = Buffer.from(word).toString();
  const found = newStem(key);
  if (stems.size >= stemsMax) stems.clear();
  stems.set(key, found);
  return found;
}

/** The stem of a folded word, not cached: for a word that may never be seen again. */
export function newStem(word: string): string {
  return plainWord.test(word) ? stemEnglish(word) : word;
}

/** The id of a term, from 1 to termIdMax: FNV-1a with a final mix. */
export function termId(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index += 1) {
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return ((hash >>> 0) % termIdMax) + 1;
}

/** Counts terms by id. */
export function termVector(terms: readonly string[]): TermVector {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const id = termId(term);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const ids = Int32Array.from(counts.keys()).sort();
  return { ids, counts: ids.map((id) => counts.get(id) ?? 0), length: terms.length };
}
