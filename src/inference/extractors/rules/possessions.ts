import type { FactKind } from '../../facts.js';
import { named, numbered, value } from './phrases.js';
import type { ObjectRule } from './phrases.js';
import { factOf } from './rule.js';
import type { Rule } from './rule.js';

/** "My <noun> is …": nouns that have one value, and what such a value looks like. */
interface NounRow {
  readonly nouns: string;
  readonly object: ObjectRule;
  readonly kind?: FactKind;
  readonly values?: 'one' | 'many';
}

const short: ObjectRule = (text) => {
  const phrase = value(text);
  return phrase !== undefined && phrase.split(' ').length <= 6 ? phrase : undefined;
};
const contact: ObjectRule = (text) => (/[@\d]/.test(text) ? value(text) : undefined);
const size: ObjectRule = (text) =>
  /\d|^(?:x{0,3}[sml]|small|medium|large)$/i.test(text) ? short(text) : undefined;
const pronouns: ObjectRule = (text) => /^\w+\/\w+(?:\/\w+)?$/.exec(text.trim())?.[0];
const zone: ObjectRule = (text) =>
  /^(?:[A-Z]{2,5}\b|UTC|GMT|[A-Z]\w+\/\w+|\w+ (?:\w+ )?time\b)/.test(text.trim()) ? short(text) : undefined;
const profession: ObjectRule = (text) =>
  /(?:er|or|ist|ian|ant|ent|eer|ect|nurse|chef|pilot|lawyer|cook|vet|ceo|cto|cfo)$/i.test(text.trim()) &&
  !/\b(?:different|boring|\w+ing)$/i.test(text.trim())
    ? short(text.replace(/^(?:an?|the) /i, ''))
    : undefined;

const purpose: ObjectRule = (text) => (/^to \w/i.test(text.trim()) ? value(text) : undefined);
// "My boss is Norwegian" names nobody.
const person: ObjectRule = (text) => {
  const name = named(text);
  return name !== undefined && /^\S+(?:ian|ish|ese|can|ean)$/i.test(name) ? undefined : name;
};

const rows: readonly NounRow[] = [
  { nouns: 'favou?rite [\\p{L} -]{2,40}?', object: value, kind: 'preference' },
  { nouns: 'preferred [\\p{L} -]{2,40}?', object: value, kind: 'preference' },
  { nouns: '(?:first |last |full |middle |given |family )?name|surname|nickname', object: named },
  { nouns: 'birthday|birth date|date of birth', object: numbered },
  { nouns: 'age|height|weight|budget|blood pressure', object: numbered },
  { nouns: 'time ?zone', object: zone },
  { nouns: '(?:work |personal |private |business )?e-?mail(?: address)?', object: contact },
  {
    nouns: '(?:work |home |mobile |cell |personal )?(?:phone|mobile|cell)(?: number)?|phone number',
    object: contact,
  },
  { nouns: '(?:home |work |shipping |billing |postal )?address|post ?code|zip code', object: contact },
  { nouns: 'job(?: title)?|occupation|profession', object: profession },
  { nouns: 'manager|boss', object: person },
  { nouns: 'employer|company|team|university|school|bank', object: named },
  { nouns: 'home ?town|home city|home airport|home country|nationality', object: named },
  { nouns: 'native language|mother tongue|first language|second language', object: named },
  { nouns: 'pronouns', object: pronouns },
  { nouns: '(?:shoe |t-?shirt |shirt |dress |ring |clothing )size', object: size },
  { nouns: 'blood type|star sign|zodiac sign', object: short },
  { nouns: 'diet', object: short },
  { nouns: '(?:main |long-term |biggest )?goal', object: purpose, values: 'many' },
  { nouns: 'working hours|office hours', object: numbered },
];

function ruleOf({ nouns, object, kind = 'fact', values = 'one' }: NounRow): Rule {
  return {
    pattern: new RegExp(
      `^(${nouns}) (is|are|has changed to|changed to)( not| no longer)? (?:now |actually |currently )?(.+)$`,
      'iu',
    ),
    of: ['possession'],
    facts: (match, context) => {
      const noun = (match[1] ?? '').toLowerCase();
      const denial = match[3]?.trim().toLowerCase();
      const phrase = object(match[4] ?? '');
      if (phrase === undefined || /^(?:not|no longer|being|getting|so|very)\b/i.test(phrase)) return [];
      const be = match[2] === 'are' ? 'are' : 'is';
      const verb = denial === undefined ? be : `${be} ${denial}`;
      return factOf(context, {
        kind,
        attribute: noun,
        about: noun.replace(/^preferred /, 'prefers '),
        value: phrase,
        values,
        says: { yes: '' },
        negated: denial !== undefined,
      }).map((fact) => ({ ...fact, statement: `${fact.subject}'s ${noun} ${verb} ${phrase}` }));
    },
  };
}

/** What people have, by its name. */
export const possessionRules: readonly Rule[] = [
  ...rows.map(ruleOf),
  {
    // "my dog's name is Rex", "my sister is called Ada"
    pattern: /^([a-z][a-z -]{1,29}?)(?:'s name is| is (?:called|named)) (.+)$/i,
    of: ['possession'],
    facts: (match, context) => {
      const noun = (match[1] ?? '').toLowerCase();
      const name = named(match[2] ?? '');
      if (name === undefined) return [];
      return factOf(context, {
        attribute: `name of ${noun}`,
        value: name,
        values: 'one',
        says: { yes: '' },
      }).map((fact) => ({ ...fact, statement: `${fact.subject}'s ${noun} is called ${name}` }));
    },
  },
];
