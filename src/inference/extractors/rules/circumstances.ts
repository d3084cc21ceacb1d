import { kindOf } from '../../../graph/extraction/lexicon.js';
import { place, person, thing, timeOf, value, withoutTime } from './phrases.js';
import { asUser, factOf, people, retold } from './rule.js';
import type { Rule, RuleContext } from './rule.js';

const makes =
  '(?:Alfa Romeo|Audi|BMW|BYD|Chevrolet|Chevy|Citro[eë]n|Cupra|Dacia|Fiat|Ford|Honda|Hyundai|Jaguar|Jeep|Kia|Land Rover|Lexus|Mazda|Mercedes|Mini|Mitsubishi|Nissan|Opel|Peugeot|Polestar|Porsche|Renault|Saab|Seat|Skoda|Škoda|Smart|Subaru|Suzuki|Tesla|Toyota|Vauxhall|Volkswagen|Volvo|VW)';
const household = [...people, 'group'] as const;
const school = /\b(?:school|kindergarten|nursery|daycare|college|university|academy)$/i;
const club =
  /\b(?:gym|studio|club|choir|band|orchestra|society|association|union|league|co-op|class|course|library)\b/i;
const often =
  '(?:on \\w+days?(?:,? (?:and|or) \\w+days?)*|every .+|each .+|(?:once|twice|\\w+ times) (?:a|per) (?:day|week|month|year)|\\w+ days (?:a|per) week|most days|daily|weekly)';
/** What can be given up, by what one did with it before. */
const givenUp: readonly (readonly [verb: string, things: RegExp])[] = [
  ['drinks', /^(?:alcohol|beer|wine|coffee|caffeine|tea|soda|cola|milk|spirits|energy drinks)$/i],
  [
    'eats',
    /^(?:meat|red meat|pork|beef|fish|sugar|dairy|gluten|bread|chocolate|sweets|carbs|junk food|fast food|eggs|cheese)$/i,
  ],
  [
    'plays',
    /^(?:tennis|table tennis|badminton|squash|padel|golf|football|soccer|basketball|volleyball|handball|rugby|cricket|hockey|chess|poker|(?:the )?(?:piano|guitar|violin|viola|cello|flute|clarinet|saxophone|trumpet|drums))$/i,
  ],
];

function livesIn(
  context: RuleContext,
  where: string,
  denial: { not?: string } = {},
): ReturnType<Rule['facts']> {
  const says = { yes: `lives in ${where}`, past: `no longer lives in ${where}`, ...denial };
  return factOf(context, { attribute: 'lives in', value: where, values: 'one', says });
}

/** "I live with my partner in Rotterdam": with whom someone lives, and where. */
function livesWith(context: RuleContext, mate: string, where: string | undefined): ReturnType<Rule['facts']> {
  const owner = asUser(context);
  return [
    ...factOf(owner, {
      attribute: 'lives with',
      value: mate,
      values: 'one',
      says: {
        yes: `lives with ${mate}`,
        not: `does not live with ${mate}`,
        past: `no longer lives with ${mate}`,
      },
    }),
    ...(where === undefined ? [] : livesIn(owner, where, { not: `does not live in ${where}` })),
  ];
}

/** A person by name, or "my parents", "two friends". */
function mateOf(text: string): string | undefined {
  const bare = withoutTime(text);
  return person(bare) ?? (/^(?:my|our|an?|two|three|four|\d) /i.test(bare) ? thing(bare) : undefined);
}

/** A planned journey with its time. A new time for the same journey replaces the old one. */
function planOf(context: RuleContext, says: string, journey: string): ReturnType<Rule['facts']> {
  const when = timeOf(journey);
  const bare = withoutTime(journey);
  const where = / to (.+)$/.exec(` ${bare}`)?.[1];
  if (when === undefined || where === undefined || place(where) === undefined) return [];
  if (!/\d|^(?:in|next) /i.test(when)) return [];
  const owner = asUser(context);
  return factOf(owner, {
    attribute: 'plan',
    about: `plan journey to ${where}`,
    value: `${bare} ${when}`,
    valueAs: when,
    values: 'one',
    says: { yes: `${says} ${bare} ${when}` },
  });
}

/** Whether a clause is about the user or a household ("we"). What a team or company does is not personal. */
function isOwn({ predicate, evidence }: RuleContext): boolean {
  return predicate.subject.who !== 'group' || /^we\b/i.test(evidence);
}

function membership(context: RuleContext, name: string, quits: boolean): ReturnType<Rule['facts']> {
  return factOf(asUser(context), {
    attribute: 'member of',
    value: name.replace(/^(?:the|my|our) /i, ''),
    values: 'many',
    says: { yes: quits ? `quit ${retold(name, context.predicate)}` : `joined ${name}` },
    negated: quits,
  });
}

