import { thing, value } from './phrases.js';
import type { ObjectRule } from './phrases.js';
import { factOf, people, retold } from './rule.js';
import type { Rule, RuleContext } from './rule.js';

const date =
  /\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|(?:19|20)\d\d)\b|\d{1,2}[./-]\d|^(?:the )?\d{1,2}(?:st|nd|rd|th)\b|^next (?:week|month|year|spring|summer|autumn|fall|winter)\b|^the (?:end|middle) of /i;
/** A date and what belongs to it: "Friday at noon". "Tomorrow" is soon wrong. */
const dueDate: ObjectRule = (text) => {
  const phrase = value(text);
  return phrase !== undefined && phrase.split(' ').length <= 6 && date.test(phrase) ? phrase : undefined;
};

/** Things of somebody whom only the context knows, and what is due to arrive. */
const noDeadline = /^(?:his|her|its|their|your)\b|\b(?:train|bus|tram|flight|plane|ferry|taxi)$/i;

/** By when a thing is due, and how to say so. A new date for it replaces the old one. */
function due(
  context: RuleContext,
  { what, when, says }: { what: string; when: string; says: (date: string) => string },
): ReturnType<Rule['facts']> {
  const object = thing(what.replace(/^(?:the|our|my) /i, ''));
  const date = dueDate(when);
  if (object === undefined || date === undefined || noDeadline.test(object)) return [];
  return factOf(context, {
    attribute: `due date of ${object}`,
    about: `due ${object}`,
    value: date,
    values: 'one',
    says: { yes: '' },
  }).map((fact) => ({ ...fact, statement: says(date) }));
}

/** The thing as others call it: "Anna's thesis", "The report". */
function called(what: string, { predicate: { subject } }: RuleContext): string {
  const isOwn = subject.who === 'possession' || /^(?:my|our) /i.test(what);
  const bare = what.replace(/^(?:my|our) /i, '');
  return isOwn ? `${subject.name}'s ${bare}` : bare.charAt(0).toUpperCase() + bare.slice(1);
}

const item = "(?:(?:the|our|my) )?(?:[\\p{L}\\d'’-]+ ){0,4}?[\\p{L}\\d'’-]+";
const papers =
  "(?:passport|visa|permit|id(?: card)?|identity card|driving licen[cs]e|driver's licen[cs]e|licen[cs]e|insurance|contract|lease|subscription|membership|warranty|(?:credit |debit |rail)?card|certificate|certification|ticket|pass)";
const errands =
  '(?:submit|hand in|turn in|finish|file|renew|pay|return|send(?: in)?|deliver|complete|cancel|book|register for)';

/** Rules for what is due, ends, or has to be done by a date. */
export const deadlineRules: readonly Rule[] = [
  {
    pattern: new RegExp(
      `^(${item}) (is|are) (?:now |currently )?(due(?: back)?(?: (?:on|by|in|at|before))?) (?!to )(.+)$`,
      'iu',
    ),
    of: ['possession', 'none'],
    facts: ([, what = '', be = '', verb = '', when = ''], context) =>
      due(context, { what, when, says: (date) => `${called(what, context)} ${be} ${verb} ${date}` }),
  },
  {
    pattern: new RegExp(`^(?:(?:the|our) )?deadline (?:for|of) (${item}) is (?:now )?((?:on )?)(.+)$`, 'iu'),
    of: ['possession', 'none'],
    facts: ([, what = '', on = '', when = ''], context) =>
      due(context, {
        what,
        when,
        says: (date) =>
          `The deadline for ${what.replace(/^(?:my|our) /i, `${context.predicate.subject.name}'s `)} is ${on}${date}`,
      }),
  },
  {
    pattern: new RegExp(
      `^((?:[\\p{L}-]+ ){0,2}?${papers}) ((?:expires|ends|runs out)(?: on| in| at)?) (.+)$`,
      'iu',
    ),
    of: ['possession'],
    facts: ([, what = '', verb = '', when = ''], context) =>
      due(context, { what, when, says: (date) => `${called(what, context)} ${verb} ${date}` }),
  },
  {
    pattern: new RegExp(`^(?:have|has|need|needs|must)(?: to)? (${errands}) (.+?) (by|before) (.+)$`, 'i'),
    of: people,
    facts: (match, context) => {
      const [, errand = '', what = '', by = '', when = ''] = match;
      const { subject, polarity } = context.predicate;
      if (polarity !== 'yes') return [];
      const toDo = `${errand} ${retold(what, context.predicate)} ${by}`;
      return due(context, { what, when, says: (date) => `${subject.name} has to ${toDo} ${date}` });
    },
  },
];
