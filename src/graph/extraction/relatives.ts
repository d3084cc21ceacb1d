import type { Entity } from './entities.js';
import type { Ref } from './phrases.js';
import { roleRules } from './predicates.js';
import type { Token } from './reader.js';

export type Gender = 'male' | 'female';

/** How far behind "her" or "its" the word for a relative or a role stands at most: "her younger sister Clara". */
export const introductionTokensMax = 5;

/** Relatives: "her brother Mads Jensen" is named only in relation to the person that the text is about. */
export const relative =
  /^(?:(?:grand|great-grand|step|half-|ex-|foster-)?(?:father|mother|son|daughter|brother|sister|parents?|husband|wife)|uncle|aunt|cousin|nephew|niece|spouse|partner|colleague|friend|mentor|teacher|student|assistant|fianc[eé]e?|twin|widow|widower)$/;

const kinGenders: ReadonlyMap<string, Gender> = new Map([
  ...gendered('male', 'boyfriend brother dad father grandad grandfather grandpa husband nephew son uncle'),
  ...gendered('female', 'aunt daughter girlfriend grandma grandmother mom mother mum niece sister wife'),
]);
const possessive = /^(?:her|his|my|our|their|your)$/;

function gendered(gender: Gender, nouns: string): [string, Gender][] {
  return nouns.split(' ').map((noun) => [noun, gender]);
}

/** "your mum", "her older brother": the genders of relatives who are not named. */
export function unnamedKin(tokens: readonly Token[], named: readonly Ref[]): Set<Gender> {
  const found = new Set<Gender>();
  tokens.forEach(({ lower }, at) => {
    const gender = kinGenders.get(lower);
    if (!gender || ![at - 1, at - 2].some((before) => possessive.test(tokens[before]?.lower ?? ''))) return;
    const name = /^(?:,|is|was)$/.test(tokens[at + 1]?.lower ?? '') ? at + 2 : at + 1;
    if (!named.some(({ start }) => start === name)) found.add(gender);
  });
  return found;
}

/** "The son of Tom Berg, he": whether a pronoun is of somebody who is only called a relative. */
export function isKinFronted(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(0, at);
  const noun = before.findIndex(({ lower }) => relative.test(lower));
  const isOf = noun >= 0 && before[noun + 1]?.lower === 'of' && before.at(-1)?.text === ',';
  return isOf && !before.some(({ pos }) => /^(?:VERB|AUX)$/.test(pos));
}

/** "Tom Berg, whose …", "Bernard of Vestria, whose …" */
export function personBefore(
  tokens: readonly Token[],
  end: number,
  named: readonly Ref[],
): Entity | undefined {
  const last = named.find((ref) => ref.end === end);
  const isPartOf = last !== undefined && tokens[last.start - 1]?.lower === 'of';
  const first = isPartOf ? named.find((ref) => ref.end === last.start - 1) : undefined;
  const entity = (first ?? last)?.entity;
  return entity?.type === 'PERSON' ? entity : undefined;
}

/**
 * "younger sister Clara", "boss, Henrik Stahl": whether a word for a relation
 * follows, and then a person's name.
 */
export function kinFollows(tokens: readonly Token[], from: number, named: readonly Ref[]): boolean {
  for (let at = from; at < from + introductionTokensMax; at += 1) {
    const noun = tokens[at]?.lower ?? '';
    // Business has partners too.
    if (roleRules.get(noun)?.target.includes('PERSON') && noun !== 'partner') {
      const name = /^(?:,|is|was)$/.test(tokens[at + 1]?.lower ?? '') ? at + 2 : at + 1;
      return named.some(({ start, entity }) => start === name && entity.type === 'PERSON');
    }
    if (!/^(?:ADJ|NOUN)$/.test(tokens[at]?.pos ?? '')) return false;
  }
  return false;
}

/**
 * Whether a mention is beside the topic: a relative, a speaker's label in a chat, or, in "She was
 * taught by Ann Hill", the teacher.
 */
export function isAside(
  tokens: readonly Token[],
  { start, end, entity }: Ref,
  first: Ref | undefined,
): boolean {
  if (isRelative(tokens, start) || (entity.type === 'PERSON' && tokens[end]?.text === ':')) return true;
  if (entity.type !== 'PERSON' || entity === first?.entity || tokens[start - 1]?.lower !== 'by') return false;
  return first?.entity.type === 'PERSON' || tokens.some(({ lower }) => /^(?:he|she)$/.test(lower));
}

/** "his uncle Otto", "her husband, Tom" */
function isRelative(tokens: readonly Token[], start: number): boolean {
  const noun = tokens[start - 1]?.lower === ',' ? start - 2 : start - 1;
  if (!relative.test(tokens[noun]?.lower ?? '')) return false;
  return [noun - 1, noun - 2].some((at) => /^(?:his|her)$/.test(tokens[at]?.lower ?? ''));
}