const homeRules: readonly Rule[] = [
  {
    pattern: /^(?:(?:am|is|are) )?(?:live|lives|living) (?:together )?with (.+?)(?: in (.+))?$/i,
    of: household,
    facts: (match, context) => {
      const mate = mateOf(match[1] ?? '');
      return mate === undefined ? [] : livesWith(context, mate, place(match[2] ?? ''));
    },
  },
  {
    pattern: /^(?:(?:have|has) )?moved in (?:together )?with (.+)$/i,
    of: people,
    facts: (match, context) => {
      const mate = mateOf(match[1] ?? '');
      return mate === undefined ? [] : livesWith(context, mate, undefined);
    },
  },
  {
    pattern: /^(?:(?:have|has) )?moved (?:away|out) (?:from|of) (.+)$/i,
    of: household,
    facts: (match, context) => {
      const where = place(match[1] ?? '');
      if (where === undefined) return [];
      return factOf(asUser(context), {
        attribute: 'lives in',
        value: where,
        values: 'one',
        negated: true,
        says: { yes: `moved away from ${where}` },
      });
    },
  },
  {
    pattern: /^live in (.+)$/i,
    of: ['group'],
    facts: (match, context) => {
      const where = place(match[1] ?? '');
      if (where === undefined || !/^\p{Lu}/u.test(where) || !/^we\b/i.test(context.evidence)) return [];
      return livesIn(asUser(context), where);
    },
  },
  {
    // "We moved to Malmö". Only known place names count, since teams also move to Slack.
    pattern: /^(?:(?:have|has) )?moved (?:back )?(?:from .+? )?to (.+)$/i,
    of: ['group'],
    facts: (match, context) => {
      const where = place(match[1] ?? '');
      if (
        where === undefined ||
        !/^(?:place|region)$/.test(kindOf(where.toLowerCase()) ?? '') ||
        !/^we\b/i.test(context.evidence)
      )
        return [];
      return livesIn(asUser(context), where);
    },
  },
  {
    // "Sold the Volvo and bought a Kia EV6"
    pattern: new RegExp(
      `^(?:(?:have|has) )?(?:sold|traded(?: in)?|replaced) (?:the|my|our) (?:${makes}\\b.*?|(?:old )?car) (?:and (?:bought|got|leased)|for|with) (an? .+)$`,
      'i',
    ),
    of: household,
    facts: (match, context) => {
      const car = thing(withoutTime(match[1] ?? ''));
      if (car === undefined) return [];
      return factOf(asUser(context), {
        attribute: 'drives',
        value: car,
        values: 'one',
        says: { yes: `has ${car} in place of the car before` },
      });
    },
  },
  {
    // "I live at Kerkstraat 12, Utrecht"
    pattern: /^(?:live|lives) at (.+)$/i,
    of: household,
    facts: (match, context) => {
      const address = value(match[1] ?? '');
      if (address === undefined || !/^\p{Lu}.*\d|^\d+ \p{Lu}/u.test(address)) return [];
      const owner = asUser(context);
      return factOf(owner, {
        attribute: 'address',
        value: address,
        values: 'one',
        says: { yes: `lives at ${address}` },
      });
    },
  },
];

const dose = '\\d[\\d.,]* ?(?:mg|mcg|µg|g|ml|iu|units?|tablets?|pills?|capsules?|drops)';

