import { calendarWords, isCommonWord, kindOf, mayBeFirstName } from '../../../graph/extraction/lexicon.js';

/** Cleans the text after a verb so that it can be a value. Undefined when it is not of the wanted kind. */
export type ObjectRule = (text: string) => string | undefined;

const wordsMax = 14;
const charactersMax = 140;

// The rest is a reason or an aside.
const asides =
  /\s*(?:;|:(?!\d)|\s[–—-]\s|,?\s(?:because|since|so|although|though|but|whereas|which|as I|as it|as they|for (?:[\w-]+ ){0,2}?reasons|due to|thanks to|in order to)\b|,\s(?:and|who|not|especially|though|for example|e\.g\.)\b|,\s(?:[\w'’-]+\s){1,3}(?:is|are|was|were)\b|\().*$/i;
const trailing =
  /(?:[\s,.!…]|\b(?:now|nowadays|these days|currently|any ?more|any longer|at the moment|right now|for now|again|too|also|as well|a lot|very much|so much|the most|instead|lately|please|actually|though|by the way|btw|from now on|going forward|today|thanks|thank you|tbh|honestly|lol|apparently|after all|only|too much|much|more than anything|more than ever|to bits)\b)+$/i;
// Refers to something that only the context knows.
const pointing =
  /^(?:I|we|it|its|this|that|these|those|they|them|he|him|she|her|you|your|yours|what|how|when|where|who|why|whether|everything|something|anything|nothing|everyone|someone|there|here|one|ones|the (?:one|other|same|idea|way|fact|first|second|former|latter)|both|all|either|neither|none|more|less|so|not|such|another|some more|to do (?:it|so|that|this)|doing (?:it|so|that|this)|to (?:think|say|know|believe|hear|add|point|thank|ask|note|mention|admit)|(?:a|the) (?:role|part|trick))\b| ones?$/i;
/** "the tone of this paragraph" */
const pointingWithin =
  /\b(?:of|in|with|about) (?:this|that|these|those|it|your)\b(?! (?:year|month|week|summer|winter|autumn|spring)\b)/i;
const leadingPreposition =
  /^(?:in|on|at|to|from|with|for|of|by|as|out|up|down|off|over|about|around|into|onto|through|home|away|back|well|better|too|very|like|together|together|alone|along|and|or|but)\b/i;

/** A thing or an activity. */
export const thing: ObjectRule = (text) => {
  const phrase = clean(text);
  if (phrase === undefined || pointing.test(phrase) || leadingPreposition.test(phrase)) return undefined;
  // "my wife's": what of hers is not said.
  if (/^(?:my|our|their) .*['’]s$/i.test(phrase)) return undefined;
  return pointingWithin.test(phrase) ? undefined : phrase;
};

/** What one can like: a thing, or `to swim`. */
export const activity: ObjectRule = (text) => {
  const infinitive = pointing.test(text.trim()) ? null : /^to (.+)$/i.exec(text.trim());
  const rest = infinitive ? thing(infinitive[1] ?? '') : thing(text);
  return rest === undefined || !infinitive ? rest : `to ${rest}`;
};

const months =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)';
const day = '\\d{1,2}(?:st|nd|rd|th)?';
const moment = `(?:(?:(?:early|late|mid)[ -])?${months}(?: ${day})?(?:,? \\d{4})?|(?:the )?${day} (?:of )?${months}(?:,? \\d{4})?|(?:(?:the )?(?:spring|summer|autumn|fall|winter)(?: of)? )?(?:19|20)\\d\\d|(?:last|this|next) (?:year|month|week|weekend|summer|spring|winter|autumn|fall|${months}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)|yesterday|tomorrow)`;
/** "as a child", "when I was five" */
export const childhood =
  '(?:as an? (?:(?:small|little|young) )?(?:child|kid|boy|girl|teenager|baby)|when (?:I|we) (?:was|were) (?:an? (?:child|kid|boy|girl|teenager|baby)|kids|children|teenagers|little|small|young|(?:\\d{1,2}|\\w+)(?: years old)?))';
const time = new RegExp(
  `,?\\s+(?:(?:(?:in|on|since|until|from|by|as of|starting|at the (?:start|end|beginning) of) )?${moment}|(?:a|an|two|three|four|five|six|\\d+|several|a few|some|many) (?:days?|weeks?|months?|years?) ago|for (?:years|ages)|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|${childhood}|for (?:the )?(?:(?:about|around|over|almost|nearly) )?(?:a|two|three|four|five|\\d+|several|many|past|last) (?:\\w+ )?(?:days?|weeks?|months?|years?))$`,
  'i',
);

/** The time at the end of a text: `last year` in "became vegan last year". */
export function timeOf(text: string): string | undefined {
  return time.exec(text)?.[0].trim();
}

/** A text without the time at its end. */
export function withoutTime(text: string): string {
  return text.replace(time, '');
}

const personName =
  /^(?:(?:Dr|Mr|Mrs|Ms|Prof|Professor|Doctor)\.? )?(?:(?:de|van|von|der|den|di|da|del|la|le|al|el|bin|ten|ter) )*\p{Lu}[\p{L}'’]*\p{Ll}[\p{L}'’-]*(?:(?: (?:de|van|von|der|den|di|da|del|la|le|al|el|bin|ten|ter))* \p{Lu}[\p{L}'’.-]*){0,3}(?=$|[,;.!(]|\s(?:on|at|in|from|with|and|who|since|now|again|as|of)\b|\s[–—-]\s)/u;
const titleOfJob =
  /^(?:Head|Director|Chief|President|Manager|Vice|Senior|Junior|Lead|Professor|Muslim|Catholic|Jewish|Christian|Hindu|Buddhist|Vegan|Vegetarian|On|In|At|The|A|An|My|Not|So|Very)\b/;

/** A person's name: "Dr. Bakker" in "Dr. Bakker on Mathenesserlaan". "Norwegian" is not one. */
export const person: ObjectRule = (text) => {
  const name = personName.exec(text.trim())?.[0].replace(/\.$/, '');
  if (name === undefined || titleOfJob.test(name)) return undefined;
  const kind = kindOf(name.toLowerCase());
  const isOrigin = kind === 'demonym' || kind === 'place' || kind === 'region';
  return isOrigin || /^\S+(?:ian|ish|ese|can|ean)$/i.test(name) ? undefined : name;
};

const capitals = /^\p{Lu}\S*(?: (?:\p{Lu}\S*|&|and|of|de))*$/u;
/** "Acme [in Berlin]" */
const siteOf = / in \p{Lu}.*$/u;

/**
 * A person's name at the beginning of a sentence, where any word has a capital: "Joris is my partner",
 * but not "Music is my therapist".
 */
export const personInFront: ObjectRule = (text) => {
  const name = person(text);
  const lower = name?.toLowerCase() ?? '';
  return isCommonWord(lower) && !mayBeFirstName(lower) ? undefined : name;
};

/** The name of a firm or product, not of a place or person; every word must have a capital. */
export const firm: ObjectRule = (text) => {
  const name = named(text)?.replace(siteOf, '');
  if (name === undefined || /^(?:The|My|Our) /i.test(name)) return undefined;
  const lower = name.toLowerCase();
  if (calendarWords.has(lower) || !capitals.test(name)) return undefined;
  const kind = kindOf(lower);
  return kind === undefined || kind === 'organization' ? name : undefined;
};

/** A thing that is written with a capital: a place, a firm, a person. */
export const named: ObjectRule = (text) => {
  const phrase = withoutTime(thing(text) ?? '').replace(
    /,? (?:with|for|since|until|as|at|near|where|when|while|in (?:a|an|my|the \d|\d{4}\b)) .*$| in (?:(?:early|late|mid) )?(?:January|February|March|April|May|June|July|August|September|October|November|December)\b.*$| (?:last|this) (?:year|month|week|summer|spring|winter|autumn|fall)$| (?:once|twice|\w+ times|years ago)$/,
    '',
  );
  return /^(?:the )?[\p{Lu}\p{N}]/u.test(phrase) && !/^\d/.test(phrase) ? phrase : undefined;
};

const sometimes = /\b(?:half|part|most) of the\b/i;
const noPlaces = /^(?:fear|hope|peace|constant|total|poverty|luxury|harmony|denial|pain|a|an|my|our)\b/i;

/** A place to live: a name, or one or two words in small letters. */
export const place: ObjectRule = (text) => {
  // "Oslo and commute to Drammen", but "Trinidad and Tobago"
  const name = named(text.replace(/ and (?!the \p{Lu})\p{Ll}.*$/u, ''));
  if (sometimes.test(text)) return undefined;
  if (name !== undefined) return name;
  const phrase = thing(text);
  return phrase !== undefined && /^\p{Ll}+(?: \p{Ll}+)?$/u.test(phrase) && !noPlaces.test(phrase)
    ? phrase
    : undefined;
};

const noEmployers =
  /^(?:night|nights|home|noon|midnight|least|times|weekends?|the (?:moment|office|weekend|time)|free|myself|\d|hours|years|a (?:while|living|long)|food|money|fun)\b/i;

/** An employer: a name, or `a bank`. */
export const employer: ObjectRule = (text) => {
  // "at AVL there": the place has been named before.
  const name = text.replace(/(?<=\S) there\b[\s,.!]*$/i, '');
  const phrase = thing(name);
  if (phrase === undefined || noEmployers.test(phrase)) return undefined;
  return named(name)?.replace(siteOf, '') ?? (/^(?:an?|the|my|our) /i.test(phrase) ? phrase : undefined);
};

/** A phrase that contains a number. */
export const numbered: ObjectRule = (text) => {
  const phrase = clean(text);
  return phrase !== undefined && /\d/.test(phrase) ? phrase : undefined;
};

/** Any short phrase. */
export const value: ObjectRule = (text) => {
  const phrase = clean(text);
  return phrase === undefined || pointing.test(phrase) ? undefined : phrase;
};

/** A time of day. */
export const timeOfDay: ObjectRule = (text) => {
  const phrase = clean(text);
  return phrase !== undefined && /^(?:around |about )?\d|^(?:noon|midnight|dawn|sunrise)/i.test(phrase)
    ? phrase
    : undefined;
};

function clean(text: string): string | undefined {
  const cut = text.trim().replace(asides, '');
  if (cut.length > 2 * charactersMax) return undefined;
  const phrase = cut
    .replace(trailing, '')
    .replace(/^["“'](.*)["”']$/, '$1')
    .trim();
  if (phrase.length > charactersMax || phrase.split(/\s+/).length > wordsMax) return undefined;
  return /[\p{L}\p{N}]/u.test(phrase) ? phrase : undefined;
}

/**
 * The items of a list: `tea, coffee and juice` is three. Two items joined by "and" may be one thing (rock
 * and roll), so they stay together.
 */
export function listOf(phrase: string): string[] {
  if (!/,.*,? (?:and|or) /.test(phrase)) return [phrase];
  return namesOf(phrase);
}

/** The items of a list of names, such as languages or allergens, with every "and" separating two. */
export function namesOf(phrase: string): string[] {
  return phrase
    .split(/\s*,\s*(?:and |or )?|\s+(?:and|or|&)\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
