import { subjectBefore } from './appointments.js';
import type { Finding } from './clauses.js';
import { isRole } from './lexicon.js';
import { phraseAt, phraseStart } from './phrases.js';
import type { Ref, SentenceView } from './phrases.js';

const people = ['PERSON'];
const organizations = ['ORGANIZATION'];
const spanTokensMax = 9;
const gaining =
  /^(?:holds?|held|has|had|earn(?:s|ed)|receive[sd]|complete[sd]|gain(?:s|ed)|took|did|obtain(?:s|ed))$/;
const recruiting = /^(?:hire[sd]|recruit(?:s|ed)|poach(?:es|ed))$/;
const seating = /^(?:sits?|sat|serves?|served|elected|appointed|joins?|joined|named)$/;
const boards = /^(?:board|council|committee|supervisory|advisory|management|executive|directors|trustees)$/;
const contacting = /^(?:contact|ask|call|email|e-mail|reach|write|tell|thank|cc)$/;

const business =
  /^(?:budget|client|clients|contract|customer|delivery|demo|invoice|invoices|offer|order|orders|price|prices|product|project|proposal|quote|shipment|software|supplier)$/;
const reaching = /^(?:called|e-?mailed|phoned|rang|replied)$/;

interface Said {
  readonly predicate: string;
  readonly raw: string;
  readonly source: readonly string[];
  readonly target: readonly string[];
  readonly confidence?: number;
  readonly temporal?: string;
}

/** A finding about two mentions of a sentence. `from` and `to` span both. */
export function findingOf(source: Ref, target: Ref, { confidence = 0.75, temporal, ...said }: Said): Finding {
  return {
    source,
    target,
    predicate: said.predicate,
    raw: said.raw,
    confidence,
    types: { source: said.source, target: said.target },
    from: Math.min(source.start, target.start),
    to: Math.max(source.end, target.end),
    ...(temporal ? { temporal } : {}),
  };
}

/**
 * Reads what a sentence states around the word at an index. The comment of each
 * gives examples of what it reads.
 */
type Reader = (view: SentenceView, at: number) => Finding[];

/**
 * Maps words to the reader that is run where one occurs; takes several words in one string. Thus
 * each token needs only one look-up.
 */
export function readersOf(table: readonly (readonly [string, Reader])[]): ReadonlyMap<string, Reader> {
  return new Map(
    table.flatMap(([words, read]) => words.split(' ').map((word): [string, Reader] => [word, read])),
  );
}

const readers = readersOf([
  ['over', (view, at) => takeoverAt(view, at)],
  ['career job position years', (view, at) => employedAt(view, at)],
  [
    'opens opened founds founded starts started launches launched establishes established set',
    (view, at) => openedAt(view, at),
  ],
  [
    'phd ph.d ph.d. doctorate degree diploma mba msc m.sc m.sc. bsc b.sc b.sc. ma m.a. ba b.a. bachelor bachelors master masters dphil llb llm',
    (view, at) => degreeAt(view, at),
  ],
  ['from', (view, at) => leftAt(view, at)],
  ['for', (view, at) => changedAt(view, at)],
  ['join', (view, at) => leftToJoinAt(view, at)],
  ['name', (view, at) => introducedAt(view, at)],
  ['contact', (view, at) => contactAt(view, at)],
  ['runs leads heads oversees manages', (view, at) => headAt(view, at)],
  ['board', (view, at) => boardAt(view, at)],
  [
    'novel book memoir album song film play poem opera essay symphony documentary',
    (view, at) => writtenAt(view, at),
  ],
  ['children sons daughters son daughter', (view, at) => childrenAt(view, at)],
]);

/**
 * What a sentence says about people's posts, degrees, works and families where no rule for verbs reads it.
 */
export function readCareers(view: SentenceView): Finding[] {
  const said = view.tokens.flatMap(({ lower }, at) => readers.get(lower)?.(view, at) ?? []);
  return [...view.refs.flatMap((ref) => memberAt(view, ref)), ...said];
}

const employed = { predicate: 'works_for', source: people, target: organizations };
const succession = { predicate: 'succeeded', source: people, target: people };

/** What somebody who tells of work does with it, by what it is called, and whether that is over. */
const working: ReadonlyMap<string, { readonly verbs: RegExp; readonly isOver: boolean }> = new Map([
  ['career', { verbs: /^(?:began|started)$/, isOver: true }],
  ['years', { verbs: /^spent$/, isOver: true }],
  ['job', { verbs: /^(?:got|landed|took|accepted|found)$/, isOver: false }],
  ['position', { verbs: /^(?:took|accepted)$/, isOver: false }],
]);
/** Where people spend years without being employed. */
const stay = /\b(?:academy|camp|college|institute|monastery|prison|school|universit\p{L}+)\b/iu;

