import { relativeDates } from '../../text/relative-dates.js';

interface Telling {
  /** The day on which the text was written, as ISO 8601 writes it. */
  readonly day: string;
  /** The words that state the relation: their tense tells which "May" is meant. */
  readonly raw: string;
  readonly isPlanned: boolean;
}

const named = /\b(?:1[5-9]|20)\d\d\b/;
const weekday = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?=.*\d)/i;
const past =
  /^(?:\p{Ll}+ed|became|born|bought|built|grew|had|led|left|made|met|quit|ran|shot|sold|taught|took|was|were|went|won|wrote)(?!\p{L})/u;

/**
 * The days, month or year that a time in the words of a text means: " (2025-05)" for "last month". Empty for
 * words that mean the same whenever they are said.
 */
export function calendarOf(time: string, { day, raw, isPlanned }: Telling): string {
  if (named.test(time)) return '';
  const isPast = past.test(raw) || /^(?:since|from) /i.test(time);
  const direction = isPlanned ? 'future' : isPast ? 'past' : 'either';
  // "on Monday" without a tense may be the last one or the next.
  if (direction === 'either' && /^on \p{L}+day$/iu.test(time)) return '';
  const dates = relativeDates(time.replace(weekday, ''), new Date(day), direction).dates.toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined) return '';
  return first === last ? ` (${first})` : ` (${first} to ${last})`;
}
