import { be } from './life.js';
import { named, namesOf, numbered, place, thing, value } from './phrases.js';
import type { ObjectRule } from './phrases.js';
import { factOf, people } from './rule.js';
import type { Rule } from './rule.js';

/** A pattern with one group, the value. In the statements `yes`, `not` and `past` a `$` stands for the value. */
interface StateRow {
  readonly pattern: RegExp;
  readonly object?: ObjectRule;
  readonly attribute: string;
  readonly values: 'one' | 'many' | ((phrase: string) => 'one' | 'many');
  readonly yes: string;
  readonly not?: string;
  readonly past?: string;
  readonly split?: (phrase: string) => string[];
}

const diets =
  '(?:strict )?(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|carnivore|omnivore|fruitarian|ketogenic|keto|paleo|kosher|halal|low-carb|gluten-free|dairy-free|plant-based|mediterranean)';
/**
 * Diets that answer whether one eats animals. They replace each other: "I'm vegan now" ends "I eat meat",
 * but "I am on a low-carb diet" does not.
 */
const animalDiets =
  /(?:vegetarian|vegan|pesc[ae]tarian|flexitarian|carnivore|omnivore|fruitarian|plant-based)$/i;
const valuesOfDiet = (diet: string) => (animalDiets.test(diet) ? 'one' : 'many');
const conditions =
  '(?:lactose|gluten|histamine|fructose)[ -]intolerant|diabetic|colou?r[ -]?blind|left-handed|right-handed|ambidextrous|asthmatic|coeliac|celiac|deaf|hard of hearing|dyslexic|autistic|epileptic|pregnant|retired|self-employed|unemployed|a (?:morning person|night owl|non-?smoker|smoker)';
const family =
  '(?:sons?|daughters?|kids?|child|children|twins|brothers?|sisters?|siblings?|dogs?|cats?|puppy|puppies|kittens?|parrots?|rabbits?|horses?|hamsters?|goldfish|pets?|grandchild|grandchildren|grandsons?|granddaughters?)';
const relation = `(?:an? |one |two |three |four |five |six |\\d+ )(?:(?!(?:called|named) )[\\w-]+ ){0,2}?${family}(?: (?:called|named) [\\w'’-]+)?`;
/** The title of a book. */
const title: ObjectRule = (text) =>
  /^(?:The |An? )?\p{Lu}/u.test(text.trim())
    ? thing(text.replace(/ (?:at the moment|right now|with my|to my|and (?:\p{Ll}|I )).*$/u, ''))
    : undefined;
/** Where somebody lives in the end: "Ghent in 2009 and to Lisbon in 2015". */
const lastPlace: ObjectRule = (text) =>
  place(text.split(/ (?:and|then) (?:(?:then|later|again) )?to /i).at(-1) ?? '');
const illnesses =
  "(?:type [12] )?(?:diabetes|asthma|coeliac disease|celiac disease|epilepsy|adhd|arthritis|hypertension|high blood pressure|migraines|insomnia|dyslexia|hay fever|eczema|crohn's disease)";

