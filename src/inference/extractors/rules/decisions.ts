import { normalizePhrase } from '../../facts.js';
import { named, thing, value, withoutTime } from './phrases.js';
import { factOf } from './rule.js';
import type { Rule, RuleContext } from './rule.js';

const deciders = ['user', 'group'] as const;

/**
 * Verbs of choosing. What follows is the choice, and often what it is for, which is
 * then the topic of the decision.
 */
const choosing =
  /^(?:use|using|go with|going with|adopt|adopting|choose|choosing|pick|picking|select|selecting|switch to|switching to|stick with|sticking with|standardi[sz]e on|settle on|keep|build on|host on|hire) (.+)$/i;
/** What is moved is the topic of the decision: "move billing from Postgres to CockroachDB". */
const moving =
  /^(?:move|migrate|port|convert|transfer) (?:the |our |my )?(.+?) (?:(?:away )?from .+? )?(?:over )?to (.+)$/i;
const topic = /^(.+?) (?:for|as) (?:the |our |my |a |an )?(.+)$/i;

// "decided on Tuesday that …" and "chose poorly" name no choice.
const noChoice =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)\b|\bthat\b|^\w+ly$/i;

interface Choice {
  /** What was chosen, or is to be done. */
  readonly value: string;
  /** The statement without its subject. */
  readonly says: string;
  readonly refused?: boolean;
}

/**
 * The facts of a decision. A decision about a topic ("X for Y") has one outcome, which a later one
 * replaces. Any other decision is independent: the thing is done or not.
 */
function decide(
  context: RuleContext,
  { value: chosen, says, refused = false }: Choice,
): ReturnType<Rule['facts']> {
  if (context.predicate.polarity !== 'yes') return [];
  const given = choosing.exec(chosen)?.[1];
  const [, instead, other, use = ''] =
    /^(.+?),? (?:instead of|rather than|and not) (.+?)((?: for| as) .+)?$/i.exec(given ?? '') ?? [];
  const object = instead === undefined ? given : instead + use;
  const [, subject, target] = moving.exec(chosen) ?? [];
  const [, option = target, about = subject] = topic.exec(object ?? '') ?? [];
  const common = {
    kind: 'decision',
    says: { yes: says },
    negated: refused,
    subjectAs: ownerOf(context),
  } as const;
  const done = () =>
    factOf(context, {
      ...common,
      attribute: 'decision',
      value: chosen,
      valueAs: object ?? chosen,
      values: 'many',
    });
  return option && about
    ? factOf(context, { ...common, attribute: `decision about ${about}`, value: option, values: 'one' })
    : [...(other === undefined || refused ? [] : against(context, other)), ...done()];
}

/** The fact that something was given up for another thing: MySQL in "Postgres instead of MySQL". */
function against(context: RuleContext, other: string): ReturnType<Rule['facts']> {
  return factOf(context, {
    kind: 'decision',
    attribute: 'decision',
    subjectAs: ownerOf(context),
    value: `use ${other}`,
    valueAs: other,
    values: 'many',
    negated: true,
    says: { yes: `decided against ${other}` },
  });
}

/** Who decided, without "and others", so that a decision has the same key whoever took part. */
function ownerOf({ predicate }: RuleContext): string {
  return predicate.subject.name.replace(/ and others$/, '');
}

/** The decision between two things. Its topic is the pair, in whichever order. */
function decideBetween(context: RuleContext, chosen: string, other: string): ReturnType<Rule['facts']> {
  const pair = [normalizePhrase(chosen), normalizePhrase(other)].sort().join(' ');
  return factOf(context, {
    kind: 'decision',
    attribute: `${chosen} or ${other}`,
    subjectAs: ownerOf(context),
    about: `decision between ${pair}`,
    value: chosen,
    values: 'one',
    says: { yes: `chose ${chosen} over ${other}` },
  });
}

