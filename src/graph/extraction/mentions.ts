import { stopWords } from '../../text/stop-words.js';
import { isStandard } from './identifiers.js';
import type { Identifier } from './identifiers.js';
import {
  calendarWords,
  isCommonWord,
  isFirstName,
  isOffice,
  isRole,
  isVerbWord,
  kindOf,
  kinTitles,
  notNames,
  ofHeads,
  organizationEnds,
  placeEnds,
  titles,
} from './lexicon.js';
import { isEnglishWord } from './reader.js';
import type { Sentence, Token } from './reader.js';
import { typeOf } from './mention-types.js';
import type { TypeGuess } from './mention-types.js';
import { verbOf } from './predicates.js';

/** A place of a sentence that names something: tokens from `start` to before `end`. */
export interface Mention extends TypeGuess {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly identifier: string | null;
  /** Only its place at the start of a sentence makes it a name; it counts when the item names it elsewhere too. */
  readonly unsure: boolean;
  /** A common noun that names something only as an end of a relation: "the billing service". */
  readonly lazy: boolean;
}

const nameTokensMax = 12;
/** So strong a sign of what it is says that it is a name at all. */
const sureStrength = 5;
const particles = new Set(
  'de da di do dos du del della la le von van der den ten bin ibn al el y e af zu'.split(' '),
);
const departments = new Set(
  'state defense defence treasury labor labour commerce energy education transportation agriculture interior health justice war finance'.split(
    ' ',
  ),
);
const titleModifiers = new Set(
  'prime vice deputy assistant former foreign first attorney chief acting associate executive managing senior junior lt maj brig interior defense defence finance justice house senate majority minority opposition then-vice supreme retired interim'.split(
    ' ',
  ),
);
/** "the Mississippi river": common nouns that end a place's name. */
const smallPlaceEnds = new Set(
  'plateau peninsula river desert mountains valley province county strait islands island'.split(' '),
);
const forHeads = new Set(
  'center centre institute council association department committee society office foundation party movement front campaign coalition alliance fund federation service'.split(
    ' ',
  ),
);
/** Say nothing alone: "the Police", "the District". */
const genericNames = new Set(
  [...organizationEnds, ...placeEnds].filter(
    (word) => !/^(?:pentagon|kremlin|ag|sa|bp|democrats|republicans)$/.test(word),
  ),
);
const joinedEnds = new Set(
  'administration service services commission committee agency department bureau board association institute council authority office company corporation corp inc university college'.split(
    ' ',
  ),
);
/** "D-Ariz", codes of letters and many digits, "Senate-passed". */
const noName =
  /^[DRI]-\p{Lu}|\d{4}|^\p{Lu}[\p{L}.]*-\p{Ll}+(?:ed|ing|based|led|style|run|made|wide|like|era|born)$/u;
const plain = (token: Token) => token.lower.replace(/\.$/, '');
type Present = Token | undefined;
const isCapital = (token: Present): boolean =>
  token !== undefined && /^(?:\p{Lu}|\p{Ll}{1,2}\p{Lu}\p{Ll})/u.test(token.text);

/** Whatever a sentence names, in order. `identifiers` are those of its tokens, by index. */
export function findMentions(sentence: Sentence, identifiers: ReadonlyMap<number, Identifier>): Mention[] {
  const { tokens } = sentence;
  const mentions: Mention[] = [];
  for (let index = 0; index < tokens.length;) {
    const identifier = identifiers.get(index);
    if (identifier) {
      if (identifier.type !== 'VERSION') mentions.push(mentionOf(identifier, index));
      index += 1;
      continue;
    }
    const end = beginsName(tokens, index) ? spanEnd(sentence, index, identifiers) : index;
    if (end > index) mentions.push(...readSpan(sentence, index, end));
    index = Math.max(end, index + 1);
  }
  return mentions;
}

function mentionOf({ type, name }: Identifier, index: number): Mention {
  return {
    start: index,
    end: index + 1,
    name,
    type,
    strength: 9,
    identifier: name,
    unsure: false,
    lazy: false,
  };
}

