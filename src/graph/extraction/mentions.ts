import { codeName, strengthOf } from './identifiers.js';
import {
  isCommonWord,
  isDepartment,
  isFirstName,
  commonTitles,
  isRegionAbbreviation,
  isRole,
  isVerbWord,
  kindOf,
  kinTitles,
  organizationEnds,
  placeEnds,
  titles,
  tradeEnds,
} from './lexicon.js';
import { typeOf } from './mention-types.js';
import type { TypeGuess } from './mention-types.js';
import { beginsName, spanEnd } from './name-spans.js';
import {
  actsOnCode,
  afterPost,
  departments,
  describes,
  followsTitle,
  isAfterName,
  isAddress,
  isDangling,
  isLabelAt,
  isFixed,
  isMen,
  isMonthAsFirstName,
  isName,
  isPlainWord,
  isSubject,
  isTitle,
  lowerName,
  plain,
  startsSentence,
  titleModifiers,
} from './name-words.js';
import { isEnglishWord } from './reader.js';
import type { Sentence, Token } from './reader.js';
import { beginsAsWordName } from './word-names.js';

/** A part of a sentence that names something: the tokens from `start` to before `end`. */
export interface Mention extends TypeGuess {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly identifier: string | null;
  /**
   * Whether only its capital at the start of a sentence makes it a name. It counts if
   * the item also names it elsewhere.
   */
  readonly unsure: boolean;
  /** Whether it is a common noun, which counts only as an end of a relation: "the billing service". */
  readonly lazy: boolean;
  /** Whether it is a surname behind a common title: "Dr. Smith". */
  readonly titled?: boolean;
}

/** A type as strong as this proves that the words are a name. */
const sureStrength = 5;

/** The names in a sentence, in order. */
export function findMentions(sentence: Sentence): Mention[] {
  const { tokens } = sentence;
  const mentions: Mention[] = [];
  for (let index = 0; index < tokens.length;) {
    const identifier = tokens[index]?.identifier;
    if (identifier) {
      mentions.push(...mentionsOf(identifier, index));
      index += 1;
      continue;
    }
    const end = beginsName(tokens, index) ? spanEnd(sentence, index) : index;
    if (end > index) mentions.push(...readSpan(sentence, index, end));
    index = Math.max(end, index + 1);
  }
  return mentions;
}

function mentionsOf({ type, name }: NonNullable<Token['identifier']>, index: number): Mention[] {
  const place = { start: index, end: index + 1, unsure: false };
  if (type === 'VERSION') return [];
  if (type !== 'CODE')
    return [{ ...place, name, type, strength: strengthOf({ type }), identifier: name, lazy: false }];
  // What is written as code counts only as an end of a relation: "`OrderService` calls `Ledger`".
  const code = codeName(name);
  return code === undefined
    ? []
    : [{ ...place, name: code, type: 'PRODUCT', strength: 2, identifier: null, lazy: true }];
}

