import { weakStrengthMax } from './entities.js';
import type { Ref, SentenceView } from './phrases.js';
import { isParticiple, verbOf, verbRules } from './predicates.js';
import type { VerbRule } from './predicates.js';
import { isPast, isStated } from './stated.js';
import { subjectsOf } from './subjects.js';
import { isProgrammingLanguage } from './technical-nouns.js';
import { argumentsOf, isParticle } from './verb-arguments.js';
import type { Argument } from './verb-arguments.js';

/** A relation that a sentence states between two of its mentions. */
export interface Finding {
  readonly source: Ref;
  readonly target: Ref;
  readonly predicate: string;
  readonly raw: string;
  readonly confidence: number;
  /** The tokens that state it, from `from` to before `to`. Dates within or right behind them are its time. */
  readonly from: number;
  readonly to: number;
  /** The types that each end may have. The first one is given to an end of unknown type. */
  readonly types?: { readonly source: readonly string[]; readonly target: readonly string[] };
  readonly temporal?: string;
}

/** A verb with its auxiliaries and adverbs. */
export interface VerbGroup {
  readonly start: number;
  /** The index of its last verb. */
  readonly main: number;
  readonly verb: string;
  readonly passive: boolean;
  readonly future: boolean;
}

/** Predicates of states, which may have ended. */
const lasting =
  /^(?:based_in|depends_on|hosts|lives_in|located_in|makes|manages|member_of|owns|part_of|partners_with|plays_for|reports_to|represents|runs_on|supplies|supports|uses|works_for|works_with|leads)$/;
const suppliedTokensMax = 7;
/** Where people are born, live and die. */
const personal = /^(?:born|buried|died|grew_up|lives)_in$/;
/** Verbs whose participle describes the noun before it: "Toyota, based in Aichi". */
const placing = /^(?:base|headquarter|locate|situate|bear|bury)$/;
/**
 * Verbs that may have an object before their preposition: "studied physics at". With others, as in "wrote
 * the proposal for Acme", the preposition belongs to the object.
 */
const transitive = /^(?:study|teach|lecture|play|invest|publish|consume|join)$/;
const moving = /^(?:move|relocate)$/;
/** Changes that somebody who "is joining Acme" has still ahead. */
const changing = /^(?:acquiring|buying|joining|leaving|moving|quitting)$/;
const employing = /^(?:work(?:s|ed|ing)|joined|left|leaving|quit|resigned|hired|employed)$/;
/** "supplies lenses to Acme", "buys ore from Acme"; not "supplied Globex to Acme". */
const supplying = /^(?:buy|deliver|purchase|ship|source|supply)$/;
/** What one wins; other things that are received are not won. */
const prizes =
  /\b(?:awards?|championships?|cups?|decorations?|fellowships?|honou?rs?|medals?|oscars?|prizes?|scholarships?|titles?|trophy)\b/i;
const passiveArguments = /^(?:in|at|near|on|to|with)$/;

/** The relations that the verbs of a sentence state between its mentions. */
export function readClauses(view: SentenceView): Finding[] {
  const findings: Finding[] = [];
  let subjects: readonly Ref[] = [];
  let last: VerbGroup | undefined;
  for (let at = 0; at < view.tokens.length;) {
    const group = groupAt(view, at);
    if (!group) {
      // In "Denholm Shipping is represented" the tagger takes a word of the name for a verb.
      at = view.startingAt(at)?.end ?? at + 1;
      continue;
    }
    const before = last;
    const isSaid = () => before !== undefined && !before.future && isStated(view, before);
    subjects = subjectsOf(view, group, { subjects, isSaid });
    last = group;
    if (group.verb !== '' && isStated(view, group)) findings.push(...readGroup(view, group, subjects));
    at = group.main + 1;
  }
  return findings;
}