function beginsName(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token && /^\d{1,3}(?:st|nd|rd|th)$/.test(token.text)) return isCapital(tokens[index + 1]);
  if (!token || !isCapital(token) || noName.test(token.text)) return false;
  const isCapitals = token.text.length > 1 && !/\p{Ll}/u.test(token.text);
  if (stopWords.has(token.lower) && !isCapitals) {
    // "Will Smith", but not "Will he …"
    return !startsSentence(tokens, index) && isCapital(tokens[index + 1]) && token.pos === 'PROPN';
  }
  return true;
}

/** Also after a colon, a dash or an opening quotation mark. */
function startsSentence(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  return (
    before === undefined || !/[\p{L}\p{N}.,)'’%&/]/u.test(before.text) || /^(?:''|``)$/.test(before.text)
  );
}

/** How far the name reaches that begins at `start`. */
function spanEnd({ tokens }: Sentence, start: number, identifiers: ReadonlyMap<number, Identifier>): number {
  let end = start + 1;
  while (end < tokens.length && end - start < nameTokensMax) {
    if (identifiers.has(end)) break;
    const next = joinedTokens(tokens, start, end);
    if (next === 0) break;
    end += next;
  }
  const last = tokens[end];
  const before = tokens[end - 1];
  if (
    last &&
    before &&
    smallPlaceEnds.has(last.lower) &&
    !isRole(plain(before)) &&
    !calendarWords.has(before.lower)
  )
    end += 1;
  return end;
}

/** How many tokens from `end` on belong to the name that began at `start`. */
function joinedTokens(tokens: readonly Token[], start: number, end: number): number {
  const token = tokens[end];
  const after = tokens[end + 1];
  const before = tokens[end - 1];
  if (!token || !before) return 0;
  const lower = token.lower;
  if (isCapital(token)) return noName.test(token.text) || calendarWords.has(plain(token)) ? 0 : 1;
  if (!after) return 0;
  if (token.text === ',' && /^(?:inc|ltd|corp|llc|jr|sr)\.?$/.test(after.lower) && isCapital(after)) return 2;
  if ((token.text === '&' || token.text === '+') && isCapital(after)) return 2;
  if (particles.has(lower) && isCapital(after) && !stopWords.has(after.lower)) return 2;
  if (
    /^\d{1,3}$/.test(token.text) &&
    isCapital(after) &&
    after.pos === 'PROPN' &&
    !calendarWords.has(plain(after))
  )
    return calendarWords.has(plain(before)) ? 0 : 2;
  const isPart = ['of', 'for', 'on'].includes(lower);
  if (isPart) return joinsOf(tokens, start, end);
  if (lower === 'and' && isCapital(after)) return joinsAnd(tokens, start, end) ? 2 : 0;
  return 0;
}

function joinsOf(tokens: readonly Token[], start: number, end: number): number {
  const before = tokens[end - 1];
  const skip = tokens[end + 1]?.lower === 'the' ? 2 : 1;
  const after = tokens[end + skip];
  if (!before || !after || !isCapital(after) || calendarWords.has(plain(after))) return 0;
  const word = plain(before);
  if (titles.has(word) && departments.has(after.lower)) return 0;
  if (ofHeads.has(word) && !(end - start > 2 && /^(?:co|inc|corp)$/.test(word)))
    return tokens[end]?.lower === 'of' || forHeads.has(word) ? skip + 1 : 0;
  return 0;
}

/** "Department of Health and Human Services", "Space and Naval Command" */
function joinsAnd(tokens: readonly Token[], start: number, end: number): boolean {
  let last = end + 1;
  while (isCapital(tokens[last + 1]) && last - end < 4) last += 1;
  const isWord = (token: Present) =>
    token !== undefined && kindOf(token.lower) === undefined && isEnglishWord(token.lower);
  if (
    last > end + 1 &&
    isWord(tokens[end - 1]) &&
    isWord(tokens[end + 1]) &&
    joinedEnds.has(plain(tokens[last] as Token))
  )
    return !titles.has(plain(tokens[start] as Token)) && !isRole(plain(tokens[end - 1] as Token));
  const head = tokens.slice(start, end).findIndex(({ lower }) => lower === 'of' || lower === 'for');
  const before = head > 0 ? tokens[start + head - 1] : undefined;
  if (
    !before ||
    !/^(?:department|ministry|bureau|office|committee|institute|academy|college|school|center|faculty)$/.test(
      plain(before),
    )
  )
    return false;
  const after = tokens[end + 1];
  return after !== undefined && isEnglishWord(after.lower) && kindOf(after.lower) === undefined;
}

