import { toldOn } from '../../sources/app-items/told-on.js';
import { isWrittenKey } from '../../sources/app-items/written-key.js';
import { userNameDefault } from '../../sources/ingest/user-name.js';
import { analyze } from '../../text/analyzer.js';
import { relativeDates } from '../../text/relative-dates.js';
import type { PrepareTask } from './prepare.js';

/** `19 June 2023` */
const dayInWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The text that a chunk is searched by: its own, with the item's title and the headings above it. */
export function searchableText(title: string, chunk: { headings: readonly string[]; text: string }): string {
  return [title, ...chunk.headings, chunk.text].filter((part) => part !== '').join('\n');
}

const peopleOfMail = /^(?:(?:From|To|Cc|Bcc): .*(?:\n|$))+/;
const domain = /(?<=\S@)[^\s@<>,;]+/g;

/**
 * Counts the terms of domains in the head of a mail only once. Otherwise, when everybody in a mail is of one
 * company, the shortest mails would look like texts about that company.
 */
export function withoutRepeatedDomains(terms: readonly string[], text: string): readonly string[] {
  const [people = ''] = peopleOfMail.exec(text) ?? [];
  const repeated = new Map<string, number>();
  for (const term of (people.match(domain) ?? []).flatMap((name) => analyze(name, 'index')))
    repeated.set(term, (repeated.get(term) ?? -1) + 1);
  return terms.filter((term) => {
    const more = repeated.get(term) ?? 0;
    if (more > 0) repeated.set(term, more - 1);
    return more <= 0;
  });
}

const dayAlone = /^\d{1,2}$/;

/**
 * The terms by which an item may be asked for that its text need not contain: its key, who says it,
 * and when. Its day is not among them as a bare number: who asks for "PostgreSQL 16" does not mean what was
 * written on a 16th.
 */
export function contextTerms({ memory, app, key }: Pick<PrepareTask, 'memory' | 'app' | 'key'>): string[] {
  const day = toldOn({ memory, app });
  const names = [key, memory?.userName === userNameDefault ? undefined : memory?.userName];
  const ofDay = day ? analyze(dayInWords.format(new Date(day)), 'index') : [];
  return [
    ...analyze(names.filter(Boolean).join('\n'), 'index'),
    ...ofDay.filter((term) => !dayAlone.test(term)),
  ];
}

/** The days and months that a memory refers to as "yesterday" or "next Friday". */
export function spokenDates(text: string, { memory }: Pick<PrepareTask, 'memory'>): string[] {
  const day = memory?.observationDate;
  if (day == null) return [];
  const { dates } = relativeDates(text, new Date(day));
  return dates.flatMap((date) => (date.length === 10 ? [date, date.slice(0, 7)] : [date]));
}

/** The key of an item if it is one that people write; else empty. */
export function writtenKey({ key }: Pick<PrepareTask, 'key'>): string {
  return isWrittenKey(key) ? key : '';
}
