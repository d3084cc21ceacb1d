import { normalizePhrase } from '../../facts.js';
import type { Fact, FactKind } from '../../facts.js';
import { acquaintanceRules, anyPerson, isSingle } from './acquaintances.js';
import { named, numbered, value } from './phrases.js';
import type { ObjectRule } from './phrases.js';
import { regularMeetings } from './predicate.js';
import { factOf } from './rule.js';
import type { Rule, RuleContext } from './rule.js';

/** Nouns of "My <noun> is …" that have one value, and the form that such a value has. */
interface NounRow {
  readonly nouns: string;
  readonly object: ObjectRule;
  readonly kind?: FactKind;
  readonly values?: 'one' | 'many';
  /** The attribute in the key, if it is not the noun: several nouns may mean the same. */
  readonly about?: string;
}

const short: ObjectRule = (text) => {
  const phrase = value(text);
  return phrase !== undefined && phrase.split(' ').length <= 6 ? phrase : undefined;
};
const contact: ObjectRule = (text) => (/[@\d]/.test(text) ? value(text) : undefined);
const size: ObjectRule = (text) =>
  /\d|^(?:x{0,3}[sml]|small|medium|large)$/i.test(text) ? short(text) : undefined;
const pronouns: ObjectRule = (text) => /^\w+\/\w+(?:\/\w+)?$/.exec(text.trim())?.[0];
/** "My name is …" says nothing if it repeats the name of the user. */
function isTautology(noun: string, phrase: string, subject: string): boolean {
  return noun === 'name' && normalizePhrase(phrase) === normalizePhrase(subject);
}
const zone: ObjectRule = (text) =>
  /^(?:[A-Z]{2,5}\b|UTC|GMT|[A-Z]\w+\/\w+|\w+ (?:\w+ )?time\b)/.test(text.trim()) ? short(text) : undefined;
const profession: ObjectRule = (text) =>
  /(?:er|or|ist|ian|ant|ent|eer|ect|nurse|chef|pilot|lawyer|cook|vet|lead|ceo|cto|cfo)$/i.test(text.trim()) &&
  !/\b(?:different|boring|\w+ing)$/i.test(text.trim())
    ? short(text.replace(/^(?:an?|the) /i, ''))
    : undefined;

const purpose: ObjectRule = (text) => (/^to \w/i.test(text.trim()) ? value(text) : undefined);
/** "a ThinkPad X1 Carbon": a thing with a name. */
const model: ObjectRule = (text) => {
  const article = /^(?:an?|the) /i.exec(text)?.[0] ?? '';
  const name = named(text.slice(article.length));
  return name === undefined ? undefined : `${article}${name}`;
};

/** When something takes place: "(at) 10", "(on) Friday at noon". */
const occasion: ObjectRule = (text) => {
  const when = text.replace(/^(?:at|on) /i, '');
  return /^(?:\d|noon\b|(?:every |each )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)/i.test(when)
    ? short(when)
    : undefined;
};

const rows: readonly NounRow[] = [
  { nouns: 'favou?rite [\\p{L} -]{2,40}?', object: value, kind: 'preference' },
  { nouns: 'preferred [\\p{L} -]{2,40}?', object: value, kind: 'preference' },
  { nouns: '(?:first |last |full |middle |given |family )?name|surname|nickname', object: named },
  { nouns: 'birthday|birth date|date of birth', object: numbered },
  {
    nouns:
      '(?:wedding )?anniversary|age|height|weight|(?:[\\p{L}-]+ )?budget(?: for [\\p{L} -]{2,30}?)?|(?:monthly )?rent|mortgage|salary|blood pressure',
    object: numbered,
  },
  { nouns: 'time ?zone', object: zone },
  { nouns: '(?:work |personal |private |business )?e-?mail(?: address)?', object: contact },
  {
    nouns: '(?:work |home |mobile |cell |personal )?(?:phone|mobile|cell)(?: number)?|phone number',
    object: contact,
  },
  { nouns: '(?:home )?address', object: contact, about: 'address' },
  { nouns: '(?:work |shipping |billing |postal )address|post ?code|zip code', object: contact },
  { nouns: 'job(?: title)?|occupation|profession', object: profession, about: 'occupation' },
  { nouns: 'employer|company', object: named, about: 'works at' },
  { nouns: 'team|university|school|bank', object: named },
  { nouns: 'car', object: model, about: 'drives' },
  {
    nouns:
      '(?:work |home )?(?:laptop|computer|phone|tablet|camera|bike|bicycle|motorbike|editor|IDE|browser|gym)',
    object: model,
  },
  { nouns: 'home ?town|home city|home airport|home country|nationality', object: named },
  { nouns: 'native language|mother tongue|first language|second language', object: named },
  { nouns: 'pronouns', object: pronouns },
  { nouns: '(?:shoe |t-?shirt |shirt |dress |ring |clothing )size', object: size },
  { nouns: 'blood type|star sign|zodiac sign', object: short },
  { nouns: 'diet', object: short },
  { nouns: '(?:main |long-term |biggest )?goal', object: purpose, values: 'many' },
  { nouns: 'working hours|office hours', object: numbered },
  { nouns: regularMeetings, object: occasion },
];

