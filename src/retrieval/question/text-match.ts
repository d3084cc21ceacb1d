import { analyze, analyzeText, termId, wordsInOrder } from '../../text/analyzer.js';
import type { ComparedWord } from '../../text/analyzer.js';
import { daysOfMonthsIn } from '../../text/dates.js';
import { hexCodes, isStopWordCode } from '../../text/word-codes.js';
import type { TextOperator } from '../search-args.types.js';

/** What a chunk must contain, however well it ranks. */
export interface TextMatch {
  /**
   * Lists of term ids; the chunk must contain at least one of each list. Empty for a phrase of stop words
   * alone (see bareCodes).
   */
  readonly required: readonly (readonly number[])[];
  /** Words that must follow one another in it; null when the order does not matter. */
  readonly phrase: Phrase | null;
}

/** What the operator `and` or `phrase` demands of a chunk; null for `or`, which demands nothing. */
export function readTextMatch(query: string, operator: `${TextOperator}`): TextMatch | null {
  if (operator === 'or') return null;
  const words = wordsInOrder(query).filter(({ exact }) => exact.length > 0);
  const days = daysOfMonthsIn(query);
  const terms = words
    .filter(({ exact }) => !isStopWord(exact))
    .map(({ exact, joined = [] }) => [...exact, ...joined, ...days.filter((date) => isDayOf(date, exact))]);
  if (operator === 'phrase') return { required: idsOf(terms), phrase: new Phrase(query) };
  // As in the index, where a text of stop words alone keeps them.
  return { required: idsOf(terms.length > 0 ? terms : analyze(query).map((term) => [term])), phrase: null };
}

// A longer query has other words as well.
const bareCharactersMax = 200;

/**
 * The phrase that a query of stop words alone consists of ("to be or not to be", "The Who"). Stop words are
 * not indexed, so it is looked for as it is written. Null for any other query.
 */
export function readWording(query: string): Phrase | null {
  if (query.length > bareCharactersMax) return null;
  return bareCodesOf(query) === null ? null : new Phrase(query);
}

/**
 * Words in a row. They are compared by their stems, stop words as they are written; case, accents and
 * punctuation do not matter.
 */
export class Phrase {
  private readonly ways: readonly (readonly ComparedWord[])[];
  /** The codes of a phrase of stop words alone (see hexCodes); null when it has other words, or no words. */
  readonly bareCodes: string | null;

  constructor(query: string) {
    this.bareCodes = bareCodesOf(query);
    this.ways = waysOf(query).map((words) => words.filter(({ exact }) => exact.length > 0));
  }

  get isEmpty(): boolean {
    return this.ways.every(({ length }) => length === 0);
  }

  /** Whether one of the texts contains the phrase; it may not begin in one text and end in the next. */
  standsIn(texts: readonly string[]): boolean {
    return (
      !this.isEmpty &&
      texts.some((text) => waysOf(text).some((words) => this.ways.some((way) => standsIn(words, way))))
    );
  }
}

function bareCodesOf(query: string): string | null {
  const { wordCodes } = analyzeText(query);
  return wordCodes.length > 0 && wordCodes.every(isStopWordCode) ? hexCodes(wordCodes) : null;
}

/** The words of a text: once with hyphenated words in parts and, if there are any, once with these joined. */
function waysOf(text: string): ComparedWord[][] {
  const inParts = wordsInOrder(text);
  return inParts.some(({ joined }) => joined) ? [inParts, wordsInOrder(text, 'joined')] : [inParts];
}

function standsIn(text: readonly ComparedWord[], words: readonly ComparedWord[]): boolean {
  const last = text.length - words.length;
  for (let start = 0; start <= last; start += 1)
    if (words.every(({ exact }, index) => exact.some((key) => text[start + index]?.all.includes(key))))
      return true;
  return false;
}

/** Whether a number is the day of a date. An item of that day may contain it only as part of the date. */
function isDayOf(date: string, [word]: readonly string[]): boolean {
  return word !== undefined && /^\d{1,2}$/.test(word) && date.endsWith(`-${word.padStart(2, '0')}`);
}

function isStopWord([key]: readonly string[]): boolean {
  return key?.startsWith('=') ?? false;
}

function idsOf(words: readonly (readonly string[])[]): number[][] {
  const byText = new Map(words.map((keys) => [keys.join(' '), keys.map(termId)]));
  return [...byText.values()];
}
