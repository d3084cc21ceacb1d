import { splitLegalForm } from '../legal-forms.js';
import { appoints, isCompanyAt, isFirmAt, isFirmBefore, isGroupAt, isRivalAt } from './company-signs.js';
import { isNumberAt, isStoredIn } from './data-stores.js';
import {
  foreignOrganizations,
  foreignStreets,
  isDepartment,
  isFirstName,
  isNamesake,
  isRegionAbbreviation,
  isRole,
  kindOf,
  mayBeFirstName,
  organizationEnds,
  placeEnds,
  placeStarts,
  tradeEnds,
} from './lexicon.js';
import { isOtherWord, plain } from './name-words.js';
import { isPersonAt, isPersonAlone, livesAt } from './person-signs.js';
import {
  isAddressed,
  isBehindTown,
  isDwelling,
  isPlaceAt,
  isPlaceNoun,
  isPlacePreposition,
  isPlacing,
  isRegionAt,
} from './place-signs.js';
import { isEnglishWord } from './reader.js';
import type { Sentence, Token } from './reader.js';
import { hasWordSurname, isNewThing, isWordName } from './word-names.js';

/** A guess of what type of thing a name denotes. */
export interface TypeGuess {
  readonly type: string;
  /** The strongest guess for a name counts; 0 means that nothing supports it. */
  readonly strength: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly title: string | undefined;
}

const guess = (type: string, strength: number): TypeGuess => ({ type, strength });

/** Types by a name's own words with a greater strength are not overruled by the context. */
const strongContext = 6;
/** Of a company's name that may also be a person's; any sign of a person overrules it. */
const namesakeStrength = 4;
/** Stronger than a first name alone, weaker than a person's full name. */
const placeStrength = 5;
/** Of what is said to be a firm. */
const firmStrength = 5;
/** Too strong to give way to the type that a relation requires. */
const personStrength = 3;
/** Of a person's full name; not overruled by the context. */
const wholeNameStrength = 7;
/** Stronger than a first name. */
const companyStrength = 8;
const eventEnds = new Set(
  'war conference summit olympics games festival championship championships cup tournament election crisis revolution treaty accord agreement exhibition expo convention open prix marathon massacre uprising'.split(
    ' ',
  ),
);
const productBefore = new Set(
  'product app library framework database tool package plugin language software service module repository'.split(
    ' ',
  ),
);
/** Ends of names of buildings: "Holly Lodge" is a person only if something says so. */
const premises = /^(?:court|grove|hall|lodge)$/;
/** Districts that are authorities: "Oakhurst School District". */
const districts = /^(?:fire|hospital|library|school|transit|water)$/;
/** Words before "in" after which a name is a language or a field, not a place. */
const written =
  /^(?:written|implemented|coded|rewritten|booked|documented|filed|interested|logged|recorded|interest|shareholding|shares?|stake|submitted|tracked|usage|experience|experienced|expert|fluent|versed|invest(?:ed|s|ing)?)$/;
const speech = new Set(
  'said says say told tells asked added adds testified recalled explained noted replied argued insisted acknowledged'.split(
    ' ',
  ),
);

/** The type of thing that a name denotes, judged by its own words and then by those around it. */
export function typeOf({ tokens }: Sentence, span: Span): TypeGuess {
  if (span.title === undefined && isCompanyAt(tokens, span)) return guess('ORGANIZATION', companyStrength);
  const words = byWords(tokens, span);
  const isPair = span.end - span.start === 2 && isFirstName(plain(tokens[span.start]));
  if (words?.type === 'ORGANIZATION' && isPair && livesAt(tokens, span.end))
    return guess('PERSON', wholeNameStrength);
  const mayBePerson =
    span.end - span.start === 2 &&
    hasWordSurname(tokens[span.start]?.lower ?? '', plain(tokens[span.end - 1]));
  if (words && words.strength > strongContext && !mayBePerson) return words;
  const context = byContext(tokens, span);
  if (mayBePerson) {
    const isSaid = context?.type === 'PERSON' && context.strength >= placeStrength;
    if (isSaid || isPersonAt(tokens, span.start, span.end)) return guess('PERSON', wholeNameStrength);
  }
  return (words && words.strength >= (context?.strength ?? 0) ? words : context) ?? byForm(tokens, span);
}