/** "began her career at Acme", "spent nine years at Acme", "got a job at Acme" */
function employedAt(view: SentenceView, at: number): Finding[] {
  const { verbs, isOver } = working.get(view.lower(at)) ?? {};
  const verb = phraseStart(view, at) - 1;
  const joint = view.lower(at + 1);
  const company = /^(?:at|with)$/.test(joint) ? view.nameAt(at + 2) : undefined;
  if (!company || !verbs?.test(view.lower(verb)) || !isEmployer(company)) return [];
  if (view.lower(at) === 'years' && stay.test(company.entity.name)) return [];
  const said = { ...employed, raw: `${view.lower(at)} ${joint}`, ...(isOver ? { temporal: 'former' } : {}) };
  return subjectBefore(view, verb).map((self) => findingOf(self, company, said));
}

/** "took over from Tom Berg", "will take over from him", "handed over to Ann Hill" */
function takeoverAt(view: SentenceView, at: number): Finding[] {
  const verb = view.lower(at - 1);
  const isTaken = /^(?:takes?|took|taken)$/.test(verb) && view.lower(at + 1) === 'from';
  const isHanded = /^(?:hands?|handed)$/.test(verb);
  if (!isTaken && !isHanded) return [];
  const to = isTaken ? at + 1 : view.tokens.findIndex((token, index) => index > at && token.lower === 'to');
  const isNear = to > 0 && to - at <= 6 && !view.refs.some((ref) => ref.start > at && ref.start < to);
  const other = isNear ? view.startingAt(to + 1) : undefined;
  const isPlanned = view.lower(at - 2) === 'will';
  const [self] = subjectBefore(view, isPlanned ? at - 2 : at - 1);
  if (!self || !other) return [];
  // "Imogen Castellane took over from Jory Penrose as treasurer": one is a person, or the post is a person's.
  const arePeople = [self, other].some(({ entity }) => entity.type === 'PERSON');
  if (!arePeople && !(view.lower(other.end) === 'as' && isRole(view.lower(other.end + 1)))) return [];
  const [source, target] = isTaken ? [self, other] : [other, self];
  const raw = `${verb} over ${isTaken ? 'from' : 'to'}`;
  return [findingOf(source, target, { ...succession, raw, ...(isPlanned ? { temporal: 'planned' } : {}) })];
}

/** "opened his own bakery, Forno Rosso", "set up a charity called Lumen" */
function openedAt(view: SentenceView, at: number): Finding[] {
  if (view.pos(at) !== 'VERB' || (view.lower(at) === 'set' && view.lower(at + 1) !== 'up')) return [];
  const begin = view.lower(at) === 'set' ? at + 2 : at + 1;
  if (!/^(?:his|her|their|an?|the)$/.test(view.lower(begin))) return [];
  const phrase = phraseAt(view, begin);
  if (!phrase || phrase.refs.length > 0 || phrase.noun === undefined) return [];
  const isApart = view.lower(phrase.end) === ',';
  if (!isApart && !/^(?:called|named)$/.test(view.lower(phrase.end))) return [];
  const named = view.startingAt(phrase.end + 1);
  const isName = named && (!isApart || /^(?:[,.;]|in|)$/.test(view.lower(named.end)));
  if (!isName || /^(?:PERSON|LOCATION)$/.test(named.entity.type)) return [];
  const raw = `${view.lower(at)} ${phrase.noun}`;
  return subjectBefore(view, at).map((source) =>
    findingOf(source, named, {
      predicate: 'founded',
      raw,
      source: ['PERSON', 'ORGANIZATION'],
      target: ['ORGANIZATION', 'PRODUCT'],
    }),
  );
}

/** "holds a PhD in physics from Leiden University" */
function degreeAt(view: SentenceView, at: number): Finding[] {
  const start = phraseStart(view, at);
  const verb = start - 1;
  if (!gaining.test(view.lower(verb))) return [];
  for (let joint = at + 1; joint < at + spanTokensMax; joint += 1) {
    if (view.pos(joint) === 'VERB' || /^[.;]$/.test(view.lower(joint))) return [];
    const school = /^(?:from|at)$/.test(view.lower(joint)) ? schoolAt(view, joint + 1) : undefined;
    if (!school) continue;
    const said = { predicate: 'studied_at', raw: `${view.lower(at)} ${view.lower(joint)}`, source: people };
    return subjectBefore(view, verb).map((each) =>
      findingOf(each, school, { ...said, target: organizations }),
    );
  }
  return [];
}

function schoolAt(view: SentenceView, at: number): Ref | undefined {
  const ref = view.nameAt(at);
  return ref?.entity.type === 'ORGANIZATION' ? ref : undefined;
}

