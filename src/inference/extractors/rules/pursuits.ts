import { be, have, lastingName, lastingThing, lifeRule } from './life.js';
import type { LifeRow } from './life.js';
import { thing, withoutTime } from './phrases.js';
import type { ObjectRule } from './phrases.js';
import type { Rule } from './rule.js';

const instrument =
  '(?:piano|guitar|violin|viola|cello|double bass|flute|clarinet|oboe|saxophone|trumpet|trombone|harp|drums|accordion|ukulele|banjo|organ)';
const hobby =
  '(?:running|jogging|swimming|cycling|climbing|bouldering|meditation|meditating|journal(?:l)?ing|weightlifting|lifting weights|knitting|crocheting|crochet|embroidery|painting|drawing|gardening|baking|brewing|pottery|ceramics|woodworking|photography|birdwatching|fishing|surfing|sailing|rowing|skiing|snowboarding|skating|dancing|salsa|ballet|tango|yoga|pilates|boxing|kickboxing|judo|karate|tennis|badminton|squash|padel|golf|chess|fencing|archery|horse riding|hiking|beekeeping|calligraphy|origami|sewing|quilting|piano|guitar|violin|cello|drums|singing|therapy|physiotherapy|intermittent fasting)';
const work =
  "(?:novel|book|memoir|thesis|dissertation|phd|album|screenplay|script|play|film|documentary|podcast|startup|game|comic|cookbook|children's book|poetry collection)";
const kinds =
  '(?:early bird|night owl|homebody|introvert|extrovert|perfectionist|bookworm|foodie|picky eater|light sleeper|heavy sleeper|coffee addict|only child|twin|tee ?totall?er|(?:tea|coffee|cat|dog|morning|evening|night|beach|mountain|city|country|people|numbers|summer|winter|wine|beer|chocolate|outdoors|routine) person)';
/** Something that one prepares for over weeks; a "meeting" is over tomorrow. */
const aim: ObjectRule = (text) =>
  /\b(?:meeting|call|presentation|tomorrow|tonight|interview|lunch|dinner|bus|train|taxi|reply|answer|lecture|lesson)\b/i.test(
    text,
  )
    ? undefined
    : lastingThing(text.replace(/ (?:on|in|at) (?!the\b)\p{Lu}[\p{L}]+$/u, ''));
/** A time of day in words: "five", "half past six". */
const hour: ObjectRule = (text) =>
  /^(?:(?:around|about) )?(?:(?:half|quarter|ten|twenty) (?:past|to) )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/i.test(
    text,
  )
    ? thing(text.replace(/^(?:around|about) /i, ''))
    : undefined;

