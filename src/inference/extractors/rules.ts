import { clipUnits } from '../../lib/characters.js';
import { LIMITS } from '../../limits.js';
import { createFact, withoutRepetitions } from '../facts.js';
import type { Fact } from '../facts.js';
import { acquaintanceRules, attributeOf, isSingle } from './rules/acquaintances.js';
import { circumstanceRules } from './rules/circumstances.js';
import { clausesOf } from './rules/clauses.js';
import { decisionRules } from './rules/decisions.js';
import { eventRules } from './rules/events.js';
import { happenedIn } from './rules/past-events.js';
import { withoutTime } from './rules/phrases.js';
import { deadlineRules } from './rules/deadlines.js';
import { noteRule, possessionRules } from './rules/possessions.js';
import { readPredicate } from './rules/predicate.js';
import type { Predicate, Subject } from './rules/predicate.js';
import { preferenceRules } from './rules/preferences.js';
import { pursuitRules } from './rules/pursuits.js';
import { requestRules } from './rules/requests.js';
import type { Rule, RuleContext } from './rules/rule.js';
import { stateRules } from './rules/states.js';
import { verbRules } from './rules/verbs.js';
import { workRules } from './rules/work.js';

const note =
  /^(?:(?:just|finally) )?(?:started|moved|relocated|quit|left|joined|adopted|became|switched|stopped|gave up|sold|traded|replaced|bought) /i;

/** What may follow a statement without changing it. */
const behind = /,? (?:but|because|as (?:I|it|my)|due to|thanks to) .*$/i;

/** All rules. The first rule that matches a clause and makes a fact of it counts. */
const rules: readonly Rule[] = [
  ...decisionRules,
  ...workRules,
  ...acquaintanceRules,
  ...circumstanceRules,
  ...preferenceRules,
  ...stateRules,
  ...possessionRules,
  ...verbRules,
  ...eventRules,
  ...pursuitRules,
];

type RulesOf = Readonly<Record<Subject['who'], readonly Rule[]>>;

/**
 * The rules by the kind of subject that they read, sorted once. Most clauses have no known subject, and
 * few rules read those.
 */
function byWho(all: readonly Rule[]): RulesOf {
  const of = (who: Subject['who']) => all.filter((rule) => rule.of.includes(who));
  return {
    user: of('user'),
    group: of('group'),
    relative: of('relative'),
    possession: of('possession'),
    none: of('none'),
  };
}

const withoutWishes = byWho(rules);
const withWishes = byWho([...rules, ...deadlineRules, noteRule, ...requestRules]);

interface RuleOptions {
  /** Whether "always …" and "don't …" are wishes of the user. In a file they are instructions to anybody. */
  readonly wishes?: boolean;
}

/**
 * Extracts the facts that texts plainly state about the user, in English sentences with "I", "my", the
 * user's name or "we decided". Questions, guesses, conditions and what others say give no facts. The same
 * texts always give the same facts.
 */
export function extractByRules(
  texts: readonly string[],
  userName: string,
  { wishes = true }: RuleOptions = {},
): Fact[] {
  const known = wishes ? withWishes : withoutWishes;
  const facts: Fact[] = [];
  let left = LIMITS.inferredCharactersMax;
  for (const text of texts) {
    let subject: Subject | undefined;
    for (const clause of clausesOf(clipUnits(text, Math.max(left, 0)), userName)) {
      const before = clause.elliptical ? subject : wishes ? writerOf(clause.text, userName) : undefined;
      const predicate = readPredicate(clause.text, userName, before);
      subject = predicate.subject;
      if (!clause.doubtful) {
        // What goes on about somebody does not say the name.
        if (before === undefined) facts.push(...nameOf(predicate, clause.text, userName));
        facts.push(...factsOf(known, predicate, clause.text));
      }
      if (facts.length >= LIMITS.factsPerItemMax)
        return withoutRepetitions(facts).slice(0, LIMITS.factsPerItemMax);
    }
    left -= text.length;
  }
  return withoutRepetitions(facts);
}

/** The user, if a clause without a subject is a note such as "Started a new job at Axis". */
function writerOf(clause: string, userName: string): Subject | undefined {
  return note.test(clause) ? { name: userName, who: 'user' } : undefined;
}

/** The name of somebody close to the user, where it is mentioned in passing: "My wife Karin …". */
function nameOf({ subject: { name, called } }: Predicate, evidence: string, userName: string): Fact[] {
  if (called === undefined) return [];
  const noun = name.slice(`${userName}'s `.length).toLowerCase();
  return [
    createFact({
      kind: 'fact',
      subject: userName,
      ...attributeOf(noun),
      value: called,
      values: isSingle(noun) ? 'one' : 'many',
      statement: `${name} is called ${called}`,
      evidence,
      confidence: 0.9,
    }),
  ];
}

/**
 * The facts of a clause. If no rule reads it, it is tried again without the time at its end: "became vegan [last
 * year]", and without a reason or a contrast.
 */
function factsOf(known: RulesOf, predicate: Predicate, text: string): readonly Fact[] {
  const evidence = text.replace(/^(?:[-*•+]|\d{1,3}[.)])\s+/, '');
  const timeless = predicate.subject.who === 'none' ? predicate.text : withoutTime(predicate.text);
  const texts = timeless === predicate.text ? [timeless] : [predicate.text, timeless];
  // "stopped eating meat in January": the time of the end is not a part of what ended.
  if (predicate.polarity === 'past') texts.reverse();
  // "I'm lactose intolerant, but cheese is fine."
  if (predicate.polarity === 'yes' && behind.test(timeless)) texts.push(timeless.replace(behind, ''));
  for (const said of texts) {
    const found = firstFacts(known, { predicate: { ...predicate, text: said }, evidence });
    if (found.length === 0) continue;
    const happened = happenedIn(predicate, text);
    return happened === undefined ? found : found.map((fact) => ({ ...fact, happened }));
  }
  return [];
}

function firstFacts(known: RulesOf, context: RuleContext): readonly Fact[] {
  for (const { pattern, facts } of known[context.predicate.subject.who]) {
    const match = pattern.exec(context.predicate.text);
    const found = match ? facts(match, context) : [];
    if (found.length > 0) return found;
  }
  return [];
}
