import { bare, be, have, lastingName, lastingThing, lifeRule } from './life.js';
import type { LifeRow } from './life.js';
import { thing } from './phrases.js';
import type { ObjectRule } from './phrases.js';
import { asUser, factOf } from './rule.js';
import type { Rule } from './rule.js';

const number =
  '(?:\\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\\w+)?)';
/** Things that one keeps for years; "bought some milk" says nothing lasting. */
const belonging =
  '(?:car|van|campervan|camper|caravan|motorhome|bike|bicycle|e-bike|ebike|motorbike|motorcycle|scooter|moped|truck|boat|sailboat|yacht|canoe|kayak|surfboard|house|home|flat|apartment|condo|cottage|cabin|bungalow|farm|farmhouse|allotment|houseboat|laptop|computer|macbook|chromebook|pc|iphone|ipad|tablet|kindle|e-reader|smartwatch|camera|telescope|drone|printer|synthesi[sz]er|piano|guitar|violin|viola|cello|banjo|ukulele|harp|flute|clarinet|saxophone|trumpet|accordion|drum kit|sewing machine|coffee machine|espresso machine|dishwasher|washing machine|tumble dryer|fridge|freezer|oven|sofa|couch|piano|treadmill|rowing machine|greenhouse|hot tub|playstation|xbox|nintendo switch|tesla|volvo|skoda|toyota|honda|ford|bmw|audi|vw|volkswagen|renault|peugeot|fiat|kia|hyundai|mazda|nissan|vespa)';
const animal =
  '(?:dog|cat|puppy|puppies|kittens?|parrot|rabbits?|horse|pony|hamster|goldfish|tortoise|hens|chickens|guinea pigs?|greyhound|labrador|lab|poodle|beagle|retriever|terrier|spaniel|dachshund|husky|collie|shepherd|corgi|pug|bulldog|chihuahua|labradoodle|cockapoo|siamese|tabby)';
const lesson =
  '(?:course|class|classes|lessons?|workshop|bootcamp|programme|program|training|gym|league|club|choir|marathon|half-marathon|triathlon|race|tournament|retreat|degree|university|college|apprenticeship|internship|trial)';
/** Exams that people pass or fail; tests of programs are excluded. */
const exam =
  "(?:my (?:[\\w'-]+ ){0,3}?(?:exams?|examinations?|finals|a-levels|gcses|viva|thesis defen[cs]e)|my (?!unit|last|new)(?:[\\w'-]+ ){1,3}?tests?|the (?:[\\w'-]+ ){0,2}?(?:exams?|finals|bar)|the (?:driving|theory|citizenship|entrance) test)";
const degree =
  "(?:phd|doctorate|master's|masters|bachelor's|mba|degree|diploma|apprenticeship|residency|law school|medical school|nursing school|school|university|college|training|certification|driving licen[cs]e|licen[cs]e|citizenship)";
const someone: ObjectRule = (text) =>
  /^(?:my|our) |^\p{Lu}/u.test(text.trim()) ? lastingThing(text) : undefined;

