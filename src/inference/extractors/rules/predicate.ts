import { anyRelative } from '../../../text/relatives.js';
import { companions, isNamingPerson, isSingle } from './acquaintances.js';
import { withoutTime } from './phrases.js';

/**
 * Who a clause is about: the user, the user with others ("we"), a relative ("my wife"), something of the
 * user's ("my dog"), or nobody known.
 */
export interface Subject {
  readonly name: string;
  readonly who: 'user' | 'group' | 'relative' | 'possession' | 'none';
  /** The name given in passing: Karin in "my wife Karin". */
  readonly called?: string;
  /** With that name, where there may be several such: "Anna's sister Eva". */
  readonly fullName?: string;
}

/** What a clause says about its subject. */
export interface Predicate {
  readonly subject: Subject;
  /** Begins with the verb; adverbs and negations are removed. */
  readonly text: string;
  /** `not`: does not hold; `past`: no longer holds. */
  readonly polarity: 'yes' | 'not' | 'past';
}

const leadIn =
  /^(?:and|but|so|also|plus|well|me(?=,)|oh|ok|okay|yes|yeah|yep|no|nope|(?:hi|hello|hey)(?: there)?|good (?:morning|afternoon|evening)|sorry|great|perfect|sure|right|true|thanks|thank you|actually|honestly|frankly|basically|personally|by the way|btw|fyi|for the record|for your information|just so you know|in general|generally|generally speaking|as (?:i said|you know|mentioned)|(?:please )?(?:remember|note|keep in mind|be aware)(?: that)?|you should know(?: that)?|for (?:context|reference|background)|to be (?:honest|clear)|as of (?:now|today|\w+ \d+)|(?:these|most) days|nowadays|now|currently|right now|lately|recently|today|again|correction|update|notes?|preferences?|facts?|unfortunately|sadly|luckily|fortunately|of course|obviously|hmm|um|uh|the truth is(?: that)?|the thing is(?: that)?|fun fact|(?:it |so it )?turns out(?: that)?|(?:(?:i )?(?:just|only|recently) )?(?:i )?(?:found out|learnt|learned|discovered) that(?= (?:i|we|my)\b)|(?:i )?forgot to (?:say|mention|add)(?: that)?|(?:(?:some )?(?:good|great|big|bad|sad|exciting) )?news|guess what|one more thing|first|second|finally|besides|moreover|furthermore|however|still|in fact|anyway|since (?:\d{4}|last \w+)|(?:back )?in (?:19|20)\d\d|after (?:all|some thought)|when (?:flying|travell?ing|working|it comes to [\w ]{1,30})|in the end|p\.?s\.?|summary|important|context)(?:[,:;.!…–—-]+\s*|\s+)/i;
const bullet = /^(?:[-*•+]|\d{1,3}[.)])\s+/;
const adverb =
  /^(?:really|also|now|still|currently|just|absolutely|definitely|personally|actually|generally|usually|mostly|typically|normally|truly|totally|certainly|simply|mainly|recently|finally|honestly|officially|primarily|strongly|particularly|especially|quite|very much|much|always(?=\s+(?:prefer|like|love|enjoy|hate|dislike|avoid|live|work)))\s+/i;
const relatives = `${anyRelative}|${companions}|parents|children|kids|boss|manager|supervisor|best friend|friend|dog|cat|team|company`;
const relative = new RegExp(
  `^(?:my |our |(?=(?:mum|mom|dad|grandma|grandpa)\\b))((?:(?:older|younger|elder|little|big|oldest|youngest) )?(?:${relatives})(?:'s (?:${relatives}))?)\\s+`,
  'i',
);

