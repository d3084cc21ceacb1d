import { isRole } from './lexicon.js';
import { phraseAt } from './phrases.js';
import type { Phrase, Ref, SentenceView } from './phrases.js';
import { roleRules } from './predicates.js';

/** A phrase behind a verb. */
export interface Argument {
  readonly preposition: string;
  readonly refs: readonly Ref[];
  readonly end: number;
}

const particles = /^(?:up|out|away|back|down|off)$/;
const argumentTokensMax = 30;

/**
 * The phrases after a verb, each with its preposition ("" for a direct
 * object), up to the end of the clause.
 */
export function argumentsOf(view: SentenceView, from: number): Argument[] {
  const found: Argument[] = [];
  for (let at = from; at < Math.min(from + argumentTokensMax, view.tokens.length);) {
    const lower = view.lower(at);
    if (lower === '(' || lower === ',') {
      const next = afterInsertion(view, at, found.at(-1));
      if (next === undefined) break;
      at = next;
      continue;
    }
    const isPreposition = view.pos(at) === 'ADP' || (lower === 'to' && view.pos(at + 1) !== 'VERB');
    if (isParticle(view, at)) {
      at += 1;
      continue;
    }
    const begin = isPreposition ? at + 1 : at;
    const phrase = view.startingAt(begin) || view.pos(begin) !== 'ADV' ? phraseAt(view, begin) : undefined;
    if (phrase) {
      const named = phrase.refs.length === 0 ? namedBehind(view, phrase) : undefined;
      const refs = named ? named.refs : phrase.refs.filter((ref) => !isOneOfMany(view, ref));
      // The second comma of an insertion belongs to it.
      const end = named ? (view.lower(named.end) === ',' ? named.end + 1 : named.end) : phrase.end;
      found.push({ preposition: isPreposition ? lower : '', refs, end });
      at = end;
    } else if (view.pos(at) === 'ADV' || (isPreposition && view.pos(begin) === 'ADV')) at += 1;
    else break;
  }
  return found;
}

/** "grew up in", "failed over to" */
export function isParticle(view: SentenceView, at: number): boolean {
  return particles.test(view.lower(at)) || (view.lower(at) === 'over' && view.lower(at + 1) === 'to');
}

/** "by her uncle, Tom Berg, in 1921", "to its founders, Ann Hill and Tom Berg": the people whom a word for people introduces. */
function namedBehind(view: SentenceView, { end, noun = '' }: Phrase): Phrase | undefined {
  const one = noun.replace(/s$/, '');
  if (view.lower(end) !== ',' || !(isRole(one) || roleRules.get(one)?.source[0] === 'PERSON'))
    return undefined;
  const named = view.startingAt(end + 1) && phraseAt(view, end + 1);
  const isWhole =
    named?.refs.every(({ entity }) => entity.type === 'PERSON' || named.refs.length > 1) &&
    named.refs.length > (one === noun ? 0 : 1) &&
    /^(?:[,.;]|)$/.test(view.lower(named.end));
  return isWhole ? named : undefined;
}

/** "a Tesla" is a product of the company, not the company. */
function isOneOfMany(view: SentenceView, { start, entity }: Ref): boolean {
  const before = view.lower(start - 1);
  return /^an?$/.test(before) || (entity.type !== 'PERSON' && /^(?:my|your|his|her)$/.test(before));
}

/** Where reading continues after "(…)" or ", Ohio"; undefined if the clause ends here. */
function afterInsertion(view: SentenceView, at: number, last: Argument | undefined): number | undefined {
  if (view.lower(at) === '(') {
    for (let close = at + 1; close < at + 10; close += 1) if (view.lower(close) === ')') return close + 1;
    return undefined;
  }
  const ref = last?.refs.at(-1);
  const next = view.startingAt(at + 1);
  if (ref?.entity.type !== 'LOCATION' || next?.entity.type !== 'LOCATION') return undefined;
  return view.lower(next.end) === ',' ? undefined : next.end;
}