/** Cuts a run of capitalized words into names: titles go, "U.S. Sen. Ann Lee" are two. */
function readSpan(sentence: Sentence, start: number, end: number): Mention[] {
  const { tokens } = sentence;
  const whole = lowerName(tokens, start, end);
  const last = tokens[end - 1];
  const ends = last ? plain(last) : '';
  const isFixed =
    kindOf(whole) !== undefined || organizationEnds.has(ends) || (placeEnds.has(ends) && end - start > 1);
  const titleAt = tokens
    .slice(start, end)
    .findIndex(
      (token, at) =>
        isTitle(token) &&
        !(at > 0 && isFirstName(tokens[start + at - 1]?.lower ?? '')) &&
        !(
          at > 0 &&
          isFirstName(tokens[start]?.lower ?? '') &&
          kindOf(tokens[start]?.lower ?? '') === 'first'
        ) &&
        (!isFixed || (token.text.endsWith('.') && at < end - start - 1)),
    );
  if (titleAt < 0) return [nameOf(sentence, { start, end, title: undefined })].flatMap((each) => each ?? []);
  let left = start + titleAt;
  let right = left + 1;
  while (left > start && titleModifiers.has(plain(tokens[left - 1] as Token))) left -= 1;
  while (right < end && isTitle(tokens[right] as Token)) right += 1;
  if (tokens[right]?.lower === 'of') right += tokens[right + 1]?.lower === 'the' ? 3 : 2;
  const found: Mention[] = [];
  const leftName = left > start ? nameOf(sentence, { start, end: left, title: undefined }) : undefined;
  if (leftName) found.push(leftName);
  const title = tokens[right - 1];
  if (right < end) {
    const rest = nameOf(sentence, { start: right, end, title: title && plain(title) });
    if (rest) found.push(rest);
  }
  return found;
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
    const isKnown = kindOf(lowerName(tokens, start, end)) !== undefined || kindOf(plain(first)) !== undefined;
    const isPlain =
      isPlainWord(first) ||
      (!isFixed(tokens, end) && isVerbWord(first.lower)) ||
      (isCommonWord(first.lower) && isFirstName(tokens[start + 1]?.lower ?? ''));
    if (!isKnown && end - start > 1 && isPlain) start += 1;
    else if (!isSubject(tokens, first, end))
      unsure =
        end - start === 1 && !isKnown && /^\p{Lu}\p{Ll}+$/u.test(first.text) && isEnglishWord(first.lower);
  }
  // "Minister of the Interior Ann Lee"
  if (end - start > 1 && first && departments.has(first.lower) && followsTitle(tokens, start)) start += 1;
  // "French Kurt", "Monday Ann": what only describes goes.
  while (start < end - 1 && describes(tokens, start)) start += 1;
  while (end > start && isDangling(tokens[end - 1] as Token)) end -= 1;
  if (start >= end) return undefined;
  const name = text.slice(tokens[start]?.start, tokens[end - 1]?.end).replace(/\s+/g, ' ');
  if (!isName(tokens.slice(start, end), name)) return undefined;
  const guess = typeOf(sentence, { start, end, title: span.title });
  const before = tokens[start - 1];
  const kin = span.title && kinTitles.has(span.title) && end - start === 1 && before;
  const whole = kin ? text.slice(before.start, tokens[end - 1]?.end).replace(/\s+/g, ' ') : name;
  if (guess.strength >= sureStrength) unsure = false;
  // A word that any text uses, in capitals for some reason: "choose Export".
  if (guess.strength === 0 && end - start === 1 && isCommonWord(plain(tokens[start] as Token)))
    return undefined;
  return {
    ...guess,
    start: kin ? start - 1 : start,
    end,
    name: whole,
    identifier: null,
    unsure,
    lazy: false,
  };
}