const rows: readonly LifeRow[] = [
  {
    pattern:
      /^(?:go|goes) (swimming|running|jogging|cycling|climbing|hiking|dancing|riding|skating|sailing|rowing|surfing|bowling|fishing) (?:.* )?(?:on \w+days?|every .+|each .+|(?:once|twice|\w+ times) (?:a|per) \w+)$/i,
    attribute: 'does',
    says: 'goes $ regularly',
    past: 'no longer goes $',
  },
  {
    pattern: new RegExp(
      `^${be} (?:taking|doing|attending) ((?:an? |my |)(?:[\\w'-]+ ){0,3}?(?:course|class|classes|lessons|bootcamp|apprenticeship|internship|phd|master's|mba|degree)\\b.*)$`,
      'i',
    ),
    object: lastingThing,
    attribute: 'takes part in',
    says: 'is taking $',
    past: 'is no longer taking $',
  },
  {
    pattern: new RegExp(
      `^(?:${have}(?:taken up|took up|started(?: doing| practi[sc]ing| playing)?)|(?:have|has) been doing|do|does|${be} doing) (${hobby})(?: .*)?$`,
      'i',
    ),
    attribute: 'does',
    says: 'does $',
    past: 'no longer does $',
  },
  {
    pattern: new RegExp(
      `^${have}(?:started|begun|began) (?:to learn|learning) (\\p{Lu}.+|how to .+|to play .+|(?:the )?${instrument}\\b.*)$`,
      'u',
    ),
    object: (text) => (/^(?:how )?to /.test(text) ? withoutTime(text) : lastingThing(text)),
    attribute: 'is learning',
    says: 'is learning $',
  },
  {
    pattern: new RegExp(
      `^${be} learning ((?:how )?to (?:play|speak|drive|swim|cook|code|sail|fly|ski|surf|knit|sew|sing|dance|paint|draw|read|ride)\\b.*)$`,
      'i',
    ),
    object: (text) => withoutTime(text),
    attribute: 'is learning',
    says: 'is learning $',
    past: 'is no longer learning $',
  },
  {
    pattern: new RegExp(`^(?:${be}|(?:have|has) been) training for (.+)$`, 'i'),
    object: aim,
    attribute: 'is training for',
    says: 'is training for $',
    past: 'is no longer training for $',
  },
  {
    pattern: new RegExp(
      `^(?:${be}|(?:have|has) been) (?:studying|preparing|revising|practi[sc]ing) for ((?:my|the|an?) .*(?:exams?|tests?|finals|bar|marathon|race|triathlon|wedding|recital|audition|degree|licen[cs]e)\\b.*)$`,
      'i',
    ),
    object: aim,
    attribute: 'is preparing for',
    says: 'is preparing for $',
    past: 'is no longer preparing for $',
  },
  {
    pattern: new RegExp(`^(?:${be}|(?:have|has) been) saving (?:up )?for (.+)$`, 'i'),
    object: aim,
    attribute: 'is saving for',
    says: 'is saving for $',
    past: 'is no longer saving for $',
  },
  {
    pattern: new RegExp(
      `^(?:${be}|(?:have|has) been) (?:looking|searching|hunting) for ((?:an? |another )(?:new |bigger |smaller |cheaper |better |part-time |full-time |remote |permanent |used |second-hand )*(?:job|flat|apartment|house|place to (?:live|rent)|car|room|roommate|flatmate|nanny|school|therapist))(?: .*)?$`,
      'i',
    ),
    attribute: 'is looking for',
    says: 'is looking for $',
    past: 'is no longer looking for $',
  },
  {
    pattern: new RegExp(
      `^(?:${be}|(?:have|has) been) (?:working on|writing) ((?:an?|my|our) (?:[\\w-]+ ){0,3}?${work})(?: .*)?$`,
      'i',
    ),
    attribute: 'is working on',
    says: 'is working on $',
    past: 'is no longer working on $',
  },
  {
    pattern: new RegExp(
      `^${be} trying to ((?:cut (?:down|back) on|eat (?:less|more|fewer)|drink (?:less|more)|lose weight|quit|give up|get pregnant|get (?:fit|in shape)|save money)\\b.*)$`,
      'i',
    ),
    object: lastingThing,
    attribute: 'is trying to',
    says: 'is trying to $',
    past: 'is no longer trying to $',
  },
  {
    pattern: new RegExp(
      `^${be} (?:planning|hoping) (?:to|on) ((?:renovate|renovating|move to|moving to|visit|visiting|travel to|buy an?|learn|study|retire|open an?|start an?|build an?|run (?:the|an?)|hike|climb|apply|adopt|get married)\\b.+)$`,
      'i',
    ),
    object: thing,
    attribute: 'plan',
    says: 'is planning to $',
  },
  {
    pattern: new RegExp(`^${be} (?:getting married|going to get married) ?(.*)$`, 'i'),
    object: (text) => `getting married${text.trim() === '' ? '' : ` ${text.trim()}`}`,
    attribute: 'plan',
    values: 'one',
    says: 'is $',
  },
  {
    pattern: new RegExp(
      `^(?:volunteers?|${be} volunteering|(?:have|has) been volunteering) (?:at|for|with|in) (.+)$`,
      'i',
    ),
    object: lastingThing,
    attribute: 'volunteers at',
    says: 'volunteers at $',
    past: 'no longer volunteers at $',
  },
  {
    pattern: new RegExp(
      `^(?:works?|${be} working|${be} on|do|does) ((?:night|day|early|late|evening|weekend|rotating|12-hour|twelve-hour) shifts?)(?: .*)?$`,
      'i',
    ),
    attribute: 'works shifts',
    values: 'one',
    says: 'works $',
    past: 'no longer works $',
  },
  {
    pattern:
      /^(?:cannot|can not|are not allowed to|am not allowed to) (?:eat|have|drink|digest|tolerate) ((?:gluten|dairy|lactose|milk|nuts|peanuts|eggs?|shellfish|seafood|fish|pork|beef|meat|sugar|alcohol|caffeine|coffee|wheat|soy|soya|spicy food|raw fish|grapefruit|chocolate|cheese|bread)(?:(?:,| or| and) [\w ]+)?)$/i,
    object: thing,
    attribute: 'cannot have',
    says: 'cannot have $',
  },
  {
    pattern:
      /^(?:(?:have|need) to|must|try to|tend to|am trying to) avoid (gluten|dairy|lactose|nuts|sugar|salt|alcohol|caffeine|spicy food|[\p{L} ]+ foods?|meat|red meat|carbs|wheat|screens|stairs|driving at night|[\p{L}]+s)$/iu,
    object: thing,
    attribute: 'avoids',
    says: 'avoids $',
  },
  {
    pattern: new RegExp(`^${be} (?:more of |very much |definitely |a bit of |kind of )?(an? ${kinds})$`, 'i'),
    attribute: 'is',
    says: 'is $',
    past: 'is no longer $',
  },
  {
    pattern: new RegExp(`^${be} (?:currently )?watching (.+)$`, 'i'),
    object: (text) => lastingName(text.replace(/ (?:and|with|on|for) .*$/, '')),
    attribute: 'is watching',
    says: 'is watching $',
    past: 'is no longer watching $',
  },
  {
    pattern: new RegExp(
      `^${be} (?:currently )?reading ((?:an?|the) (?:[\\w-]+ ){0,2}?(?:book|novel|biography|memoir|autobiography|history) (?:about|by|of|on) .+)$`,
      'i',
    ),
    object: lastingThing,
    attribute: 'is reading',
    values: 'one',
    says: 'is reading $',
  },
  {
    pattern: /^(?:usually |always )?(?:wakes?|gets?) up (?:at )?(.+)$/i,
    object: hour,
    attribute: 'wakes up at',
    values: 'one',
    says: 'wakes up at $',
  },
  {
    pattern:
      /^(?:would|'d) (?:rather|sooner) have (.+? when (?:I|we) (?:fly|travel|work|eat|drive|cook|read|write|sleep|study|train)\b.*)$/i,
    object: thing,
    attribute: 'prefers',
    says: 'prefers $',
  },
];

/** Rules for what people are busy with for weeks, and how they live. */
export const pursuitRules: readonly Rule[] = rows.map(lifeRule);
