import { analyze, analyzeText, termId, wordsInOrder } from '../../text/analyzer.js';
import type { ComparedWord } from '../../text/analyzer.js';
import { daysOfMonthsIn } from '../../text/dates.js';
import { hexCodes, isStopWordCode } from '../../text/word-codes.js';
import type { TextOperator } from '../search.types.js';

/** What a chunk must hold beside ranking well. */
export interface TextMatch {
  /** Of each it must hold one of the terms. None for a phrase of stop words alone: see bareCodes. */
  readonly required: readonly (readonly number[])[];
  /** Words that must stand in it one behind the other; null where their order does not matter. */
  readonly phrase: Phrase | null;
}

/** What and, or a phrase, demands of a chunk; null for or, which demands nothing. */
export function readTextMatch(query: string, operator: `${TextOperator}`): TextMatch | null {
  if (operator === 'or') return null;
  const words = wordsInOrder(query).filter(({ exact }) => exact.length > 0);
  const days = daysOfMonthsIn(query);
  const terms = words
    .filter(({ exact }) => !isStopWord(exact))
    .map(({ exact, joined = [] }) => [...exact, ...joined, ...days.filter((date) => isDayOf(date, exact))]);
  if (operator === 'phrase') return { required: idsOf(terms), phrase: new Phrase(query) };
  // As in the index: a text of stop words alone keeps them.
  return { required: idsOf(terms.length > 0 ? terms : analyze(query).map((term) => [term])), phrase: null };
}

// Longer ones have other words as well.
const bareCharactersMax = 200;

/**
 * What a query of stop words alone says ("to be or not to be", "The Who"): they are not indexed, so it is looked for as it is
 * written. Null for any other query.
 */
export function readWording(query: string): Phrase | null {
  if (query.length > bareCharactersMax) return null;
  return bareCodesOf(query) === null ? null : new Phrase(query);
}

/** Words in a row: by their stems, stop words as they are written; case, accents and punctuation do not matter. */
export class Phrase {
  private readonly ways: readonly (readonly ComparedWord[])[];
  /** Of a phrase of stop words alone: see hexCodes. Null where it has other words, or none. */
  readonly bareCodes: string | null;

  constructor(query: string) {
    this.bareCodes = bareCodesOf(query);
    this.ways = waysOf(query).map((words) => words.filter(({ exact }) => exact.length > 0));
  }

  get isEmpty(): boolean {
    return this.ways.every(({ length }) => length === 0);
  }

  /** Whether the words stand in one of these texts; they may not begin in one and end in another. */
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

/** The words of a text: with the parts of those that have hyphens, and with these as they are without. */
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

/** An item of a day has it in its date alone. */
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
