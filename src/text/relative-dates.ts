import { months } from './dates.js';

/** The dates that a text names relative to the day on which it was written. */
export interface RelativeDates {
  /** The days, months and years that are meant, as `datesIn` writes them: 2026-05-02, 2026-04, 2025. */
  readonly dates: readonly string[];
  /** The text without the words that name them. */
  readonly rest: string;
}

type Direction = 'past' | 'future' | 'either';

interface Context {
  /** Midnight UTC of the day on which it is said. */
  readonly day: Date;
  /** In which direction a day or month that is named alone is sought. */
  readonly direction: Direction;
}

interface Rule {
  readonly pattern: RegExp;
  /**
   * Whether the pattern names a weekday, month or season. Those words stay in the text, since others may
   * use them too.
   */
  readonly names: boolean;
  readonly dates: (match: RegExpMatchArray, context: Context) => readonly string[];
}

const dayMs = 86_400_000;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const seasons: Readonly<Record<string, readonly number[]>> = {
  spring: [2, 3, 4],
  summer: [5, 6, 7],
  autumn: [8, 9, 10],
  fall: [8, 9, 10],
  winter: [11, 12, 13],
};
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const count = `(\\d{1,3}|an?|${numbers.slice(1).join('|')}|a couple of)`;
const weekday = `(${weekdays.join('|')})(?!s)`;
// "may" in small letters is the month only after a preposition.
const month = `(${months.join('|')})`;
const within =
  '(?:(?:at |by |in |since |from )?the (?:very )?(?:beginning|start|end|middle) of|(?:in )?(?:early|late|mid)|in|during|since|until|by)[ -]';
const follows = '(?![\\p{L}\\d]|,? (?:of )?(?:19|20)\\d\\d)';
const mayHaveDates =
  /\b(?:to(?:day|night|morrow)|yesterday|ago|last|this|next|week(?:end)?|in|on|since|during|until|by|early|late|mid|of|from now|earlier)\b/i;

const rules: readonly Rule[] = [
  rule('(?:the )?day before yesterday', (_, { day }) => [dayAt(day, -2)]),
  rule('(?:the )?day after tomorrow', (_, { day }) => [dayAt(day, 2)]),
  rule('yesterday(?: (?:morning|afternoon|evening|night))?|last night', (_, { day }) => [dayAt(day, -1)]),
  rule('(?:earlier |later )?today|tonight|this (?:morning|afternoon|evening)|right now', (_, { day }) => [
    dayAt(day, 0),
  ]),
  rule('tomorrow(?: (?:morning|afternoon|evening|night))?', (_, { day }) => [dayAt(day, 1)]),
  rule(`${count} (day|week|month|year)s? (?:ago|back|earlier)`, ([, many, unit], { day }) =>
    away(day, -numberOf(many), unit),
  ),
  rule(`(?:in )?${count} (day|week|month|year)s? from now`, ([, many, unit], { day }) =>
    away(day, numberOf(many), unit),
  ),
  // In questions about the past these are durations: "How often in a week?",
  // "what did I read in two years?"
  rule(`in (?!an? )${count} (day|week|month|year)s?`, ([, many, unit], { day, direction }) =>
    direction === 'past' ? [] : away(day, numberOf(many), unit),
  ),
  rule(`(?:on )?${weekday}(?: of)? (last|this|next) week`, ([, name, which], { day }) => [
    dayAt(day, stepOf(which) * 7 + dayOfWeek(name) - weekPlace(day)),
  ]),
  rule(
    '(?:in |over |during )?(?:the )?(last|past|this|next) (weekend|week|month|year)',
    ([, which, unit], { day }) => period(day, stepOf(which), unit),
  ),
  rule(`(?:on )?(last|this|next) ${weekday}`, ([, which, name], { day }) =>
    named(day, dayOfWeek(name), which),
  ),
  rule(`on (?:the )?${weekday}`, ([, name], { day, direction }) => [
    ...(direction === 'future' ? [] : named(day, dayOfWeek(name), 'last')),
    ...(direction === 'past' ? [] : named(day, dayOfWeek(name), 'this')),
  ]),
  rule(
    `(?:on )?(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}${follows}`,
    ([, onDay, name], context) => [dayNear(context, monthOf(name), Number(onDay))],
  ),
  rule(`(?:on )?${month} (\\d{1,2})(?:st|nd|rd|th)?${follows}`, ([, name, onDay], context) => [
    dayNear(context, monthOf(name), Number(onDay)),
  ]),
  rule(`(?:in |during |since )?(last|this|next) ${month}${follows}`, ([, which, name], { day }) => [
    monthNamed(day, monthOf(name), which),
  ]),
  rule(`${within}${month}${follows}`, ([, name], context) => [monthNear(context, monthOf(name))]),
  rule(
    `(?:in |during |over |since )?(?:(last|past|this|next) |the )(spring|summer|autumn|fall|winter)(?: of ((?:19|20)\\d\\d))?`,
    ([, which, name, year], { day }) => seasonOf(day, { which, name, year }),
  ),
];

/**
 * The dates that "yesterday", "two weeks ago", "last summer" or "in May" mean in a text that was written on
 * a day. A day or month that is named alone ("in May") is sought in the given direction; with `either` it
 * is the nearest one.
 */