/** Divides a run of capitalised words into names. Titles are removed; "U.S. Sen. Ann Lee" is two names. */
function readSpan(sentence: Sentence, start: number, end: number): Mention[] {
  const { tokens } = sentence;
  const whole = lowerName(tokens, start, end);
  const last = tokens[end - 1];
  const ends = last ? plain(last) : '';
  const isWhole =
    kindOf(whole) !== undefined || organizationEnds.has(ends) || (placeEnds.has(ends) && end - start > 1);
  const titleAt = tokens.slice(start, end).findIndex(
    (token, at) =>
      isTitle(token) &&
      // "King's College"
      !/^['’]s$/.test(tokens[start + at + 1]?.text ?? '') &&
      !(at > 0 && namesNobody(tokens.slice(start + at + 1, end))) &&
      !(at > 0 && isFirstName(tokens[start + at - 1]?.lower ?? '')) &&
      !(
        at > 0 &&
        isFirstName(tokens[start]?.lower ?? '') &&
        kindOf(tokens[start]?.lower ?? '') === 'first'
      ) &&
      (!isWhole || (token.text.endsWith('.') && at < end - start - 1)),
  );
  if (titleAt < 0) return [nameOf(sentence, { start, end, title: undefined })].flatMap((each) => each ?? []);
  let left = start + titleAt;
  let right = left + 1;
  while (left > start && titleModifiers.has(plain(tokens[left - 1]))) left -= 1;
  while (right < end && isTitle(tokens[right] as Token)) right += 1;
  right = afterDepartment(tokens, afterChief(tokens, right, end), end);
  if (tokens[right]?.lower === 'of') right += tokens[right + 1]?.lower === 'the' ? 3 : 2;
  const found: Mention[] = [];
  // In "Senior Backend Engineer" the word before the title belongs to the post.
  const isOfPost = grade.test(plain(tokens[start]));
  const leftName =
    left > start && !isOfPost ? nameOf(sentence, { start, end: left, title: undefined }) : undefined;
  if (leftName) found.push(leftName);
  const title = tokens.slice(left, right).findLast(isTitle);
  if (right < end) {
    const rest = nameOf(sentence, { start: right, end, title: title && plain(title) });
    if (rest) found.push(rest);
  }
  return found;
}

/** "GNU General Public License": what looks like a title is none when only common words follow it. */
function namesNobody(words: readonly Token[]): boolean {
  return words.length > 1 && words.every(({ lower }) => kindOf(lower) === undefined && isEnglishWord(lower));
}

/** "Chief Technology Officer Ann Lee": the words up to "Officer" belong to the title. */
function afterChief(tokens: readonly Token[], at: number, end: number): number {
  if (tokens[at - 1]?.lower !== 'chief') return at;
  const officer = tokens.slice(at, end).findIndex(({ lower }) => lower === 'officer');
  return officer < 0 ? at : at + officer + 1;
}

/** "VP Sales Ann Lee": the department belongs to the title. */
function afterDepartment(tokens: readonly Token[], at: number, end: number): number {
  if (!/^(?:vp|svp|evp)$/.test(tokens[at - 1]?.lower ?? '')) return at;
  const rest = tokens.slice(at, end).findIndex((token) => !isDepartment([plain(token)]));
  return rest < 0 ? end : at + rest;
}

/**
 * Whether a word has the spelling of common words, not one that only names have:
 * "Management", "On-call", "AGREEMENT".
 */
function isPlainSpelling(text: string): boolean {
  return /^\p{Lu}[\p{Ll}-]+$/u.test(text) || /^\p{Lu}{7,}$/u.test(text);
}

/** Whether a word is English, including forms that no dictionary has: "Escalations". */
function isWord(lower: string): boolean {
  if (isEnglishWord(lower) || isMen(lower)) return true;
  if (/(?:tion|sion|ment)s$/.test(lower)) return isEnglishWord(lower.slice(0, -1));
  // "Retest", "Standup"
  const [, word] = /^re-?(\p{L}{4,})$|^/u.exec(lower) ?? [];
  const [, base] = /^(\p{L}{3,})(?:up|off|out|down|back|over|around)$|^/u.exec(lower) ?? [];
  return [word, base].some((part) => part !== undefined && isEnglishWord(part) && kindOf(part) === undefined);
}

/** "Effective Date", "Late Fee", "Action Items": words that a contract or a heading capitalises. */
function isTerm(words: readonly string[]): boolean {
  const isPlainTerm = (word: string) => isWord(word) && kindOf(word) === undefined && word !== 'of';
  // "Lumen Health" may be a company.
  return words.length > 1 && words.every(isPlainTerm) && !tradeEnds.has(words.at(-1) ?? '');
}

/** Removes the full stop of a sentence behind a legal form: "Acme Ltd." */
function withoutStop(name: string): string {
  return name.replace(/(?<= (?:Corp|Ltd|Inc|Co|LLC|LLP|PLC|plc|llc))\.$/, '');
}

/** Whether words are a post: "Senior Partner", "Managing Director", "IT Operations Manager". */
function isPost(tokens: readonly Token[], start: number, end: number): boolean {
  const last = plain(tokens[end - 1]);
  const isOfDepartment = (word: string) => isDepartment([word]) || isPostModifier(word);
  return (
    end - start > 1 &&
    (isRole(last) || /^(?:buyer|lead)$/.test(last)) &&
    tokens.slice(start, end - 1).every((token) => isOfDepartment(plain(token)))
  );
}

/** "VP of Customer Success": whether words are the department of a post before them. */
function isOfPost(tokens: readonly Token[], start: number, words: readonly string[]): boolean {
  const post = tokens[start - 2]?.lower ?? '';
  const [word = '', ...others] = words;
  // "Head of Assays", "Director of Sustainability"; but "CEO of Shell"
  const isWork =
    others.length === 0 && isEnglishWord(word) && /(?:[^s]s|ment|tion|ing|ity)$/.test(word) && !kindOf(word);
  return (
    tokens[start - 1]?.lower === 'of' &&
    (isRole(post) || titles.has(post)) &&
    (isDepartment(words) || (isWork && /^(?:head|director|vp|manager)$/.test(post)))
  );
}

/** Whether words are a kind of document: "Master Services Agreement", but not "Dayton Agreement". */
function isDocument(tokens: readonly Token[], start: number, end: number): boolean {
  return (
    /^(?:agreement|contract)$/.test(plain(tokens[end - 1])) &&
    tokens.slice(start, end).every(({ lower }) => isEnglishWord(lower) && kindOf(lower) === undefined)
  );
}

/** "the Disclosing Party", "any Third Party": whether words call a party of a contract by its part in it. */
function isParty(tokens: readonly Token[], start: number, end: number): boolean {
  const [first, second] = tokens.slice(start, end).map(plain);
  return (
    end - start === 2 && /^part(?:y|ies)$/.test(second ?? '') && /(?:ed|ing|^third|^other)$/.test(first ?? '')
  );
}

/** Bodies and clauses that every company or contract has: "the Board of Directors", "Force Majeure". */
const generalBody =
  /^(?:board of (?:directors|governors|trustees)|(?:advisory|executive|management|supervisory) board|(?:audit|compensation|executive|nomination|remuneration|steering) committee|support team|force majeure(?: events?)?)$/i;

const grade = /^(?:assistant|associate|deputy|junior|lead|principal|senior|staff)$/;
const isPostModifier = (word: string) =>
  grade.test(word) || /^(?:acting|chief|executive|managing|vice)$/.test(word);

/** "Wash the filter": at the start of a sentence this is Washington only with a full stop. */
function isVerbAtStart(tokens: readonly Token[], start: number, end: number): boolean {
  const first = tokens[start];
  return (
    end - start === 1 &&
    first !== undefined &&
    startsSentence(tokens, start) &&
    isRegionAbbreviation(first.lower) &&
    !first.text.endsWith('.') &&
    isEnglishWord(first.lower) &&
    /\p{Ll}/u.test(first.text)
  );
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly title: string | undefined;
}

function nameOf(sentence: Sentence, span: Span): Mention | undefined {
  const { tokens, text } = sentence;
  let { start, end } = span;
  const first = tokens[start];
  let unsure = false;
  if (first && span.title === undefined && startsSentence(tokens, start)) {
    const isKnown =
      kindOf(lowerName(tokens, start, end)) !== undefined ||
      kindOf(plain(first)) !== undefined ||
      beginsAsWordName(tokens, start, end);
    const isPlain =
      isPlainWord(first) ||
      (!isFixed(tokens, end) && (isVerbWord(first.lower) || isAddress(first))) ||
      (isCommonWord(first.lower) && isFirstName(tokens[start + 1]?.lower ?? ''));
    if (!isKnown && end - start > 1 && isPlain && !isMonthAsFirstName(tokens, start)) start += 1;
    else if (!isSubject(tokens, first, end))
      unsure = end - start === 1 && !isKnown && isPlainSpelling(first.text) && isWord(first.lower);
  }
  // "Minister of the Interior Ann Lee"
  if (end - start > 1 && first && departments.has(first.lower) && followsTitle(tokens, start)) start += 1;
  start = afterPost(tokens, start, end);
  // "French Kurt", "Monday Ann", "Former IBM": words that only describe are removed.
  while (start < end - 1 && describes(tokens, start)) start += 1;
  if (end - start > 1 && isLabelAt(tokens, end - 1)) end -= 1;
  while (end > start && isDangling(tokens[end - 1] as Token)) end -= 1;
  if (start >= end) return undefined;
  if (
    isPost(tokens, start, end) ||
    isDocument(tokens, start, end) ||
    isVerbAtStart(tokens, start, end) ||
    isParty(tokens, start, end)
  )
    return undefined;
  // "Anna Berg CEO", "Ann Hill MP", "Ms Berg CEO"
  const wordsMin = span.title === undefined ? 2 : 1;
  const isPerson = span.title !== undefined || isFirstName(tokens[start]?.lower ?? '');
  while (isPerson && end - start > wordsMin && isAfterName(tokens[end - 1] as Token)) end -= 1;
  const spelled = text.slice(tokens[start]?.start, tokens[end - 1]?.end).replace(/\s+/g, ' ');
  const name = end === tokens.length ? withoutStop(spelled) : spelled;
  if (!isName(tokens.slice(start, end), name) || generalBody.test(name)) return undefined;
  // Louisiana after a comma, else an article.
  if (/^La$/.test(name) && tokens[start - 1]?.text !== ',') return undefined;
  const guess = typeOf(sentence, { start, end, title: span.title });
  const before = tokens[start - 1];
  const kin = span.title && kinTitles.has(span.title) && end - start === 1 && before;
  const whole = kin ? text.slice(before.start, tokens[end - 1]?.end).replace(/\s+/g, ' ') : name;
  if (guess.strength >= sureStrength) unsure = false;
  // A common word that is capitalised for some other reason: "choose Export".
  const isAnyWord = end - start === 1 && isCommonWord(plain(tokens[start]));
  if (guess.strength === 0 && isAnyWord && !actsOnCode(tokens, end)) unsure = true;
  const words = tokens.slice(start, end).map(plain);
  if (isOfPost(tokens, start, words)) return undefined;
  const isKind = /^an?$/.test(before?.lower ?? '') && guess.type === 'ORGANIZATION' && guess.strength <= 2;
  if (isKind && !/^(?:NOUN|ADJ|PROPN)$/.test(tokens[end]?.pos ?? '')) return undefined;
  return {
    ...guess,
    start: kin ? start - 1 : start,
    end,
    name: whole,
    identifier: null,
    unsure,
    lazy: isLazy({ ...guess, name }, words, before?.lower) && !unsure,
    titled: end - start === 1 && commonTitles.has(span.title ?? ''),
  };
}

/** "Settings", "the Security Training", "MAX_RETRIES": not enough to be an entity, unless a relation is stated. */
function isLazy(
  { type, strength, name }: Pick<Mention, 'type' | 'strength' | 'name'>,
  words: readonly string[],
  before = '',
): boolean {
  // "flight TP 671": the letters are no name by themselves.
  if (/^[A-Z\d]+(?:_[A-Z\d]+)+$/.test(name) || (strength === 0 && /^\p{Lu}{2,6}$/u.test(name))) return true;
  if (type !== 'OTHER') return false;
  // "an SRE"
  const isDefined =
    strength === 0 &&
    words.length === 1 &&
    /^(?:an?|any|each|no|our|such|that|the|this|your)$/.test(before) &&
    isEnglishWord(words[0] ?? '');
  return words.every(isCommonWord) || isDepartment(words) || isDefined || (strength <= 1 && isTerm(words));
}
