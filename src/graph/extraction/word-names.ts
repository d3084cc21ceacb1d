import { isFirstName, isWordFirstName, kindOf, placeEnds } from './lexicon.js';
import { verbOf } from './predicates.js';
import { isEnglishWord } from './reader.js';
import type { Token } from './reader.js';

/** Surnames that are English words: "Anna Cook", "Mark Field". */
const surnames = new Set(
  `archer bacon baker banks barber bell berry bird bishop black bond booth bowman branch brewer bridges brook brooks brown browning bull burns bush
   butcher butler carpenter carter cash castle chambers chance chase church clay close cook cooper cotton court cox craft crane cross crow dale dance
   darling dean drake drew driver english farmer farrow field fields finch fisher fletcher flint flood flowers ford forest forester foster fox french friend frost
   gale gamble gardener garland gates glass gold good goodman grace grant graves gray green grey grove hail hale hall hammer hand hardy hare hart hatch hawk head
   heath hill hills hobbs holiday holland holly hood hook hope horn house hunt hunter judge keen key keys king knight lake lamb land law laws leaf lever lie little
   lock lodge long lord love lovely low lowe major manning march marks marsh marshal mason may meadow meadows mercer miles mill miller mills moody moon moor moss mustard nash
   newman nightingale noble north nurse oaks page painter palmer park parker parks parish peacock pepper perch pike piper pitt pole pool poole pope porter post potter pound powell
   power powers price prince prior proctor quick rain raven ray read reader reed reeves rice rich ring rivers roach robin rock rogers root rose rush sage salt sands savage
   seal self sellers sharp shepherd shields short silver singer skinner slaughter small smart snow south sparks sparrow spears speed spicer squire stamp steel stern stock
   stone storey storm straw street strange strong stout summer summers swan sweet swift tanner taylor temple thatcher thorn tower towers trout tuck turner underwood vale vane
   vine wade wagner wake walker wall walls ward warden waters weaver webb weeks weir wells west wheat wheeler white wild wilder wills winter winters wise wolf wood
   woods worth wren wright yard young`.split(/\s+/),
);
/** First names that are English words, besides those in the lexicon. */
const firstNames = new Set(
  'amber beryl charity coral crystal dale dusty fern flora forest lily opal scarlett'.split(' '),
);
/** First names that mostly mean something else, even before a surname: "Major Banks", "Long Field". */
const seldomFirst = new Set(
  `al an ah august autumn bishop brook candy chance christian ford general hunter king long major my prince princess see sky so stone trinity van young`.split(
    /\s+/,
  ),
);
const wordsMax = 3;

/**
 * Whether two words, each of which may be an English word, are a person's name: "Rose
 * Young", "Will Smith", "June Summers".
 */
export function isWordName(first: string, last: string): boolean {
  if (seldomFirst.has(first) || !(isWordFirstName(first) || firstNames.has(first))) return false;
  return surnames.has(last) || kindOf(last) === 'last';
}

/** Whether a first name has a surname that is a word: "Anna Church", "Mark Field". */
export function hasWordSurname(first: string, last: string): boolean {
  return isWordName(first, last) || (surnames.has(last) && isFirstName(first));
}

/** Whether such a name begins a sentence: "Will Smith joined", but not "Will Smith join us?". */
export function beginsAsWordName(tokens: readonly Token[], start: number, end: number): boolean {
  if (end - start < 2 || end - start > wordsMax) return false;
  if (!isWordName(tokens[start]?.lower ?? '', tokens[end - 1]?.lower ?? '')) return false;
  const { lower = '' } = tokens[end] ?? {};
  if (/^(?:[,(.]|['’]s|and|has|had|is|of|said|says|was|who|)$/.test(lower)) return true;
  const verb = verbOf(lower);
  return verb !== undefined && verb !== lower;
}

/** Retags words in people's names that were tagged as verbs or nouns: "Anna Cook works". */
export function withNamesAsNouns(
  tokens: readonly Token[],
  names: readonly { readonly start: number; readonly end: number; readonly type: string }[],
): readonly Token[] {
  let read: Token[] | undefined;
  for (const { start, end, type } of names)
    for (let at = start; type === 'PERSON' && end - start > 1 && at < end; at += 1) {
      const token = tokens[at];
      if (!token || token.pos === 'PROPN' || !/^\p{Lu}\p{Ll}/u.test(token.text)) continue;
      read ??= [...tokens];
      read[at] = { ...token, pos: 'PROPN' };
    }
  return read ?? tokens;
}

/** "New Relic", "New Balance": a place is named after a place or person, seldom after a thing. */
export function isNewThing([first, second, ...others]: readonly Token[]): boolean {
  return (
    first?.lower === 'new' &&
    second !== undefined &&
    others.length === 0 &&
    isEnglishWord(second.lower) &&
    kindOf(second.lower) === undefined &&
    !placeEnds.has(second.lower)
  );
}