/** Rules for decisions. */
export const decisionRules: readonly Rule[] = [
  {
    pattern:
      /^(?:(?:have|has) )?(?:finally )?(decided|agreed|resolved|committed) (not )?to (?!the |an? |my |our |this |that |it\b|his |her |their |your |all )(.+)$/i,
    of: deciders,
    facts: (match, context) => {
      const action = value(match[3] ?? '');
      if (action === undefined) return [];
      const refused = match[2] !== undefined;
      const says = `${(match[1] ?? '').toLowerCase()} ${refused ? 'not ' : ''}to ${action}`;
      return decide(context, { value: action, refused, says });
    },
  },
  {
    pattern: /^(?:(?:have|has) )?(?:finally )?decided against (.+)$/i,
    of: deciders,
    facts: (match, context) => {
      const object = value(match[1] ?? '');
      if (object === undefined) return [];
      return decide(context, { value: `use ${object}`, refused: true, says: `decided against ${object}` });
    },
  },
  {
    pattern:
      /^(?:(?:have|has) )?(?:chose|chosen|picked|selected|went with|gone with|opted for) (.+?) (?:over|rather than|instead of) (.+)$/i,
    of: deciders,
    facts: (match, context) => {
      const [chosen, other] = [thing(match[1] ?? ''), thing(withoutTime(match[2] ?? ''))];
      return chosen === undefined || other === undefined ? [] : decideBetween(context, chosen, other);
    },
  },
  {
    pattern: /^(?:(?:have|has) )?(?:decided on|settled on|agreed on|opted for|chose|chosen) (.+)$/i,
    of: deciders,
    facts: (match, context) => {
      const object = thing(match[1] ?? '');
      return object === undefined || noChoice.test(object)
        ? []
        : decide(context, { value: `use ${object}`, says: `decided on ${object}` });
    },
  },
  {
    // Of a single person it says what they use.
    pattern: /^(?:(?:have|has) )?(?:switched|migrated) from (.+?) to (.+)$/i,
    of: ['group'],
    facts: (match, context) => {
      const [old, chosen] = [named(match[1] ?? ''), thing(match[2] ?? '')];
      if (old === undefined || chosen === undefined || named(chosen) === undefined) return [];
      const adopted = decide(context, { value: `use ${chosen}`, says: `switched from ${old} to ${chosen}` });
      return [...against(context, old), ...adopted];
    },
  },
  {
    pattern: /^will (not )?(?:go|stick) with (.+)$/i,
    of: deciders,
    facts: (match, context) => {
      const object = thing(match[2] ?? '');
      const refused = match[1] !== undefined;
      if (object === undefined) return [];
      const says = `decided ${refused ? 'not ' : ''}to go with ${object}`;
      return / to /.test(object) ? [] : decide(context, { value: `go with ${object}`, refused, says });
    },
  },
  {
    pattern: /^(?:let's|let us) (not )?((?:go with|use|stick with|settle on|pick|choose|adopt) .+)$/i,
    of: ['none'],
    facts: (match, context) => {
      const action = value(match[2] ?? '');
      if (action === undefined || thing(choosing.exec(action)?.[1] ?? '') === undefined) return [];
      const refused = match[1] !== undefined;
      return decide(context, {
        value: action,
        refused,
        says: `decided ${refused ? 'not ' : ''}to ${action}`,
      });
    },
  },
  {
    pattern:
      /^(?:(?:the|our|my|final|the final|our final) )?decision(?: is| was|:) (?:final: )?(not )?(?:to )?(.+)$/i,
    of: ['none', 'possession'],
    facts: (match, context) => {
      const action = value(match[2] ?? '');
      if (
        action === undefined ||
        /^(?:final|made|hard|easy|up to|still|pending|not|due|mine|yours)\b/i.test(action)
      )
        return [];
      // A sentence, or what was chosen.
      if (/^(?:the|our|my)\b/i.test(action))
        return decide(context, { value: action, says: `decided: ${action}` });
      const refused = match[1] !== undefined;
      return decide(context, {
        value: action,
        refused,
        says: `decided ${refused ? 'not ' : ''}to ${action}`,
      });
    },
  },
];
