import { isFirstName, isRole, titles } from './lexicon.js';
import { isCapital, plain, titleModifiers } from './name-words.js';
import { verbOf } from './predicates.js';
import type { Sentence, Token } from './reader.js';

/** Abbreviations that end a company's name. Their full stop may also end the sentence. */
const companyEnd = /^(?:corp|ltd|inc|co|llc|llp|plc)\.$/;
/** "GmbH & Co. KG" */
const partnership = /^(?:kg|kgaa|ohg)$/;
/** After any other abbreviation only these words begin a sentence: "Sen. Lee" and "J. P. Morgan" go on. */
const starters =
  /^(?:he|she|it|they|we|you|i|his|her|its|their|our|my|the|a|an|this|that|these|those|there|here|in|on|at|by|for|from|with|after|before|during|when|while|as|if|but|and|however|although|since|until|then)$/;
/** Things that are numbered by letters: "Exhibit A". */
const counted = new Set(
  `annex appendix article block building category chapter class clause exhibit experiment figure group hepatitis item
   level model option part phase plan room schedule section series stage table team tier type unit vitamin zone`.split(
    /\s+/,
  ),
);
const nameTokensMax = 5;

/**
 * Whether a name ends at a token with a full stop: "Acme Corp.", "Exhibit A.",
 * but not "J." of "J. P. Morgan".
 */
export function endsName(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (!token?.text.endsWith('.') || token.text.length < 2 || !next) return false;
  if (companyEnd.test(next.lower) || partnership.test(next.lower)) return false;
  return companyEnd.test(token.lower) || isNumber(tokens, at);
}

/** "Exhibit A.", "the Mark I.": a letter that serves as a number. */
function isNumber(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before || !isCapital(before) || !/^\p{Lu}\.$/u.test(tokens[at]?.text ?? '')) return false;
  return counted.has(before.lower) || (before.lower === 'mark' && tokens[at - 2]?.lower === 'the');
}

/**
 * Splits a sentence where the full stop of an abbreviation also ends a sentence: "… works for Acme Corp.
 * John Smith …". Offsets of tokens count within the new sentences.
 */
export function splitAtAbbreviations(sentence: Sentence): Sentence[] {
  const { tokens, text } = sentence;
  const starts = tokens.flatMap((_, at) => (at > 0 && startsAnew(tokens, at) ? [at] : []));
  if (starts.length === 0) return [sentence];
  return [0, ...starts].map((start, index) => {
    const end = starts[index] ?? tokens.length;
    const offset = tokens[start]?.start ?? 0;
    return {
      text: text.slice(offset, end < tokens.length ? tokens[end]?.start : undefined),
      tokens: tokens
        .slice(start, end)
        .map((token) => ({ ...token, start: token.start - offset, end: token.end - offset })),
    };
  });
}

function startsAnew(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (!token || !before?.text.endsWith('.') || !isCapital(token) || !/\p{L}\.$/u.test(before.text))
    return false;
  if (titles.has(plain(before))) return false;
  if (starters.test(token.lower) && /^(?:I|A|\p{Lu}\p{Ll}+)$/u.test(token.text)) return true;
  return endsName(tokens, at - 1) && beginsClause(tokens, at);
}

/** "Globex acquired …", "John Smith …". Not "President Ann Lee said": she may be president of the company. */
function beginsClause(tokens: readonly Token[], at: number): boolean {
  const first = tokens[at];
  const second = tokens[at + 1];
  if (
    !first ||
    !second ||
    isRole(first.lower) ||
    titles.has(plain(first)) ||
    titleModifiers.has(plain(first))
  )
    return false;
  // In "Anna lives", the tagger takes the verb for a noun when the names before
  // it look like one of three words.
  if (isFirstName(first.lower) && (isCapital(second) || verbOf(second.lower) !== undefined)) return true;
  let end = at + 1;
  while (end < at + nameTokensMax && isCapital(tokens[end])) end += 1;
  return /^(?:VERB|AUX)$/.test(tokens[end]?.pos ?? '');
}
