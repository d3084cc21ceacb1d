import { stopWords } from '../../text/stop-words.js';
import { endsName } from './abbreviations.js';
import {
  calendarWords,
  isFirstName,
  isRole,
  kindOf,
  notNames,
  ofHeads,
  organizationEnds,
  placeEnds,
  titles,
} from './lexicon.js';
import {
  contraction,
  departments,
  isCapital,
  isMonthAsFirstName,
  lowerName,
  plain,
  startsSentence,
} from './name-words.js';
import type { Present } from './name-words.js';
import { isEnglishWord } from './reader.js';
import type { Sentence, Token } from './reader.js';
import { beginsAsWordName } from './word-names.js';

const nameTokensMax = 12;
const particlesMax = 3;
const particles = new Set(
  'de da di do dos du del della la le von van der den ten bin ibn al el y e af zu'.split(' '),
);
/** Common nouns that end the name of a place: "the Mississippi river". */
const smallPlaceEnds = new Set(
  'plateau peninsula river desert mountains valley province county strait islands island'.split(' '),
);

/** Whether a text begins with a noun that belongs to the name before it: "plc", "river". */
export function endsSmallPlace(text: string): boolean {
  const [word = ''] = /\p{L}+/u.exec(text) ?? [];
  return word === 'plc' || smallPlaceEnds.has(word.toLowerCase());
}
const forHeads = new Set(
  'center centre institute council association department committee society office foundation party movement front campaign coalition alliance fund federation service'.split(
    ' ',
  ),
);
/** Abbreviations before a number. */
const numbered = new Set(['art', 'arts', 'cl', 'n', 'nr', 'no', 'para', 'sec', 'vol']);
const joinedEnds = new Set(
  'administration service services commission committee agency department bureau board association institute council authority office company corporation corp inc university college'.split(
    ' ',
  ),
);
/** Words that are no names: "D-Ariz", "Ex-Uber", "Senate-passed", codes with many digits. */
const noName =
  /^(?:[DRI]|Ex)-\p{Lu}|\d{4}|^\p{Lu}[\p{L}.]*-\p{Ll}+(?:ed|ing|based|led|style|run|made|wide|like|era|born)$/u;

/** Whether a name may begin at a token. */
export function beginsName(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token && /^\d{1,3}(?:st|nd|rd|th)$/.test(token.text)) return isCapital(tokens[index + 1]);
  if (!token || !isCapital(token) || noName.test(token.text) || contraction.test(token.lower)) return false;
  // "$25M Series B": the unit of a number is no name.
  const number = tokens[index - 1];
  if (token.text.length === 1 && number?.end === token.start && /^\d/.test(number.text)) return false;
  const isCapitals = token.text.length > 1 && !/\p{Ll}/u.test(token.text);
  if (stopWords.has(token.lower) && !isCapitals && !isMonthAsFirstName(tokens, index)) {
    // "Will Smith", but not "Will he …"
    if (startsSentence(tokens, index)) return beginsAsWordName(tokens, index, index + 2);
    return isCapital(tokens[index + 1]) && token.pos === 'PROPN';
  }
  return true;
}

/** The index behind the name that begins at `start`. */
export function spanEnd({ tokens }: Sentence, start: number): number {
  let end = start + 1;
  while (end < tokens.length && end - start < nameTokensMax) {
    if (tokens[end]?.identifier) break;
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
    // "the Roman province of Baetica"
    !(end - start === 1 && tokens[end + 1]?.lower === 'of' && isCapital(tokens[end + 2])) &&
    !isRole(plain(before)) &&
    !calendarWords.has(before.lower)
  )
    end += 1;
  return end;
}

