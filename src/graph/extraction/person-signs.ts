import { isRole } from './lexicon.js';
import { roleRules, verbOf, verbRules } from './predicates.js';
import type { Token } from './reader.js';

const roleTokensMax = 5;

/** Whether the words around a name that nobody is known to bear say that it is a person's. */
export function isPersonAt(tokens: readonly Token[], start: number, end: number): boolean {
  const lower = (at: number) => tokens[at]?.lower ?? '';
  // "(1911–1987)", "(born 1980)", "(she/her)"
  if (lower(end) === '(' && /^(?:born|b|1[5-9]\d\d|he|she|they)\b/.test(lower(end + 1))) return true;
  // "the spokesman, Kadri Tamm"
  if (lower(start - 1) === ',' && isRole(lower(start - 2))) return true;
  // "a friend of Kadri Tamm"
  if (lower(start - 1) === 'of' && isOfPeople(lower(start - 2))) return true;
  if (tokens.slice(end).some((token) => /^(?:he|she|himself|herself)$/.test(token.lower))) return true;
  const next = lower(end) === ',' ? end + 1 : end;
  const isLinked = /^(?:is|was|has|had)$/.test(lower(next));
  return (isLinked && isRoleSoon(tokens, next + 1)) || onlyPeople(lower(isLinked ? next + 1 : next));
}

/** What people alone are or do: "friend of", "wife of". */
function isOfPeople(noun: string): boolean {
  const target = roleRules.get(noun)?.target;
  return target?.length === 1 && target[0] === 'PERSON';
}

/** "lives", "studied", "married" */
function onlyPeople(word: string): boolean {
  const rules = verbRules.get(verbOf(word) ?? '') ?? [];
  return rules.length > 0 && rules.every(({ source }) => source.length === 1 && source[0] === 'PERSON');
}

/** "our CEO", "an Irish botanist" */
function isRoleSoon(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < Math.min(from + roleTokensMax, tokens.length); at += 1) {
    const { lower = '', pos = '' } = tokens[at] ?? {};
    if (isRole(lower)) return true;
    if (!/^(?:DET|ADJ|NOUN|PROPN|PRON)$/.test(pos)) return false;
  }
  return false;
}
