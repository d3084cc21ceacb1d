import { isRole } from './lexicon.js';
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

/** What only companies are called. */
const firms =
  /^(?:airline|bank|brewery|carmaker|company|conglomerate|consultancy|insurer|maker|manufacturer|retailer|start-?up)$/;
const describedTokensMax = 6;

/** Whether a description of a company begins at a token behind a comma: "a maker of", "the Zurich-based insurer". */
export function isFirmAt(tokens: readonly Token[], from: number): boolean {
  if (!/^(?:an?|the)$/.test(tokens[from]?.lower ?? '')) return false;
  for (let at = from + 1; at < from + describedTokensMax; at += 1) {
    const { lower = '', pos = '' } = tokens[at] ?? {};
    const isNext = /^(?:NOUN|PROPN)$/.test(tokens[at + 1]?.pos ?? '');
    if (firms.test(lower) && !isNext) return true;
    if (!/^(?:ADJ|NOUN|PROPN)$/.test(pos) && !/^(?:-|based|leading)$/.test(lower)) return false;
  }
  return false;
}
