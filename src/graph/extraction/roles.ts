import { appointmentOf, namedAt, subjectBefore } from './appointments.js';
import type { Finding } from './clauses.js';
import { weakStrengthMax } from './entities.js';
import type { Entity } from './entities.js';
import { isAuthority, isDemonym, isDepartment, isRole, outsiders, titles } from './lexicon.js';
import { phraseAt, phraseStart } from './phrases.js';
import type { Phrase, Ref, SentenceView } from './phrases.js';
import { offices, roleRules } from './predicates.js';
import { describedBefore, namesEndingWith, overAge } from './subjects.js';
import { unsaid } from './unnamed-employers.js';
import type { Holder, Others } from './unnamed-employers.js';

const employment = ['ORGANIZATION', 'PRODUCT'];
const organizations = ['ORGANIZATION'];
const chainTokensMax = 20;
const compoundTokensMax = 5;
const postTokensMax = 4;
const ranks =
  /^(?:assistant|chief|deputy|executive|financial|general|managing|medical|operating|protection|regional|scientific|vice)$/;
/** Roles that a name before them describes, but seldom employs: "Bollywood actress". */
const callings =
  /^(?:act(?:or|ress)|artist|athlete|boxer|cleric|comedian|composer|cyclist|dancer|footballer|golfer|guitarist|model|musician|novelist|painter|pianist|player|poet|rapper|sculptor|singer|skater|skier|sprinter|star|swimmer|wrestler)$/;
/**
 * Roles that people provide to people. A name with one counts as the employer
 * only if it is surely a company's.
 */
const personal =
  /^(?:dentist|doctor|instructor|midwife|nurse|physician|physiotherapist|psychiatrist|psychologist|teacher|therapist|tutor)$/;
/** Roles that companies have towards others, as people do. */
const firmRoles =
  /^(?:advis[eo]r|attorney|auditor|banker|broker|counsel|distributor|guarantor|insurer|landlord|lawyer|lender|shareholder|solicitor|supplier|tenant|underwriter|vendor)s?$/;
const unitNouns = /^(?:branch|bureau|department|division|office|service|team|unit)$/;
/** Roles of people who know or have been to a place, and need not live there: "a Vietnam veteran". */
const remote =
  /^(?:analyst|ancestor|descendant|enthusiast|expert|fan|historian|hostage|lover|researcher|scholar|specialist|survivor|veteran|winner)$/;
const former = /^(?:former|ex|late|then|retired|onetime)$/;

/**
 * The relations that nouns for roles state: "Wei Zhang, the CTO of Nimbus", "Volvo spokesman Jo Lee", "Oslo
 * is the capital of Norway". In a supposition only what is mentioned in passing counts.
 */
export function readRoles(view: SentenceView, isSupposed: boolean): Finding[] {
  const findings: Finding[] = [];
  for (let at = 0; at < view.tokens.length; at += 1) {
    const ref = view.startingAt(at);
    if (ref) {
      at = ref.end - 1;
      continue;
    }
    const noun = view.lower(at);
    if (!(roleRules.has(noun) || isPost(noun))) continue;
    // "is part of", tagged as a verb
    if (view.pos(at) === 'VERB' && view.lower(at + 1) !== 'of') continue;
    // In "vice president" the last word counts.
    if (isRole(view.lower(at + 1)) && !view.startingAt(at + 1)) continue;
    // "Chief Technology Officer"
    if (noun === 'chief' && isRole(view.lower(at + 2)) && !view.startingAt(at + 1)) continue;
    findings.push(...readRole(view, at, isSupposed));
  }
  return [...findings, ...readCompounds(view)];
}

function readRole(view: SentenceView, at: number, isSupposed: boolean): Finding[] {
  const start = phraseStart(view, at);
  const named = othersOf(view, at, start);
  const holder = holderOf(view, { at, start, end: named.end });
  if (!holder || (isSupposed && holder.isClaim)) return [];
  const others = named.refs.length > 0 ? named : unsaid(view, { at, holder, end: named.end });
  const isFormer = Array.from({ length: at - start }, (_, index) => view.lower(start + index)).some((word) =>
    former.test(word),
  );
  // "Zalando's account manager" manages a company, "Ann's manager" a person.
  const ofAccount =
    view.lower(at) === 'manager' && /^(?:account|contract|relationship)$/.test(view.lower(at - 1));
  // A "general counsel" is employed, other counsel is not.
  const isOfficer = view.lower(at) === 'counsel' && ranks.test(view.lower(at - 1));
  return holder.refs.flatMap((source) =>
    others.refs.flatMap((target) => {
      const { preposition } = others;
      const found = roleOf(view.lower(at), { source, target, preposition, ofAccount, isOfficer });
      if (!found || source.entity === target.entity) return [];
      const raw = [postAt(view, at), preposition].filter((word) => word !== '').join(' ');
      const temporal = isFormer ? 'former' : holder.temporal;
      const when = temporal === undefined ? {} : { temporal };
      const confidence = temporal === 'planned' ? 0.5 : (holder.certain ? 0.85 : 0.7) * (temporal ? 0.9 : 1);
      return [
        { ...found, ...when, source, target, raw, confidence, from: holder.from ?? start, to: others.end },
      ];
    }),
  );
}

