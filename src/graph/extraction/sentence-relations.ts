import { calendarOf } from './calendar-times.js';
import { readCareers } from './careers.js';
import { readClauses } from './clauses.js';
import type { Finding } from './clauses.js';
import { findDates } from './dates.js';
import type { DatePlace } from './dates.js';
import { readDealings } from './dealings.js';
import { readAgreements, readDeeds, readListed } from './deeds.js';
import { weakStrengthMax } from './entities.js';
import type { Entity } from './entities.js';
import { isAuthority } from './lexicon.js';
import { isOtherWord } from './name-words.js';
import { isNamedGroup } from './phrases.js';
import type { SentenceView } from './phrases.js';
import { inRegions, readDateline, readPlaces } from './places.js';
import type { ReadSentence, Statement } from './read-chunk.js';
import { readRoles } from './roles.js';
import { readSeats } from './seats.js';
import { readTasks } from './tasks.js';

const strengthByRelation = 4;
/** How many characters behind its words the date of a relation may begin. */
const dateCharactersMax = 40;
/** "… and in" */
const joining = / and (?:\w+ )?$/;
const supposing =
  /\b(?:if|unless|whether|suppose|supposing|imagine|pretend|hypothetical\w*|allegedly|reportedly|supposedly|probably|possibly|perhaps|maybe|presumably|purportedly|rumou?red|rumou?rs?|denie[sd]|deny|denying|untrue|false|falsely|mistakenly|wrongly|myth|hoax|unclear|claim(?:s|ed|ing)? (?:that|to)|speculat\w+|hopes|hoped|wish\w*|wants?|wanted|plans? to|planned to|unlikely|doubts?|doubtful|fiction\w*|let['’]s say|in the (?:film|movie|novel|story|book|episode|series|game|musical|opera)(?! (?:business|industry)))\b/i;

/** "We hope", but not "Hope Lamb". */
const hoping = /\bhope\b|\bHope (?!\p{Lu})/u;

/** "…, but it doesn't.", "…, which is not true.": what a sentence takes back at its end. */
const takenBack =
  /,? (?:which|(?:but|though|although|and) (?:it|that|this|he|she|they)) (?:(?:is|was|are|were|does|did|do|has|had|have|will|would)(?: not|n['’]t)(?: (?:true|correct|right|the case|anymore|any more|happen(?:ed)?|work|yet))?|(?:is|was|are|were|turned out to be) (?:wrong|outdated|incorrect|untrue|false))[.!]?["'”’)\s]*$/u;

/** Names that occur only in examples. */
const placeholder =
  /^(?:example|sample)\b[^.!?]{0,20}:|\b(?:John Doe|Joe Bloggs|(?:Max|Erika) Mustermann)\b/i;

/** A relation with its time, in the words of the sentence. */
export interface SentenceRelation extends Finding {
  readonly temporalDetails: string | null;
}

/**
 * The relations that a sentence states between its mentions. Questions state none; suppositions
 * only what they mention in passing.
 */
export function readRelations(
  view: SentenceView,
  { text, states }: ReadSentence,
  /** The day on which it was written. */
  day?: string,
): SentenceRelation[] {
  if (/\?["'”’)\s]*$/.test(text) || view.refs.length < (view.employer ? 1 : 2)) return [];
  if (placeholder.test(text.trim())) return [];
  if (states) return readStatement(view, states);
  const isSupposed = supposing.test(text) || (text.includes('ope ') && hoping.test(text));
  // "Ann and Bob work for Volvo and Saab, respectively": the clauses do not tell who works for which.
  const isUnread = isSupposed || takenBack.test(text) || /\brespectively\b/i.test(text);
  // Clauses come first, since they settle the types of unknown names.
  const clauses = isUnread
    ? []
    : [
        ...readClauses(view),
        ...readDeeds(view),
        ...readListed(view),
        ...readAgreements(view),
        ...readDealings(view),
        ...readCareers(view),
        ...readTasks(view),
      ];
  const stated = [...clauses, ...readRoles(view, isSupposed)].filter(
    (finding) => !isCircle(view, finding) && acceptTypes(finding),
  );
  // Places do not change with time, so dates do not apply to them.
  const placed = [...readPlaces(view), ...readSeats(view), ...readDateline(view)].filter(acceptTypes);
  const isTimeless = new Set(placed);
  let dates: readonly DatePlace[] | undefined;
  return withoutNamesakes([...stated, ...placed, ...inRegions([...stated, ...placed])]).map((finding) => ({
    ...finding,
    temporalDetails:
      isTimeless.has(finding) || isOtherTime(finding)
        ? null
        : timeOf(view, finding, { text, dates: (dates ??= findDates(text)), day }),
  }));
}

/** "Ann joined the Facebook group": for people who do not work there, a group is one of people. */
function isCircle(view: SentenceView, { source, target, raw }: Finding): boolean {
  const ofPerson = source.entity.type === 'PERSON' || target.entity.type === 'PERSON';
  const isGroup = [source, target].some((ref) => isNamedGroup(view, ref));
  return isGroup && ofPerson && !/^(?:ceo|chief|c[fot]o|work)/.test(raw);
}

/**
 * Whether the date is of another relation: "joins Globex on 1 May from Acme"
 * does not say when Acme was left.
 */
function isOtherTime({ predicate, raw }: Finding): boolean {
  return predicate === 'left' && /^(?:re)?join/.test(raw);
}

/** "Ann Lee, CEO of Acme, met Ann Lee of Globex": keeps only the relations of the first of two namesakes. */
function withoutNamesakes(findings: readonly Finding[]): Finding[] {
  const second = new Set(
    findings
      .filter(
        ({ source, target, predicate }) =>
          predicate === 'met' && source.entity === target.entity && !source.indirect && !target.indirect,
      )
      .map(({ target }) => target.start),
  );
  return findings.filter(
    ({ source, target }) =>
      source.entity !== target.entity && !second.has(source.start) && !second.has(target.start),
  );
}

function readStatement({ refs }: SentenceView, states: Statement): SentenceRelation[] {
  const [target, source] = refs;
  if (!source || !target || source.entity === target.entity) return [];
  return [{ ...states, source, target, from: 0, to: 2, temporalDetails: states.time ?? null }];
}

/** Whether both ends may have the types of the relation. Ends of unknown type are given them. */
function acceptTypes({ source, target, types }: Finding): boolean {
  if (!types) return true;
  if (!mayBe(source.entity, types.source) || !mayBe(target.entity, types.target)) return false;
  become(
    source.entity,
    alike(types.source, types.target, { own: source.entity.type, type: target.entity.type }),
  );
  become(
    target.entity,
    alike(types.target, types.source, { own: target.entity.type, type: source.entity.type }),
  );
  return true;
}

/**
 * "Tessera works with SQL Server": where both ends may be the same, products go with products, and people with
 * people, unless a name looks like a person's.
 */
function alike(
  types: readonly string[],
  others: readonly string[],
  { type, own }: { readonly type: string; readonly own: string },
): readonly string[] {
  if (own === 'PERSON') return types;
  if (types.length === 1 || types.join() !== others.join() || type === 'PERSON' || type === 'OTHER')
    return types;
  return type === 'PRODUCT' && types.includes(type) ? [type] : types.filter((each) => each !== 'PERSON');
}

function mayBe(entity: Entity, types: readonly string[]): boolean {
  if (types.includes(entity.type) || (types.includes('ORGANIZATION') && isAuthority(entity.name)))
    return true;
  // "Snowflake leads Databricks", "DHL replaced GLS": such names are no people.
  const isNobody =
    types.every((type) => type === 'PERSON') &&
    (/^\p{Lu}{2,6}$/u.test(entity.name) || isOtherWord(entity.name.toLowerCase()));
  return entity.strength <= weakStrengthMax && !isNobody;
}

/**
 * Gives an entity of unknown type the first of these types. A single word becomes a person only if nothing
 * else is possible: "built by Initech".
 */
function become(entity: Entity, types: readonly string[]): void {
  const fitting = entity.name.includes(' ') ? types : types.filter((type) => type !== 'PERSON');
  const isUnknown = entity.type === 'OTHER' || !types.includes(entity.type);
  const type = fitting[0] ?? types[0];
  if (type === undefined || !isUnknown || entity.strength > weakStrengthMax) return;
  entity.type = type;
  entity.strength = strengthByRelation;
}

function timeOf(
  view: SentenceView,
  finding: Finding,
  { text, dates, day }: { text: string; dates: readonly DatePlace[]; day: string | undefined },
): string | null {
  const near = dates.filter((date) => isOf(view, finding, { text, date }));
  const isPlanned = finding.temporal === 'planned';
  const told = ({ text: time, start, end }: DatePlace) =>
    day === undefined
      ? time
      : `${time}${calendarOf(text.slice(start, end), { day, raw: finding.raw, isPlanned })}`;
  const parts = [finding.temporal, ...near.slice(0, 2).map(told)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(', ') : null;
}

/**
 * Whether a date is the time of a finding. It must begin the sentence, or stand among or soon behind the
 * words of the finding, with no other verb between.
 */
function isOf(
  view: SentenceView,
  { from, to, source, target }: Finding,
  { text, date }: { text: string; date: DatePlace },
): boolean {
  const [first, last] = [Math.min(from, source.start, target.start), Math.max(to, source.end, target.end)];
  const begins = view.tokens[first]?.start ?? 0;
  const ends = view.tokens[last - 1]?.end ?? 0;
  const [dateFrom, dateTo] = [tokenAt(view, date.start), tokenAt(view, date.end)];
  if (isLifeSpan(view, { from: dateFrom, to: dateTo }, from)) return false;
  if (date.start >= ends) {
    const between = text.slice(ends, date.start);
    if (date.start > ends + dateCharactersMax) return false;
    if (/^,? (?:effective|starting|with effect) $/.test(between)) return true;
    // "joined Acme in 2019 and in 2021 moved": the second date is of the verb behind it.
    const isOfNext = joining.test(between) && hasVerb(view, dateTo, dateTo + 1);
    return !/[,;]|^ and (?:\w+ )?$/.test(between) && !isOfNext && !hasVerb(view, last, dateFrom);
  }
  if (date.start >= begins) {
    if (dateFrom >= to) return !hasVerb(view, to, dateFrom);
    if (dateTo === from && joining.test(text.slice(0, date.start))) return true;
    // Among the words of the finding, or right behind the name: in ", CFO since 2019," it is of the office.
    const named = view.tokens[Math.min(source.end, target.end) - 1]?.end ?? 0;
    return dateFrom >= from || !/\p{L}/u.test(text.slice(named, date.start));
  }
  const leads = !/\p{L}/u.test(text.slice(0, date.start)) && !/;/.test(text.slice(date.end, begins));
  return leads && verbsIn(view, dateTo, from).every((verb) => being.test(verb));
}

/** "Ann Hill (1911–1987) was …": whether a date stands in brackets that end before what is said. */
function isLifeSpan(
  { tokens }: SentenceView,
  date: { readonly from: number; readonly to: number },
  said: number,
): boolean {
  const open = tokens.findLastIndex(({ text }, at) => at < date.from && /^[()]$/.test(text));
  const close = tokens.findIndex(({ text }, at) => at >= date.to && /^[()]$/.test(text));
  return tokens[open]?.text === '(' && tokens[close]?.text === ')' && close < said;
}

function tokenAt({ tokens }: SentenceView, character: number): number {
  const at = tokens.findIndex(({ end }) => end > character);
  return at < 0 ? tokens.length : at;
}

/** "Since May Ann has been CFO": verbs that belong to the office itself. */
const being = /^(?:is|was|are|were|has|have|had|been|became|becomes|served|serves)$/;

function hasVerb(view: SentenceView, from: number, to: number): boolean {
  return verbsIn(view, from, to).length > 0;
}

function verbsIn({ tokens }: SentenceView, from: number, to: number): string[] {
  return tokens
    .slice(from, Math.max(from, to))
    .flatMap(({ pos, lower }) => (/^(?:VERB|AUX)$/.test(pos) ? [lower] : []));
}
