import type { Fact } from '../../inference/facts.js';
import { analyze } from '../../text/analyzer.js';

/** What people ask by for an attribute, whatever the words are that said it: "where do I live?" for "I moved to Oslo". */
const askedBy: Readonly<Record<string, string>> = {
  'lives in': 'live home city residence',
  address: 'live home address',
  'works at': 'work job employer company',
  occupation: 'work job title occupation profession position',
  job: 'work occupation profession position',
  'job title': 'work occupation profession position',
  manager: 'manager boss',
  boss: 'manager boss',
  drives: 'car drive vehicle',
  car: 'car drive vehicle',
  diet: 'diet eat food',
  eats: 'diet eat food',
  plan: 'plan trip travel',
  takes: 'take medication medicine',
  'goes by': 'name called',
  age: 'age old',
  birthday: 'birthday born',
  'wakes up at': 'wake get up',
  rent: 'rent pay',
  'marital status': 'married marriage engaged single divorced relationship partner date together',
  'member of': 'member club',
};
const terms = new Map<string, readonly string[]>();

/** The terms by which facts may be asked for: of the user, and of what holds. */
export function termsOfFacts(facts: readonly Fact[]): string[] {
  return facts.flatMap(({ subject, attribute, negated }) =>
    negated || subject.includes("'s ") ? [] : termsOf(attribute),
  );
}

/** The terms by which people ask for an attribute, beside those of its own words. */
export function termsOf(attribute: string): readonly string[] {
  const words = Object.hasOwn(askedBy, attribute) ? askedBy[attribute] : undefined;
  if (words === undefined) return [];
  const known = terms.get(attribute) ?? analyze(words, 'index');
  terms.set(attribute, known);
  return known;
}
