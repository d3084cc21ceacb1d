import { datesIn } from '../../text/dates.js';
import { relativeDates } from '../../text/relative-dates.js';

/** Whether a question asks for what holds now, or for what held before. */
export type Tense = 'now' | 'former';

/** What a question says of time. */
export interface AskedTime {
  readonly tense: Tense | null;
  /** Whether it asks for what has happened: "when did we move?" */
  readonly isPast: boolean;
  /** The days, months and years that it means, as YYYY, YYYY-MM or YYYY-MM-DD. */
  readonly dates: readonly string[];
  /** The question without the words of time. */
  readonly query: string;
  /** What a question about the past names as holding now: "Lund" of "before Lund"; else empty. */
  readonly since: string;
}

const now =
  /\b(?:right now|by now|now|current(?:ly)?|these days|nowadays|at (?:the moment|present)|presently|still|(?:the )?(?:latest|newest|most recent)|any ?more|up[ -]to[ -]date)\b/giu;
// "Did I use to …" and "used to", but not "what do I use to cook?".
const former =
  /\bused to\b|(?<=\bdid\b.{0,40})\buse to\b|\b(?:previous|former)(?:ly)?\b|\boriginally\b|\b(?:at first|in the past|back then|in former times)\b|\b(?:before|earlier)(?=\W*$)/giu;
const formerPossession =
  /(?<=\b(?:was|were|did|had)\b.{0,40})(?:(?<=\b(?:my|our)) old|(?<=\b(?:the|my|our)) original)\b/giu;
const beforeThat = /\bbefore(?: (?:that|then|this))?\s+(?!(?:I|we|you|he|she|they)\b)(\P{P}{2,60})/iu;
const beforeNow = /\b(?:did|was|were|had)\b/iu;
const past = /\b(?:did|was|were|had|have|has|been|happened)\b/iu;
const future = /\b(?:will|shall|going to|planned|planning|upcoming)\b/iu;

/** Reads what a question says of time; `day` is the day on which it is asked. */
export function readAskedTime(query: string, day: Date): AskedTime {
  const direction = future.test(query) ? 'future' : past.test(query) ? 'past' : 'either';
  const { dates, rest } = relativeDates(query, day, direction);
  const isOfPast = past.test(query);
  const since = (beforeNow.test(rest) && beforeThat.exec(rest)?.[1]) || '';
  const withoutFormer = rest.replace(former, ' ').replace(formerPossession, ' ');
  if (withoutFormer !== rest || since !== '')
    return { tense: 'former', isPast: true, dates, query: withoutFormer, since };
  const withoutNow = rest.replace(now, ' ');
  return { tense: withoutNow === rest ? null : 'now', isPast: isOfPast, dates, query: withoutNow, since };
}

const dateCue =
  /\b((?:today(?:'s date)?(?: is|:)|(?:current|question) date(?: is|:)|(?:asked|it is now)(?: on|:)?)\s*)([^\n]{6,40})/iu;

/**
 * The day that a text says it is ("Today is 3 May 2026."), and the rest of the text; undefined when it names
 * no day.
 */
export function statedDay(text: string): { readonly day: Date; readonly rest: string } | undefined {
  const [, cue = '', said] = dateCue.exec(text) ?? [];
  const day = said === undefined ? undefined : daysOf(said)[0];
  if (said === undefined || day === undefined) return undefined;
  return { day: new Date(day), rest: text.replace(cue + said, ' ').trim() };
}

/** The complete dates in a text, as YYYY-MM-DD; one that is written in ISO 8601 comes first. */
function daysOf(text: string): string[] {
  const written = /(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)/.exec(text);
  return [...(written ?? []), ...datesIn(text).filter((date) => date.length === 10)].filter(
    (date) => !Number.isNaN(Date.parse(date)),
  );
}