function byWords(tokens: readonly Token[], { start, end, title }: Span): TypeGuess | undefined {
  if (title !== undefined) return guess('PERSON', 8);
  const words = tokens.slice(start, end);
  const lower = words.map((token) => token.lower).join(' ');
  const kind = kindOf(lower);
  if (kind === 'region') return guess('LOCATION', 8);
  if (kind === 'place') return guess('LOCATION', 6);
  if (kind === 'organization') return guess('ORGANIZATION', isNamesake(lower) ? namesakeStrength : 6);
  if (isAddressed(tokens, start, end)) return guess('LOCATION', strongContext);
  if (/.a \/ s$/.test(lower)) return guess('ORGANIZATION', 8);
  if (endsInLegalForm(words)) return guess('ORGANIZATION', 7);
  // "CockroachDB"
  if (words.length === 1 && /^\p{Lu}\p{L}*\p{Ll}DB$/u.test(words[0]?.text ?? '')) return guess('PRODUCT', 6);
  if (words.length > 2 && words.some(({ text }) => text === '&') && !isDepartment(words.map(plain)))
    return guess('ORGANIZATION', 6);
  const last = plain(words.at(-1));
  const first = plain(words[0]);
  if (words.length > 1) {
    const numbered = /^i{1,3}$/.test(last) ? plain(words.at(-2)) : last;
    if (eventEnds.has(numbered)) return guess('EVENT', 5);
    const ofAt = words.findIndex((token) => token.lower === 'of' || token.lower === 'for');
    const head = ofAt > 0 ? plain(words[ofAt - 1]) : last;
    if (
      organizationEnds.has(head) ||
      (ofAt > 0 && /^(?:university|bank|chiefs|league|archdiocese|diocese|order)$/.test(head))
    )
      return guess('ORGANIZATION', 7);
    // "Joost van Dam", "Pieter van der Meer"
    if (words.length > 2 && isOfDescent(words)) return guess('PERSON', 6);
    // "Yun-hee Park"
    if (words.length === 2 && isPairOfSyllables(words[0])) return guess('PERSON', 5);
    if (last === 'district' && districts.test(plain(words.at(-2)))) return guess('ORGANIZATION', 7);
    if (placeEnds.has(head) && isFirstName(first) && words.length === 2)
      return isSurname(head) && (!isAtPlace(tokens, start) || ownsAt(tokens, end))
        ? guess('PERSON', 4)
        : guess('LOCATION', 2);
    if (placeEnds.has(head)) return guess('LOCATION', 6);
    if (foreignStreets.test(first) || foreignStreets.test(last)) return guess('LOCATION', 6);
    // "John's College"
    if (/^['’]s$/.test(words[1]?.text ?? '') && organizationEnds.has(plain(words[2])))
      return guess('ORGANIZATION', 7);
    if ([first, last].some((word) => foreignOrganizations.has(word))) return guess('ORGANIZATION', 6);
    // "Cassidy Mining", but "Samantha Power"
    if (isFirstName(first) && words.length === 2 && tradeEnds.has(last) && !hasWordSurname(first, last))
      return guess('ORGANIZATION', 5);
    if (last === 'chambers' && words.length === 2 && isUnknown(words[0]) && !mayBeFirstName(first))
      return guess('ORGANIZATION', 2);
    if (isFirstName(first)) return byFirstName(tokens, { start, end });
    if (placeStarts.has(first) && words.length <= 3 && !isNewThing(words)) return guess('LOCATION', 4);
    if (words.some((token) => /^(?:\p{Lu}\.){1,3}$|^\p{Lu}$/u.test(token.text)) && isUnknown(words.at(-1)))
      return guess('PERSON', 6);
    if (/^(?:jr|sr|ii|iii|iv)$/.test(last) && !isMixed(words[0])) return guess('PERSON', 7);
    // Needs a word that is in no dictionary: "Service Credits" is no company.
    if (
      words.some(
        (token, at) =>
          organizationEnds.has(plain(token)) &&
          token.text.length > 2 &&
          (at > 0 || words.some((word) => isUnknown(word) || kindOf(word.lower) !== undefined)),
      )
    )
      return guess('ORGANIZATION', 3);
  }
  if (kind === 'first') return guess('PERSON', isFirstName(lower) ? 3 : 2);
  return undefined;
}

/** "Anna Berg", and "Anna Cook"; but "Willow Lane" may be a firm: its last word is an English word and no surname. */
function byFirstName(tokens: readonly Token[], span: Omit<Span, 'title'>): TypeGuess {
  const [first, ...others] = tokens.slice(span.start, span.end).map(plain);
  // "the Emma Maersk", "the Hermann Böse Gymnasium"; but "the Ann Hill case", "the Ann Hill I know"
  const isThing = tokens[span.start - 1]?.lower === 'the';
  if (isThing && /^(?:ADP|AUX|CCONJ|PUNCT|VERB|)$/.test(tokens[span.end]?.pos ?? ''))
    return guess('OTHER', 1);
  if (!allWords(tokens.slice(span.start + 1, span.end))) return guess('PERSON', wholeNameStrength);
  const mayBeFirm = !hasWordSurname(first ?? '', others.at(-1) ?? '');
  const isFirm = mayBeFirm && (isFirmBefore(tokens, span.start) || appoints(tokens, span.end));
  return isFirm ? guess('ORGANIZATION', strongContext) : guess('PERSON', 5);
}

/** "Orbis Freight B.V.", "Ferrovia SpA"; "Anna Se" is no company. */
function endsInLegalForm(words: readonly Token[]): boolean {
  const spelled = words.map(({ text }) => text).join(' ');
  return !/ \p{Lu}\p{Ll}$/u.test(spelled) && splitLegalForm(spelled.replace(' ,', ',')) !== undefined;
}

/** Whether a particle that only people's names have follows words that may be first names. */
function isOfDescent(words: readonly Token[]): boolean {
  const particle = words.findIndex(({ text }) => /^(?:van|von|ten|bin|ibn)$/.test(text));
  return particle > 0 && words.slice(0, particle).every(mayBegin);
}

/** "Yun-hee": whether a word is a given name of two parts, neither of which is English. */
function isPairOfSyllables({ text } = { text: '' }): boolean {
  return /^\p{Lu}\p{Ll}{1,5}-\p{Ll}{2,5}$/u.test(text) && !text.toLowerCase().split('-').some(isEnglishWord);
}

/** Words for places that are common surnames: "Karen Hill". */
function isSurname(lower: string): boolean {
  return /^(?:castle|fields?|forest|hills?|lake|park|woods?)$/.test(lower);
}

/** "in Ann Hill's house": what people have, not places. */
function ownsAt(tokens: readonly Token[], end: number): boolean {
  const isOwner = /^['’]s$/.test(tokens[end]?.lower ?? '');
  return (
    isOwner &&
    /^(?:apartment|bedroom|car|desk|email|flat|garden|home|house|kitchen|mail|name|office|room)$/.test(
      tokens[end + 1]?.lower ?? '',
    )
  );
}

function isAtPlace(tokens: readonly Token[], start: number): boolean {
  return /^(?:the|in|at|near|on|around|outside|through|across)$/.test(tokens[start - 1]?.lower ?? '');
}

function allWords(words: readonly Token[]): boolean {
  return words.every((word) => !isUnknown(word));
}

function isUnknown(token: Token | undefined): boolean {
  if (!token || /^\p{L}\.?$/u.test(token.lower)) return false;
  return kindOf(token.lower) === 'last' || !isEnglishWord(token.lower);
}

function byContext(tokens: readonly Token[], { start, end }: Span): TypeGuess | undefined {
  if (isRivalAt(tokens, { start, end })) return guess('ORGANIZATION', firmStrength);
  // "Acacia Trails"
  const isThing = () => end - start > 1 && !isPersonal(tokens[start]) && allWords(tokens.slice(start, end));
  const before = tokens[start - 1];
  const after = tokens[end];
  const second = tokens[end + 1];
  const allCapitals = tokens.slice(start, end).every(({ text }) => !/\p{Ll}/u.test(text));
  if (after?.text === ',' && second) {
    const third = tokens[end + 2];
    if (/^\d{1,2}$/.test(second.text) && third?.text !== undefined && /^[,;.)_]$/.test(third.text))
      return guess('PERSON', 6);
    const isOfName = before?.lower === 'of' && tokens[start - 2]?.pos === 'PROPN';
    if (/^(?:who|whose|whom)$/.test(second.lower) && !isOfName) return guess('PERSON', 6);
    if (isRegionAbbreviation(second.lower) && /^\p{Lu}/u.test(second.text)) return guess('LOCATION', 6);
    if (
      isRegionAt(tokens, end + 1) &&
      (start === 0 || isPlacePreposition(before?.lower ?? '') || /^[,.(;]$/.test(third?.text ?? '.'))
    )
      return guess('LOCATION', 5);
    const isFirm = isFirmAt(tokens, end + 1);
    if (roleSoon(tokens, end + 1) && !(isFirm && isThing())) return guess('PERSON', 5);
    if (isFirm) return guess('ORGANIZATION', firmStrength);
  }
  if (isFirmBefore(tokens, start) && isThing()) return guess('ORGANIZATION', firmStrength);
  // "in Kadri Tamm's native Tartu"
  const isNative = /^['’]s$/.test(after?.lower ?? '') && second?.lower === 'native';
  if (isNative || /^(?:who|whose)$/.test(after?.lower ?? '')) return guess('PERSON', 5);
  if (isGroupAt(tokens, { start, end })) return guess('ORGANIZATION', firmStrength);
  if (isPlaceAt(tokens, start, end) || (isBehindTown(tokens, start, end) && !isPersonal(tokens[start])))
    return guess('LOCATION', placeStrength);
  const isPartner =
    business.test(before?.lower ?? '') && (isThing() || (end - start === 1 && !isPersonal(tokens[start])));
  if (before && isRole(before.lower) && !/^\p{Lu}/u.test(before.text) && !allCapitals && !isPartner)
    return guess('PERSON', 5);
  if (before && productBefore.has(before.lower)) return guess('PRODUCT', 4);
  if (allCapitals) return undefined;
  const names = tokens.slice(start, end).map(plain);
  const isModifier = after?.pos === 'NOUN' && /^\p{Ll}/u.test(after.text) && !isPlaceNoun(after.lower);
  const isOfWriting = before?.lower === 'in' && written.test(tokens[start - 2]?.lower ?? '');
  const isStore = before?.lower === 'in' && isStoredIn(tokens, start - 1, end);
  // "in PagerDuty"
  const isCoined = names.length === 1 && isMixed(tokens[start]);
  const isNew = isNewThing(tokens.slice(start, end)) && !isDwelling(tokens, start - 2);
  const isWord =
    isNew || isCoined || isDepartment(names) || (names.length === 1 && isOtherWord(names[0] ?? ''));
  // "was born in Hull", "a plant in Hull"
  const isHome = names.length === 1 && isPlacing(tokens, start - 1);
  if (isHome && !isCoined && !isModifier && !/^['’]s$/.test(after?.lower ?? ''))
    return guess('LOCATION', placeStrength);
  if (before && /^(?:in|near|outside|throughout|across)$/.test(before.lower) && !isModifier && !isWord)
    return isOfWriting || isStore ? guess('OTHER', 0) : guess('LOCATION', 2);
  // "said Globex is late": here Globex does not speak, but is spoken of.
  const isSpoken = before && speech.has(before.lower) && !/^(?:VERB|AUX)$/.test(after?.pos ?? '');
  const speaks = isSpoken || (after && speech.has(after.lower));
  if (speaks && end - start <= 3 && (end - start > 1 || isPersonal(tokens[start]))) return guess('PERSON', 3);
  return undefined;
}

/** Roles that companies have as well as people: "our partner Accenture". */
const business =
  /^(?:backer|client|competitor|customer|distributor|investor|manufacturer|maker|operator|owner|partner|provider|publisher|reseller|retailer|rival|supplier|vendor)$/;

/** Whether a word is a name of people, or an initial. */
function isPersonal({ lower } = { lower: '' }): boolean {
  return /^(?:first|last)$/.test(kindOf(lower) ?? '') || mayBeFirstName(lower) || /^\p{L}\.?$/u.test(lower);
}

/** Whether a role follows soon: ", the former chief scientific officer …". */
function roleSoon(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < Math.min(from + 6, tokens.length); at += 1) {
    const token = tokens[at];
    if (!token || /^[,.;:()]$/.test(token.text) || token.pos === 'VERB' || token.pos === 'AUX') return false;
    if (/^(?:of|for|at|in|and|by|to)$/.test(token.lower)) return false;
    // Not in "the parent company".
    if (isRole(token.lower) && /^\p{Ll}/u.test(token.text) && !isFirmBefore(tokens, at + 2)) return true;
  }
  return false;
}

/** Whether a person's name may begin with a word. Plain English words are excluded. */
function mayBegin(token: Token): boolean {
  const { lower } = token;
  return (
    isUnknown(token) || kindOf(lower) !== undefined || mayBeFirstName(lower) || /^\p{L}\.?$/u.test(lower)
  );
}

/** Ends of companies' names that no surname has: "Sanford Biologics", "Holt Robotics". */
const trades =
  /^\p{L}+(?:[aeiou]nics|otics|ogics|etics|omics|ware|works|soft|tech|pharm|chem|labs|systems)$/u;

/** Whether capitals stand within a word: "OpenRadar", but not "McKay". */
function isMixed({ text } = { text: '' }): boolean {
  return /\p{Ll}\p{Lu}/u.test(text) && !/^(?:Mc|Mac|De|La|Le|Di|O['’])\p{Lu}/u.test(text);
}

/**
 * "the INPE", "(AFP)", "TASS --", "GE's plant", "at CERN": whether capitals are used as those of an organization.
 * Other abbreviations may stand for anything: "COPD", "EOD".
 */
function isCalledLikeOrganization(tokens: readonly Token[], start: number, end: number): boolean {
  const [before, after] = [tokens[start - 1], tokens[end]];
  if (before?.text === '(') return after?.text === ')';
  if (/^(?:the|at|by|auditor)$/.test(before?.lower ?? '') || business.test(before?.lower ?? '')) return true;
  if (start === 0 && after?.pos === 'NOUN' && isEnglishWord(after.lower)) return true;
  return /^(?:['’]s|--|–|—)$/.test(after?.text ?? '') || speech.has(after?.lower ?? '');
}

function byForm(tokens: readonly Token[], { start, end }: Span): TypeGuess {
  const words = tokens.slice(start, end);
  const [first] = words;
  if (!first) return guess('OTHER', 0);
  if (words.length === 1) {
    // "flight TP 671", "MLR 2017": the letters belong to the number.
    if (/^\p{Lu}{2,6}$/u.test(first.text))
      return isNumberAt(tokens, end)
        ? guess('OTHER', 0)
        : guess('ORGANIZATION', isCalledLikeOrganization(tokens, start, end) ? 2 : 0);
    if (isMixed(first)) return guess('PRODUCT', 2);
    if (isPersonAlone(tokens, start) && isUnknown(first)) return guess('PERSON', personStrength);
    if (kindOf(first.lower) === 'last') return guess('PERSON', 2);
    return guess('OTHER', 0);
  }
  const last = words.at(-1);
  if (words.length === 2 && isWordName(first.lower, plain(last)) && !premises.test(plain(last)))
    return guess('PERSON', 2);
  if (trades.test(plain(last)) && kindOf(plain(last)) === undefined) return guess('ORGANIZATION', 2);
  // "Orbis Freight", "Kalmar Foods"
  if (words.length === 2 && tradeEnds.has(plain(last)) && isUnknown(first) && !isPersonal(first))
    return guess('ORGANIZATION', 2);
  if (/^\p{Lu}{2,}$/u.test(first.text) && kindOf(last?.lower ?? '') === 'place')
    return guess('ORGANIZATION', 2);
  if (
    words.length <= 4 &&
    isUnknown(last) &&
    mayBegin(first) &&
    (isPersonal(first) || isPersonal(last) || isPersonAt(tokens, start, end)) &&
    last?.pos === 'PROPN' &&
    !words.some((token) => ['of', 'and', '&'].includes(token.lower)) &&
    !/\d/.test(last.text) &&
    // "JavaScript SDK", but "ANNA BERG"
    (/\p{Ll}/u.test(last.text) || !/\p{Ll}/u.test(first.text))
  )
    return guess('PERSON', 2);
  return guess(
    words.some((token) => token.text === '&') && !isDepartment(words.map(plain)) ? 'ORGANIZATION' : 'OTHER',
    words.length > 1 ? 1 : 0,
  );
}