const rows: readonly StateRow[] = [
  {
    pattern: new RegExp(`^${be} ((?:a |an )?${diets})$`, 'i'),
    attribute: 'diet',
    values: valuesOfDiet,
    yes: 'is $',
    not: 'is not $',
    past: 'is no longer $',
  },
  {
    pattern: new RegExp(`^(?:(?:have|has) )?(?:became|become|went|gone|turned) ((?:a |an )?${diets})$`, 'i'),
    attribute: 'diet',
    values: valuesOfDiet,
    yes: 'became $',
  },
  {
    pattern: new RegExp(`^(?:${be} on|follows?|keeps?|eats?) (?:a |an |the )?(${diets})(?: diet)?$`, 'i'),
    attribute: 'diet',
    values: valuesOfDiet,
    yes: 'follows a $ diet',
    not: 'does not follow a $ diet',
    past: 'no longer follows a $ diet',
  },
  {
    pattern: new RegExp(
      `^(?:${be} (?:(?:very|highly|deathly|severely|slightly) )?allergic|(?:have|has) an allergy) to (.+)$`,
      'i',
    ),
    object: thing,
    attribute: 'allergic to',
    values: 'many',
    yes: 'is allergic to $',
    not: 'is not allergic to $',
    past: 'is no longer allergic to $',
    split: namesOf,
  },
  {
    pattern: /^(?:have|has) an? (?:severe |mild )?(\w+) allergy$/i,
    attribute: 'allergic to',
    values: 'many',
    yes: 'is allergic to $',
  },
  {
    pattern: new RegExp(`^${be} (\\d{1,3})(?: years old)?$`, 'i'),
    attribute: 'age',
    values: 'one',
    yes: 'is $ years old',
  },
  {
    pattern: new RegExp(`^${be} (?:up|down) to (\\d[\\d.,]* ?(?:kg|kilos?|lbs?|pounds|stone))$`, 'i'),
    attribute: 'weight',
    values: 'one',
    yes: 'weighs $',
  },
  {
    pattern: /^weighs? (\d[\d.,]* ?(?:kg|kilos?|lbs?|pounds|stone))$/i,
    attribute: 'weight',
    values: 'one',
    yes: 'weighs $',
    not: 'does not weigh $',
  },
  {
    pattern: new RegExp(`^${be} (engaged|married) to (?:.+)$`, 'i'),
    attribute: 'marital status',
    values: 'one',
    yes: 'is $',
    not: 'is not $',
    past: 'is no longer $',
  },
  {
    pattern: new RegExp(`^${be} reading (.+)$`, 'i'),
    object: title,
    attribute: 'is reading',
    values: 'one',
    yes: 'is reading $',
    not: 'is not reading $',
    past: 'is no longer reading $',
  },
  {
    pattern: new RegExp(`^${be} (?:based|located|living) in (.+)$`, 'i'),
    object: place,
    attribute: 'lives in',
    values: 'one',
    yes: 'is based in $',
    not: 'is not based in $',
    past: 'is no longer based in $',
  },
  {
    // "moved to Ghent last weekend from Lisbon"
    pattern: /^(?:(?:have|has) )?(?:moved|relocated) (?:back )?(?:from .+? )?to (.+?)(?: from .+)?$/i,
    object: lastPlace,
    attribute: 'lives in',
    values: 'one',
    yes: 'moved to $',
  },
  {
    pattern: new RegExp(`^(?:${be} (?:originally )?|comes? )from (.+)$`, 'i'),
    object: named,
    attribute: 'comes from',
    values: 'one',
    yes: 'is from $',
    not: 'is not from $',
  },
  {
    pattern: /^(?:was|were) born in (.+)$/i,
    object: (text) => named(text) ?? numbered(text.replace(/ and .*$/, '')),
    attribute: 'born in',
    values: 'many',
    yes: 'was born in $',
  },
  {
    pattern: /^(?:was|were) born on (.+)$/i,
    object: numbered,
    attribute: 'birthday',
    values: 'one',
    yes: 'was born on $',
  },
  {
    pattern: /^grew up in (.+)$/i,
    object: named,
    attribute: 'grew up in',
    values: 'many',
    yes: 'grew up in $',
  },
  {
    pattern: /^(?:have |has )?(?:visited|been to) (.+)$/i,
    object: named,
    attribute: 'has visited',
    values: 'many',
    yes: 'has visited $',
    split: namesOf,
  },
  {
    pattern: /^(?:(?:have|has) )?graduated from (.+)$/i,
    object: named,
    attribute: 'graduated from',
    values: 'many',
    yes: 'graduated from $',
  },
  {
    pattern: /^studied (.+)$/i,
    object: thing,
    attribute: 'studied',
    values: 'many',
    yes: 'studied $',
  },
  {
    pattern: new RegExp(`^${be} (married|single|divorced|widowed|engaged)$`, 'i'),
    attribute: 'marital status',
    values: 'one',
    yes: 'is $',
    not: 'is not $',
    past: 'is no longer $',
  },
  {
    pattern: new RegExp(`^${be} (${conditions})$`, 'i'),
    attribute: 'is',
    values: 'many',
    yes: 'is $',
    not: 'is not $',
    past: 'is no longer $',
  },
  {
    pattern: new RegExp(`^(?:have|has) (?:got )?(${relation}(?:(?:, and | and |, )${relation})*)$`, 'i'),
    attribute: 'has',
    values: 'many',
    yes: 'has $',
    split: namesOf,
  },
  {
    pattern: new RegExp(`^(?:have|has|suffers? from) (${illnesses})$`, 'i'),
    attribute: 'has',
    values: 'many',
    yes: 'has $',
    not: 'does not have $',
    past: 'no longer has $',
  },
  {
    pattern: new RegExp(`^(?:${be} |speaks? )fluent (?:in )?(.+)$`, 'i'),
    object: named,
    attribute: 'speaks',
    values: 'many',
    yes: 'speaks fluent $',
    not: 'does not speak fluent $',
    split: namesOf,
  },
  {
    pattern: new RegExp(`^${be} (?:afraid|scared|terrified) of (.+)$`, 'i'),
    object: thing,
    attribute: 'afraid of',
    values: 'many',
    yes: 'is afraid of $',
    not: 'is not afraid of $',
    past: 'is no longer afraid of $',
  },
  {
    pattern: new RegExp(`^${be} in the (.+?) time ?zone$`, 'i'),
    attribute: 'time zone',
    values: 'one',
    yes: 'is in the $ time zone',
  },
  {
    pattern: new RegExp(`^(?:${be} (?:called|named)|goes by|go by) (.+)$`, 'i'),
    object: named,
    attribute: 'goes by',
    values: 'one',
    yes: 'goes by $',
  },
];