function isTitle(token: Token): boolean {
  const word = plain(token);
  return titles.has(word) || (word.includes('-') && word.split('-').some((part) => titles.has(part)));
}

function isFixed(tokens: readonly Token[], end: number): boolean {
  const last = tokens[end - 1];
  return last !== undefined && (organizationEnds.has(plain(last)) || placeEnds.has(plain(last)));
}

/** "Nimbus acquired …", "Nimbus's …", "Nimbus spokesman …": nothing but a name stands so without an article. */
function isSubject(tokens: readonly Token[], { lower }: Token, end: number): boolean {
  const next = tokens[end];
  const isPlural = lower.endsWith('s') && isEnglishWord(lower.slice(0, -1));
  // "Management hired …", "Engineering uses …"
  const isDerived = /(?:ment|tion|sion|ing|ity|ness|ship|[ae]nce|ism|ology|ics)$/.test(lower);
  if (!next || isPlural || isDerived || isCommonWord(lower) || stopWords.has(lower)) return false;
  if (/^['’]s$/.test(next.text) || isRole(plain(next))) return true;
  const verb = verbOf(/^(?:is|was|were|are)$/.test(next.lower) ? (tokens[end + 1]?.lower ?? '') : next.lower);
  return verb !== undefined && verb !== next.lower;
}

function isPlainWord({ pos, lower, text }: Token): boolean {
  if (!/\p{Ll}/u.test(text)) return false;
  if (stopWords.has(lower)) return true;
  return pos !== 'PROPN' && pos !== 'ADJ' && isEnglishWord(lower) && !titles.has(lower);
}

function followsTitle(tokens: readonly Token[], at: number): boolean {
  const of = tokens[at - 1]?.lower === 'the' ? at - 2 : at - 1;
  const title = tokens[of - 1];
  return tokens[of]?.lower === 'of' && title !== undefined && isTitle(title);
}

function describes(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (!token || !next) return false;
  if (calendarWords.has(plain(token)) && !isFirstName(token.lower)) return true;
  if (!isFirstName(next.lower)) return false;
  if (/^(?:north|south|east|west)$/.test(token.lower)) return false;
  const [word] = token.lower.split('-');
  return (
    kindOf(word ?? '') === 'demonym' ||
    titleModifiers.has(token.lower) ||
    isRole(token.lower) ||
    notNames.has(token.lower)
  );
}

function isDangling(token: Token): boolean {
  return /^(?:of|the|and|for|on|&|[-–—.,'’])$/.test(token.lower);
}

function isName(tokens: readonly Token[], name: string): boolean {
  if (!/\p{Lu}/u.test(name) || kindOf(tokens.at(-1)?.lower ?? '') === 'demonym') return false;
  if (
    name.length < 2 ||
    (tokens.length === 1 && isStandard(name)) ||
    name.length > 120 ||
    !/\p{L}.*\p{L}/u.test(name)
  )
    return false;
  const [only, second] = tokens;
  // Shouted words, not a name in capitals.
  const isShouted = !/\p{Ll}/u.test(name) && kindOf(name.toLowerCase()) === undefined;
  if (second && isShouted && tokens.every(({ lower }) => isEnglishWord(lower))) return false;
  if (!only || second) return !tokens.every((token) => isEmptyWord(token) && !genericNames.has(plain(token)));
  return !isEmptyWord(only);
}

function isEmptyWord(token: Token): boolean {
  const word = plain(token);
  if (/^(?:place|region|organization)$/.test(kindOf(word) ?? '')) return false;
  if (calendarWords.has(word) || genericNames.has(word) || notNames.has(token.lower) || isOffice(word))
    return true;
  if (/^(?:VERB|AUX|ADV|ADP|SCONJ|INTJ)$/.test(token.pos) && isEnglishWord(word)) return true;
  return stopWords.has(word) && /\p{Ll}/u.test(token.text);
}

function lowerName(tokens: readonly Token[], start: number, end: number): string {
  return tokens
    .slice(start, end)
    .map(({ lower }) => lower)
    .join(' ');
}
