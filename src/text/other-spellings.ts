import { amountsIn } from './amounts.js';
import { datesIn, monthsIn } from './dates.js';
import { wordsOfIdentifiers } from './identifiers.js';
import { measuresIn } from './measures.js';
import { periodsIn } from './periods.js';

const digit = /\d/;
const anyFigure = /\d|quarter|half|\bsept\b/i;

/**
 * Terms that stand beside the words of a text: its figures in the one spelling that all spellings of them have in common, and the words
 * of names in programs.
 */
export function otherSpellings(text: string): string[] {
  return [...figuresIn(text), ...wordsOfIdentifiers(text)];
}

function figuresIn(text: string): string[] {
  if (!anyFigure.test(text)) return [];
  const periods = [...periodsIn(text), ...monthsIn(text)];
  return digit.test(text) ? [...amountsIn(text), ...measuresIn(text), ...datesIn(text), ...periods] : periods;
}
