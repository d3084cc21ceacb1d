import type { ObjectRule } from './phrases.js';
import { asUser, factOf, people } from './rule.js';
import type { Rule } from './rule.js';

/** A pattern of what a life is about, with one group, the value; `says` has a `$` where the value stands. */
export interface LifeRow {
  readonly pattern: RegExp;
  readonly object?: ObjectRule;
  readonly attribute: string;
  readonly values?: 'one' | 'many';
  /** What the key calls the value: "engaged to Tomas" is engaged. */
  readonly valueAs?: string;
  readonly says: string;
  readonly past?: string;
  /** It says that the value does not hold: what was sold is no longer owned. */
  readonly negated?: true;
}

const household = [...people, 'group'] as const;
/** How a thing is told from others, and is not another one for it. */
const passingAdjective = /\b(?:old|new|first|second-hand|used|little|lovely|beautiful)\b ?/gi;

/** A thing as its key has it. */
export function bare(phrase: string): string {
  return phrase.replace(passingAdjective, '');
}

/** A rule of a row; what "we" do the user does. */
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
      // What a team or a company does is nobody's own.
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
