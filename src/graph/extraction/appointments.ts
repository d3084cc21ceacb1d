import { titles } from './lexicon.js';
import type { Ref, SentenceView } from './phrases.js';
import { phraseStart } from './phrases.js';
import { beforeInsertion, joinedAt, overAge, overTime } from './subjects.js';

/** The people who take, hold or give up a role. */
export interface Appointment {
  readonly refs: readonly Ref[];
  /** Who appoints them, if named: the employer, unless the sentence names another. */
  readonly by: readonly Ref[];
  /** The index of the verb. */
  readonly from: number;
  readonly temporal?: 'former' | 'planned';
}

/** Verbs for giving somebody a post. */
export const appointing =
  /^(?:appoint(?:s|ed)|name[sd]|hire[sd]|promote[sd]|elect(?:s|ed)|recruit(?:s|ed)|tap(?:s|ped)|install(?:s|ed)|picks?|picked|chose|chosen|re-?appointed|re-?elected)$/;
const holding =
  /^(?:serves?|served|serving|works?|worked|working|acts?|acted|acting|continue[sd]?|joins|joined|remains?)$/;
/** Verbs with their particles: "took over as", "stepped down as". */
const entering = /^(?:(?:takes?|took|taken) over|(?:steps?|stepped) (?:in|up)|(?:comes?|came) in|sworn in)$/;
const leaving =
  /^(?:(?:steps?|stepped|stands?|stood) (?:down|aside|back)|resign(?:s|ed)|retire[sd]|quits?|(?:was|were|been) (?:ousted|fired|dismissed|removed|sacked|replaced))$/;
const succeeding = /^(?:succeed(?:s|ed)|replace[sd])$/;
const titlesMax = 3;

/**
 * Who takes, holds or gives up the role whose phrase begins at `start`;
 * undefined if the sentence does not say.
 */
export function appointmentOf(view: SentenceView, start: number): Appointment | undefined {
  const named = namedAt(view, start);
  // "Nimbus named Anna Berg CEO": here the name has been read as a part of the phrase.
  if (named?.entity.type === 'PERSON') return appointed(view, named);
  let at = start - 1;
  const planned = isPlannedAt(view, at) ? subjectBefore(view, at - 1) : [];
  if (planned.length > 0) return { refs: planned, by: [], from: at - 1, temporal: 'planned' };
  if (view.lower(at) === 'be' && view.lower(at - 1) === 'to') at -= 1;
  const isJoined = /^(?:as|to)$/.test(view.lower(at));
  const object = view.endingAt(isJoined ? at : start);
  if (object) return object.entity.type === 'PERSON' ? ofObject(view, object, isJoined) : undefined;
  return isJoined ? byVerb(view, at, view.lower(at)) : undefined;
}

/** "will become" */
function isPlannedAt(view: SentenceView, verb: number): boolean {
  return /^(?:be|become)$/.test(view.lower(verb)) && view.lower(verb - 1) === 'will';
}

/**
 * "Nimbus appointed Anna Berg as CEO", "Anna Berg succeeded Tom Larsen as CEO", "… was
 * succeeded by Anna Berg as CEO"
 */
function ofObject(view: SentenceView, object: Ref, isJoined: boolean): Appointment | undefined {
  const verb = object.start - 1;
  // "took over from Tom Larsen as CEO"
  if (isJoined && view.lower(verb) === 'from' && view.lower(verb - 1) === 'over') {
    const refs = subjectBefore(view, verb - 2);
    return refs.length > 0 ? { refs, by: [], from: verb - 2 } : undefined;
  }
  if (isJoined && view.lower(verb) === 'of') return announced(view, object);
  if (isJoined && view.lower(verb) === 'by' && succeeding.test(view.lower(verb - 1)))
    return { refs: [object], by: [], from: verb - 1 };
  if (!isJoined || !succeeding.test(view.lower(verb))) return appointed(view, object);
  const refs = subjectBefore(view, verb);
  return refs.length > 0 ? { refs, by: [], from: verb } : undefined;
}

/** "Nimbus announced the appointment of Anna Berg as CEO" */
function announced(view: SentenceView, object: Ref): Appointment | undefined {
  const verb = object.start - 4;
  const words = view.tokens.slice(Math.max(verb + 1, 0), object.start).map(({ lower }) => lower);
  const isSaid = /^(?:announce[sd]|confirm(?:s|ed))$/.test(view.lower(verb));
  if (!isSaid || words.join(' ') !== 'the appointment of') return undefined;
  const by = subjectBefore(view, verb).filter(({ entity }) => /^(?:ORGANIZATION|OTHER)$/.test(entity.type));
  return { refs: [object], by, from: verb };
}

