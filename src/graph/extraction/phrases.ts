import type { Entity } from './entities.js';
import { isRole } from './lexicon.js';
import { verbOf } from './predicates.js';
import type { Token } from './reader.js';
import { relative } from './relatives.js';

/** A mention of an entity in a sentence, by name or by a word that refers to it. */
export interface Ref {
  readonly start: number;
  readonly end: number;
  readonly entity: Entity;
  /** Whether it is by such a word: "she", "the company". */
  readonly indirect: boolean;
}

/** Who employs a chief whose company a sentence does not name. */
interface Employers {
  readonly employer: Entity | undefined;
  /** The same, if the text is about it. */
  readonly topic: Entity | undefined;
}

/** The tokens of a sentence, with its mentions by the places where they begin and end. */
export class SentenceView {
  private readonly starts = new Map<number, Ref>();
  private readonly ends = new Map<number, Ref>();
  readonly employer: Entity | undefined;

  constructor(
    readonly tokens: readonly Token[],
    readonly refs: readonly Ref[],
    private readonly employers: Employers,
  ) {
    this.employer = employers.employer;
    for (const ref of refs) {
      this.starts.set(ref.start, ref);
      this.ends.set(ref.end, ref);
    }
  }

  get topic(): Entity | undefined {
    return this.employers.topic;
  }

  startingAt(index: number): Ref | undefined {
    return this.starts.get(index);
  }

  endingAt(index: number): Ref | undefined {
    return this.ends.get(index);
  }

  /** The name that begins at a token, or behind "the" there. */
  nameAt(index: number): Ref | undefined {
    return this.startingAt(this.lower(index) === 'the' ? index + 1 : index);
  }

  lower(index: number): string {
    return this.tokens[index]?.lower ?? '';
  }

  pos(index: number): string {
    return this.tokens[index]?.pos ?? '';
  }

