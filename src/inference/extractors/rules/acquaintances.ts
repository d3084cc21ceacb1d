import { onlyRelatives, otherRelatives } from '../../../text/relatives.js';
import { person, personInFront } from './phrases.js';
import { asUser, factOf } from './rule.js';
import type { Rule, RuleContext } from './rule.js';

/** Those one lives or works with. */
export const companions = 'colleague|co-?worker|assistant|room-?mate|flatmate|housemate|neighbou?r';
/** People of whom one usually has only one at a time. */
const single = `${onlyRelatives}|boss|(?:line )?manager|supervisor|team lead|mentor|doctor|GP|dentist|therapist|psychologist|psychiatrist|physio(?:therapist)?|landlord|landlady|lawyer|solicitor|accountant|(?:personal )?trainer|tutor|hairdresser|barber|nanny|babysitter|cleaner|vet`;
const several = `(?:(?:older|younger|elder|little|big|oldest|youngest|best) )?(?:${otherRelatives}|friend)|${companions}`;
const onlyOne = new RegExp(`^(?:${single})$`, 'i');
export const anyPerson = `${single}|${several}`;
const pet = 'dog|cat|puppy|kitten|parrot|rabbit|horse|hamster|goldfish';

/** Whether someone has only one such relative or acquaintance, so that a new name replaces the old one. */
export function isSingle(noun: string): boolean {
  return onlyOne.test(noun.replace(/^.*'s /, ''));
}

/** The attribute, and the key, of the fact that says who somebody's manager or wife is. */
export function attributeOf(noun: string): { attribute: string; about?: string } {
  if (/^(?:manager|boss)$/.test(noun)) return { attribute: noun, about: 'manager' };
  return { attribute: `name of ${noun}` };
}

/** "My partner is Joris". What follows must be a person's name: this says nothing else about the person. */
const naming = new RegExp(
  `^(?:(?:new|current) )?(${anyPerson}) (?:is|will be|has changed to|changed to)( not| no longer)? (?:now |currently |called |named )*(.+)$`,
  'iu',
);

/** Whether a clause about "my …" says who somebody is. */
export function isNamingPerson(text: string): boolean {
  const [, , , name] = naming.exec(text) ?? [];
  return name !== undefined && person(name) !== undefined;
}

function personFact(
  context: RuleContext,
  { noun, name, denial }: { noun: string; name: string; denial?: string | undefined },
): ReturnType<Rule['facts']> {
  const owner = asUser(context);
  const be = denial === undefined ? 'is' : `is ${denial.trim()}`;
  return factOf(owner, {
    ...attributeOf(noun),
    value: name,
    values: isSingle(noun) ? 'one' : 'many',
    negated: denial !== undefined,
    says: { yes: '' },
  }).map((fact) => ({ ...fact, statement: `${fact.subject}'s ${noun} ${be} ${name}` }));
}

const singular: Readonly<Record<string, string>> = { children: 'child', kids: 'child' };

/** Rules for who the people around the user are. */
export const acquaintanceRules: readonly Rule[] = [
  {
    pattern: naming,
    of: ['possession'],
    facts: (match, context) => {
      const name = person(match[3] ?? '');
      const noun = nounOf(match[1]);
      return name === undefined ? [] : personFact(context, { noun, name, denial: match[2] });
    },
  },
  {
    // "Daan Hoekstra is my new manager"
    pattern: new RegExp(
      `^(\\p{Lu}.{1,60}?) is (?:now )?my (?:(?:new|current) )?(${anyPerson})(?=$|,| and | now$)`,
      'u',
    ),
    of: ['none'],
    facts: (match, context) => {
      const name = personInFront(match[1] ?? '');
      if (name === undefined || name !== match[1]) return [];
      return personFact(context, { noun: nounOf(match[2]), name });
    },
  },
  {
    // "I have a new manager, Daan", "I have a brother called Tom"
    pattern: new RegExp(
      `^(?:have|has|got) (?:got )?an? (?:new )?(${anyPerson})(?:,|:| –| -| called| named) (.+)$`,
      'u',
    ),
    of: ['user', 'group'],
    facts: (match, context) => {
      const name = person(match[2] ?? '');
      return name === undefined ? [] : personFact(context, { noun: nounOf(match[1]), name });
    },
  },
  {
    // "I have two kids, Tom and Lisa"
    pattern:
      /^(?:have|has) (?:got )?((?:two|three|four|five|six) (kids|children|sons|daughters|brothers|sisters|dogs|cats))(?:,|:| –| -| called| named) (\p{Lu}[\p{L}'’-]+(?:,? and \p{Lu}[\p{L}'’-]+|, \p{Lu}[\p{L}'’-]+)+)$/u,
    of: ['user', 'group'],
    facts: (match, context) => {
      const owner = asUser(context);
      const [, all = '', nouns = '', names = ''] = match;
      const noun = singular[nouns] ?? nouns.replace(/s$/, '');
      const each = names.split(/,? and |, /).flatMap((name) =>
        factOf(owner, {
          attribute: `name of ${noun}`,
          value: name,
          values: 'many',
          says: { yes: `has a ${noun} called ${name}` },
        }),
      );
      return [
        ...factOf(owner, { attribute: 'has', value: all, values: 'many', says: { yes: `has ${all}` } }),
        ...each,
      ];
    },
  },
  {
    // "We adopted a cat and named her Pipa"
    pattern: new RegExp(
      `^(?:(?:have|has) )?(?:adopted|got|bought|rescued) an? (?:[\\w-]+ ){0,2}?(${pet})(?: and (?:we |I )?(?:named|called) (?:her|him|it)| (?:named|called)|,) (\\p{Lu}[\\p{L}'’-]+)$`,
      'u',
    ),
    of: ['user', 'group'],
    facts: (match, context) => {
      const [, noun = '', name = ''] = match;
      return factOf(asUser(context), {
        attribute: `name of ${noun}`,
        value: name,
        values: 'many',
        says: { yes: `has a ${noun} called ${name}` },
      });
    },
  },
];

function nounOf(noun = ''): string {
  return noun === 'GP' ? noun : noun.toLowerCase();
}
