import { stopWords } from '../../text/stop-words.js';
import { fieldKindOf } from './form-labels.js';
import { isStandard } from './identifiers.js';
import {
  calendarWords,
  isCommonWord,
  isDemonym,
  isFirstName,
  isOffice,
  isRole,
  kindOf,
  mayBeFirstName,
  notNames,
  organizationEnds,
  outsiders,
  placeEnds,
  titles,
} from './lexicon.js';
import { verbOf } from './predicates.js';
import { isEnglishWord } from './reader.js';
import type { Token } from './reader.js';
import { isWordName } from './word-names.js';

/** Names of government departments. */
export const departments = new Set(
  'state defense defence treasury labor labour commerce energy education transportation agriculture interior health justice war finance'.split(
    ' ',
  ),
);
/** Words that precede a title: "Vice President". */
export const titleModifiers = new Set(
  'prime vice deputy assistant former foreign first attorney chief acting associate executive managing senior junior lt maj brig interior defense defence finance justice house senate majority minority opposition then-vice supreme retired interim'.split(
    ' ',
  ),
);
const beforeMonths = new Set(
  'in by since until till from to through during before after of for on last this next early mid late each every the a'.split(
    ' ',
  ),
);
/** Names that mean nothing alone: "the Police", "the District". */
const genericNames = new Set(
  [...organizationEnds, ...placeEnds].filter(
    (word) => !/^(?:pentagon|kremlin|ag|sa|bp|democrats|republicans)$/.test(word),
  ),
);
/** "I'm", "they've" */
export const contraction = /^(?:i|you|he|she|it|we|they|that|there|here|what|who|let)['’](?:m|s|re|ve|ll|d)$/;
/** Stop words that are names in capitals. */
const namedInCapitals = /^(?:us|who)$/;
/** The words by which contracts call their parties. */
const party =
  /^(?:assignor|borrower|buyer|contractor|customer|discloser|employee|employer|indemnit(?:ee|or)|landlord|lender|lessee|lessor|licen[cs]ee|licen[cs]or|provider|purchaser|recipient|seller|subcontractor|supplier|tenant)$/;
export type Present = Token | undefined;
/** A token in lower case, without a full stop at its end; "" for none. */
export const plain = ({ lower }: Pick<Token, 'lower'> = { lower: '' }) =>
  lower.endsWith('.') ? lower.slice(0, -1) : lower;
/** Whether a token begins with a capital, or is spelt like "iPhone" or "macOS". */
export const isCapital = (token: Present): boolean =>
  token !== undefined && /^(?:\p{Lu}|\p{Ll}{1,2}\p{Lu}\p{Ll}|\p{Ll}{2,5}OS$)/u.test(token.text);

/** Whether a token begins a sentence, or follows a colon, a dash or an opening quotation mark. */
export function startsSentence(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  return (
    before === undefined || !/[\p{L}\p{N}.,)'’%&/]/u.test(before.text) || /^(?:''|``)$/.test(before.text)
  );
}

/** The tokens from `start` to before `end` in lower case, joined by spaces. */
export function lowerName(tokens: readonly Token[], start: number, end: number): string {
  return tokens
    .slice(start, end)
    .map(({ lower }) => lower)
    .join(' ');
}

/** Whether a token is a title, possibly within a compound: "Vice-President". */
export function isTitle(token: Token): boolean {
  const word = plain(token);
  return titles.has(word) || (word.includes('-') && word.split('-').some((part) => titles.has(part)));
}

/** Whether a name ends in a word that organizations or places end in. */
export function isFixed(tokens: readonly Token[], end: number): boolean {
  const last = tokens[end - 1];
  return last !== undefined && (organizationEnds.has(plain(last)) || placeEnds.has(plain(last)));
}

/** What substances do to others: "Aspirin inhibits COX-1". */
const acting = /^(?:activates|binds|blocks|encodes|inhibits|regulates|targets)$/;

/** "… inhibits COX-1": any word before such a verb and a code is a name. */
export function actsOnCode(tokens: readonly Token[], at: number): boolean {
  return acting.test(tokens[at]?.lower ?? '') && /^\p{Lu}\S*(?:\p{Lu}|\d)/u.test(tokens[at + 1]?.text ?? '');
}

/** Who heads an organization or speaks for it. */
export const heading =
  /^(?:spokes\p{L}+|c[efoti]o|chief|executive|(?:co-?)?founder|president|chair(?:man|woman|person)?)$/u;

/** "Gunmen", "Policewomen": people, of whom none is called so. */
export const isMen = (lower: string) =>
  /\p{Ll}{2}men$/u.test(lower) && isEnglishWord(lower.replace(/men$/, 'man'));

/**
 * Whether a word must be a name, because it is used like a subject without an article: "Nimbus acquired …",
 * "Nimbus's …", "Nimbus spokesman …".
 */
export function isSubject(tokens: readonly Token[], { lower }: Token, end: number): boolean {
  const next = tokens[end];
  const isPlural = (lower.endsWith('s') && isEnglishWord(lower.slice(0, -1))) || isMen(lower);
  // "Management hired …", "Engineering uses …"
  const isDerived = /(?:ment|tion|sion|ing|ity|ness|ship|[ae]nce|ism|ology|ics)$/.test(lower);
  if (!next || stopWords.has(lower)) return false;
  // "Aspirin inhibits COX-1", "Plover 4.1 supports …"
  if (actsOnCode(tokens, end)) return true;
  if (/^\d+(?:\.\d+)+$/.test(next.text) && isSubject(tokens, { ...next, lower: 'x' }, end + 1)) return true;
  if (isPlural || isDerived || isCommonWord(lower)) return false;
  if (/^['’]s$/.test(next.text)) return true;
  // "Nimbus spokesman"; but "Ferry captain", "Safari operator" unless the word is none.
  if (isRole(plain(next))) return !isEnglishWord(lower) || heading.test(plain(next));
  // "Nimbus, which …"
  if (next.text === ',' && /^(?:which|who|whose|whom)$/.test(tokens[end + 1]?.lower ?? '')) return true;
  const verb = verbOf(
    /^(?:is|was|were|are|will|has|had|have)$/.test(next.lower) ? (tokens[end + 1]?.lower ?? '') : next.lower,
  );
  return verb !== undefined && verb !== next.lower;
}

/** Whether a token is a common word that is capitalised only because it begins a sentence. */
export function isPlainWord({ pos, lower, text }: Token): boolean {
  if (!/\p{Ll}/u.test(text)) return false;
  if (stopWords.has(lower)) return true;
  return pos !== 'PROPN' && pos !== 'ADJ' && isEnglishWord(lower) && !titles.has(lower);
}

/**
 * Whether an English word is no name of people. Companies named like that also "speak" and are "partners".
 */
export function isOtherWord(lower: string): boolean {
  return (
    kindOf(lower) === undefined && !mayBeFirstName(lower) && !lower.includes(' ') && isEnglishWord(lower)
  );
}

/**
 * Whether a word may precede the name that it addresses or introduces: "Contact
 * Anna Berg", "Customer Globex".
 */
export function isAddress({ lower }: Token): boolean {
  return (
    outsiders.has(lower) || /^(?:ask|call|cc|contact|e-?mail|notify|ping|tell|thank|welcome)$/.test(lower)
  );
}

/** The words before a month that may also stand before a person: "of Jan Maas". */
const beforePeople = /^(?:after|before|for|from|of|to)$/;

/** Whether a month is a first name: "April Jones", but not "in April Jones left" or "the May Day". */
export function isMonthAsFirstName(tokens: readonly Token[], at: number): boolean {
  const surname = tokens[at + 1];
  if (tokens[at]?.text === 'Jan') return isJan(tokens[at - 1], surname, tokens[at + 2]);
  if (!/^(?:april|may|june|august)$/.test(tokens[at]?.lower ?? '')) return false;
  if (!isCapital(surname) || !isWordName(tokens[at]?.lower ?? '', surname?.lower ?? '')) return false;
  const before = tokens[at - 1];
  return before === undefined || !(beforeMonths.has(before.lower) || /^\d/.test(before.text));
}

/** "Jan Maas", "Jan de Vries"; not "in Jan Vexa hired", "31 Jan Sales", "Jan Release". */
function isJan(before: Present, surname: Present, behind: Present): boolean {
  const isMonth = before && (beforeMonths.has(before.lower) || /^\d/.test(before.text));
  if (!surname || (isMonth && !beforePeople.test(before.lower))) return false;
  if (/^(?:de|den|der|te|ten|van|von)$/.test(surname.text)) return behind !== undefined;
  const { lower } = surname;
  return (
    /^\p{Lu}\p{Ll}/u.test(surname.text) &&
    !calendarWords.has(plain(surname)) &&
    (kindOf(lower) === 'last' || (kindOf(lower) === undefined && !isEnglishWord(lower)))
  );
}

/**
 * Where a person's name begins behind a post: "Senior Product Manager Dana Whitfield", "Head of Engineering
 * Dana Whitfield". Returns `start` if there is no post.
 */
export function afterPost(tokens: readonly Token[], start: number, end: number): number {
  const isPart = (token: Token) =>
    !isFirstName(token.lower) && kindOf(token.lower) === undefined && isEnglishWord(plain(token));
  let at = start;
  let isPost = tokens[start - 1]?.lower === 'of' && isRole(tokens[start - 2]?.lower ?? '');
  while (at < end - 1 && isPart(tokens[at] as Token)) {
    isPost ||= isRole(plain(tokens[at]));
    at += 1;
  }
  return isPost && (isFirstName(tokens[at]?.lower ?? '') || end - at > 1) ? at : start;
}

/** Whether "of" or "of the" and a title precede a token: "Minister of the Interior". */
export function followsTitle(tokens: readonly Token[], at: number): boolean {
  const of = tokens[at - 1]?.lower === 'the' ? at - 2 : at - 1;
  const title = tokens[of - 1];
  return tokens[of]?.lower === 'of' && title !== undefined && isTitle(title);
}

/** Whether a word at the beginning of a run of capitalised words only describes what follows. */
export function describes(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (!token || !next) return false;
  if (calendarWords.has(plain(token)) && !isFirstName(token.lower)) return !isMonthAsFirstName(tokens, at);
  if (/^(?:former|fyi|btw|ps|nb)$/.test(token.lower)) return true;
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

/**
 * Whether a token is an abbreviation that follows people's names without
 * belonging to them, such as CEO or MP.
 */
export function isAfterName({ text, lower }: Token): boolean {
  return (
    /^(?:c[efoti]o|cmo|[se]?vp|mp|mep|kc|qc|[mdoc]be|frs|phd|ph\.d\.?|md|m\.d\.?|mba|m\.b\.a\.?|esq\.?)$/.test(
      lower,
    ) && /^\p{Lu}/u.test(text)
  );
}

/** What letters of freight and orders call their parties, beside contracts. */
const freightParty = /^(?:broker|carrier|consignee|consignor|delivery|shipper|vendor)$/;

/** "Acme Ltd Contact: Ann Hill": whether a word behind a name is the label of what follows. */
export function isLabelAt(tokens: readonly Token[], at: number): boolean {
  const { lower = '' } = tokens[at] ?? {};
  const isLabel = fieldKindOf(lower) !== undefined || party.test(lower) || freightParty.test(lower);
  return isLabel && tokens[at + 1]?.text === ':';
}

/** Whether a token cannot end a name. */
export function isDangling(token: Token): boolean {
  return /^(?:of|the|and|for|on|&|[-–—.,'’])$/.test(token.lower);
}

/** Business periods and key results, which are no things: "FY24", "Q3", "KR1". */
const period = /^(?:kr\d{1,2}|fy['’]?\d{2,4}|q[1-4]|[1-4]q\d{2,4})$/i;

const units = /^(?:dB\p{L}{0,2}|[kMGTmn](?:b|B|Hz|W|Wh|V|A|Ah|Pa|bps|Bps|g|L|m)|mmHg|pH)$/u;

/** Numbered kinds of things and parts of documents: "Series A", "Phase 2", "Annex B". */
const ranked =
  /^(?:annex|appendix|article|clause|class|option|phase|round|schedule|section|series|stage|tier) (?:\p{L}|\d{1,2})\.?$/iu;

/** Whether words can be a name at all; units, periods, standards and common words cannot. */
export function isName(tokens: readonly Token[], name: string): boolean {
  if (!/\p{Lu}/u.test(name) || isDemonym(tokens.at(-1)?.lower ?? '')) return false;
  if (
    name.length < 2 ||
    (tokens.length === 1 && (isStandard(name) || period.test(name) || units.test(name))) ||
    name.length > 120 ||
    ranked.test(name) ||
    !/\p{L}.*\p{L}/u.test(name)
  )
    return false;
  const [only, second] = tokens;
  // These are shouted words, not a name in capitals.
  const isShouted = !/\p{Ll}/u.test(name) && kindOf(name.toLowerCase()) === undefined;
  if (second && isShouted && tokens.every(({ lower }) => isEnglishWord(lower) || notNames.has(lower)))
    return false;
  if (!only || second) return !tokens.every((token) => isEmptyWord(token) && !genericNames.has(plain(token)));
  return !isEmptyWord(only);
}

function isEmptyWord(token: Token): boolean {
  const word = plain(token);
  if (/^(?:place|region|organization)$/.test(kindOf(word) ?? '')) return false;
  if (calendarWords.has(word) || genericNames.has(word) || notNames.has(token.lower) || isOffice(word))
    return true;
  if (/^(?:VERB|AUX|ADV|ADP|SCONJ|INTJ)$/.test(token.pos) && isEnglishWord(word)) return true;
  if (contraction.test(word) || party.test(word)) return true;
  return stopWords.has(word) && (/\p{Ll}/u.test(token.text) || !namedInCapitals.test(word));
}