  isPossessive(index: number): boolean {
    return /^['’]s?$/.test(this.lower(index));
  }
}

/** A noun phrase, with further names that "and" joins to it. */
export interface Phrase {
  readonly end: number;
  /** The names at its head; empty if that is a common noun. */
  readonly refs: readonly Ref[];
  readonly noun: string | undefined;
}

const determiners =
  /^(?:the|a|an|its|his|her|their|our|my|this|that|these|those|some|both|all|no|any|each|every|another|\d[\d,.]*|\$)$/;
const phraseTokensMax = 14;

/** The noun phrase that begins at a token; undefined if none does. */
export function phraseAt(view: SentenceView, from: number): Phrase | undefined {
  let noun: string | undefined;
  for (let at = from; at < Math.min(from + phraseTokensMax, view.tokens.length);) {
    const ref = view.startingAt(at);
    if (ref) {
      if (view.isPossessive(ref.end) && ref.end + 1 < view.tokens.length) at = ref.end + 1;
      else if (/^(?:its|his|her|their|whose)$/.test(view.lower(ref.start))) at = ref.end;
      else if (isNamed(system, view, ref) || isNamed(group, view, ref))
        return { end: ref.end + 1, refs: [ref], noun };
      else if (isCommonNoun(view, ref.end)) at = ref.end;
      else if (isSeatAt(view, ref.end)) at = ref.end + 2;
      else return { end: coordinationEnd(view, ref), refs: coordinated(view, ref), noun };
      continue;
    }
    // "wrote that Acme is late"
    if (view.lower(at) === 'that' && view.startingAt(at + 1)) return undefined;
    if (!belongs(view, at)) return at > from ? { end: at, refs: [], noun } : undefined;
    if (view.pos(at) === 'NOUN' || view.pos(at) === 'PROPN') noun = view.lower(at);
    at += 1;
  }
  return undefined;
}

/** What a noun says that stands behind a name and only tells what it is. */
interface Kind {
  readonly nouns: RegExp;
  /** The types of what is named so. */
  readonly types: RegExp;
  /** What stands before the name. */
  readonly before: RegExp;
}

/** "replaces the old Osprey system" */
const system: Kind = {
  nouns: /^(?:app|application|database|framework|library|platform|software|system|tool)$/,
  types: /^(?:PRODUCT|OTHER)$/,
  before: /^(?:the|its|our|their|old|new|existing|legacy|former|current)$/,
};
/** "the Elvina group", which is several companies */
const group: Kind = { nouns: /^group$/, types: /^ORGANIZATION$/, before: /^the$/ };

function isNamed(kind: Kind, view: SentenceView, { start, end, entity }: Ref): boolean {
  return (
    kind.nouns.test(view.lower(end)) &&
    kind.types.test(entity.type) &&
    kind.before.test(view.lower(start - 1)) &&
    !/^(?:NOUN|PROPN)$/.test(view.pos(end + 1))
  );
}

/** "the Elvina group": whether the noun behind the name of a company only says that it is several. */
export function isNamedGroup(view: SentenceView, ref: Ref): boolean {
  return isNamed(group, view, ref);
}

/**
 * Whether "-based" follows, as in "the Boston-based Atlantic Trust". Such words are divided at the hyphen,
 * so that the place is recognised.
 */
export function isSeatAt(view: SentenceView, at: number): boolean {
  return /^[-‐‑]$/.test(view.lower(at)) && /^(?:based|headquartered)$/.test(view.lower(at + 1));
}

function belongs(view: SentenceView, at: number): boolean {
  const pos = view.pos(at);
  if (determiners.test(view.lower(at)) || view.lower(at) === 'start-up') return true;
  if (/^(?:DET|ADJ|NUM|NOUN|PROPN|SYM)$/.test(pos)) return true;
  const next = view.pos(at + 1);
  return (
    (pos === 'ADV' || pos === 'VERB') &&
    /^(?:ADJ|NOUN|PROPN)$/.test(next) &&
    /(?:ly|ed|ing)$/.test(view.lower(at))
  );
}

const isFounder = /^(?:co-?founder|founder|owner|president|chairman|chairwoman|chair)$/;

const timeWords = /^(?:last|next|this|early|earlier|late|later|yesterday|today|tomorrow|\d.*)$/;

/** Whether a noun follows that the name only describes: "Acme shares". */
export function isCommonNoun(view: SentenceView, at: number): boolean {
  const token = view.tokens[at];
  if (!token || view.startingAt(at)) return false;
  if (isNounAsVerb(view, at)) return true;
  if (!/^(?:NOUN|ADJ)$/.test(token.pos) || !/^\p{Ll}/u.test(token.text) || timeWords.test(token.lower))
    return false;
  const isVerb =
    verbOf(token.lower) !== undefined &&
    /^(?:ADP|DET|PROPN|PRON)$/.test(view.pos(at + 1)) &&
    token.lower.endsWith('s');
  return !isVerb;
}

/**
 * "owns the Acme upgrade": whether a word tagged as a verb is the noun of a
 * phrase that began with an article.
 */
function isNounAsVerb(view: SentenceView, at: number): boolean {
  const name = view.endingAt(at);
  return (
    name !== undefined &&
    view.pos(at) === 'VERB' &&
    /^\p{Ll}+(?<!s|ed|ing)$/u.test(view.tokens[at]?.text ?? '') &&
    /^(?:the|an?|our|its|their|my|your|his|her)$/.test(view.lower(name.start - 1)) &&
    /^(?:PUNCT|ADP|CCONJ|)$/.test(view.pos(at + 1))
  );
}

/**
 * The names joined to the first: "A, B and C", if all are of one type. Empty for "A or B",
 * which states nothing about either.
 */
function coordinated(view: SentenceView, first: Ref): Ref[] {
  const refs = [first];
  let last = first;
  for (let next = nextCoordinated(view, last); next; next = nextCoordinated(view, last)) {
    if (next.joint === 'or') return [];
    refs.push(next.ref);
    last = next.ref;
  }
  // Commas alone do not join: what follows may be another clause.
  return refs.length > 1 && !isJoinedByAnd(view, refs) ? [first] : refs;
}

function coordinationEnd(view: SentenceView, first: Ref): number {
  return coordinated(view, first).at(-1)?.end ?? first.end;
}

function isJoinedByAnd(view: SentenceView, refs: readonly Ref[]): boolean {
  const last = refs.at(-1);
  return last !== undefined && [1, 2].some((back) => /^(?:and|&)$/.test(view.lower(last.start - back)));
}

function nextCoordinated(view: SentenceView, ref: Ref): { ref: Ref; joint: string } | undefined {
  let at = ref.end;
  const joints: string[] = [];
  while (/^(?:,|and|or|&)$/.test(view.lower(at)) && joints.length < 2) {
    joints.push(view.lower(at));
    at += 1;
  }
  if (joints.length === 0) return undefined;
  if (view.lower(at) === 'the') at += 1;
  if (isKinAt(view, at)) at += 2;
  const next = view.startingAt(at);
  if (
    !next ||
    !areAlike(next.entity, ref.entity) ||
    isCommonNoun(view, next.end) ||
    view.isPossessive(next.end) ||
    // "… in Oslo, and Nimbus closed": another clause.
    /^(?:VERB|AUX)$/.test(view.pos(next.end))
  )
    return undefined;
  return { ref: next, joint: joints.includes('or') ? 'or' : 'and' };
}

/** Whether a possessive and a word for a relative begin at a token: "and his brother Luca Rossi". */
export function isKinAt(view: SentenceView, at: number): boolean {
  return /^(?:his|her|their)$/.test(view.lower(at)) && relative.test(view.lower(at + 1));
}

/** Whether two entities are of one type, as far as that is known. */
export function areAlike(a: Entity, b: Entity): boolean {
  return (
    a.type === b.type || (a.type === 'OTHER' && a.strength <= 1) || (b.type === 'OTHER' && b.strength <= 1)
  );
}

/** Where the noun phrase begins that ends before `end`; determiners, adjectives and nouns belong to it. */
export function phraseStart(view: SentenceView, end: number): number {
  let at = end;
  while (at > 0) {
    const ref = view.endingAt(at);
    if (ref) {
      at = ref.start;
      continue;
    }
    // "the Boston-based firm"
    if (isSeatAt(view, at - 2)) {
      at -= 2;
      continue;
    }
    const token = view.tokens[at - 1];
    if (!token) break;
    const isPart =
      determiners.test(token.lower) ||
      /^(?:DET|ADJ|NUM|NOUN|PROPN)$/.test(token.pos) ||
      token.text === '%' ||
      view.isPossessive(at - 1) ||
      // "an IT manager"
      /^(?:IT|HR|QA|PR)$/.test(token.text) ||
      // Tagged as an adverb in "its new chief".
      token.lower === 'new' ||
      isRole(token.lower) ||
      // "chief scientific and medical officer"
      (token.lower === 'and' &&
        view.pos(at) === 'ADJ' &&
        view.pos(at - 2) === 'ADJ' &&
        !view.endingAt(at - 1)) ||
      // "Acme's founder and chief executive"
      (token.lower === 'and' && isFounder.test(view.lower(at - 2))) ||
      // "Chief Operating Officer"
      (token.pos === 'VERB' && /^\p{Lu}\p{Ll}+ing$/u.test(token.text) && isRole(view.lower(at))) ||
      // "the convicted assassin"
      (token.pos === 'VERB' &&
        token.lower.endsWith('ed') &&
        /^(?:an?|the|his|her|its|fully|majority|partly|wholly)$/.test(view.lower(at - 2))) ||
      /^(?:fully|majority|partly|wholly)$/.test(token.lower) ||
      // "appointed managing director"
      (/^(?:acting|founding|managing|presiding)$/.test(token.lower) && isRole(view.lower(at)));
    if (!isPart || /^(?:of|,)$/.test(token.lower)) break;
    at -= 1;
    if (/^(?:an?|the)$/.test(token.lower) && !/^(?:all|both|half)$/.test(view.lower(at - 1))) break;
  }
  return at;
}
