import type { FactKind } from '../../facts.js';
import { employer, listOf, named, namesOf, place, thing, timeOfDay, value, withoutTime } from './phrases.js';
import type { ObjectRule } from './phrases.js';
import { factOf, formsOf, people } from './rule.js';
import type { Rule } from './rule.js';

/** A verb and what follows it: `live` `in` a place. */
interface VerbRow {
  readonly verbs: readonly string[];
  /** A pattern for the words between verb and object. */
  readonly link?: string;
  readonly object: ObjectRule;
  /** The attribute of the fact; the verb itself if empty. */
  readonly attribute: string;
  readonly values: 'one' | 'many';
  readonly kind?: FactKind;
  /** Splits an object that names several. */
  readonly split?: (phrase: string) => string[];
}

const possessed: ObjectRule = (text) =>
  /^(?:an?|my|our|two|three|four|five|\d+)\b/i.test(text.trim()) ? thing(text) : undefined;
const vehicle: ObjectRule = (text) => (/^(?:my|our)\b| to /i.test(text.trim()) ? undefined : possessed(text));
const properName: ObjectRule = (text) => {
  const name = named(text);
  return name !== undefined && /^\p{Lu}\S*(?: (?:and )?\p{Lu}\S*)*$/u.test(name) ? name : undefined;
};
const business: ObjectRule = (text) =>
  /\b(?:business|company|bakery|shop|store|restaurant|caf[eé]|startup|studio|agency|farm|practice|blog|podcast|firm|school|club|hotel|bar|gallery|charity)\b/i.test(
    text,
  )
    ? possessed(text)
    : undefined;
const knowledge: ObjectRule = (text) => (/^how to /i.test(text.trim()) ? value(text) : properName(text));

const verbRows: readonly VerbRow[] = [
  { verbs: ['live', 'reside'], link: 'in', object: place, attribute: 'lives in', values: 'one' },
  { verbs: ['work'], link: '(?:at|for)', object: employer, attribute: 'works at', values: 'one' },
  { verbs: ['commute'], link: 'by', object: thing, attribute: 'commutes by', values: 'one' },
  {
    verbs: ['wake', 'get/gets/getting'],
    link: 'up at',
    object: timeOfDay,
    attribute: 'wakes up at',
    values: 'one',
  },
  { verbs: ['go'], link: 'to bed at', object: timeOfDay, attribute: 'goes to bed at', values: 'one' },
  { verbs: ['speak'], object: named, attribute: 'speaks', values: 'many', split: namesOf },
  { verbs: ['own'], object: thing, attribute: 'owns', values: 'many', split: listOf },
  { verbs: ['drive'], object: vehicle, attribute: 'drives', values: 'one' },
  { verbs: ['play'], object: thing, attribute: 'plays', values: 'many', split: listOf },
  { verbs: ['study/studies/studying'], object: thing, attribute: 'studies', values: 'many' },
  { verbs: ['use'], object: thing, attribute: 'uses', values: 'many', split: listOf },
  { verbs: ['know'], object: knowledge, attribute: 'knows', values: 'many', split: namesOf },
  { verbs: ['eat', 'drink', 'smoke'], object: thing, attribute: '', values: 'many', split: listOf },
  { verbs: ['run/runs/running'], object: business, attribute: '', values: 'many' },
  { verbs: ['manage', 'lead', 'teach', 'coach'], object: possessed, attribute: '', values: 'many' },
  { verbs: ['wear'], object: thing, attribute: 'wears', values: 'many' },
  { verbs: ['learn'], object: named, attribute: 'is learning', values: 'many', split: namesOf },
];

function ruleOf({ verbs, link, object, attribute, values, kind = 'fact', split }: VerbRow): Rule {
  const forms = verbs.map(formsOf);
  const all = forms.flatMap(({ base, third, gerund }) => [base, third, gerund]).join('|');
  const joint = link === undefined ? '' : `\\s+(${link})`;
  return {
    pattern: new RegExp(`^(?:(?:am|is|are|have been|has been)\\s+)?(${all})${joint}\\s+(.+)$`, 'i'),
    of: people,
    facts: (match, context) => {
      const [, given = '', other] =
        /^(.+?)(?: (?:instead of|rather than) (.+))?$/.exec(match.at(-1) ?? '') ?? [];
      const phrase = object(given);
      const used = (match[1] ?? '').toLowerCase();
      const verb = forms.find(({ base, third, gerund }) => [base, third, gerund].includes(used));
      // "stopped smoking last year": a time is not an object.
      if (phrase === undefined || !verb || withoutTime(` ${phrase}`) === '') return [];
      const linked = link === undefined ? '' : ` ${match[2] ?? ''}`;
      // Whoever does not drink "alcohol or coffee" drinks neither.
      const parts = context.predicate.polarity === 'yes' ? split?.(phrase) : phrase.split(/\s+or\s+/);
      const common = { kind, attribute: attribute || verb.third, values } as const;
      const said = (parts ?? [phrase]).flatMap((single) =>
        factOf(context, {
          ...common,
          value: single,
          says: {
            yes: `${verb.third}${linked} ${single}`,
            not: `does not ${verb.base}${linked} ${single}`,
            past: `no longer ${verb.third}${linked} ${single}`,
          },
        }),
      );
      const replaced =
        other === undefined || context.predicate.polarity !== 'yes' ? undefined : object(other);
      if (replaced === undefined) return said;
      const denied = { yes: `does not ${verb.base}${linked} ${replaced}` };
      return [...factOf(context, { ...common, value: replaced, negated: true, says: denied }), ...said];
    },
  };
}

/** Rules for what people do. */
export const verbRules: readonly Rule[] = verbRows.map(ruleOf);