const habitRules: readonly Rule[] = [
  {
    // "50 mg of sertraline every morning". The key is the drug, so that a new dose replaces the old one.
    pattern: new RegExp(
      `^(?:(?:am|is) )?(?:take|takes|taking) (${dose})(?: of)? (?!daily|every|each|per|a |in |at |once|twice|before|after)(\\p{L}[\\p{L}-]+(?: \\p{L}[\\p{L}-]+)?)(?: ((?:every|each|in the|at|once|twice|before|after|daily|per|a) ?.*))?$`,
      'iu',
    ),
    of: people,
    facts: (match, context) => {
      const [, amount = '', drug = '', when] = match;
      const taken = `${amount} of ${drug}${when === undefined ? '' : ` ${when.trim()}`}`;
      return factOf(context, {
        attribute: 'takes',
        value: taken,
        valueAs: drug,
        values: 'many',
        says: { yes: `takes ${taken}`, not: `does not take ${taken}`, past: `no longer takes ${drug}` },
      });
    },
  },
  {
    pattern: /^(?:take|takes|taking) (.+)$/i,
    of: people,
    facts: (match, context) => {
      const object = thing(withoutTime(match[1] ?? ''));
      if (object === undefined || context.predicate.polarity !== 'past') return [];
      const says = { yes: '', past: `no longer takes ${object}` };
      return factOf(context, { attribute: 'takes', value: object, values: 'many', says });
    },
  },
  {
    pattern: /^(?:(?:have|has) )?(?:given up|gave up|quit|stopped) (.+)$/i,
    of: people,
    facts: (match, context) => {
      const object = thing(withoutTime(match[1] ?? ''));
      const [verb] = givenUp.find(([, things]) => object !== undefined && things.test(object)) ?? [];
      if (object === undefined || verb === undefined) return [];
      return factOf(context, {
        attribute: verb,
        ...(/^(?:red )?(?:meat|fish)$/i.test(object) ? { about: 'diet' } : {}),
        value: object,
        values: 'many',
        negated: true,
        says: { yes: `no longer ${verb} ${object}` },
      });
    },
  },
  {
    pattern: /^(?:am|is|are) (?:now )?(?:a |an )?(?:\w+ )?members? of ((?:an?|the|my|our) .+)$/i,
    of: people,
    facts: (match, context) => {
      const name = thing(withoutTime(match[1] ?? ''));
      if (name === undefined || !club.test(name)) return [];
      const bare = name.replace(/^(?:the|my|our) /i, '');
      return factOf(context, {
        attribute: 'member of',
        value: bare,
        values: 'many',
        says: {
          yes: `is a member of ${name}`,
          not: `is not a member of ${name}`,
          past: `is no longer a member of ${name}`,
        },
      });
    },
  },
  {
    pattern: /^(?:(?:have|has) )?(joined|quit|left|cancelled|canceled) ((?:an?|the|my|our) .+)$/i,
    of: household,
    facts: (match, context) => {
      const name = thing(withoutTime((match[2] ?? '').replace(/ membership$/i, '')));
      if (name === undefined || !club.test(name) || !isOwn(context)) return [];
      return membership(context, name, !/^joined$/i.test(match[1] ?? ''));
    },
  },
  {
    pattern: new RegExp(`^(?:go|goes|going) to (.+?) (${often})$`, 'i'),
    of: people,
    facts: (match, context) => {
      const where = thing(match[1] ?? '');
      const when = value(match[2] ?? '');
      if (where === undefined || when === undefined || /^bed$/i.test(where)) return [];
      return factOf(context, {
        attribute: `goes to ${where}`,
        value: when,
        values: 'one',
        says: {
          yes: `goes to ${where} ${when}`,
          not: `does not go to ${where} ${when}`,
          past: `no longer goes to ${where} ${when}`,
        },
      });
    },
  },
  {
    pattern: /^(?:go|goes|going) to (.+)$/i,
    of: people,
    facts: (match, context) => {
      const where = thing(match[1] ?? '');
      if (where === undefined || !school.test(where) || !/\p{Lu}/u.test(where)) return [];
      const says = {
        yes: `goes to ${where}`,
        not: `does not go to ${where}`,
        past: `no longer goes to ${where}`,
      };
      return factOf(context, { attribute: 'goes to school', value: where, values: 'one', says });
    },
  },
  {
    pattern: new RegExp(`^(?:work|works|working) (?:from home|remotely) (${often})$`, 'i'),
    of: people,
    facts: (match, context) => {
      const when = value(match[1] ?? '');
      if (when === undefined) return [];
      return factOf(context, {
        attribute: 'works from home',
        value: when,
        values: 'one',
        says: {
          yes: `works from home ${when}`,
          not: `does not work from home ${when}`,
          past: `no longer works from home ${when}`,
        },
      });
    },
  },
];

/** Rules for where and with whom people live, what they take, where they go, and which journeys they plan. */
export const circumstanceRules: readonly Rule[] = [
  ...homeRules,
  ...habitRules,
  {
    pattern:
      /^(?:am|is|are) planning (?:an?|our|my|their) ((?:[\w-]+ )?(?:trip|holiday|vacation|journey|visit|weekend) to .+)$/i,
    of: household,
    facts: (match, context) => planOf(context, 'plans a', match[1] ?? ''),
  },
  {
    pattern: /^(?:am|is|are) (going|travelling|traveling|flying|moving) (to .+)$/i,
    of: household,
    facts: (match, context) => planOf(context, `is ${(match[1] ?? '').toLowerCase()}`, match[2] ?? ''),
  },
  {
    pattern:
      /^(?:want|would like|like|prefer) to be (?:called|addressed as) (\p{Lu}[\p{L}'’-]+)(?:,? (?:not|instead of|rather than) .+)?$/u,
    of: ['user'],
    facts: (match, context) => {
      const name = match[1] ?? '';
      return factOf(context, {
        kind: 'preference',
        attribute: 'goes by',
        value: name,
        values: 'one',
        says: { yes: `goes by ${name}` },
      });
    },
  },
];
