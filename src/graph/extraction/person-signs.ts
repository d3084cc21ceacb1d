import { isRole, kindOf } from './lexicon.js';
import { roleRules, verbOf, verbRules } from './predicates.js';
import type { Token } from './reader.js';

const roleTokensMax = 5;
const clauseTokensMax = 6;
/** What only people do, not companies, products or places. */
const living =
  /^(?:lives|lived|born|marries|married|graduated|retired|emigrated|grew|likes|liked|loves|loved|hates|hated|adores|dislikes|enjoys|enjoyed|ate|eats|drank|drinks|slept|sleeps|woke|smiled|laughed|cried|wept|nodded|shrugged|sighed|whispered|cooks|cooked|sang|sings|danced|dances|swims|swam|knits|hugged|kissed|phoned)$/;
const kin =
  /^(?:wife|husband|fianc[eé]e?|girlfriend|boyfriend|sister|brother|mother|father|mum|mom|dad|parents|son|daughter|kids|cousin|aunt|uncle|niece|nephew|grandmother|grandfather|flatmate|roommate|birthday)$/;
/** Forms that are typical of companies' names, and not of people's: "Globex", "Initech". */
const coined =
  /(?:[aeiou]x|tech|soft|corp|com|net|ware|works|ify|tel|bank|air|labs?|gen|ium|tron|dyne|base|stack|hub|flow|ops|cloud|data|sys|co|an[tc]|ra|us)$/;

/** Whether the words around an unknown name show that it is a person's. */
export function isPersonAt(tokens: readonly Token[], start: number, end: number): boolean {
  const lower = (at: number) => tokens[at]?.lower ?? '';
  // "(1911–1987)", "(born 1980)", "(she/her)"
  if (lower(end) === '(' && /^(?:born|b|1[5-9]\d\d|he|she|they)\b/.test(lower(end + 1))) return true;
  // "the spokesman, Kadri Tamm"
  if (lower(start - 1) === ',' && isRole(lower(start - 2))) return true;
  // "a friend of Kadri Tamm"
  if (lower(start - 1) === 'of' && isOfPeople(lower(start - 2))) return true;
  if (tokens.slice(end).some((token) => /^(?:he|she|himself|herself)$/.test(token.lower))) return true;
  if (isWorking(tokens, end)) return true;
  const next = lower(end) === ',' ? end + 1 : end;
  const isLinked = /^(?:is|was|has|had)$/.test(lower(next));
  return (isLinked && isRoleSoon(tokens, next + 1)) || onlyPeople(lower(isLinked ? next + 1 : next));
}

/**
 * Whether the words around an unknown single name show that it is a person's: "Ottilie lives", "Rafi sold
 * his car", "my sister Ottilie", "Rafi's wife". What companies also do, such as buying, does not count for
 * names that look like companies'.
 */
export function isPersonAlone(tokens: readonly Token[], at: number): boolean {
  const lower = (index: number) => tokens[index]?.lower ?? '';
  const text = tokens[at]?.text ?? '';
  if (!/^\p{Lu}\p{Ll}{2,}$/u.test(text) || /^(?:an?|the)$/.test(lower(at - 1))) return false;
  if (kin.test(lower(at - 1)) && /^(?:my|our|your|his|her|their)$/.test(lower(at - 2))) return true;
  if (/^['’]s$/.test(lower(at + 1)))
    return kin.test(lower(at + 2)) && !/^(?:NOUN|PROPN)$/.test(tokens[at + 3]?.pos ?? '');
  let verb = at + 1;
  while (verb < at + 4 && /^(?:AUX|ADV)$/.test(tokens[verb]?.pos ?? '')) verb += 1;
  const word = lower(verb);
  if (living.test(word)) return true;
  const [next, second] = [lower(verb + 1), tokens[verb + 2]];
  const isName = /^\p{Lu}/u.test(second?.text ?? '');
  if (/^work(?:s|ed)$/.test(word)) return isWorking(tokens, verb);
  if (hasOwn(tokens, at + 1)) return true;
  if (coined.test(lower(at))) return false;
  const isToPlace = next === 'to' && /^(?:place|region)$/.test(kindOf(second?.lower ?? '') ?? '');
  if (/^move[sd]$/.test(word)) return isToPlace || /^(?:in|out)$/.test(next);
  return /^(?:bought|buys)$/.test(word) && /^an?$/.test(next) && isName;
}

/** "works for Acme", "worked as a nurse" */
function isWorking(tokens: readonly Token[], verb: number): boolean {
  if (!/^work(?:s|ed)$/.test(tokens[verb]?.lower ?? '')) return false;
  const next = tokens[verb + 1]?.lower ?? '';
  const isName = /^\p{Lu}/u.test(tokens[verb + 2]?.text ?? '');
  return (/^(?:at|for)$/.test(next) && isName) || (next === 'as' && isRoleSoon(tokens, verb + 2));
}

/** "… sold his car", "… and her son": whether "his" or "her" follows before any other name or clause. */
function hasOwn(tokens: readonly Token[], from: number): boolean {
  for (const { lower, text } of tokens.slice(from, from + clauseTokensMax)) {
    if (/^(?:his|her|himself|herself)$/.test(lower)) return true;
    if (/^(?:\p{Lu}|[^\p{L}])/u.test(text) || /^(?:by|of|that|which|who|whose|if|says?|said)$/.test(lower))
      return false;
  }
  return false;
}

/** "Ralph Lauren was born", "Calvin Klein lives": what no company does, whatever else is called so. */
export function livesAt(tokens: readonly Token[], end: number): boolean {
  const verb = tokens[end]?.pos === 'AUX' ? end + 1 : end;
  return /^(?:born|died|graduated|lived|lives|married|marries)$/.test(tokens[verb]?.lower ?? '');
}

/** Whether a noun with "of" relates only to people: "friend of", "wife of". */
function isOfPeople(noun: string): boolean {
  const target = roleRules.get(noun)?.target;
  return target?.length === 1 && target[0] === 'PERSON';
}

/** Whether a verb has only people as subjects: "lives", "studied", "married". */
function onlyPeople(word: string): boolean {
  const rules = verbRules.get(verbOf(word) ?? '') ?? [];
  return rules.length > 0 && rules.every(({ source }) => source.length === 1 && source[0] === 'PERSON');
}

/** Whether a role follows: "our CEO", "an Irish botanist". */
function isRoleSoon(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < Math.min(from + roleTokensMax, tokens.length); at += 1) {
    const { lower = '', pos = '' } = tokens[at] ?? {};
    if (isRole(lower)) return true;
    if (!/^(?:DET|ADJ|NOUN|PROPN|PRON)$/.test(pos)) return false;
  }
  return false;
}