const contractions: readonly (readonly [RegExp, string])[] = [
  [/[’‘]/g, "'"],
  [/\bI'm\b/gi, 'I am'],
  [/\bim\b/g, 'I am'],
  [/\b(I|we|they|you)'ve\b/gi, '$1 have'],
  [/\b(I|we|they|you|he|she)'ll\b/gi, '$1 will'],
  [/\b(I|we)'d\b/gi, '$1 would'],
  [/\bwe're\b/gi, 'we are'],
  [/\bcan't\b|\bcan not\b/gi, 'cannot'],
  [/\bwon't\b/gi, 'will not'],
  [/\b(do|does|did|is|are|was|were|have|has|had|would|should|could)n't\b/gi, '$1 not'],
  [/\bdont\b/gi, 'do not'],
  [/\bdoesnt\b/gi, 'does not'],
  [/^i\b/, 'I'],
];

/** Whether a text is only a lead-in to what follows: "by the way". */
export function isLeadIn(text: string): boolean {
  return leadIn.exec(`${text} `)?.[0].trim() === text.trim();
}

/** "… used to be blue, now it is green": only the present value counts. */
const changed =
  / (?:used to be|was) [^.]{1,60}?,? (?:(?:but|and) )?(?:now (?:it is|it's|it has changed to)|(?:it is|it's) now|is now) /i;
/** "I raised my budget to 1200 euros", "my appointment was moved to Friday": only the new value counts. */
const altered =
  /^(?:(?:I|we) (?:have )?(?:changed|switched|raised|lowered|increased|reduced|moved) ((?:my|our) [^,;]{2,60}?)|((?:my|our) [^,;]{2,60}?) (?:was|has been|got) (?:changed|raised|lowered|increased|reduced|moved|pushed(?: back)?|postponed)) (?:from [^,;]{1,40}? )?to /i;
const trailing =
  /(?:,? (?:now|nowadays|these days|currently|at the moment|again|though|too|as well|by the way|btw|fyi|actually|just so you know|to be honest|unfortunately|sadly|luckily|finally|haha|lol))+$/i;

/**
 * Splits a clause into subject, predicate and polarity. `before` is the subject
 * to use if the clause names none.
 */
export function readPredicate(clause: string, userName: string, before?: Subject): Predicate {
  let text = clause.replace(bullet, '');
  for (const [pattern, long] of contractions) text = text.replace(pattern, long);
  text = text.replace(/\s+/g, ' ');
  for (let lead = leadIn.exec(text); lead; lead = leadIn.exec(text)) text = text.slice(lead[0].length);
  text = text
    .replace(/^i\b/, 'I')
    .replace(/[.!…]+$/, '')
    .trim();
  text = text.replace(changed, ' is ').replace(altered, '$1$2 is ');
  const { subject, rest } = before ? { subject: before, rest: text } : readSubject(text, userName);
  // Wishes ("don't call me"), and possessions that something "is not", are read by rules of their own.
  if (subject.who === 'none' || subject.who === 'possession') return { subject, text: rest, polarity: 'yes' };
  return { subject, ...readPolarity(rest.replace(trailing, '')) };
}

/** Meetings of a team, which are the user's as well: "our standup is at 10". */
export const regularMeetings =
  '(?:(?:team|daily|weekly|monthly) )*(?:stand-?up|sync|one-on-one|1:1|check-in|retro|retrospective)';

interface NamePatterns {
  readonly user: RegExp;
  readonly possession: RegExp;
}

const namePatterns = new Map<string, NamePatterns>();
const namesMax = 100;

/** Patterns for the ways a text refers to the user: "I", the full name or the first name. */
export function namePatternsOf(userName: string): NamePatterns {
  const known = namePatterns.get(userName);
  if (known) return known;
  const [first = ''] = userName.split(/\s+/);
  const names = [userName, ...(first.length > 2 ? [first] : [])].map((name) =>
    name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  );
  const made = {
    user: new RegExp(`^(?:I|${names.join('|')}|the user)(?:\\s+|(?=['’](?:m|ve|d|ll)\\b))`, 'i'),
    possession: new RegExp(
      `^(?:my|our(?= ${regularMeetings}\\b)|(?:${names.join('|')}|the user)'s)\\s+`,
      'i',
    ),
  };
  if (namePatterns.size >= namesMax) namePatterns.clear();
  namePatterns.set(userName, made);
  return made;
}

const givenName = /^,?\s*(\p{Lu}[\p{Ll}'’-]+(?: \p{Lu}[\p{Ll}'’-]+)?),?\s+(?=\p{Ll})/u;

function readSubject(text: string, userName: string): { subject: Subject; rest: string } {
  const patterns = namePatternsOf(userName);
  const starts: readonly [RegExp, Subject][] = [
    [patterns.user, { name: userName, who: 'user' }],
    [/^(?:we|(?:our|the) (?:team|company|family))\s+/i, { name: `${userName} and others`, who: 'group' }],
  ];
  for (const [pattern, subject] of starts) {
    const match = pattern.exec(text);
    if (match) return { subject, rest: text.slice(match[0].length) };
  }
  const person = relative.exec(text);
  const rest = text.slice(person?.[0].length ?? 0);
  if (person && !isNaming(person[1] ?? '', rest)) {
    const [whole = '', called] = givenName.exec(rest) ?? [];
    const noun = (person[1] ?? '').toLowerCase();
    const subject = { name: `${userName}'s ${noun}`, who: 'relative' } as const;
    const fullName = called === undefined || isSingle(noun) ? undefined : `${subject.name} ${called}`;
    return {
      subject: { ...subject, ...(called && { called }), ...(fullName && { fullName }) },
      rest: rest.slice(whole.length),
    };
  }
  const possession = patterns.possession.exec(text);
  if (!possession) return { subject: { name: userName, who: 'none' }, rest: text };
  return { subject: { name: userName, who: 'possession' }, rest: text.slice(possession[0].length) };
}

/** Whether a clause only says what somebody is called: "my dog is called Rex", "my boss is Ada". */
function isNaming(noun: string, rest: string): boolean {
  return (
    /^(?:is|are) (?:called|named)\b/i.test(rest) ||
    (/^(?:team|company)$/i.test(noun) && /^is (?:now )?\p{Lu}/u.test(rest)) ||
    isNamingPerson(`${noun} ${rest}`)
  );
}

const polarities: readonly { pattern: RegExp; polarity: 'not' | 'past'; keep?: string }[] = [
  { pattern: /^(?:do|does) not (?!only|always|just|mind|know|think|remember|want|need)/i, polarity: 'not' },
  { pattern: /^no longer /i, polarity: 'past' },
  { pattern: /^(?:am|is|are) no longer /i, polarity: 'past', keep: 'am ' },
  { pattern: /^(?:am|is|are) not (?!only|always|just|sure)/i, polarity: 'not', keep: 'am ' },
  { pattern: /^have no longer /i, polarity: 'past', keep: 'have ' },
  { pattern: /^used to /i, polarity: 'past' },
  { pattern: /^(?:(?:have|has) )?(?:stopped|quit|given up|gave up) (?=\w+ing\b)/i, polarity: 'past' },
];

/** Perfect tenses that still hold: "have lived in Oslo since 2019". */
const lasting: readonly (readonly [RegExp, string])[] = [
  [/^(?:have|has) (?:lived|been living)(?= (?:in|with) .+ (?:since|for) )/i, 'live'],
  [/^(?:have|has) (?:worked|been working)(?= (?:at|for|as) .+ (?:since|for) )/i, 'work'],
  [/^(?:have|has) been(?= (?:an? )?[\w -]+ (?:since|for (?:\w+ ){0,3}(?:years|months|weeks))\b)/i, 'am'],
];

function readPolarity(given: string): Pick<Predicate, 'text' | 'polarity'> {
  let text = withoutAdverbs(given);
  let polarity: Predicate['polarity'] = 'yes';
  for (const row of polarities) {
    const match = row.pattern.exec(text);
    if (!match) continue;
    polarity = row.polarity;
    text = withoutAdverbs((row.keep ?? '') + text.slice(match[0].length));
    break;
  }
  for (const [pattern, present] of lasting)
    if (pattern.test(text)) text = withoutTime(text.replace(pattern, present));
  if (/\b(?:any ?more|any longer)$/i.test(text)) {
    text = text.replace(/[\s,]*\b(?:any ?more|any longer)$/i, '');
    if (polarity === 'not') polarity = 'past';
  }
  return { text, polarity };
}

function withoutAdverbs(given: string): string {
  let text = given;
  for (let match = adverb.exec(text); match; match = adverb.exec(text)) text = text.slice(match[0].length);
  return text.replace(
    /^(am|is|are|have|has) (?:now|also|still|currently|really|actually|just|both|very|a bit|quite|definitely|recently|finally) /i,
    '$1 ',
  );
}
