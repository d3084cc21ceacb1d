import { childhood } from './phrases.js';
import { readPredicate } from './predicate.js';
import type { Predicate } from './predicate.js';

/** Verbs of what happens once: what it changes holds from then on. */
const event =
  /^(?:(?:was|were|got) (?:promoted|made|appointed|hired|elected|laid off|fired|diagnosed|engaged|married|divorced)|adopted|agreed|became|began|bought|broke|changed|chose|decided|divorced|dropped|failed|finished|gave up|got|graduated|joined|left|lost|married|migrated|moved|opted|passed|picked|quit|relocated|replaced|retired|selected|separated|settled|sold|started|stopped|switched|took up|traded|turned|went)\b/i;
const someTime = new RegExp(`\\b(?:(?:\\w+|a couple of) years (?:ago|back)|${childhood})\\b`, 'i');
/** "in 2009", "on 4 May 2009", "in the summer of 2009", but not "since 2009" */
const inYear =
  /\b(?:in|on|during) (?:[\p{L}\d.,]+ ){0,4}?((?:19|20)\d\d)\b(?! (?:euros?|dollars?|pounds?|people)\b)/giu;

/**
 * When an event happened that a clause tells with its year; undefined for what the clause says of the present.
 * Of several years the last one counts.
 */
export function happenedIn({ text, polarity }: Predicate, clause: string): string | undefined {
  // "stopped smoking in 2010" has lost its verb.
  const isEvent = polarity === 'past' ? /^\w+ing\b/i.test(text) : polarity === 'yes' && event.test(text);
  if (!isEvent) return undefined;
  const years = [...clause.matchAll(inYear)].map(([, year = '']) => year);
  return years.sort().at(-1) ?? someTime.exec(clause)?.[0];
}

/** The same for a clause as it stands in a text. */
export function whenHappened(clause: string, userName: string): string | undefined {
  return happenedIn(readPredicate(clause, userName), clause);
}
