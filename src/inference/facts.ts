import { createHash } from 'node:crypto';
import { stem } from '../text/analyzer.js';
import { fold } from '../text/fold.js';
import { relativeDates } from '../text/relative-dates.js';

export type FactKind = 'preference' | 'fact' | 'decision';

/** Something that a text says about someone: a preference, a fact or a decision. */
export interface Fact {
  readonly kind: FactKind;
  /** The person that it is about: the user's name, or "Anna's wife". */
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  /** A sentence that can be understood alone. */
  readonly statement: string;
  /** The words of the text that say so. */
  readonly evidence: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** What it is about. Only facts with the same key can contradict or repeat each other. */
  readonly key: string;
  /**
   * The value, normalised: facts with the same key and valueKey say the same,
   * however it is spelt or inflected.
   */
  readonly valueKey: string;
  /** Whether it denies the value. Such a fact contradicts only facts that affirm this very value. */
  readonly negated: boolean;
  /** When it began or ended, in words, if the text tells it as something of past years: "in 2009". */
  readonly happened?: string;
}

/** The facts that were found in an item. */
export interface FactExtraction {
  readonly facts: readonly Fact[];
  /**
   * True when the facts complement the text of a memory that is kept as it was
   * written: no chunks are made of them.
   */
  readonly areBeside?: true;
  /** Whether rules or a language model found them. */
  readonly origin: 'rules' | 'model';
  /** Why facts of the model could not be used; for the log. */
  readonly problem?: string;
}

/** A fact before its keys are made. */
export interface FactDraft extends Omit<Fact, 'key' | 'valueKey' | 'negated'> {
  readonly negated?: boolean;
  /** Whether only one value can hold at a time (a home), or many (languages spoken). */
  readonly values: 'one' | 'many';
  /** What the keys are made from, instead of the subject, the attribute and the value. */
  readonly subjectAs?: string;
  readonly about?: string;
  readonly valueAs?: string;
}

// Longer keys would not fit into the index of the table.
const keyCharactersMax = 300;
const wordPattern = /[\p{L}\p{N}\p{M}+#@]+(?:['’.:/&-][\p{L}\p{N}\p{M}+#@]+)*/gu;
const emptyWords = new Set('a an the my their our his her its some any very really to of'.split(' '));
const britishOur = /^(col|fav|hon|flav|behavi|neighb|harb|lab)our/;

/**
 * A normalised phrase, equal for different spellings: lower case, without
 * articles and possessives, stemmed.
 */
export function normalizePhrase(text: string): string {
  const words = (fold(text).match(wordPattern) ?? []).map((word) =>
    word.replace(/['’]s$/, '').replace(britishOur, '$1or'),
  );
  const telling = words.filter((word) => !emptyWords.has(word));
  return (telling.length > 0 ? telling : words).map(stem).join(' ');
}

/** Completes a draft with its keys. Keys are hashed when they are too long. */
export function createFact({ values, subjectAs, about, valueAs, negated = false, ...fact }: FactDraft): Fact {
  const valueKey = bounded(normalizePhrase(valueAs ?? fact.value));
  const parts = [normalizePhrase(subjectAs ?? fact.subject), normalizePhrase(about ?? fact.attribute)];
  if (values === 'many') parts.push(valueKey);
  return { ...fact, negated, valueKey, key: bounded(parts.join('|')) };
}

/**
 * The fact that someone likes or dislikes something. Whatever is said about one thing shares a
 * key, so that the latest counts.
 */
export function createAttitude(
  draft: Omit<FactDraft, 'kind' | 'values' | 'attribute' | 'value' | 'about'> & {
    readonly object: string;
    readonly likes: boolean;
  },
): Fact {
  const { object, likes, ...rest } = draft;
  return createFact({
    ...rest,
    kind: 'preference',
    values: 'one',
    attribute: `attitude to ${object}`,
    about: `attitude ${object.replace(/^to /, '')}`,
    value: likes ? 'likes' : 'dislikes',
  });
}

/** As many are meant at least by "several years ago", "as a child". */
const someYears = 5;

/**
 * The time as of which a fact holds: when it was observed, but for what happened in an earlier year the end
 * of that year. "I moved to Berlin in 2009" does not end what "I live in Munich" said in 2020.
 */
export function heldFrom({ happened }: Pick<Fact, 'happened'>, observedAt: Date): Date {
  if (happened === undefined) return observedAt;
  const named = /\b(?:19|20)\d\d\b/.exec(happened)?.[0] ?? relativeDates(happened, observedAt).dates[0];
  const year = Number(named ?? observedAt.getUTCFullYear() - someYears);
  return year < observedAt.getUTCFullYear() ? new Date(Date.UTC(year, 11, 31)) : observedAt;
}

function bounded(key: string): string {
  return key.length <= keyCharactersMax ? key : createHash('sha256').update(key).digest('hex');
}

/**
 * Removes repetitions: of facts that say the same, the last one is kept. The order stays that of the text.
 */
export function withoutRepetitions(facts: readonly Fact[]): Fact[] {
  const last = new Map(facts.map((fact, index) => [assertionKey(fact), index]));
  return facts.filter((fact, index) => last.get(assertionKey(fact)) === index);
}

function assertionKey({ key, valueKey, negated }: Fact): string {
  return JSON.stringify([key, valueKey, negated]);
}

/** The text that remains when the evidence of facts is cut out; its parts on lines of their own. */
export function withoutEvidence(text: string, facts: readonly Pick<Fact, 'evidence'>[]): string {
  const places = [...new Set(facts.map((fact) => fact.evidence))]
    .map((evidence) => findEvidence(text, evidence))
    .filter((place) => place !== undefined)
    .sort((a, b) => a.start - b.start);
  if (places.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of places) {
    if (start > from) parts.push(text.slice(from, start));
    from = Math.max(from, end);
  }
  parts.push(text.slice(from));
  return parts
    .map(tidy)
    .filter((part) => part !== '')
    .join('\n');
}

/** The place of a piece of evidence in a text, even if white space differs; undefined if it is not there. */
export function findEvidence(text: string, evidence: string): { start: number; end: number } | undefined {
  if (evidence.trim() === '') return undefined;
  const index = text.indexOf(evidence);
  if (index >= 0) return { start: index, end: index + evidence.length };
  const words = evidence.trim().split(/\s+/);
  if (words.length === 1) return undefined;
  const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('\\s+'));
  const match = pattern.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

// The words that joined the evidence to the rest: "…, and [evidence]. Also …". Sought only near the cut.
const jointCharactersMax = 40;
const jointBefore = /(?:[,;:–—-]|\s|\b(?:and|but|also|so)\b)+$/i;
const jointAfter = /^(?:[.,;:!?…–—-]|\s|(?:and|but|also|so|then|plus)\b)+/i;
const fillers =
  /^(?:(?:also|actually|well|oh|hi|hello|hey|ok|okay|yes|yeah|btw|by the way|fyi|please|remember|note|that|i|too|now|anymore|any more)\b\W*)+$/i;

function tidy(part: string): string {
  const text = part.trim();
  const end = text.length - jointCharactersMax;
  const tail = text.slice(Math.max(end, 0)).replace(jointBefore, '');
  const body = text.slice(0, Math.max(end, 0)) + tail;
  const joint = jointAfter.exec(body.slice(0, jointCharactersMax))?.[0] ?? '';
  const rest = body.slice(joint.length).trim();
  if (rest.length <= jointCharactersMax && (fillers.test(rest) || !/[\p{L}\p{N}]/u.test(rest))) return '';
  return rest;
}