function ruleOf({ pattern, object = value, attribute, values, yes, not, past, split }: StateRow): Rule {
  return {
    pattern,
    of: people,
    facts: (match, context) => {
      const phrase = object(match[1] ?? '');
      if (phrase === undefined) return [];
      return (split?.(phrase) ?? [phrase]).flatMap((single) => {
        const fill = (template: string) => template.replace('$', () => single);
        return factOf(context, {
          attribute,
          value: single,
          values: typeof values === 'string' ? values : values(single),
          says: {
            yes: fill(yes),
            ...(not === undefined ? {} : { not: fill(not) }),
            ...(past === undefined ? {} : { past: fill(past) }),
          },
        });
      });
    },
  };
}

/** Foods that also answer whether one eats animals. */
const animals = /^(?:red )?(?:meat|fish|seafood)(?:,? and (?:meat|fish|seafood))?$/i;

const animalRule: Rule = {
  pattern: /^(?:eat|eats|eating) (.+)$/i,
  of: people,
  facts: (match, context) => {
    // "meat every day"
    const phrase = thing(
      (match[1] ?? '').replace(
        / (?:(?:almost )?every|each|once|twice|most|sometimes|regularly|often)\b.*$/i,
        '',
      ),
    );
    const foods = context.predicate.polarity === 'yes' ? [phrase ?? ''] : (phrase ?? '').split(/,? or /);
    if (!foods.every((food) => animals.test(food))) return [];
    return foods.flatMap((food) =>
      factOf(context, {
        attribute: 'eats',
        about: 'diet',
        value: food,
        values: 'one',
        says: { yes: `eats ${food}`, not: `does not eat ${food}`, past: `no longer eats ${food}` },
      }),
    );
  },
};

/** Rules for what people are, have and have been. */
export const stateRules: readonly Rule[] = [
  ...rows.map(ruleOf),
  animalRule,
  {
    pattern: /^(?:(smoke|drink)s?|(smok|drink)ing)$/i,
    of: people,
    facts: (match, context) => {
      const base = (match[1] ?? match[2] ?? '').toLowerCase().replace(/^smok$/, 'smoke');
      return factOf(context, {
        attribute: `${base}s`,
        value: base,
        values: 'many',
        says: { yes: `${base}s`, not: `does not ${base}`, past: `no longer ${base}s` },
      });
    },
  },
];