/** "chief executive officer", "vice president", "data protection officer": a post with what tells it from others. */
function postAt(view: SentenceView, at: number): string {
  let start = at;
  while (
    at - start < postTokensMax &&
    !view.startingAt(start - 1) &&
    !view.endingAt(start) &&
    (ranks.test(view.lower(start - 1)) || isDepartment([view.lower(start - 1)]))
  )
    start -= 1;
  // "CEO Ann Hill and CFO Bob Lee"
  if (/^(?:&|and|of)$/.test(view.lower(start))) start += 1;
  return view.tokens
    .slice(start, at + 1)
    .map(({ lower }) => lower)
    .join(' ');
}

/** Whether a noun is a post. "Lead", which other rules take for a verb, is one. */
function isPost(noun: string): boolean {
  return isRole(noun) || noun === 'lead';
}

/** The relation that a role states between its holder and the other end; undefined if these do not fit. */
function roleOf(
  noun: string,
  {
    source,
    target,
    preposition,
    ofAccount,
    isOfficer,
  }: {
    source: Ref;
    target: Ref;
    preposition: string;
    ofAccount: boolean;
    isOfficer: boolean;
  },
): Pick<Finding, 'predicate' | 'types'> | undefined {
  // "Their partner Ann Hill": nobody knows whose if it is not known what they are.
  if (noun === 'partner' && preposition === '' && target.entity.type === 'OTHER') return undefined;
  const rule = isOfficer ? undefined : roleRules.get(noun);
  const fits = (types: readonly string[], { entity }: Ref) =>
    types.includes(entity.type) || entity.type === 'OTHER' || mayEmploy(entity, types);
  // "a nurse at Kantonsspital": the other end counts as a patient only if it is surely a person.
  const isOwn = !personal.test(noun) || target.entity.type === 'PERSON';
  const fitsTarget = ofAccount ? organizations : (rule?.target ?? []);
  const isOwnPlace =
    preposition === '' && target.entity.type === 'LOCATION' && rule?.predicate !== 'capital_of';
  if (
    rule &&
    isOwn &&
    !isOwnPlace &&
    (preposition === '' || rule.prepositions.includes(preposition)) &&
    fits(rule.source, source) &&
    fits(fitsTarget, target)
  )
    return {
      predicate: rule.predicate,
      types: ofAccount ? { source: rule.source, target: organizations } : rule,
    };
  // "Globex, Acme's partner"
  if (noun === 'partner' && source.entity.type === 'ORGANIZATION' && fits(organizations, target))
    return { predicate: 'partners_with', types: { source: organizations, target: organizations } };
  if (!isPost(noun) || !fits(['PERSON'], source)) return undefined;
  const isPlace =
    target.entity.type === 'LOCATION' || (target.entity.type === 'OTHER' && preposition === 'of');
  if (isPlace && /^(?:of|to|)$/.test(preposition) && offices.has(noun))
    return { predicate: `${noun}_of`, types: { source: ['PERSON'], target: ['LOCATION', 'OTHER'] } };
  if (/^(?:at|for|with)$/.test(preposition) && isAuthority(target.entity.name))
    return { predicate: 'works_for' };
  if (target.entity.type === 'LOCATION') {
    // "an Atlanta architect", "a technician on High Island"
    if (preposition === '' && !remote.test(noun) && !outsiders.has(noun)) return { predicate: 'based_in' };
    return /^(?:in|at|for|from|of|on)$/.test(preposition) ? { predicate: 'based_in' } : undefined;
  }
  if (preposition === 'from' || preposition === 'to' || outsiders.has(noun)) return undefined;
  // "Minister for Agriculture"
  if (preposition === 'for' && offices.has(noun) && target.entity.strength <= weakStrengthMax)
    return undefined;
  if (!fits(employment, target)) return undefined;
  if (target.entity.type === 'OTHER' && preposition === 'in') return undefined;
  if (preposition === '' && onlyDescribes(target.entity, noun)) return undefined;
  return { predicate: 'works_for', types: { source: ['PERSON'], target: ['ORGANIZATION', 'PRODUCT'] } };
}