function ruleOf({ nouns, object, kind = 'fact', values = 'one', about }: NounRow): Rule {
  return {
    pattern: new RegExp(
      `^(?:(?:new|current) )?(${nouns})(?: (is|are|has changed to|changed to|will be)( not| no longer)?|:) (?:now |actually |currently )?(.+)$`,
      'iu',
    ),
    of: ['possession'],
    facts: (match, context) => {
      const noun = (match[1] ?? '').toLowerCase();
      const denial = match[3]?.trim().toLowerCase();
      const phrase = object(match[4] ?? '');
      if (phrase === undefined || /^(?:not|no longer|being|getting|so|very)\b/i.test(phrase)) return [];
      if (isTautology(noun, phrase, context.predicate.subject.name)) return [];
      const be = match[2] === 'are' ? 'are' : 'is';
      const verb = denial === undefined ? be : `${be} ${denial}`;
      return factOf(context, {
        kind,
        attribute: noun,
        about: about ?? noun.replace(/^preferred /, 'prefers '),
        value: phrase,
        values,
        says: { yes: '' },
        negated: denial !== undefined,
      }).map((fact) => ({ ...fact, statement: `${fact.subject}'s ${noun} ${verb} ${phrase}` }));
    },
  };
}

/** Rules for what people have, stated by the noun for it ("my … is"). */
export const possessionRules: readonly Rule[] = [
  ...rows.map(ruleOf),
  {
    // "my dog's name is Rex", "my sister is called Ada"
    pattern: /^(\p{L}[\p{L} -]{1,29}?)(?:'s name is| is (?:called|named)) (.+)$/iu,
    of: ['possession'],
    facts: (match, context) => {
      const noun = (match[1] ?? '').toLowerCase();
      const name = named(match[2] ?? '');
      if (name === undefined) return [];
      return factOf(context, {
        attribute: `name of ${noun}`,
        value: name,
        values: isSingle(noun) ? 'one' : 'many',
        says: { yes: '' },
      }).map((fact) => ({ ...fact, statement: `${fact.subject}'s ${noun} is called ${name}` }));
    },
  },
  {
    // "my mum's birthday is on 3 November"
    pattern: new RegExp(`^(${anyPerson})'s (birthday) (?:is|falls) (.+)$`, 'i'),
    of: ['possession'],
    facts: (match, context) =>
      birthday(
        context,
        `${context.predicate.subject.name}'s ${(match[1] ?? '').toLowerCase()}`,
        match[3] ?? '',
      ),
  },
  {
    // "Mum's birthday is on 3 November", "Joris's birthday is 5 May"
    pattern: /^(\p{Lu}[\p{L}-]+)['’]s? birthday (?:is|falls) (.+)$/u,
    of: ['none'],
    facts: (match, context) => {
      const [, name = '', day = ''] = match;
      const isRelative = /^(?:mum|mom|dad|grandma|grandpa)$/i.test(name);
      const whose = isRelative ? `${context.predicate.subject.name}'s ${name.toLowerCase()}` : name;
      return birthday(context, whose, day);
    },
  },
];

function birthday(context: RuleContext, whose: string, day: string): readonly Fact[] {
  const date = numbered(day);
  if (date === undefined) return [];
  const predicate = { ...context.predicate, subject: { name: whose, who: 'relative' as const } };
  return factOf(
    { ...context, predicate },
    {
      attribute: 'birthday',
      value: date,
      values: 'one',
      says: { yes: '' },
    },
  ).map((fact) => ({ ...fact, statement: `${whose}'s birthday is ${date}` }));
}

/** "New address: …" in a memory of the user, who did not say whose it is. */
export const noteRule: Rule = {
  pattern: /^(?:(?:our )?new |our (?=(?:home )?address ))(.+)$/i,
  of: ['none'],
  facts: (match, context) => {
    const text = (match[1] ?? '').replace(': ', ' is ');
    for (const { pattern, of, facts } of [...acquaintanceRules, ...possessionRules]) {
      const said = of.includes('possession') ? pattern.exec(text) : null;
      const found = said ? facts(said, context) : [];
      if (found.length > 0) return found;
    }
    return [];
  },
};
