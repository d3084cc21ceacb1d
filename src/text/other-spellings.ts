import { singularAbbreviationsIn } from './abbreviation-plurals.js';
import { amountsIn } from './amounts.js';
import { datesIn, daysOfMonthsIn, monthsIn } from './dates.js';
import { wordsOfIdentifiers } from './identifiers.js';
import { joinedWordsIn } from './joined-words.js';
import { measuresIn } from './measures.js';
import { periodsIn } from './periods.js';
import type { Purpose } from './spelled-out.js';

const digit = /\d/;
const anyFigure = /\d|quarter|half|\bsept\b/i;

/**
 * Additional terms of a text: dates, amounts, measures and periods in one common spelling, the words in
 * program identifiers, pairs of words joined into one, and abbreviations in the singular. None for vectors.
 */
export function otherSpellings(text: string, purpose: Purpose = 'index'): string[] {
  if (purpose === 'vector') return [];
  return [
    ...figuresIn(text),
    ...wordsOfIdentifiers(text),
    ...joinedWordsIn(text, purpose),
    ...singularAbbreviationsIn(text),
  ];
}

function figuresIn(text: string): string[] {
  if (!anyFigure.test(text)) return [];
  const periods = [...periodsIn(text), ...monthsIn(text)];
  if (!digit.test(text)) return periods;
  return [...amountsIn(text), ...measuresIn(text), ...datesIn(text), ...daysOfMonthsIn(text), ...periods];
}
