import { analyze, termId } from '../../text/analyzer.js';
import { months } from '../../text/dates.js';
import { stopWords } from '../../text/stop-words.js';
import type { ItemState } from './app-lane.queries.js';

/** The kind and the state of the app items that a query wants. */
export interface AskedState {
  readonly isWanted: (item: ItemState) => boolean;
  /** The ids of the terms of its other words. */
  readonly rest: readonly number[];
  /** Whether it asks for a list of such items, of a person or a time: "mails by Ann", "tickets of May 2025". */
  readonly isList: boolean;
}

const ticketOf = (types: RegExp) => (item: ItemState) =>
  item.kind === 'ticket' && types.test(item.type ?? '');
const kinds: readonly (readonly [words: RegExp, isOfKind: (item: ItemState) => boolean])[] = [
  [/^(?:pull|merge) requests?$|^prs?$/, ticketOf(/pull|merge/i)],
  [/^(?:issues?|tickets?)$/, ticketOf(/^(?!.*(?:pull|merge))/i)],
  [/^bugs?$/, ticketOf(/bug/i)],
  [/^(?:e-?)?mails?$/, ({ kind }) => kind === 'email'],
  [/^messages?$/, ({ kind }) => kind === 'message'],
  [/^comments?$/, ({ kind }) => kind === 'comment'],
  [/^drafts?$/, ({ states }) => states.includes('draft')],
];
const over = ['closed', 'resolved', 'done', 'completed', 'fixed', 'merged'];
// The states that a word of the query stands for; "open" stands for every state that is not over.
const states: Readonly<Record<string, readonly string[]>> = {
  closed: over,
  resolved: ['resolved', 'fixed', 'done', 'closed'],
  fixed: ['fixed', 'resolved', 'done', 'closed'],
  done: ['done', 'completed', 'resolved', 'closed'],
  completed: ['completed', 'done', 'resolved', 'closed'],
  ...Object.fromEntries(
    ['merged', 'unread', 'draft', 'blocked', 'pending', 'rejected', 'archived'].map((s) => [s, [s]]),
  ),
};
const isInState = (asked: string, held: readonly string[]) =>
  asked === 'open'
    ? held.length > 0 && !held.some((state) => over.includes(state))
    : held.some((state) => states[asked]?.includes(state));
// Words that may say what a list is of, beside names and numbers.
const listing = new Set([
  ...`assigned reported written sent created opened filed received raised posted made list show all latest newest recent last first
   week month year today yesterday`.split(/\s+/),
  ...months,
]);
const figure = /^\d+(?:st|nd|rd|th)?$/;
// How many words may stand between state and kind, as in "all closed Jira issues".
const wordsBetweenMax = 2;
const word = /(?:pull|merge) requests?|e-mails?|[\p{L}\p{N}]+/gu;

/**
 * The kind and state of app items that a query names: "closed issues", "unread mail about the fair".
 * Undefined when it names none.
 */
export function readAskedState(query: string): AskedState | undefined {
  const words = query.toLowerCase().match(word) ?? [];
  const at = words.findIndex((each) => kinds.some(([pattern]) => pattern.test(each)));
  const isOfKind = kinds.find(([pattern]) => pattern.test(words[at] ?? ''))?.[1];
  const before = at < 0 ? words : words.slice(Math.max(0, at - wordsBetweenMax - 1), at);
  const isState = (each: string) => each === 'open' || Object.hasOwn(states, each);
  const state =
    before.find(isState) ?? (words[at + 1] === 'that' ? words.slice(at + 2).find(isState) : undefined);
  // In "login issues" and "error message" the kind is part of another name.
  const previous = words[at - 1];
  const isPart = previous !== undefined && state === undefined && !stopWords.has(previous);
  if (isOfKind === undefined ? state === undefined || words.length > 1 : isPart) return undefined;
  const named = new Set([words[at], state]);
  const others = words.filter((each) => !named.has(each) && !stopWords.has(each));
  const rest = others.join(' ');
  const names = new Set(namedAfter(query));
  return {
    isList:
      isOfKind !== undefined &&
      others.every((each) => listing.has(each) || figure.test(each) || names.has(each)),
    isWanted: (item) => (isOfKind?.(item) ?? true) && (state === undefined || isInState(state, item.states)),
    rest: rest === '' ? [] : [...new Set(analyze(rest).map(termId))],
  };
}

/** The words of names in places where people are named: "by Ann Berg". */
function namedAfter(query: string): string[] {
  const found = query.matchAll(
    /\b(?:by|from|to|of|for|with|did|does|has) ((?:\p{Lu}[\p{L}\p{M}'’-]*\s*){1,3})/gu,
  );
  return [...found].flatMap(([, names = '']) => names.toLowerCase().match(word) ?? []);
}