/** How many tokens from `end` on belong to the name that began at `start`; 0 if it ends there. */
function joinedTokens(tokens: readonly Token[], start: number, end: number): number {
  const token = tokens[end];
  const after = tokens[end + 1];
  const before = tokens[end - 1];
  if (!token || !before) return 0;
  const lower = token.lower;
  if (isCapital(token) && endsName(tokens, end - 1)) return 0;
  if (token.text === 'I') return isNumeral(tokens, start, end) ? 1 : 0;
  if (isCapital(token)) {
    // "MiFID II Art. 16"
    const isOfNumber = numbered.has(plain(token)) && isNumberBehind(tokens, end);
    return isOfNumber || noName.test(token.text) || calendarWords.has(plain(token)) ? 0 : 1;
  }
  // "Acme Dynamics plc said"
  if (lower === 'plc') return 1;
  if (!after) return 0;
  // "Toftal A/S"
  if (token.text === '/' && before.text === 'A' && after.text === 'S') return 2;
  if (token.text === ',' && /^(?:inc|ltd|corp|llc|jr|sr)\.?$/.test(after.lower) && isCapital(after)) return 2;
  // "Cobb, Tully & Reed LLP"
  if (token.text === ',' && tokens[end + 2]?.text === '&' && isFirm(tokens[end + 4])) return 2;
  if ((token.text === '&' || token.text === '+') && isCapital(after))
    return isPair(tokens, start, end) ? 0 : 2;
  const inParticles = particlesFrom(tokens, end);
  if (inParticles > 0) return inParticles;
  if (
    /^\d{1,3}$/.test(token.text) &&
    isCapital(after) &&
    after.pos === 'PROPN' &&
    !calendarWords.has(plain(after)) &&
    !notNames.has(after.lower)
  )
    return calendarWords.has(plain(before)) ? 0 : 2;
  if (/^['’]s$/.test(lower)) return isDedicated(tokens, start, end) ? 2 : 0;
  const isPart = ['of', 'for', 'on'].includes(lower);
  if (isPart) return joinsOf(tokens, start, end);
  if (lower === 'and' && isCapital(after))
    return kindOf(lowerName(tokens, start, end + 2)) === 'organization' || joinsAnd(tokens, start, end)
      ? 2
      : 0;
  return 0;
}

/** "García de la Cruz", "Pieter van der Meer": how many tokens the particles and the word behind them are; 0 if they join nothing. */
function particlesFrom(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at < from + particlesMax && particles.has(tokens[at]?.lower ?? '') && !isCapital(tokens[at]))
    at += 1;
  const last = tokens[at];
  return at > from && last && isCapital(last) && !stopWords.has(last.lower) ? at + 1 - from : 0;
}

const isFirm = (token: Present) => token !== undefined && /^(?:llc|llp|pc|pllc)\.?$/.test(token.lower);

function isNumberBehind(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.text === '.' ? tokens[at + 2] : tokens[at + 1];
  // The sentence may end here, since it is also cut behind the full stop of "Art.".
  return next === undefined || /^\d/.test(next.text);
}

/**
 * Whether "I" is a number: "World War I", "Elizabeth I ruled", "of Elizabeth I." In "On behalf of Moss &
 * Sons I thank you" and "With Anna I went" it is the speaker.
 */
function isNumeral(tokens: readonly Token[], start: number, end: number): boolean {
  const before = tokens[end - 1];
  if (!before) return false;
  const acts = /^(?:VERB|AUX|ADV)$/.test(tokens[end + 1]?.pos ?? '');
  const isCounted = /^(?:war|phase|part|tier|type|volume|stage|level|division|class)$/.test(before.lower);
  if (end - start > 1 || isCounted) return isCounted && (end - start > 1 || !acts);
  return isFirstName(before.lower) && (startsSentence(tokens, start) || !acts);
}

/** What is called after somebody: "King's College", "Guy's Hospital". */
const dedicatedTokensMax = 3;
const dedicated = /^(?:college|hospital|infirmary|university|cathedral)$/;

/** "St. Mary's Hospital", "Guy's Hospital", but not "Oslo's University Hospital" */
function isDedicated(tokens: readonly Token[], start: number, end: number): boolean {
  const [first, last] = [tokens[start], tokens[end + 1]];
  if (!first || !last || !isCapital(last)) return false;
  const isOfPlace = /^(?:place|region|organization|demonym)$/.test(kindOf(first.lower) ?? '');
  if (end - start === 1 && dedicated.test(plain(last)) && !isOfPlace) return true;
  // "St. Mary's Medical Center"
  const behind = tokens.slice(end + 1, end + 1 + dedicatedTokensMax);
  const isHeaded = behind.some(
    (token, at) =>
      (organizationEnds.has(plain(token)) || placeEnds.has(plain(token))) &&
      behind.slice(0, at + 1).every(isCapital),
  );
  return /^(?:st|saint|children|women|men|veterans|king|queen)$/.test(plain(first)) && isHeaded;
}

/** Whether "&" joins two people: "Anna & Tom", "Anna Berg & Tom Larsen". */
function isPair(tokens: readonly Token[], start: number, end: number): boolean {
  const [first, second] = [tokens[start], tokens[end + 1]];
  return (
    isFirstName(first?.lower ?? '') &&
    isFirstName(second?.lower ?? '') &&
    kindOf(lowerName(tokens, start, end + 2)) !== 'organization'
  );
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

/**
 * Whether "and" belongs to the name: "Department of Trade and Consumer
 * Services", "Space and Naval Command".
 */
function joinsAnd(tokens: readonly Token[], start: number, end: number): boolean {
  let last = end + 1;
  while (isCapital(tokens[last + 1]) && last - end < 4) last += 1;
  const isWord = (token: Present) =>
    token !== undefined && kindOf(token.lower) === undefined && isEnglishWord(token.lower);
  if (
    last > end + 1 &&
    isWord(tokens[end - 1]) &&
    isWord(tokens[end + 1]) &&
    joinedEnds.has(plain(tokens[last]))
  )
    return !titles.has(plain(tokens[start])) && !isRole(plain(tokens[end - 1]));
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