/** Whether a place does what organizations do: "a customer of the City of Utrecht". */
function mayEmploy({ name }: Entity, types: readonly string[]): boolean {
  return types.includes('ORGANIZATION') && isAuthority(name);
}

/** The other end of a role: "of Nimbus" after the noun, or "Nimbus's" or "Nimbus" before it. */
function othersOf(view: SentenceView, at: number, start: number): Others {
  let end = at + 1;
  // "VP Partnerships at Acme"
  while (/^\p{Lu}/u.test(view.tokens[end]?.text ?? '') && isDepartment([view.lower(end)])) end += 1;
  for (let next = end; next < at + chainTokensMax;) {
    // "editor and publisher of": the nouns share what follows.
    if (/^(?:and|,)$/.test(view.lower(next)) && isRole(view.lower(next + 1)) && !view.startingAt(next + 1)) {
      next += 2;
      while (!view.startingAt(next) && (isRole(view.lower(next)) || view.pos(next) === 'ADJ')) next += 1;
      end = next;
      continue;
    }
    const preposition = view.lower(next);
    if (!/^(?:of|for|at|with|in|from|to|on)$/.test(preposition)) break;
    // "auditor in place of Acme"
    if (preposition === 'in' && /^(?:place|lieu|succession)$/.test(view.lower(next + 1))) break;
    const phrase = phraseAt(view, next + 1);
    if (!phrase) break;
    const isDepartment = !roleRules.has(view.lower(at)) && phrase.refs.some(({ entity }) => isPlain(entity));
    if (phrase.refs.length > 0 && !isDepartment) return { refs: phrase.refs, preposition, end: phrase.end };
    const whole = phrase.refs.length === 0 ? ownerOfPart(view, next + 1, phrase) : undefined;
    if (whole) return { refs: [whole], preposition, end: phrase.end };
    // "chairman of the company's board at Acme" is read on; "friend of the mayor" is not.
    if (phrase.noun !== undefined && isRole(phrase.noun)) break;
    next = phrase.end;
    end = phrase.end;
  }
  const ref = refBefore(view, at, start);
  if (
    ref &&
    !isPlain(ref.entity) &&
    (ref.entity.type !== 'PERSON' || roleRules.get(view.lower(at))?.target.includes('PERSON'))
  )
    return { refs: [ref], preposition: '', end };
  return { refs: [], preposition: '', end };
}

/** Whether a name consists of common words: "Head of Data". */
function isPlain({ lazy, type }: Entity): boolean {
  return lazy && type === 'OTHER';
}

/** "with the USDA's research service": the organization that the unit is part of. */
function ownerOfPart(view: SentenceView, from: number, { end, noun = '' }: Phrase): Ref | undefined {
  if (!unitNouns.test(noun)) return undefined;
  return view.refs.find(
    (ref) =>
      ref.start >= from && ref.end < end && ref.entity.type === 'ORGANIZATION' && view.isPossessive(ref.end),
  );
}

