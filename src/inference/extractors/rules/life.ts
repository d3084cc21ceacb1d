import { thing, withoutTime } from './phrases.js';
import type { ObjectRule } from './phrases.js';
import { asUser, factOf, people } from './rule.js';
import type { Rule } from './rule.js';

/** A pattern with one group, the value. In `says` a `$` stands for the value. */
export interface LifeRow {
  readonly pattern: RegExp;
  readonly object?: ObjectRule;
  readonly attribute: string;
  readonly values?: 'one' | 'many';
  /** The value in the key, where it differs: whoever is "engaged to Tomas" is engaged. */
  readonly valueAs?: string;
  readonly says: string;
  readonly past?: string;
  /** Whether it says that the value does not hold: what was sold is no longer owned. */
  readonly negated?: true;
}

/** Verbs at the beginning of a pattern. */
export const have = '(?:(?:have|has) )?';
export const be = '(?:am|is|are)';

const household = [...people, 'group'] as const;
/** Adjectives that do not make a thing a different one. */
const passingAdjective = /\b(?:old|new|first|second-hand|used|little|lovely|beautiful)\b ?/gi;

/** A thing without passing adjectives, for its key. */
export function bare(phrase: string): string {
  return phrase.replace(passingAdjective, '');
}

/** A thing without a time behind it: "a pottery course [last week]". */
export const lastingThing: ObjectRule = (text) => thing(withoutTime(text));

/** The same, written with a capital. */
export const lastingName: ObjectRule = (text) => {
  const phrase = lastingThing(text);
  return phrase !== undefined && /^\p{Lu}/u.test(phrase) ? phrase : undefined;
};

/** Makes a rule of a row. What "we" do counts as done by the user. */
export function lifeRule({
  pattern,
  object = (text) => text.trim(),
  attribute,
  values = 'many',
  valueAs,
  says,
  past,
  negated,
}: LifeRow): Rule {
  return {
    pattern,
    of: household,
    facts: (match, given) => {
      // What a team or company does is not about a person.
      if (given.predicate.subject.who === 'group' && !/\bwe\b/i.test(given.evidence)) return [];
      const phrase = object(match[1] ?? '');
      if (phrase === undefined) return [];
      const fill = (template: string) => template.replace('$', () => phrase);
      return factOf(asUser(given), {
        attribute,
        value: phrase,
        valueAs: valueAs ?? bare(phrase),
        values,
        ...(negated ? { negated } : {}),
        says: { yes: fill(says), ...(past === undefined ? {} : { past: fill(past) }) },
      });
    },
  };
}
