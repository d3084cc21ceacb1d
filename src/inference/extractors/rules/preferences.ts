import { normalizePhrase } from '../../facts.js';
import { activity, listOf, thing, value, withoutTime } from './phrases.js';
import { attitudeOf, factOf, formsOf, people } from './rule.js';
import type { Rule, RuleContext } from './rule.js';

interface AttitudeRow {
  readonly likes: boolean;
  /** Verbs for which "I no longer …" means the opposite; "I do not …" does so too, unless `mildly`. */
  readonly verbs: readonly string[];
  /** Whether the negated verb says little: "I don't love X". */
  readonly mildly?: boolean;
}

const attitudeRows: readonly AttitudeRow[] = [
  { likes: true, verbs: ['like', 'enjoy'] },
  { likes: true, verbs: ['love', 'adore'], mildly: true },
  { likes: false, verbs: ['dislike', 'hate', 'detest', 'loathe', 'despise', 'avoid'], mildly: true },
];

function attitudeRule({ likes, verbs, mildly = false }: AttitudeRow): Rule {
  const forms = verbs.map(formsOf);
  const all = forms.flatMap(({ base, third, gerund }) => [base, third, gerund]).join('|');
  return {
    pattern: new RegExp(`^(${all})\\s+(.+)$`, 'i'),
    of: people,
    facts: (match, context) => {
      const { polarity } = context.predicate;
      const object = activity(match[2] ?? '');
      const used = (match[1] ?? '').toLowerCase();
      const verb = forms.find(({ base, third, gerund }) => [base, third, gerund].includes(used));
      if (object === undefined || !verb || (polarity === 'not' && mildly)) return [];
      const says = { yes: verb.third, not: `does not ${verb.base}`, past: `no longer ${verb.third}` }[
        polarity
      ];
      const objects = polarity === 'not' ? object.split(/\s+or\s+/) : listOf(object);
      return objects.flatMap((single) =>
        attitudeOf(context, { object: single, verb: says, likes: polarity === 'yes' ? likes : !likes }),
      );
    },
  };
}

/** Other expressions for likes and dislikes. The pattern's group is the object. */
const idioms: readonly { pattern: RegExp; likes: boolean; verb: string; not?: string; past?: string }[] = [
  { pattern: /^cannot (?:stand|bear|tolerate|abide) (.+)$/i, likes: false, verb: 'cannot stand' },
  { pattern: /^(?:have |has )?never (?:really )?liked (.+)$/i, likes: false, verb: 'never liked' },
  {
    pattern: /^(?:am|is|are) (?:a )?(?:(?:big|huge|great|massive|lifelong) )?fans? of (.+)$/i,
    likes: true,
    verb: 'is a fan of',
    not: 'is not a fan of',
    past: 'is no longer a fan of',
  },
  {
    pattern: /^(?:am|is|are) (?:very |really |quite )?(?:fond of|keen on) (.+)$/i,
    likes: true,
    verb: 'is fond of',
    not: 'is not fond of',
    past: 'is no longer fond of',
  },
  {
    pattern:
      /^(?:am|is|are|have been|has been) (?:(?:very much|very|really|so|totally) )?into (?!my\b|our\b|the\b|town\b|week\b|month\b)(.+)$/i,
    likes: true,
    verb: 'is into',
    not: 'is not into',
    past: 'is no longer into',
  },
  {
    pattern: /^(?:am|is|are) (?:very |really |mostly )?interested in (.+)$/i,
    likes: true,
    verb: 'is interested in',
    not: 'is not interested in',
    past: 'is no longer interested in',
  },
];

const idiomRules: readonly Rule[] = idioms.map(({ pattern, likes, verb, not, past }) => ({
  pattern,
  of: people,
  facts: (match, context) => {
    const { polarity } = context.predicate;
    const says = { yes: verb, not, past }[polarity];
    const object = thing(match[1] ?? '');
    if (object === undefined || says === undefined) return [];
    return attitudeOf(context, { object, verb: says, likes: polarity === 'yes' ? likes : !likes });
  },
}));

