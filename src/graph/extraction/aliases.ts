import type { Mention } from './mentions.js';
import type { Token } from './reader.js';

// What a text calls one thing besides.

const called = /^(?:[,(] )?(?:a\.k\.a\.?|aka|also (?:called|known as)|better known as|known as|née)$/;
const formerly =
  /^(?:[,(] )?(?:formerly|(?:formerly|originally|previously) (?:called|known as|named))$|^[,(] previously$/;
const now =
  /^[,(] (?:now(?: (?:called|known as|named))?|(?:(?:later|recently|since) )?renamed(?: as| to)?)$|^(?:, which |\( )?(?:(?:has|had) been|is|was)(?: \p{L}+ly| now| since)? renamed(?: as| to)?$|^(?:has |had )?changed its name to$|^(?:has )?rebranded (?:itself )?(?:as|to)$|^is now (?:called|known as|named)$/u;
const supposing = /^(?:if|unless|whether)$/;

/** Two names that follow each other in a sentence. */
interface Pair {
  readonly first: Mention;
  readonly second: Mention;
  /** The words between them. */
  readonly joint: string;
  readonly tokens: readonly Token[];
}

/** "Ann Hill, also known as Nan", "Arvida, formerly Bexcom": whether the second is another name of the first. */
export function isCalled(pair: Pair): boolean {
  return called.test(pair.joint) || (formerly.test(pair.joint) && mayBeOne(pair));
}

/** "Bexcom, now Arvida", "Bexcom was renamed Arvida": whether the second name has taken the place of the first. */
export function isRenamed(pair: Pair): boolean {
  if (!now.test(pair.joint) || !mayBeOne(pair)) return false;
  return !pair.tokens.slice(0, pair.first.start).some(({ lower }) => supposing.test(lower));
}

/**
 * Not "Anna Berg, formerly Globex", "Ann Hill (now Tom Berg)", who hold a post one after the other, and
 * "Bexcom, now Arvida's subsidiary".
 */
function mayBeOne({ first, second, tokens }: Pair): boolean {
  const next = tokens[second.end];
  if (next?.pos === 'NOUN' || /^['’]s?$/.test(next?.lower ?? '')) return false;
  const [one, other] = [first, second].map(({ name }) => name.split(' ')[0]);
  if (first.type === second.type) return first.type !== 'PERSON' || one === other;
  return [first, second].every(({ type }) => /^(?:ORGANIZATION|OTHER|PRODUCT)$/.test(type));
}

/** The capitals with which the words of a name begin. */
export function initialsOf(name: string): string {
  return (name.match(/(?<![\p{L}'’])\p{Lu}/gu) ?? []).join('');
}

/** "IBM" for "International Business Machines" */
export function isAcronymOf(short: string, long: string): boolean {
  if (!/^\p{Lu}[\p{L}&.]{1,9}$/u.test(short) || long.length <= short.length) return false;
  const letters = short.replace(/[^\p{Lu}]/gu, '');
  const initials = initialsOf(long);
  if (letters.length < 2 || letters[0] !== initials[0]) return false;
  let at = 0;
  for (const letter of initials) if (letter === letters[at]) at += 1;
  return at === letters.length;
}
