import type { VerbGroup } from './clauses.js';
import { calendarWords, isRole } from './lexicon.js';
import { areAlike, isKinAt, isNamedGroup, phraseStart } from './phrases.js';
import type { Ref, SentenceView } from './phrases.js';
import { roleRules } from './predicates.js';

const speech =
  /^(?:said|says|say|announced|announces|reported|confirmed|confirms|added|that|noted|knows?|stated|states|explained|because|since|where|while|when|although|and|but|whose|as)$/;
const insertionTokensMax = 30;
const postTokensMax = 8;
/** Verdicts, confessions and sentences: what follows them counts as done. */
const convicting =
  /^(?:convicted|guilty|confess(?:ed|es)|admit(?:s|ted)|executed|hanged|imprisoned|jailed|sentenced)$/;
const things = new Set(
  'app application database framework initiative library mission platform program programme project satellite service software system tool'.split(
    ' ',
  ),
);
const joinedTokensMax = 5;
const staying = /^(?:dwelling|living|residing|studying|working)$/;

/** The subjects of a verb: the names right before it, or those before an insertion. */
export function subjectsOf(
  view: SentenceView,
  { start, main, passive }: VerbGroup,
  last: { subjects: readonly Ref[]; isSaid: () => boolean },
): readonly Ref[] {
  let at = start;
  while (at > 0 && view.pos(at - 1) === 'ADV') at -= 1;
  // "Plover 4.1 supports"
  if (/^v?\d+(?:\.\d+)+$/.test(view.lower(at - 1)) && view.endingAt(at - 1)) at -= 1;
  const before = view.lower(at - 1);
  const isGerund = start === main && view.lower(main).endsWith('ing');
  if (isGerund && isGoverned(view, start)) {
    if (start === 1) return frontedSubject(view, main);
    return last.isSaid() ? last.subjects : [];
  }
  // "joins as an engineer, reporting to Ann Hill"
  if (before === ',' && start === main && view.lower(main) === 'reporting' && view.lower(main + 1) === 'to')
    return last.subjects.length > 0 ? last.subjects : beforeInsertion(view, at - 1);
  if (start === 0 && main === 0) return frontedSubject(view, main);
  if (/^(?:who|which|that)$/.test(before) && !view.endingAt(at)) {
    const isAside = view.lower(at - 2) === ',';
    const ref = view.endingAt(isAside ? overAge(view, at - 2) : at - 1);
    // "a company in Oslo that was founded by …"
    const isPlace =
      !isAside && before !== 'who' && /^(?:in|at|near|from)$/.test(view.lower((ref?.start ?? 0) - 1));
    if (ref) return isPlace ? [] : [ref];
    const holder = isAside && before === 'who' ? holderBefore(view, at - 2) : undefined;
    return holder ? [holder] : [];
  }
  if (/^(?:but|then)$/.test(before) || joinedAt(view, at) !== undefined) return last.subjects;
  // "Initech, founded by Bill Lee, …", "Ann Hill (born in Oslo)"
  const isApart = /^[,(]$/.test(before) && start === main && (passive || staying.test(view.lower(main)));
  const described = isApart ? describedBefore(view, at - 1) : undefined;
  // "Acme, a company of Oslo, represented by Ann Hill": nobody represents the place.
  const [company] =
    described?.entity.type === 'LOCATION' && view.lower(main) === 'represented'
      ? beforeInsertion(view, at - 1)
      : [];
  if (company && /^an?$/.test(view.lower(company.end + 1))) return [company];
  if (described) return [described];
  // "worked for Acme, then founded Globex"
  if (before === ',' && view.lower(at) === 'then' && at < start) return last.subjects;
  if (before === ',' || before === ')') return beforeInsertion(view, at - 1);
  // "Ann Hill in 2021 moved to Oslo"
  const ref = view.endingAt(at) ?? view.endingAt(overTime(view, at, at)) ?? thingBefore(view, at);
  if (ref) return namesEndingWith(view, ref);
  // "Acme is a company based in Oslo", "Acme, a company based in Oslo", "Ann Hill, a nurse living in Oslo"
  if (!(start === main && (passive || staying.test(view.lower(main))))) return [];
  const phrase = phraseStart(view, at);
  if (/^(?:is|was)$/.test(view.lower(phrase - 1))) return last.subjects;
  // "two plants, the first located in Bergen" describes only one of them.
  const isNoun = view.pos(at - 1) === 'NOUN' || /^an?$/.test(view.lower(phrase));
  const apart = view.lower(phrase - 1) === ',' && isNoun ? describedBefore(view, phrase - 1) : undefined;
  return apart ? [apart] : [];
}

/**
 * The index of the "and" that joins a verb to an earlier one, possibly with a date between ("and in 1931").
 */
export function joinedAt(view: SentenceView, verb: number): number | undefined {
  for (let at = verb - 1; at >= verb - joinedTokensMax && at > 0; at -= 1) {
    if (view.lower(at) === 'and') return at;
    if (!(
      /^(?:in|on|later|then)$/.test(view.lower(at)) ||
      calendarWords.has(view.lower(at)) ||
      /^\d{1,4}$/.test(view.lower(at))
    ))
      return undefined;
  }
  return undefined;
}

/** "Ann Hill, head of sales, who reports to …": the person whose post ends at a comma. */
function holderBefore(view: SentenceView, close: number): Ref | undefined {
  for (let at = close - 1; at > Math.max(close - postTokensMax, 0); at -= 1) {
    const isPost = view.lower(at) === ',' && (isRole(view.lower(at + 1)) || isRole(view.lower(at + 2)));
    if (isPost) return view.endingAt(at)?.entity.type === 'PERSON' ? view.endingAt(at) : undefined;
  }
  return undefined;
}

/** "The Aurora project is led by", "The Elvina group owns": the name before a noun that says what it is. */
function thingBefore(view: SentenceView, end: number): Ref | undefined {
  const group = view.endingAt(end - 1);
  if (group && isNamedGroup(view, group)) return group;
  const ref = things.has(view.lower(end - 1)) ? view.endingAt(end - 1) : undefined;
  const isThe = ref && /^(?:its|our|the|their)$/.test(view.lower(ref.start - 1));
  return isThe && /^(?:OTHER|PRODUCT)$/.test(ref.entity.type) ? ref : undefined;
}

/** "after joining Acme", "convicted of killing him": whether a verb has no subject of its own. */
function isGoverned(view: SentenceView, start: number): boolean {
  const before = view.lower(start - 1);
  if (/^(?:after|before|by|since|upon|when|while)$/.test(before)) return true;
  return /^(?:of|to|for)$/.test(before) && convicting.test(view.lower(start - 2));
}

/**
 * "Founded by Ann Hill, Acme makes …", "After leaving Oslo, she …": the
 * subject of the verb behind the comma.
 */
function frontedSubject(view: SentenceView, main: number): readonly Ref[] {
  for (let at = main + 1; at < main + insertionTokensMax; at += 1) {
    if (view.lower(at) !== ',') continue;
    const ref = view.nameAt(at + 1);
    const next = ref && (view.pos(ref.end) === 'ADV' ? ref.end + 1 : ref.end);
    if (ref && next !== undefined && /^(?:VERB|AUX)$/.test(view.pos(next))) return [ref];
  }
  return [];
}

/** The name before an insertion that ends at `close`: "Wei Zhang, the CTO of Nimbus, …". */
export function beforeInsertion(view: SentenceView, close: number): readonly Ref[] {
  const opener = view.lower(close) === ')' ? '(' : ',';
  const own = view.endingAt(close);
  // "Their son, Hugh Pell, founded …"
  if (own?.entity.type === 'PERSON' && opener === ',' && isCalled(view, own)) return [own];
  // "Our bakery, Crumb & Co Ltd, is …", "The Employer, Acme Ltd, employs …"
  if (own?.entity.type === 'ORGANIZATION' && opener === ',' && isOurs(view, own)) return [own];
  for (let at = close - 1; at > Math.max(close - insertionTokensMax, 0); at -= 1) {
    if (view.lower(at) !== opener) continue;
    const ref = view.endingAt(at);
    const isList =
      opener === ',' &&
      view.startingAt(at + 1)?.entity.type === ref?.entity.type &&
      view.startingAt(at + 1)?.end === close;
    if (ref && !isList && isFree(view, ref)) return [ref];
    // A place and its region count as one.
    if (ref && ref.entity.type !== 'LOCATION') return [];
  }
  return [];
}

/** Whether a name behind a comma explains the common noun that begins the sentence. */
function isOurs(view: SentenceView, { start }: Ref): boolean {
  return (
    view.lower(start - 1) === ',' &&
    /^(?:NOUN|PROPN)$/.test(view.pos(start - 2)) &&
    !view.endingAt(start - 1) &&
    /^(?:its|my|our|the|their)$/.test(view.lower(0)) &&
    phraseStart(view, start - 1) <= 1 &&
    !view.refs.some((ref) => ref.start > 0 && ref.start < start)
  );
}

/** Whether a word for people, which is not an object, precedes the comma before a name. */
function isCalled(view: SentenceView, { start }: Ref): boolean {
  const noun = view.lower(start - 2);
  if (view.lower(start - 1) !== ',' || view.endingAt(start - 1) || !(isRole(noun) || roleRules.has(noun)))
    return false;
  const before = phraseStart(view, start - 1) - 1;
  return before < 0 || !/^(?:ADP|AUX|CCONJ|PART|VERB)$/.test(view.pos(before));
}

/**
 * The name that a phrase behind a comma describes. "Duke Karl of Vestria, the brother …" and "Arden
 * Hills, Minnesota, a suburb …" describe the first name. Undefined if a common noun is described: "the
 * head of Zentra, the brother …".
 */
export function describedBefore(view: SentenceView, comma: number): Ref | undefined {
  let ref = view.endingAt(comma);
  while (ref) {
    const joint = view.lower(ref.start - 1);
    const before = view.endingAt(ref.start - 1);
    if (joint === 'of' && !before && isRole(view.lower(ref.start - 2))) return undefined;
    // "the presidency of Ann Hill, the ninth president …"
    const isPerson = ref.entity.type === 'PERSON' && ref.end - ref.start > 1;
    const isPartOf = joint === 'of' && before !== undefined && !isPerson;
    const isInRegion =
      joint === ',' &&
      before?.entity.type === 'LOCATION' &&
      (ref.end - ref.start === 1 || ref.entity.type === 'LOCATION');
    if (!isPartOf && !isInRegion) return ref;
    ref = before;
  }
  return undefined;
}

/** The index of the first comma in "Bob Lee , 44 ,"; other commas stay as they are. */
export function overAge(view: SentenceView, comma: number): number {
  const isAge = /^\d{1,3}$/.test(view.lower(comma - 1)) && view.lower(comma - 2) === ',';
  if (isAge) return comma - 2;
  // "Ann Hill , D-Ariz. , chairman"
  for (let at = comma - 1; at > comma - 5; at -= 1)
    if (view.lower(at) === ',' && /^[dri]-/.test(view.lower(at + 1))) return at;
  return comma;
}

/** The names that "and" joins to the last one: "Globex and Initech are". Empty if they are no subject. */
export function namesEndingWith(view: SentenceView, last: Ref): readonly Ref[] {
  const refs = [last];
  for (let first = last; ;) {
    const own = isKinAt(view, first.start - 2) ? first.start - 2 : first.start;
    const joint = view.lower(own - 1);
    const skipped = joint === 'and' && view.lower(own - 2) === ',' ? 2 : 1;
    const ref =
      /^(?:and|&)$/.test(joint) || (joint === ',' && refs.length > 1)
        ? view.endingAt(own - skipped)
        : undefined;
    if (!ref || !areAlike(ref.entity, last.entity)) break;
    refs.unshift(ref);
    first = ref;
  }
  const [first] = refs;
  if (!first) return [];
  if (isFree(view, first)) return refs;
  // "Bob Lee of Acme works": the subject is before "of".
  const before = phraseStart(view, first.start) - 1;
  const head = /^(?:of|from|at|in|for)$/.test(view.lower(before)) ? view.endingAt(before) : undefined;
  return head && isFree(view, head) ? [head] : [];
}

/** Verbs of claiming, thinking and dreaming: "pretended that he had sold". */
const claimed = /^(?:assum|believ|boast|claim|dream|fear|imagin|pretend|suspect|think|thought|lied$|lies$)/;

/** Whether a mention may be a subject, and is no object of a preposition or another verb. */
function isFree(view: SentenceView, ref: Ref): boolean {
  if (/^(?:he|i|it|she)$/.test(view.lower(ref.start)))
    return !claimed.test(view.lower(ref.start - (view.lower(ref.start - 1) === 'that' ? 2 : 1)));
  const start = overTime(view, phraseStart(view, ref.start), ref.start);
  if (start === 0) return true;
  const before = view.lower(start - 1);
  if (speech.test(before) || isProclaimed(view, start - 1)) return true;
  return (
    !/^(?:ADP|VERB|AUX|PART)$/.test(view.pos(start - 1)) &&
    !/^(?:to|of|than|as|like|if|unless|whether|or|nor|neither)$/.test(before)
  );
}

const feeling = /^(?:delighted|excited|glad|happy|honou?red|pleased|proud|sad|saddened|sorry|thrilled)$/;

/** "We are pleased to announce": what is said so is a fact, unlike what somebody is to announce. */
function isProclaimed(view: SentenceView, verb: number): boolean {
  return (
    /^(?:announce|confirm|report|say|share)$/.test(view.lower(verb)) &&
    view.lower(verb - 1) === 'to' &&
    feeling.test(view.lower(verb - 2))
  );
}

const timeWord =
  /^(?:(?:1[0-9]|20)\d\d|\d{1,2}:\d\d|\d{1,2}(?:st|nd|rd|th)?|early|late|mid|last|next|spring|summer|autumn|fall|winter|q[1-4]|h[12]|fy\d+|the|of|first|second|third|fourth|final|quarter|half|end|start|beginning|fiscal|financial|year|,)$/;

/**
 * Where a date before a name begins: "In May 2018 Acme merged", "In the third quarter of 2023 Acme merged".
 * Else it would look as if Acme were in May.
 */
export function overTime(view: SentenceView, start: number, name: number): number {
  let at = name;
  while (at > 0 && (timeWord.test(view.lower(at - 1)) || calendarWords.has(view.lower(at - 1)))) at -= 1;
  const isTime = at < name && /^(?:at|by|during|from|in|on|since|to|until|till)$/.test(view.lower(at - 1));
  if (!isTime) return start;
  const isSpan = /^(?:to|until|till)$/.test(view.lower(at - 1));
  return isSpan ? overTime(view, start, at - 1) : at - 1;
}