const rows: readonly LifeRow[] = [
  {
    pattern: new RegExp(`^${have}passed (${exam})(?:,? .*)?$`, 'i'),
    attribute: 'passed',
    says: 'passed $',
  },
  {
    pattern: new RegExp(`^${have}failed (${exam})(?:,? .*)?$`, 'i'),
    attribute: 'passed',
    says: 'failed $',
    negated: true,
  },
  {
    pattern: new RegExp(
      `^${have}(?:signed up|enrolled|registered) (?:for|in|on|at|with|to) ((?:an?|the|our|my) (?!.*\\b(?:beta|loyalty|rewards?|referral|free)\\b)(?:[\\w'-]+ ){0,4}?${lesson}\\b.*)$`,
      'i',
    ),
    object: lastingThing,
    attribute: 'takes part in',
    says: 'signed up for $',
  },
  {
    pattern: new RegExp(
      `^${have}(?:finished|completed|got|earned|received) (my (?:[\\w'-]+ ){0,3}?${degree})(?: .*)?$`,
      'i',
    ),
    attribute: 'finished',
    says: 'finished $',
  },
  {
    pattern: new RegExp(
      `^${have}(?:been |was |were |got )(?:accepted|admitted) (?:to|into|at|by) (.+)$`,
      'i',
    ),
    object: lastingName,
    attribute: 'accepted at',
    says: 'was accepted at $',
  },
  {
    pattern: new RegExp(
      `^${have}(?:(?:got |been |gotten )?(?:broken up|broke up|split up|split|separated|divorced) (?:with|from)|divorced) (.+)$`,
      'i',
    ),
    object: someone,
    attribute: 'marital status',
    values: 'one',
    valueAs: 'separated',
    says: 'broke up with $',
  },
  {
    pattern: new RegExp(
      `^(?:${have}(?:just )?(?:got|gotten|become) |${be} )((?:engaged|married) to \\p{Lu}.+|divorced|married|engaged)$`,
      'u',
    ),
    object: lastingThing,
    attribute: 'marital status',
    values: 'one',
    says: 'is $',
    past: 'is no longer $',
  },
  {
    pattern: new RegExp(
      `^(?:${be}|(?:have|has) been|started) (?:dating|seeing|going out with) (\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\p{Ll}+)?)(?: .*)?$`,
      'u',
    ),
    attribute: 'marital status',
    values: 'one',
    says: 'is dating $',
    past: 'is no longer dating $',
  },
  {
    pattern: new RegExp(
      `^${have}(?:had|welcomed|given birth to|gave birth to) ((?:an?|our|my|their|her) (?:(?:first|second|third|healthy|beautiful|little) )*(?:baby(?: (?:girl|boy|son|daughter))?|son|daughter|child)(?: (?:named|called) \\p{Lu}[\\p{L}'’-]+)?|twins)(?:,? .*)?$`,
      'u',
    ),
    attribute: 'has',
    says: 'had $',
  },
  {
    pattern: new RegExp(
      `^${be} expecting ((?:an?|our|my|their|her) (?:(?:first|second|third|fourth) )?(?:baby|child|son|daughter|boy|girl)|twins)(?: .*)?$`,
      'i',
    ),
    attribute: 'is expecting',
    values: 'one',
    says: 'is expecting $',
  },
  {
    pattern: new RegExp(`^${have}(?:just )?turned (${number})(?: years old)?(?: .*)?$`, 'i'),
    attribute: 'age',
    values: 'one',
    says: 'turned $',
  },
  {
    pattern: /^(?:(?:have|has) )?(?:died|passed away)(?: .*)?$/i,
    object: () => 'dead',
    attribute: 'is',
    says: 'has died',
  },
  {
    pattern: new RegExp(
      `^(?:(?:was|were|got|(?:have|has) (?:just |recently )?been) )(?:just |recently )?diagnosed with (.+)$`,
      'i',
    ),
    object: lastingThing,
    attribute: 'has',
    says: 'has $',
  },
  {
    pattern: new RegExp(
      `^${have}(?:broken|broke|sprained|torn|tore|fractured|dislocated) ((?:my|her|his) (?:[\\w-]+ )?(?:ankle|leg|arm|wrist|foot|toe|finger|collarbone|rib|hip|shoulder|knee|elbow|acl|achilles|meniscus))(?: .*)?$`,
      'i',
    ),
    attribute: 'injury',
    says: 'injured $',
  },
  {
    pattern: new RegExp(
      `^${have}(?:adopted|rescued|got|gotten|bought|getting) ((?:an?|two|three) (?:[\\w-]+ ){0,2}?${animal})(?: (?:from|last|this|in|called|named|today|yesterday)\\b.*)?$`,
      'i',
    ),
    attribute: 'has',
    says: 'has $',
  },
  {
    pattern: new RegExp(`^(?:${have}(?:quit|left|lost)|quit) (?:my|the) job$`, 'i'),
    object: () => 'no job',
    attribute: 'employment',
    values: 'one',
    says: 'left their job',
  },
  {
    pattern:
      /^(?:was|got|(?:have|has) (?:just )?been) made ((?:deputy|vice|acting|assistant|associate|senior|team|permanent|head|lead|partner|manager|director|professor|supervisor)\b.*)$/i,
    object: lastingThing,
    attribute: 'occupation',
    values: 'one',
    says: 'was made $',
  },
  {
    pattern: new RegExp(`^(?:${have}retired|${be} retired)(?: .*)?$`, 'i'),
    object: () => 'retired',
    attribute: 'is',
    says: 'is retired',
  },
];

/** What follows a thing that was bought, such as its price: "a flat in Lyon [for 200,000 euros]". */
const behindPurchase = /,? (?:for \d.*|from (?!the \d).*|off .*|so (?:I|we|that)\b.*|and .*|to .*|instead)$/i;

function purchase(text: string): string | undefined {
  return lastingThing(text.replace(behindPurchase, ''));
}

/** "I've sold my old Volvo and bought an electric bike": what someone owns now, and no longer owns. */
const tradeRule: Rule = {
  pattern: new RegExp(
    `^${have}(?:sold ((?:my|our|the) (?:[\\w-]+ ){0,3}?${belonging}))?(?:(?: (?:and|to))? ?(?:bought|got|purchased|buy) ((?:an?|my|our) (?:[\\w-]+ ){0,4}?${belonging}\\b.*)|(?: .*)?)$`,
    'i',
  ),
  of: ['user', 'relative', 'group'],
  facts: (match, given) => {
    const [, sold, bought = ''] = match;
    const context = asUser(given);
    const had = sold === undefined ? undefined : thing(sold);
    const has = purchase(bought);
    const common = { attribute: 'owns', values: 'many' } as const;
    return [
      ...(had === undefined
        ? []
        : factOf(context, {
            ...common,
            value: had,
            valueAs: bare(had),
            negated: true,
            says: { yes: `sold ${had}` },
          })),
      ...(has === undefined
        ? []
        : factOf(context, { ...common, value: has, valueAs: bare(has), says: { yes: `bought ${has}` } })),
    ];
  },
};

/** Rules for events of a life with a lasting effect. */
export const eventRules: readonly Rule[] = [...rows.map(lifeRule), tradeRule];
