import { appointing } from './appointments.js';
import { isRole } from './lexicon.js';
import { heading } from './name-words.js';
import type { Token } from './reader.js';

/** Things that companies have and people do not. */
const holdings =
  /^(?:shares?|shareholders?|stock|stockholders?|ipo|subsidiary|subsidiaries|earnings|revenues?|employees?|analysts?|spokesm[ae]n|spokeswom[ae]n|spokespersons?|headquarters|bankers?|executives?)$/;

/**
 * Whether the words around a name of two or more words make it a company: "shares of Ann Hill", "the Ann
 * Hill subsidiary", "an Ann Hill analyst", "a partner at Ann Hill".
 */
export function isCompanyAt(
  tokens: readonly Token[],
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const [before, second] = [tokens[start - 1]?.lower ?? '', tokens[start - 2]?.lower ?? ''];
  const [after, next] = [tokens[end]?.lower ?? '', tokens[end + 1]?.lower ?? ''];
  if (end - start < 2) return false;
  if (holdings.test(after))
    return /^(?:an?|the)$/.test(before) || /^(?:shares?|stock|ipo|earnings)$/.test(after);
  if (before === 'of') return /^(?:shares?|subsidiary|acquisition|ipo)$/.test(second);
  if (before === 'at') return isRole(second) && !/^['’]s?$/.test(after);
  return /^(?:was|is|were)$/.test(after) && /^(?:acquired|headquartered)$/.test(next);
}

/** What companies are called. */
const firms =
  /^(?:airline|bank|brewery|carmaker|chain|company|conglomerate|consultancy|firm|giant|group|insurer|maker|manufacturer|operator|retailer|start-?up)$/;
/** What single people make: "a film maker". */
const crafts = /^(?:dress|film|guitar|movie|policy|violin)$/;
const describedTokensMax = 6;
const appointmentTokensMax = 9;

/** Whether a word for a firm stands before a name: "the hotel chain Willow Lane". */
export function isFirmBefore(tokens: readonly Token[], start: number): boolean {
  return firms.test(tokens[start - 1]?.lower ?? '');
}

/** Whether a name has just given somebody a post that firms have: "Willow Lane has named Ann Hill CEO". */
export function appoints(tokens: readonly Token[], end: number): boolean {
  let verb = end;
  while (verb < end + 2 && /^(?:ADV|AUX)$/.test(tokens[verb]?.pos ?? '')) verb += 1;
  return (
    appointing.test(tokens[verb]?.lower ?? '') &&
    tokens.slice(verb + 1, verb + appointmentTokensMax).some(({ lower }) => heading.test(lower))
  );
}

/** Whether a single name is of a group of companies: "the Elvina group", but not "the Elvina group chat". */
export function isGroupAt(
  tokens: readonly Token[],
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const isName = end - start === 1 && /^\p{Lu}\p{Ll}+$/u.test(tokens[start]?.text ?? '');
  const isGroup = tokens[end]?.text === 'group' && !/^(?:NOUN|PROPN)$/.test(tokens[end + 1]?.pos ?? '');
  return isGroup && isName && tokens[start - 1]?.lower === 'the';
}

/**
 * Whether a single name is of a business by what others are to it: "rival Serena", but not "her rival
 * Serena".
 */
export function isRivalAt(
  tokens: readonly Token[],
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const isRival = end - start === 1 && tokens[start - 1]?.lower === 'rival';
  return isRival && !/^(?:['’]s?|an?|her|his|my|our|the|their|your)$/.test(tokens[start - 2]?.lower ?? '');
}

/** Whether a description of a company begins at a token behind a comma: "a maker of", "the Zurich-based insurer". */
export function isFirmAt(tokens: readonly Token[], from: number): boolean {
  if (!/^(?:an?|the)$/.test(tokens[from]?.lower ?? '')) return false;
  for (let at = from + 1; at < from + describedTokensMax; at += 1) {
    const { lower = '', pos = '' } = tokens[at] ?? {};
    const isNext = /^(?:NOUN|PROPN)$/.test(tokens[at + 1]?.pos ?? '');
    const isCraft = lower === 'maker' && crafts.test(tokens[at - 1]?.lower ?? '');
    if (firms.test(lower) && !isNext && !isCraft) return true;
    if (!/^(?:ADJ|NOUN|PROPN)$/.test(pos) && !/^(?:-|based|leading)$/.test(lower)) return false;
  }
  return false;
}