function groupAt(view: SentenceView, start: number): VerbGroup | undefined {
  if (view.startingAt(start) || !isVerb(view, start)) return undefined;
  let end = start;
  let main = start;
  while (end < view.tokens.length && !view.startingAt(end)) {
    const isAdverb =
      end > start &&
      (/^(?:ADV|PART)$/.test(view.pos(end)) ||
        /^(?:not|n['’]t|never|no|longer|also|since|himself|herself|itself|themselves)$/.test(
          view.lower(end),
        ));
    if (isVerb(view, end)) main = end;
    else if (!isAdverb) break;
    end += 1;
  }
  const words = Array.from({ length: main - start }, (_, at) => view.lower(start + at));
  const lower = view.lower(main);
  const hasBe = words.some((word) => /^(?:is|are|was|were|be|been|being|'s|'re|got|gets?)$/.test(word));
  const isReduced =
    words.length === 0 &&
    isParticiple(lower) &&
    (start === 0 ||
      view.lower(behindYear(view, main + 1)) === 'by' ||
      placing.test(verbOf(lower) ?? '') ||
      /^(?:convicted of|assigned to)$/.test(`${lower} ${view.lower(main + 1)}`));
  const isUnderWay =
    changing.test(lower) && words.some((word) => /^(?:is|are|am|['’](?:s|re|m))$/.test(word));
  const future = isUnderWay || words.some((word) => /^(?:agree[ds]|will|shall|['’]ll)$/.test(word));
  return {
    start,
    main,
    verb: verbOf(lower) ?? '',
    passive: isParticiple(lower) && (hasBe || isReduced),
    future,
  };
}

/** "founded in 1990 by Ann Hill": the index behind a year. */
function behindYear(view: SentenceView, at: number): number {
  return view.lower(at) === 'in' && /^(?:1[5-9]|20)\d\d$/.test(view.lower(at + 1)) ? at + 2 : at;
}

function isVerb(view: SentenceView, at: number): boolean {
  const pos = view.pos(at);
  if (pos === 'VERB' || pos === 'AUX') return true;
  const lower = view.lower(at);
  // "Bob reports to Alice": tagged as a noun, but between two names.
  if (verbOf(lower) === undefined || !/^(?:ADJ|ADV|NOUN|PROPN)$/.test(pos)) return false;
  if (!/^\p{Ll}/u.test(view.tokens[at]?.text ?? '')) return false;
  const subject = view.endingAt(at);
  const before = view.lower(at - 1);
  const isLinked = /^(?:who|which|that|is|are|was|were|been)$/.test(before);
  // "Anna Berg, the owner, lives in …"
  const isAfterInsertion = before === ',' && view.pos(at + 1) === 'ADP' && lower.endsWith('s');
  // "… an engineer and lives in Oslo"
  const isSecond =
    before === 'and' &&
    ((/^(?:lives|works|reports)$/.test(lower) && view.pos(at + 1) === 'ADP') || lower === 'married');
  if (!subject && !isLinked && !isAfterInsertion && !isSecond) return false;
  const next =
    view.startingAt(at + 1) !== undefined ||
    (view.pos(at + 1) === 'ADV' && view.lower(at + 2) === 'to') ||
    /^(?:ADP|DET|PART)$/.test(view.pos(at + 1)) ||
    (lower === 'shot' && view.lower(at + 1) === 'and') ||
    (/^(?:forwards|pushes|reads|routes|sends|stores|streams|supplies|writes)$/.test(lower) &&
      suppliesTo(view, at));
  const isPlural = subject !== undefined && view.lower(subject.start - 1) === 'and';
  return next && (isPlural || /(?:s|ed)$|^(?:born|shot)$/.test(lower));
}

/** "supplies lenses to", "stores orders in", tagged as nouns. */
function suppliesTo(view: SentenceView, at: number): boolean {
  for (let next = at + 1; next < at + suppliedTokensMax; next += 1) {
    if (/^(?:from|in|to)$/.test(view.lower(next))) return next > at + 1;
    if (!/^(?:ADJ|ADV|NOUN|CCONJ)$/.test(view.pos(next))) return false;
  }
  return false;
}

function readGroup(view: SentenceView, group: VerbGroup, subjects: readonly Ref[]): Finding[] {
  const found = argumentsOf(view, sharedEnd(view, group.main) + 1);
  const read = group.passive ? readPassive : readActive;
  const findings = (verbRules.get(group.verb) ?? []).flatMap((rule) =>
    read(view, { group, rule, found, subjects: rule.ofSystems ? subjects.filter(isSystem) : subjects }),
  );
  if (group.future) return findings.map((finding) => ({ ...finding, temporal: 'planned' }));
  return isPast(view, group)
    ? findings.map((finding) =>
        lasting.test(finding.predicate) ? { ...finding, temporal: 'former' } : finding,
      )
    : findings;
}

const isSystem = ({ entity }: Ref) => entity.type === 'PRODUCT' && entity.strength > weakStrengthMax;

/**
 * "founded and leads Acme", "shot and mortally wounded him": the index of the
 * last verb that shares the object.
 */
function sharedEnd(view: SentenceView, main: number): number {
  if (view.lower(main + 1) !== 'and') return main;
  const next = view.pos(main + 2) === 'ADV' ? main + 3 : main + 2;
  const isSecond =
    view.pos(next) === 'VERB' && !view.startingAt(next) && !/^(?:AUX|VERB|PART)$/.test(view.pos(next + 1));
  return isSecond ? next : main;
}

interface Reading {
  readonly group: VerbGroup;
  readonly rule: VerbRule;
  readonly found: readonly Argument[];
  readonly subjects: readonly Ref[];
}

function readActive(view: SentenceView, { group, rule, found, subjects }: Reading): Finding[] {
  if (rule.passiveOnly || (rule.presentOnly && /^bought$|ed$/.test(view.lower(group.main)))) return [];
  const [first] = found;
  const isBare = rule.prepositions.includes('') && first?.preposition === '';
  const argument = isBare ? first : joinedBy(found, rule, ({ preposition }) => preposition !== '');
  // "moved the service to Oslo" says where the service is, not where its subject is.
  const isSupply = supplying.test(group.verb);
  const isSupplied = isSupply && first?.refs.length === 0;
  if (isBare && isSupply && found[1]?.preposition === 'to') return [];
  const isSent = rule.ofSystems && first?.refs.length === 0;
  const hasOtherObject =
    !isBare && first?.preposition === '' && !transitive.test(group.verb) && !isSupplied && !isSent;
  if (!argument || hasOtherObject) return [];
  // "joined Nimbus from Acme", but "joined the call from Acme"
  if (
    group.verb === 'join' &&
    !isBare &&
    first?.preposition !== 'as' &&
    !first?.refs.some(({ entity: { type } }) => /^(?:ORGANIZATION|OTHER)$/.test(type))
  )
    return [];
  const raw = rawOf(view, group.main, argument.preposition);
  // "The docs are in Confluence": a name that counts as a place only because of "in" is no location.
  const isSure = ({ entity }: Ref) => entity.type === 'LOCATION' && entity.strength > weakStrengthMax;
  let { refs } = argument;
  if (group.verb === 'be' && argument.preposition !== 'from') refs = refs.filter(isSure);
  // "worked at Fiat, then moved to Eni": whether that is a place or an employer is only clear if the name tells.
  if (moving.test(group.verb) && speaksOfWork(view, group.start)) refs = refs.filter(isSure);
  if (group.verb === 'receive') refs = refs.filter(({ entity }) => prizes.test(entity.name));
  const isSubstituted = group.verb === 'replace' && isBare && view.lower(argument.end) === 'with';
  if (rule.substitutes && isBare) {
    const other = found[1];
    if (other?.preposition === 'with')
      return pairsOf(other.refs, refs, { group, rule, raw: `${raw} with`, end: other.end, swap: false });
  }
  // Whoever replaces one thing with another does not replace it himself; what is taken over from a colleague is no purchase.
  const isHandedOver =
    group.verb === 'take' && argument.preposition === 'over' && view.lower(argument.end) === 'from';
  if (isSubstituted || isHandedOver) return [];
  // "Ann Hill is in Oslo": what may be anybody is no place.
  const isAnything = group.verb === 'be' && /^(?:at|in|near)$/.test(argument.preposition);
  const sources = isAnything ? subjects.filter(({ entity }) => entity.type !== 'OTHER') : subjects;
  const all = sources.length > 0 ? [...sources, ...partnersOf(view, rule, found)] : [];
  return pairsOf(all, refs, { group, rule, raw, end: argument.end, swap: rule.inverse });
}

/** The argument that a rule joins to its verb. Of several places the one with a name counts: "died at home in Graz". */
function joinedBy(
  found: readonly Argument[],
  { prepositions, predicate }: VerbRule,
  may: (argument: Argument) => boolean,
): Argument | undefined {
  const fitting = found.filter((each) => prepositions.includes(each.preposition) && may(each));
  const named = personal.test(predicate) ? fitting.find(({ refs }) => refs.length > 0) : undefined;
  return named ?? fitting[0];
}

/** "founded Acme with Bob Lee", but not "… with Bob Lee as its chairman" */
function partnersOf(
  view: SentenceView,
  { predicate }: VerbRule,
  [first, second]: readonly Argument[],
): Ref[] {
  const isJoint = predicate === 'founded' && first?.preposition === '' && second?.preposition === 'with';
  if (!isJoint || view.lower(second.end) === 'as') return [];
  return second.refs.filter(({ entity }) => entity.type === 'PERSON');
}

/** Whether a verb for employment precedes a token. */
function speaksOfWork(view: SentenceView, end: number): boolean {
  return view.tokens.slice(0, end).some(({ lower }) => employing.test(lower));
}

/** The verb with what joins it to its object: "grew up in". */
function rawOf(view: SentenceView, main: number, preposition: string): string {
  if (preposition === '') return view.lower(main);
  const particle = isParticle(view, main + 1) ? [view.lower(main + 1)] : [];
  return [view.lower(main), ...particle, preposition].join(' ');
}

/** "Globex was acquired by Acme", "Acme is based in Oslo" */
function readPassive(view: SentenceView, { group, rule, found, subjects }: Reading): Finding[] {
  const by = found.find(({ preposition }) => preposition === 'by');
  const raw = view.lower(group.main);
  // "was taken over by Acme"
  if (rule.prepositions.includes('over') && view.lower(group.main + 1) === 'over') {
    const [taker] = view.lower(group.main + 2) === 'by' ? argumentsOf(view, group.main + 2) : [];
    return pairsOf(taker?.refs ?? [], subjects, {
      group,
      rule,
      raw: `${raw} over by`,
      end: taker?.end ?? group.main,
      swap: false,
    });
  }
  if (rule.prepositions.includes('')) {
    if (!by) return [];
    // "Acme, Oslo, represented by Ann Hill": without "was" it is Acme that is represented, not the place.
    const done =
      rule.predicate === 'represents' && group.start === group.main
        ? subjects.filter(({ entity }) => entity.type !== 'LOCATION')
        : subjects;
    return pairsOf(by.refs, done, { group, rule, raw: `${raw} by`, end: by.end, swap: rule.inverse });
  }
  const argument = joinedBy(found, rule, ({ preposition }) => passiveArguments.test(preposition));
  if (!argument) return [];
  const { refs } = argument;
  const isWriting = rule.predicate === 'written_in';
  const targets = isWriting ? refs.filter(({ entity }) => isProgrammingLanguage(entity.name)) : refs;
  return pairsOf(subjects, targets, {
    group,
    rule,
    raw: `${raw} ${argument.preposition}`,
    end: argument.end,
    swap: false,
  });
}

function pairsOf(
  sources: readonly Ref[],
  targets: readonly Ref[],
  {
    group,
    rule,
    raw,
    end,
    swap,
  }: { group: VerbGroup; rule: VerbRule; raw: string; end: number; swap: boolean },
): Finding[] {
  const [from, to] = swap ? [targets, sources] : [sources, targets];
  const confidence = group.future ? 0.5 : 0.8;
  return from.flatMap((source) =>
    to.map((target) => ({
      source,
      target,
      predicate: rule.predicate,
      raw,
      confidence,
      from: group.start,
      to: end,
      types: swap
        ? { source: rule.target, target: rule.source }
        : { source: rule.source, target: rule.target },
    })),
  );
}