/** "I hate it when people are late." */
const situationRule: Rule = {
  pattern: /^(love|loves|like|likes|hate|hates|cannot stand) it when (.+)$/i,
  of: people,
  facts: (match, context) => {
    const when = value(match[2] ?? '');
    if (when === undefined || context.predicate.polarity !== 'yes') return [];
    const verb = (match[1] ?? '').toLowerCase().replace(/^(love|like|hate)$/, '$1s');
    return attitudeOf(context, { object: `it when ${when}`, verb, likes: /^l/.test(verb) });
  },
};

const comparisons: readonly RegExp[] = [
  /^(?:would )?prefers? (.+?) (?:over|rather than|instead of|more than) (.+)$/i,
  /^(?:would )?prefers? (?!to )(.+?) to (?!(?:be|have|get|go|do|make|see|the|my|work)\b)(.+)$/i,
  /^(?:likes?|loves?|enjoys?) (.+?) (?:more|better) than (.+)$/i,
];

/** "tea to coffee": both must be things, or both activities. */
const comparisonRules: readonly Rule[] = comparisons.map((pattern) => ({
  pattern,
  of: people,
  facts: (match, context) => {
    const [better, worse] = [activity(match[1] ?? ''), activity(match[2] ?? '')];
    if (better === undefined || worse === undefined || !areAlike(better, worse)) return [];
    return comparing(
      context,
      { better, worse },
      {
        yes: `prefers ${better} over ${worse}`,
        not: `does not prefer ${better} over ${worse}`,
        past: `no longer prefers ${better} over ${worse}`,
      },
    );
  },
}));

const ratherRule: Rule = {
  pattern: /^would (?:rather|sooner) (?!not |be |you |he |she |they |it )(.+?) than (.+)$/i,
  of: people,
  facts: (match, context) => {
    const [better, worse] = [value(match[1] ?? ''), value(match[2] ?? '')];
    if (better === undefined || worse === undefined) return [];
    return comparing(context, { better, worse }, { yes: `would rather ${better} than ${worse}` });
  },
};

/**
 * A preference of one thing over another. Its key is the pair, in whichever order, so that a later
 * preference replaces an earlier one.
 */
function comparing(
  context: RuleContext,
  { better, worse }: { better: string; worse: string },
  says: { yes: string; not?: string; past?: string },
): ReturnType<Rule['facts']> {
  const pair = [normalizePhrase(better), normalizePhrase(worse)].sort();
  return factOf(context, {
    kind: 'preference',
    attribute: `prefers ${better} or ${worse}`,
    about: `prefers ${pair.join(' ')}`,
    value: better,
    values: 'one',
    says,
  });
}

function areAlike(one: string, other: string): boolean {
  const isActivity = (text: string) => /^(?:to )?\w+ing\b/i.test(text);
  return isActivity(one) === isActivity(other) && one.split(' ').length <= 6 && other.split(' ').length <= 6;
}

const preferenceRule: Rule = {
  pattern: /^(?:would )?prefer(?:s|ring)? (not )?(.+)$/i,
  of: people,
  facts: (match, context) => {
    const refuses = match[1] !== undefined;
    const object = activity((match[2] ?? '').replace(/\s(?:instead of|rather than|over)\s.*$/i, ''));
    if (object === undefined || (refuses && context.predicate.polarity !== 'yes')) return [];
    return preferring(context, object, refuses);
  },
};

function preferring(context: RuleContext, object: string, refuses: boolean): ReturnType<Rule['facts']> {
  const { attribute, about, values } = topicOf(object);
  const not = refuses ? 'not ' : '';
  return factOf(context, {
    kind: 'preference',
    attribute,
    about,
    value: object,
    values,
    says: {
      yes: `prefers ${not}${object}`,
      not: `does not prefer ${object}`,
      past: `no longer prefers ${object}`,
    },
    negated: refuses || context.predicate.polarity !== 'yes',
  });
}

