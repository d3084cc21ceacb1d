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
 * Terms that stand beside the words of a text: its figures in the one spelling that all spellings of them have in common, the words of
 * names in programs, and as one word what is written in two.
 */
export function otherSpellings(text: string, purpose: Purpose = 'index'): string[] {
  if (purpose === 'vector') return [];
  return [...figuresIn(text), ...wordsOfIdentifiers(text), ...joinedWordsIn(text, purpose)];
}

function figuresIn(text: string): string[] {
  if (!anyFigure.test(text)) return [];
  const periods = [...periodsIn(text), ...monthsIn(text)];
  if (!digit.test(text)) return periods;
  return [...amountsIn(text), ...measuresIn(text), ...datesIn(text), ...daysOfMonthsIn(text), ...periods];
}
