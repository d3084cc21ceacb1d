import { findingOf } from './careers.js';
import type { Finding } from './clauses.js';
import { isVerbWord } from './lexicon.js';
import type { Ref, SentenceView } from './phrases.js';

const labelTokensMax = 4;
const taskTokensMax = 12;
const ends = ['ORGANIZATION', 'PERSON', 'PRODUCT'];
/** Verbs that are more often nouns. */
const ordering = /^(?:check|order|review|test|update)$/;
const label = /^(?:action|ai|task|to-?do)$/;

/**
 * What minutes and chats give people to do: "Maria to send the contract to Globex by Friday", "AI: Tom — check
 * the invoices from Globex". Only at the beginning of a line, where "to" has no verb before it.
 */
export function readTasks(view: SentenceView): Finding[] {
  const person = view.startingAt(afterLabel(view));
  if (person?.entity.type !== 'PERSON') return [];
  const verb = taskAt(view, person.end);
  const target = verb === undefined ? undefined : concerned(view, verb);
  if (verb === undefined || !target || target.entity === person.entity) return [];
  const words = view.tokens.slice(verb, target.start).map(({ lower }) => lower);
  const said = { predicate: 'has_task_for', raw: `to ${words.join(' ')}`, temporal: 'planned' };
  return [findingOf(person, target, { ...said, source: ['PERSON'], target: ends })];
}

/** "AI: Tom", "Action item: Tom" */
function afterLabel(view: SentenceView): number {
  if (!label.test(view.lower(0))) return 0;
  for (let at = 1; at < labelTokensMax; at += 1) if (view.lower(at) === ':') return at + 1;
  return 0;
}

/** The index of the verb for what is to be done: "to send", "— check"; undefined if none follows. */
function taskAt(view: SentenceView, end: number): number | undefined {
  const isTold = view.lower(end) === 'to' || /^[-–—]+$/.test(view.lower(end));
  const verb = view.lower(end + 1);
  // In its base form: not "— checks", which tells what is.
  if (!isTold || view.startingAt(end + 1) || /(?:[^s]s|ed|ing)$/.test(verb)) return undefined;
  return view.pos(end + 1) === 'VERB' || isVerbWord(verb) || ordering.test(verb) ? end + 1 : undefined;
}

/** The first name among the words for the task, before any other verb. */
function concerned(view: SentenceView, verb: number): Ref | undefined {
  for (let at = verb + 1; at < verb + taskTokensMax; at += 1) {
    const ref = view.startingAt(at);
    if (ref && !ref.indirect && ref.entity.type !== 'LOCATION' && !view.isPossessive(ref.end)) return ref;
    if (ref || /^(?:VERB|AUX|SCONJ)$/.test(view.pos(at)) || /^[.;,:()]$/.test(view.lower(at)))
      return undefined;
  }
  return undefined;
}
