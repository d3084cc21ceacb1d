import { createFact, withoutRepetitions } from '../facts.js';
import type { Fact } from '../facts.js';
import { LIMITS } from '../../limits.js';
import { clausesOf } from './rules/clauses.js';
import { decisionRules } from './rules/decisions.js';
import { possessionRules } from './rules/possessions.js';
import { readPredicate } from './rules/predicate.js';
import type { Predicate, Subject } from './rules/predicate.js';
import { preferenceRules } from './rules/preferences.js';
import { requestRules } from './rules/requests.js';
import type { Rule } from './rules/rule.js';
import { stateRules } from './rules/states.js';
import { verbRules } from './rules/verbs.js';

/** Every rule; of those that match a clause the first that makes a fact counts. */
const rules: readonly Rule[] = [
  ...decisionRules,
  ...preferenceRules,
  ...stateRules,
  ...possessionRules,
  ...verbRules,
];

interface RuleOptions {
  /** Whether "always …" and "don't …" are wishes of the user; in a file they are anybody's instructions. */
  readonly wishes?: boolean;
}

/**
 * What texts plainly say of the user in English sentences: "I", "my", the user's name, "we decided". Questions, guesses,
 * conditions and what others say are no facts. The same text always gives the same facts.
 */
export function extractByRules(
  texts: readonly string[],
  userName: string,
  { wishes = true }: RuleOptions = {},
): Fact[] {
  const known = wishes ? [...rules, ...requestRules] : rules;
  const facts: Fact[] = [];
  let left = LIMITS.inferredCharactersMax;
  for (const text of texts) {
    let subject: Subject | undefined;
    for (const clause of clausesOf(text.slice(0, Math.max(left, 0)), userName)) {
      const predicate = readPredicate(clause.text, userName, clause.elliptical ? subject : undefined);
      subject = predicate.subject;
      if (!clause.doubtful)
        facts.push(...nameOf(predicate, clause.text, userName), ...factsOf(known, predicate, clause.text));
      if (facts.length >= LIMITS.factsPerItemMax)
        return withoutRepetitions(facts).slice(0, LIMITS.factsPerItemMax);
    }
    left -= text.length;
  }
  return withoutRepetitions(facts);
}

/** Of whom there is one. */
const onlyOne =
  /(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|mother|mom|mum|father|dad|boss|manager)$/i;

/** "My wife Karin …": what she is called. */
function nameOf({ subject: { name, called } }: Predicate, evidence: string, userName: string): Fact[] {
  if (called === undefined) return [];
  const noun = name.slice(`${userName}'s `.length).toLowerCase();
  return [
    createFact({
      kind: 'fact',
      subject: userName,
      attribute: `name of ${noun}`,
      value: called,
      values: onlyOne.test(noun) ? 'one' : 'many',
      statement: `${name} is called ${called}`,
      evidence,
      confidence: 0.9,
    }),
  ];
}

function factsOf(known: readonly Rule[], predicate: Predicate, text: string): readonly Fact[] {
  const evidence = text.replace(/^(?:[-*•+]|\d{1,3}[.)])\s+/, '');
  for (const { pattern, of, facts } of known) {
    if (!of.includes(predicate.subject.who)) continue;
    const match = pattern.exec(predicate.text);
    const found = match ? facts(match, { predicate, evidence }) : [];
    if (found.length > 0) return found;
  }
  return [];
}