/** The name that begins at a token, or behind titles there such as "Dr". */
export function namedAt(view: SentenceView, from: number): Ref | undefined {
  for (let at = from; at <= from + titlesMax; at += 1) {
    const ref = view.startingAt(at);
    if (ref || !titles.has(view.lower(at).replace(/\.$/, ''))) return ref;
  }
  return undefined;
}

function appointed(view: SentenceView, object: Ref): Appointment | undefined {
  let verb = object.start - 1;
  while (titles.has(view.lower(verb).replace(/\.$/, ''))) verb -= 1;
  if (!appointing.test(view.lower(verb))) return undefined;
  const refs = subjectBefore(view, verb);
  // Without a subject it may be a wish or a denial.
  if (refs.length === 0 && !/^NOUN$/.test(view.pos(verb - 1))) return undefined;
  const by = refs.filter(({ entity }) => /^(?:ORGANIZATION|OTHER)$/.test(entity.type));
  return { refs: [object], by, from: verb };
}

/** "Anna Berg took over as", "Anna Berg was promoted to" */
function byVerb(view: SentenceView, joint: number, joiner: string): Appointment | undefined {
  const last = joint - 1;
  const isPassive = appointing.test(view.lower(last));
  const pair = `${view.lower(last - 1)} ${view.lower(last)}`;
  const isPair = entering.test(pair) || leaving.test(pair);
  const isLeft = leaving.test(pair) || leaving.test(view.lower(last));
  const isHeld = holding.test(view.lower(last)) || entering.test(pair);
  if (!(joiner === 'as' ? isPassive || isLeft || isHeld : isPassive)) return undefined;
  let verb = isPair ? last - 1 : last;
  const isPlanned = view.lower(isPassive ? last - 2 : verb - 1) === 'will';
  if (isPlanned && isLeft) return undefined;
  if (isPlanned) verb = isPassive ? last - 2 : verb - 1;
  const refs = subjectBefore(view, verb);
  if (refs.length === 0) return undefined;
  const temporal = isLeft ? 'former' : isPlanned ? 'planned' : undefined;
  return { refs, by: [], from: verb, ...(temporal ? { temporal } : {}) };
}

/**
 * The subject of a verb, by the mentions before it; "has been" and adverbs are skipped. Empty for "is not",
 * "may be" and "would be", and if there is no clear subject.
 */
export function subjectBefore(view: SentenceView, verb: number): readonly Ref[] {
  let at = verb;
  while (
    at > 0 &&
    (/^(?:has|have|had|been|was|is|also|now|currently|still|since|later|once|today|yesterday)$/.test(
      view.lower(at - 1),
    ) ||
      view.pos(at - 1) === 'ADV')
  ) {
    if (/^(?:not|never|n['’]t)$/.test(view.lower(at - 1))) return [];
    at -= 1;
  }
  if (/^(?:who|which|that)$/.test(view.lower(at - 1)) && !view.endingAt(at)) {
    const ref = view.endingAt(view.lower(at - 2) === ',' ? overAge(view, at - 2) : at - 1);
    return ref ? [ref] : [];
  }
  // "Ann Hill, a chemist, is", "Ann Hill (1911–1987) was"
  if (/^[,)]$/.test(view.lower(at - 1))) return beforeInsertion(view, at - 1);
  const joined = joinedAt(view, at);
  if (joined !== undefined) return subjectOfFirst(view, joined);
  const ref = view.endingAt(at);
  if (!ref) return [];
  const start = overTime(view, phraseStart(view, ref.start), ref.start);
  const before = view.pos(start - 1);
  // "The board of Acme has appointed"
  const isOfBoard =
    view.lower(start - 1) === 'of' && /^(?:board|directors|trustees)$/.test(view.lower(start - 2));
  const isObject = start > 0 && /^(?:ADP|PART)$/.test(before) && !isOfBoard;
  return isObject || /^(?:if|whether|unless|or)$/.test(view.lower(start - 1)) ? [] : [ref];
}

/** The subject of the first verb in the sentence: "She studied at Keele and became a judge". */
function subjectOfFirst(view: SentenceView, joint: number): readonly Ref[] {
  const first = view.tokens.findIndex(({ pos }, at) => /^(?:VERB|AUX)$/.test(pos) && !view.startingAt(at));
  if (first <= 0 || first >= joint) return [];
  // A later verb with a name before it has its own subject: "Ann hired Bob and became …" is about Ann, "Ann
  // said Bob left and became …" may not be.
  const others = view.tokens.slice(first + 1, joint).some(({ pos }, index) => {
    const at = first + 1 + index;
    return /^(?:VERB|AUX)$/.test(pos) && view.endingAt(at) !== undefined;
  });
  return others ? [] : subjectBefore(view, first);
}