/** "switched from vim to emacs": uses the one, and no longer the other. */
const switchRule: Rule = {
  pattern: /^(?:(?:have|has) )?switched (?:from (.+?) )?to (.+)$/i,
  of: people,
  facts: (match, context) => {
    const [old, current] = [thing(match[1] ?? ''), thing(withoutTime(match[2] ?? ''))];
    if (current === undefined || context.predicate.polarity !== 'yes') return [];
    const common = { attribute: 'uses', values: 'many' } as const;
    const dropped =
      old &&
      factOf(context, { ...common, value: old, negated: true, says: { yes: `no longer uses ${old}` } });
    const adopted = factOf(context, { ...common, value: current, says: { yes: `switched to ${current}` } });
    return [...(dropped || []), ...adopted];
  },
};

const contextStart =
  /\s+(?:for|in|on|at|when|whenever|while|with|without|from|during|of|by|before|after|as|if|near|about|that|who|to)\s+/i;

const timeOfDay =
  /^(?:in the (?:early |late )?(?:mornings?|afternoons?|evenings?)|at (?:noon|night)|(?:at|before|after|around|between) \d[\d:.]*(?: ?[ap]\.?m\.?)?(?: and \d[\d:.]*(?: ?[ap]\.?m\.?)?)?)$/i;

/**
 * What a preference is about. "window seats on long flights" is about the seats that one may have there, of
 * which one kind is preferred. A single word or an activity has no known alternatives.
 */
function topicOf(object: string): { attribute: string; about: string; values: 'one' | 'many' } {
  const [phrase = '', ...rest] = object.split(contextStart);
  const words = phrase.split(/\s+/);
  const isActivity = /^(?:to \w+|\w+ing$|\w+ing (?:my|the|a|an|to)\b)/i.test(object);
  const when = object.slice(phrase.length).trim();
  // "meetings in the morning": one time of day is preferred for them.
  if (!isActivity && words.length === 1 && timeOfDay.test(when))
    return { attribute: `preferred time of ${phrase}`, about: `prefers time of ${phrase}`, values: 'one' };
  if (isActivity || words.length < 2 || words.length > 4 || /\b(?:and|or)\b/i.test(phrase))
    return { attribute: 'prefers', about: 'prefers', values: 'many' };
  const head = words.at(-1) ?? '';
  const circumstances = object.slice(phrase.length).trim();
  const attribute = rest.length > 0 ? `preferred ${head} ${circumstances}` : `preferred ${head}`;
  return { attribute, about: `prefers ${head} ${circumstances}`, values: 'one' };
}

/**
 * Rules for what people like and prefer. Comparisons come first, since the plain
 * "prefer" would match them too.
 */
export const preferenceRules: readonly Rule[] = [
  ...comparisonRules,
  ratherRule,
  switchRule,
  preferenceRule,
  situationRule,
  ...attitudeRows.map(attitudeRule),
  ...idiomRules,
  {
    pattern:
      /^(always|never) (?:(eat|drink|fly|take|use|work|buy|order|travel|book|wear|drive|read|watch|write|sleep|stay|pay|cook|go|sit|carry|skip)s?) (.+)$/i,
    of: people,
    facts: (match, context) => {
      const often = (match[1] ?? '').toLowerCase();
      const rest = value(match[3] ?? '');
      if (rest === undefined || context.predicate.polarity !== 'yes') return [];
      const { base, third } = formsOf((match[2] ?? '').toLowerCase());
      return factOf(context, {
        kind: 'preference',
        attribute: 'habit',
        value: `${base} ${rest}`,
        values: 'many',
        says: { yes: `${often} ${third} ${rest}` },
        negated: often === 'never',
      });
    },
  },
];
