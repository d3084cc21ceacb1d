import { amountsIn } from './amounts.js';
import { datesIn } from './dates.js';
import { measuresIn } from './measures.js';
import { periodsIn } from './periods.js';

const digit = /\d/;
const anyFigure = /\d|quarter|half/i;

/** Terms that stand beside the words of a text: its figures in the one spelling that all spellings of them have in common. */
export function otherSpellings(text: string): string[] {
  if (!anyFigure.test(text)) return [];
  const periods = periodsIn(text);
  return digit.test(text) ? [...amountsIn(text), ...measuresIn(text), ...datesIn(text), ...periods] : periods;
}