/** "hired Ann Hill from Acme", "moved from Acme to Globex", "joins as an engineer from Acme" */
function leftAt(view: SentenceView, at: number): Finding[] {
  const former = view.nameAt(at + 1);
  if (!former || !/^(?:ORGANIZATION|OTHER)$/.test(former.entity.type)) return [];
  const left = { predicate: 'left', source: people, target: organizations };
  const hired = view.endingAt(at);
  if (hired?.entity.type === 'PERSON' && recruiting.test(view.lower(hired.start - 1)))
    return [findingOf(hired, former, { ...left, raw: `${view.lower(hired.start - 1)} from` })];
  const verb = view.lower(at - 1);
  // "who joined us from Acme", "She came from Acme"
  const isOurs = verb === 'us' && /^join(?:s|ed)$/.test(view.lower(at - 2));
  if (isOurs || (verb === 'came' && former.entity.type === 'ORGANIZATION'))
    return subjectBefore(view, isOurs ? at - 2 : at - 1).map((each) =>
      findingOf(each, former, { ...left, raw: `${isOurs ? view.lower(at - 2) : verb} from` }),
    );
  if (!/^(?:moved|moves|switched)$/.test(verb) || view.lower(former.end) !== 'to') return [];
  const next = view.nameAt(former.end + 1);
  const [self] = subjectBefore(view, at - 1);
  if (self?.entity.type !== 'PERSON' || next?.entity.type !== 'ORGANIZATION') return [];
  return [
    findingOf(self, former, { ...left, raw: `${verb} from` }),
    findingOf(self, next, { ...left, predicate: 'works_for', raw: `${verb} to` }),
  ];
}

/** "left Acme for Globex" */
function changedAt(view: SentenceView, at: number): Finding[] {
  const former = view.endingAt(at);
  const next = view.nameAt(at + 1);
  if (!former || next?.entity.type !== 'ORGANIZATION') return [];
  const verb = phraseStart(view, former.start) - 1;
  if (!/^(?:left|leaves|quit)$/.test(view.lower(verb))) return [];
  return subjectBefore(view, verb).map((self) => findingOf(self, next, { ...employed, raw: 'left for' }));
}

/** "left Acme to join Globex" */
function leftToJoinAt(view: SentenceView, at: number): Finding[] {
  const next = view.nameAt(at + 1);
  const former = view.lower(at - 1) === 'to' ? view.endingAt(at - 1) : undefined;
  if (!former || !next) return [];
  const verb = phraseStart(view, former.start) - 1;
  if (!/^(?:left|quit)$/.test(view.lower(verb))) return [];
  return subjectBefore(view, verb).map((self) => findingOf(self, next, { ...employed, raw: 'join' }));
}

