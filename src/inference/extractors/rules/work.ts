import { employer, firm, thing } from './phrases.js';
import { factOf, people } from './rule.js';
import type { Rule, RuleContext } from './rule.js';

const occupation =
  /(?:engineer|developer|programmer|designer|architect|teacher|professor|lecturer|nurse|doctor|physician|surgeon|dentist|lawyer|attorney|accountant|manager|analyst|scientist|researcher|student|consultant|writer|author|journalist|editor|chef|cook|baker|barista|waiter|waitress|pilot|electrician|plumber|carpenter|mechanic|musician|artist|photographer|actor|director|founder|ceo|cto|cfo|coo|librarian|pharmacist|therapist|psychologist|veterinarian|vet|farmer|firefighter|paramedic|translator|interpreter|recruiter|salesperson|freelancer|contractor|administrator|economist|physicist|chemist|biologist|mathematician|geologist|historian|lead|officer|intern|trainee|assistant|associate|specialist|strategist|coordinator|supervisor|partner|principal|vice president|head of [\w ]+)$/i;

/** An occupation: "a nurse", or without an article a known one, such as "research lead". */
function roleOf(text: string): string | undefined {
  const phrase = thing(text.replace(/ (?:in|from|on|every) .*$/, ''));
  if (phrase === undefined) return undefined;
  return /^(?:an?|the) \w/i.test(phrase) || occupation.test(phrase) ? phrase : undefined;
}

function asOccupation(
  context: RuleContext,
  role: string,
  says = `works as ${role}`,
): ReturnType<Rule['facts']> {
  return factOf(context, {
    attribute: 'occupation',
    value: role,
    values: 'one',
    says: { yes: says, not: `does not work as ${role}`, past: `no longer works as ${role}` },
  });
}

function atEmployer(
  context: RuleContext,
  { at, joint = 'at' }: { at: string; joint?: string | undefined },
): ReturnType<Rule['facts']> {
  return factOf(context, {
    attribute: 'works at',
    value: at,
    values: 'one',
    says: {
      yes: `works ${joint} ${at}`,
      not: `does not work ${joint} ${at}`,
      past: `no longer works ${joint} ${at}`,
    },
  });
}

/** The fact that someone no longer works somewhere. */
function leaving(context: RuleContext, old: string): ReturnType<Rule['facts']> {
  return factOf(context, {
    attribute: 'works at',
    value: old,
    values: 'one',
    negated: true,
    says: { yes: `left ${old}` },
  });
}

const work = '(?:(?:am|is|are|have been|has been) )?(?:work|works|working)';
const started =
  '(?:started (?:a new job|working|a job|a (?:new )?(?:job|position|role)) (?:at|for|with)|(?:got|took|accepted) a (?:new )?(?:job|position|role) (?:at|with)|(?:was|got) hired by)';

/** Rules for where people work and as what; one clause may say both. */
export const workRules: readonly Rule[] = [
  {
    pattern: new RegExp(`^${work} as (.+?)(?: (at|for|with) (.+))?$`, 'i'),
    of: people,
    facts: (match, context) => {
      const role = roleOf(match[1] ?? '');
      const at = employer(match[3] ?? '');
      if (role === undefined) return [];
      const placed = at === undefined ? [] : atEmployer(context, { at, joint: match[2]?.toLowerCase() });
      return [...asOccupation(context, role), ...placed];
    },
  },
  {
    pattern: new RegExp(`^${work} (at|for) (.+?) as (.+)$`, 'i'),
    of: people,
    facts: (match, context) => {
      const at = employer(match[2] ?? '');
      const role = roleOf(match[3] ?? '');
      if (at === undefined || role === undefined) return [];
      return [...atEmployer(context, { at, joint: match[1]?.toLowerCase() }), ...asOccupation(context, role)];
    },
  },
  {
    pattern: new RegExp(`^(?:(?:have|has) )?${started} (.+?)(?: as (.+))?$`, 'i'),
    of: people,
    facts: (match, context) => {
      const at = employer(match[1] ?? '');
      const role = roleOf(match[2] ?? '');
      if (at === undefined) return [];
      return [...atEmployer(context, { at }), ...(role === undefined ? [] : asOccupation(context, role))];
    },
  },
  {
    // People also join clubs and meetings; only with an occupation is it work.
    pattern: /^(?:(?:have|has) )?(?:joined|started (?:at|with)) (.+?) as (.+)$/i,
    of: people,
    facts: (match, context) => {
      const at = firm(match[1] ?? '');
      const role = roleOf(match[2] ?? '');
      if (at === undefined || role === undefined || !occupation.test(role)) return [];
      return [...atEmployer(context, { at }), ...asOccupation(context, role)];
    },
  },
  {
    pattern:
      /^(?:(?:have|has) )?(?:(?:(?:left|quit) (?:my|the) (?:job|position|role) (?:at|with)|resigned from|(?:was|got|were) (?:laid off|fired|let go) (?:from|by))|left|quit) (.+?)(?: (?:for|to join) (.+))?$/i,
    of: people,
    facts: (match, context) => {
      const old = firm(match[1] ?? '');
      if (old === undefined || /\b(?:at|around|before|after) \d/.test(match[0])) return [];
      const next = match[2] === undefined ? undefined : firm(match[2]);
      return [...leaving(context, old), ...(next === undefined ? [] : atEmployer(context, { at: next }))];
    },
  },
  {
    pattern: /^(?:(?:have|has) )?(?:(?:was|were|got|been|gotten) )?promoted to (.+)$/i,
    of: people,
    facts: (match, context) => {
      const role = roleOf(match[1] ?? '');
      return role === undefined ? [] : asOccupation(context, role, `was promoted to ${role}`);
    },
  },
  {
    pattern: new RegExp(
      `^(?:am|is|are|became|(?:have|has) become) ((?:an? |the )(?:[\\w/-]+ ){0,3}?[\\w/-]*${occupation.source.replace(/\$$/, '')})(?: (at|for|in|with|by) (.+))?$`,
      'i',
    ),
    of: people,
    facts: (match, context) => {
      const [, role = '', joint = '', place = ''] = match;
      const isWork = /^(?:at|for|with)$/i.test(joint) && !/student$/i.test(role);
      const at = isWork ? firm(place) : undefined;
      return [
        ...factOf(context, {
          attribute: 'occupation',
          value: role,
          values: 'one',
          says: { yes: `is ${role}`, not: `is not ${role}`, past: `is no longer ${role}` },
        }),
        ...(at === undefined || context.predicate.polarity !== 'yes' ? [] : atEmployer(context, { at })),
      ];
    },
  },
  {
    // "My new job is at Lumen Health"
    pattern: /^(?:(?:new|current) )?(?:job|position|role) is (?:at|with) (.+)$/i,
    of: ['possession'],
    facts: (match, context) => {
      const at = employer(match[1] ?? '');
      return at === undefined ? [] : atEmployer(context, { at });
    },
  },
];