/** The name before a role: not in "its customer's manager", who is the customer's. */
function refBefore(view: SentenceView, at: number, start: number): Ref | undefined {
  const ref = view.refs.findLast((each) => each.start >= start && each.end <= at);
  const isOthers = view.tokens.slice((ref?.end ?? at) + 1, at).some(({ lower }) => /^['’]s?$/.test(lower));
  return isOthers ? undefined : ref;
}

/**
 * Who holds a role: the name right after it, the name before it and a comma or
 * "is", or the one who is appointed.
 */
function holderOf(
  view: SentenceView,
  { at, start, end }: { at: number; start: number; end: number },
): Holder | undefined {
  const next = view.startingAt(at + 1);
  if (next && next.entity.type !== 'ORGANIZATION') return { refs: [next], certain: true, isClaim: false };
  const before = view.lower(start - 1);
  // "Hi Tom, Anna's manager is Bob Lee": whose verb follows is a subject, and describes no name before it.
  if (/^(?:[,(_–—]|--)$/.test(before) && !/^(?:is|was|are|were|has|had|will|would)$/.test(view.lower(end))) {
    const ref = describedBefore(view, overAge(view, start - 1));
    if (ref && !isGreeted(view, ref)) return { refs: [ref], certain: true, isClaim: false };
  }
  const appointment = appointmentOf(view, start);
  if (appointment) return { ...appointment, certain: true, isClaim: true };
  if (/^(?:is|was|became|becomes|remains|are|were|be|been|named|elected|appointed)$/.test(before)) {
    const subjects = subjectBefore(view, start - 1);
    const refs = /^(?:are|were)$/.test(before)
      ? subjects.flatMap((last) => namesEndingWith(view, last))
      : subjects;
    if (refs.length > 0) return { refs, certain: true, isClaim: true };
  }
  // "the manager of Acme is Bob Lee"
  const named = /^(?:is|was|are|were)$/.test(view.lower(end)) ? namedAt(view, end + 1) : undefined;
  const isPlace = view.lower(at) === 'capital' && /^(?:LOCATION|OTHER)$/.test(named?.entity.type ?? '');
  if (named && (isPlace || mayHold(named, view.lower(at))) && !/^(?:if|whether)$/.test(view.lower(start - 1)))
    return { refs: [named], certain: true, isClaim: true };
  // "the president of Acme, Bob Lee, …"
  const after = view.lower(end) === ',' ? namedAt(view, end + 1) : undefined;
  if (after?.entity.type !== 'PERSON' || !/^(?:[,.;]|of|)$/.test(view.lower(after.end))) return undefined;
  return { refs: [after], certain: false, isClaim: false };
}

/**
 * Whether a name may hold a role: a person, a company in roles that companies have, or
 * a longer name of unknown type.
 */
function mayHold({ entity }: Ref, noun: string): boolean {
  if (entity.type === 'PERSON') return true;
  if (entity.type === 'ORGANIZATION') return firmRoles.test(noun);
  return entity.type === 'OTHER' && !entity.lazy && (firmRoles.test(noun) || entity.name.includes(' '));
}

/** "Hi Tom, Anna's manager, Bob Lee, will call." */
function isGreeted(view: SentenceView, { start }: Ref): boolean {
  return /^(?:dear|hello|hey|hi|thanks|you)$/.test(view.lower(start - 1));
}

/** "Texas Gov. Ann Hill", "Acme's Bob Lee", "Volvo ex-chairman Jonathan Lee" */
function readCompounds(view: SentenceView): Finding[] {
  return view.refs.flatMap((target): Finding[] => {
    let at = target.end;
    let role = '';
    while (at < target.end + compoundTokensMax && !view.startingAt(at)) {
      const word = view.lower(at).replace(/\.$/, '');
      const isTitle =
        titles.has(word) || isRole(word) || word.split('-').some((part) => titles.has(part) || isRole(part));
      if (isTitle) role = word;
      else if (!(isOwner(view, target, at) || /^(?:NOUN|ADJ|PROPN)$/.test(view.pos(at)))) break;
      at += 1;
    }
    const source = view.startingAt(at);
    if (!source || source.entity.type !== 'PERSON' || source.entity === target.entity || at === target.end)
      return [];
    const isOwned = view.isPossessive(target.end) && at === target.end + 1;
    if (role === '' && !isOwned) return [];
    const predicate = compoundPredicate(target.entity, role);
    if (predicate === undefined) return [];
    return [
      { source, target, predicate, raw: role || 'of', confidence: 0.7, from: target.start, to: source.end },
    ];
  });
}

/** "Acme's CEO", but not "Acme customer's CEO" */
const isOwner = (view: SentenceView, { end }: Ref, at: number) => at === end && view.isPossessive(at);

/** Whether a name before a role only describes it, because nothing else shows that it is an organization. */
function onlyDescribes({ name, strength }: Entity, noun: string): boolean {
  // "an English Puritan minister"
  const isOfPeople = isDemonym(name.split(' ')[0]?.toLowerCase() ?? '');
  return (isOfPeople || callings.test(noun) || personal.test(noun)) && strength <= weakStrengthMax;
}

function compoundPredicate({ type }: Entity, role: string): string | undefined {
  // Read as a role already.
  if (roleRules.has(role) || isPost(role)) return undefined;
  if (type === 'ORGANIZATION') return 'works_for';
  if (type !== 'LOCATION' || role === '') return undefined;
  return offices.has(role) ? `${role}_of` : 'based_in';
}