/** "My name is Petra Vogel and I work at Bloomhaus", "… and I'm with Bloomhaus" */
function introducedAt(view: SentenceView, at: number): Finding[] {
  const person =
    view.lower(at - 1) === 'my' && view.lower(at + 1) === 'is' ? view.startingAt(at + 2) : undefined;
  if (person?.entity.type !== 'PERSON') return [];
  const self = view.tokens.findIndex(
    ({ lower }, index) => index >= person.end && /^i(?:['’]m)?$/.test(lower),
  );
  const verb = view.lower(self) === 'i' ? self + 1 : self;
  if (self < 0 || self - person.end > 3 || !/^(?:work|am|i['’]m)$/.test(view.lower(verb))) return [];
  const joint = view.tokens.findIndex(
    ({ lower }, index) => index > verb && index < self + spanTokensMax && /^(?:at|for|with)$/.test(lower),
  );
  const company = joint < 0 ? undefined : view.startingAt(joint + 1);
  if (!company || !isEmployer(company)) return [];
  const word = view.lower(verb) === 'work' ? 'work ' : '';
  return [findingOf(person, company, { ...employed, raw: word + view.lower(joint) })];
}

/** "Our contact at Acme is Ann Hill" */
function contactAt(view: SentenceView, at: number): Finding[] {
  const joint = view.lower(at + 1);
  if (!/^(?:at|from|with)$/.test(joint) || view.pos(at) === 'VERB') return [];
  const company = view.nameAt(at + 2);
  const person =
    company && /^(?:is|was|,)$/.test(view.lower(company.end)) ? view.startingAt(company.end + 1) : undefined;
  if (!company || !isEmployer(company) || person?.entity.type !== 'PERSON') return [];
  return [findingOf(person, company, { ...employed, raw: `contact ${joint}` })];
}

/** "Ann Hill, who runs business development at Acme" */
function headAt(view: SentenceView, at: number): Finding[] {
  const phrase = phraseAt(view, at + 1);
  if (!phrase || phrase.refs.length > 0 || view.lower(phrase.end) !== 'at') return [];
  const company = view.startingAt(phrase.end + 1);
  if (!company || !isEmployer(company)) return [];
  const raw = `${view.lower(at)} at`;
  return subjectBefore(view, at).map((self) => findingOf(self, company, { ...employed, raw }));
}

/** "sits on the supervisory board of Acme", "chairs the board of Acme" */
function boardAt(view: SentenceView, at: number): Finding[] {
  let end = at + 1;
  while (view.lower(end) === 'of' && boards.test(view.lower(end + 1))) end += 2;
  const company = view.lower(end) === 'of' ? view.nameAt(end + 1) : undefined;
  let start = at;
  while (boards.test(view.lower(start - 1)) || /^(?:the|its)$/.test(view.lower(start - 1))) start -= 1;
  if (!company || !/^(?:ORGANIZATION|OTHER)$/.test(company.entity.type)) return [];
  const joined = /^(?:on|to)$/.test(view.lower(start - 1)) ? start - 2 : start - 1;
  const verb = view.lower(joined);
  const isLed = joined === start - 1 && /^(?:chairs|chaired|heads|headed)$/.test(verb);
  if (!isLed && !(seating.test(verb) && (joined < start - 1 || /^join/.test(verb)))) return [];
  const predicate = isLed ? 'leads' : 'member_of';
  return subjectBefore(view, joined).map((source) =>
    findingOf(source, company, { predicate, raw: `${verb} board`, source: people, target: organizations }),
  );
}

/** "Ann Hill's novel Salt Road" */
function writtenAt(view: SentenceView, at: number): Finding[] {
  const author = view.isPossessive(at - 1) ? view.endingAt(at - 1) : undefined;
  const work = view.startingAt(view.lower(at + 1) === ',' ? at + 2 : at + 1);
  if (author?.entity.type !== 'PERSON' || !work || work.entity.type === 'PERSON') return [];
  const said = { predicate: 'created', raw: view.lower(at), source: people, target: [work.entity.type] };
  return [findingOf(author, work, said)];
}

/** "has two sons, Tom and Ben Hill" */
function childrenAt(view: SentenceView, at: number): Finding[] {
  const start = phraseStart(view, at);
  if (!/^(?:has|have|had)$/.test(view.lower(start - 1)) || !/^[,:]$/.test(view.lower(at + 1))) return [];
  const named = phraseAt(view, at + 2);
  const said = { predicate: 'child_of', raw: view.lower(at), source: people, target: people };
  return subjectBefore(view, start - 1).flatMap((parent) =>
    (named?.refs ?? []).map((child) => findingOf(child, parent, said)),
  );
}

/** "Petra Vogel of Bloomhaus", "this is Petra Vogel from Bloomhaus", "contact Petra Vogel at Bloomhaus" */
function memberAt(view: SentenceView, person: Ref): Finding[] {
  const at = person.start;
  if (person.entity.type !== 'PERSON' || person.indirect || person.end - at < 2) return [];
  const joint = view.lower(person.end);
  if (!/^(?:of|from|at|with)$/.test(joint)) return [];
  const company = view.nameAt(person.end + 1);
  if (!company || !isEmployer(company) || view.isPossessive(company.end)) return [];
  // "Rose Tierney of Albany": without a sign of business, "of" names where she lives.
  if (joint === 'of' && company.entity.type === 'OTHER' && !isAtWork(view, company.end)) return [];
  const before = view.lower(at - 1);
  // "Anke Stolz from Tessellate called today."
  const isCaller = reaching.test(view.lower(company.end));
  const introduces = /^(?:is|am|'m|’m|,|:)$/.test(before) && joint === 'from';
  // "led by Ann Hill at Oslo University"
  const isAgent = joint === 'at' && before === 'by' && company.entity.type === 'ORGANIZATION';
  const isContact = contacting.test(before) || isAgent;
  if (joint === 'at' || joint === 'with' ? !isContact : joint === 'from' && !introduces && !isCaller)
    return [];
  return [findingOf(person, company, { ...employed, raw: joint, confidence: 0.65 })];
}

/** Whether a sentence is about business, or says that somebody got in touch. */
function isAtWork(view: SentenceView, end: number): boolean {
  return reaching.test(view.lower(end)) || view.tokens.some(({ lower }) => business.test(lower));
}

/**
 * Whether a name may be an employer: an organization, or a name of unknown kind that
 * is not in capitals throughout.
 */
function isEmployer({ entity: { type, name, lazy } }: Ref): boolean {
  return type === 'ORGANIZATION' || (type === 'OTHER' && !lazy && !/^\p{Lu}+$/u.test(name));
}
