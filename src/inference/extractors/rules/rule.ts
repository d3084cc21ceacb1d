import { createAttitude, createFact } from '../../facts.js';
import type { Fact, FactKind } from '../../facts.js';
import type { Predicate, Subject } from './predicate.js';

/** A pattern that a clause's predicate is matched with, and the facts that are made of a match. */
export interface Rule {
  readonly pattern: RegExp;
  /** The kinds of subject whose clauses it reads. */
  readonly of: readonly Subject['who'][];
  readonly facts: (match: RegExpExecArray, context: RuleContext) => readonly Fact[];
}

/** The clause that a rule reads: as split into subject and predicate, and as it is in the text. */
export interface RuleContext {
  readonly predicate: Predicate;
  readonly evidence: string;
}

/** Subjects that are single persons. */
export const people = ['user', 'relative'] as const;

/**
 * Replaces "we" by the user: what a household has, or where it lives, holds for the
 * user too ("we adopted a cat").
 */
export function asUser(context: RuleContext): RuleContext {
  const { predicate } = context;
  if (predicate.subject.who !== 'group') return context;
  const subject: Subject = { name: predicate.subject.name.replace(/ and others$/, ''), who: 'user' };
  return { ...context, predicate: { ...predicate, subject } };
}

interface Draft {
  readonly kind?: FactKind;
  readonly attribute: string;
  readonly value: string;
  readonly values: 'one' | 'many';
  readonly subjectAs?: string;
  readonly about?: string;
  readonly valueAs?: string;
  /** The statement without its subject, by polarity. */
  readonly says: { readonly yes: string; readonly not?: string; readonly past?: string };
  readonly negated?: boolean;
  readonly confidence?: number;
}

const confidenceDefault = 0.9;

/** "in Bergen on weekends", "a van for work", "is at 11 on Fridays": what holds besides does not end what holds otherwise. */
const circumstance =
  /^(?:(?:live|work|drive|use|speak|get up|wake up)s?|[\w -]{1,40} (?:is|are) (?:at )?\S+) .*?\b((?:on (?:the )?(?:weekends?|weekdays|workdays|holidays|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days)|during (?:the )?\w+|in (?:the )?(?:summer|winter|spring|autumn|morning|evening|afternoon)s?|at (?:home|work|school|night|weekends|the weekend)|for work))\b/i;
/** "with my kids", "in the office" */
const narrowing =
  /\b(?!(?:after|at) all\b|at (?:present|the moment)\b|in (?:general|fact)\b|on the whole\b|as (?:of|such|well)\b)(?:with|without|at|in|on|when|whenever|while|during|before|after|except|unless|outside|as) /i;
const reason = /(?:[,;:(]|\s(?:because|since|so|but|although|due to|thanks to)\b).*$/i;

/**
 * Whether a clause denies a value in some circumstance only: "German" in "I don't speak German with my kids", "tea"
 * in "I don't drink tea or coffee in the evening". Who "used to live in Oslo with friends" no longer lives there.
 */
function deniesLess({ text, polarity }: Predicate, value: string, values: 'one' | 'many'): boolean {
  if (polarity === 'yes' || (polarity === 'past' && values === 'one')) return false;
  const at = text.toLowerCase().lastIndexOf(value.toLowerCase());
  return at >= 0 && narrowing.test(text.slice(at + value.length).replace(reason, ''));
}

/** "I also work at Acme" */
const besides = /\b(?:also|as well|too)\b/i;

/**
 * A fact about the subject of a clause. Empty when the draft has no words for the clause's polarity, or would deny
 * always what the clause denies in some circumstance.
 */
export function factOf({ predicate, evidence }: RuleContext, draft: Draft): Fact[] {
  const { kind = 'fact', says, negated, confidence = confidenceDefault, ...rest } = draft;
  const said = says[predicate.polarity];
  if (said === undefined) return [];
  const statement = `${predicate.subject.name} ${retold(said, predicate)}`;
  const when = circumstance.exec(predicate.text)?.[1] ?? '';
  if (predicate.polarity !== 'yes' && !said.includes(when)) return [];
  if (deniesLess(predicate, rest.value, rest.values)) return [];
  const subjectAs = `${rest.subjectAs ?? predicate.subject.fullName ?? predicate.subject.name} ${when}`;
  return [
    createFact({
      ...rest,
      subjectAs,
      ...(besides.test(evidence) ? { values: 'many' } : {}),
      kind,
      value: retold(rest.value, predicate),
      subject: predicate.subject.name,
      statement,
      evidence,
      confidence,
      negated: negated ?? predicate.polarity !== 'yes',
    }),
  ];
}

/**
 * The fact that the subject likes or dislikes something. `verb` is in the third person, for the statement. Empty
 * when the clause denies less.
 */
export function attitudeOf(
  { predicate, evidence }: RuleContext,
  { object, verb, likes }: { object: string; verb: string; likes: boolean },
): Fact[] {
  if (deniesLess(predicate, object, 'many')) return [];
  const told = retold(object, predicate);
  return [
    createAttitude({
      subject: predicate.subject.name,
      subjectAs: predicate.subject.fullName ?? predicate.subject.name,
      object: told,
      likes,
      statement: `${predicate.subject.name} ${verb} ${told}`,
      evidence,
      confidence: confidenceDefault,
    }),
  ];
}

/**
 * A phrase in the third person. "My desk" becomes "their desk" if the subject is the user, and "Anna's desk"
 * if it is Anna's wife.
 */
export function retold(text: string, { subject }: Pick<Predicate, 'subject'>): string {
  const owner = subject.who === 'relative' ? subject.name.replace(/'s .*$/, "'s") : 'their';
  const person = subject.who === 'relative' ? subject.name.replace(/'s .*$/, '') : 'them';
  return text
    .replace(/\b(?:my|our)\b/gi, owner)
    .replace(/\b(?:me|us)\b/g, person)
    .replace(/\b(?:myself|ourselves)\b/gi, 'themselves')
    .replace(/\bI am\b/g, 'they are')
    .replace(/\b(?:I|we)\b/g, subject.who === 'relative' ? person : 'they');
}

/** The forms of a verb: regular ones are derived, others are given as `base/third/gerund`. */
export function formsOf(verb: string): { base: string; third: string; gerund: string } {
  const [base = '', third, gerund] = verb.split('/');
  const thirdRegular = /(?:s|sh|ch|x|o)$/.test(base)
    ? `${base}es`
    : base.replace(/([^aeiou])y$/, '$1ie') + 's';
  return { base, third: third ?? thirdRegular, gerund: gerund ?? `${base.replace(/([^e])e$/, '$1')}ing` };
}
