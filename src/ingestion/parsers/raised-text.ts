const figures = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const signs: Readonly<Record<string, string>> = { '+': '⁺', '-': '⁻', '−': '⁻', '–': '⁻' };
const power = /^[-+−–]?\d{1,4}[-+−–]?$|^[-+−–]$/;
const noteMark = /^\d{1,3}(?:[,;–-]\s?\d{1,3})*$/;
/** Longer words are no units, chemical symbols or variables. */
const unitLettersMax = 3;
/** What ends a word or a sentence that a note may be about. */
const behindWord = new RegExp(`(?:\\p{L}{${unitLettersMax + 1}}|[.,;:!?"'”’»])$`, 'u');

/**
 * Raised text as it is written in a line, by what stands before it: `10³` and `km²` are no 103, and the
 * number of a note is no part of its word, which would not be found: `harbour[1]`.
 */
export function raisedText(raised: string, before: string): string {
  const text = raised.trim();
  if (noteMark.test(text) && behindWord.test(before)) return raised.replace(text, `[${text}]`);
  if (!power.test(text) || !/[\p{L}\p{N})\]]$/u.test(before)) return raised;
  return raised.replace(/[\d+−–-]/g, (sign) => signs[sign] ?? figures[Number(sign)] ?? sign);
}