export function relativeDates(text: string, day: Date, direction: Direction = 'either'): RelativeDates {
  if (!mayHaveDates.test(text)) return { dates: [], rest: text };
  const context = { day: new Date(Math.floor(day.getTime() / dayMs) * dayMs), direction };
  const dates = new Set<string>();
  let rest = text;
  // What one rule has read must not be read by another.
  let unread = text;
  for (const { pattern, names, dates: datesOf } of rules) {
    unread = unread.replace(pattern, (...match) => {
      const found = datesOf(match, context);
      for (const date of found) dates.add(date);
      if (found.length === 0) return String(match[0]);
      if (!names) rest = rest.replace(String(match[0]), ' ');
      return '\n';
    });
  }
  return { dates: [...dates], rest };
}

function rule(pattern: string, dates: Rule['dates']): Rule {
  const names = [weekday, month, 'summer'].some((name) => pattern.includes(name));
  return { names, pattern: new RegExp(`(?<![\\p{L}\\d-])(?:${pattern})(?![\\p{L}\\d])`, 'giu'), dates };
}

function numberOf(text = ''): number {
  const word = text.toLowerCase();
  if (word === 'a couple of') return 2;
  if (/^an?$/.test(word)) return 1;
  return numbers.includes(word) ? numbers.indexOf(word) : Number(word);
}

/** The dates so many units away: a day, the week around that day, a month or a year. */
function away(day: Date, many: number, unit = ''): string[] {
  if (unit.toLowerCase() === 'day') return [dayAt(day, many)];
  // Whoever says "two weeks ago" seldom means exactly 14 days.
  if (unit.toLowerCase() === 'week') return daysFrom(day, 7 * many - 3, 7);
  return period(day, many, unit);
}

/** The calendar week, weekend, month or year that is `step` units away. */
function period(day: Date, step: number, unit = ''): string[] {
  const monday = step * 7 - weekPlace(day);
  switch (unit.toLowerCase()) {
    case 'week':
      return daysFrom(day, monday, 7);
    case 'weekend':
      return daysFrom(day, monday + 5, 2);
    case 'month':
      return [monthAt(day, day.getUTCMonth() + step)];
    default:
      return [`${day.getUTCFullYear() + step}`];
  }
}

/** The last, this or next day with this name. */
function named(day: Date, weekday: number, which = ''): string[] {
  const place = weekday - weekPlace(day);
  switch (which.toLowerCase()) {
    case 'last':
      return [dayAt(day, place < 0 ? place : place - 7)];
    case 'next':
      return [dayAt(day, place + 7)];
    default:
      return [dayAt(day, place < 0 ? place + 7 : place)];
  }
}

/** The last, this or next month with this name; in May, "last May" is that of last year. */
function monthNamed(day: Date, wanted: number, which: string | undefined): string {
  if (wanted === day.getUTCMonth()) return monthAt(day, wanted + 12 * stepOf(which));
  return monthNear({ day, direction: directionOf(which) }, wanted);
}

/** The month with this name that is nearest to a day, or the one before or after it. */
function monthNear({ day, direction }: Context, wanted: number): string {
  const ahead = (wanted - day.getUTCMonth() + 12) % 12;
  const isAhead = direction === 'future' || (direction === 'either' && ahead <= 6);
  return monthAt(day, day.getUTCMonth() + (ahead === 0 || isAhead ? ahead : ahead - 12));
}

/** The day of this month and number that is nearest to a day, or the one before or after it. */
function dayNear({ day, direction }: Context, month: number, number: number): string {
  const found = `${monthNear({ day, direction }, month)}-${padded(number)}`;
  const today = dayAt(day, 0);
  const isOther = direction === 'past' ? found > today : direction === 'future' && found < today;
  if (!isOther) return found;
  return `${Number(found.slice(0, 4)) + (direction === 'past' ? -1 : 1)}${found.slice(4)}`;
}

/**
 * The months of a season. With a year they are of that year; else of the season that
 * began last, or of the next one.
 */
function seasonOf(
  day: Date,
  {
    which,
    name = '',
    year,
  }: { which: string | undefined; name: string | undefined; year: string | undefined },
): string[] {
  const ofSeason = seasons[name.toLowerCase()] ?? [];
  const [first = 0] = ofSeason;
  const begun = first <= day.getUTCMonth() ? 0 : -12;
  const isNow = ofSeason.includes(day.getUTCMonth());
  const step =
    which?.toLowerCase() === 'next' || (which?.toLowerCase() === 'this' && !isNow && begun < 0) ? 12 : 0;
  const from = year === undefined ? day : new Date(Date.UTC(Number(year), 0, 1));
  return ofSeason.map((number) => monthAt(from, number + (year === undefined ? begun + step : 0)));
}

function directionOf(which = ''): Direction {
  const word = which.toLowerCase();
  return word === 'last' ? 'past' : word === 'next' ? 'future' : 'either';
}

function stepOf(which = ''): number {
  return { last: -1, past: -1, next: 1 }[which.toLowerCase()] ?? 0;
}

/** The day's place in its week, from 0 for Monday. */
function weekPlace(day: Date): number {
  return (day.getUTCDay() + 6) % 7;
}

function dayOfWeek(name = ''): number {
  return (weekdays.indexOf(name.toLowerCase()) + 6) % 7;
}

function monthOf(name = ''): number {
  return months.indexOf(name.toLowerCase());
}

function daysFrom(day: Date, first: number, many: number): string[] {
  return Array.from({ length: many }, (_, index) => dayAt(day, first + index));
}

function dayAt(day: Date, away: number): string {
  return new Date(day.getTime() + away * dayMs).toISOString().slice(0, 10);
}

/** The month with this number, from 0 for January of the year of `day`; it may lie in another year. */
function monthAt(day: Date, number: number): string {
  return new Date(Date.UTC(day.getUTCFullYear(), number, 1)).toISOString().slice(0, 7);
}

function padded(number: number): string {
  return `${number}`.padStart(2, '0');
}
