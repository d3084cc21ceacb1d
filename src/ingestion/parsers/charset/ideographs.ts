import { decodeAs } from '../../../lib/named-charsets.js';
import { foreignSample } from './foreign-sample.js';

/**
 * Charsets with the bytes of their frequent characters: kana, Hangul, punctuation and first-level ideographs.
 * The first that fits is taken.
 */
const charsets: readonly (readonly [string, RegExp])[] = [
  ['shift_jis', /^(?:[\x81-\x83\x88-\x97][\x40-\x7e\x80-\xfc])+$/],
  ['euc-jp', /^(?:[\xa1-\xa5\xb0-\xcf][\xa1-\xfe])+$/],
  ['euc-kr', /^(?:[\xa1\xa3\xb0-\xc8][\xa1-\xfe])+$/],
  ['gb18030', /^(?:[\xa1\xa3\xb0-\xd7][\xa1-\xfe])+$/],
  ['big5', /^(?:[\xa1\xa3-\xc6][\x40-\x7e\xa1-\xfe])+$/],
];
const kana = /[\u3041-\u30fe]/;
const sampleBytes = 4_096;
const charactersMin = 4;

/**
 * The charset in which all that is not ASCII is frequent in China, Japan or Korea; empty if there is none.
 * Runs with ASCII letters beside them do not count, since those are Western words. It is for short texts, for
 * which chardet finds nothing likely.
 */
export function ideographCharsets(bytes: Uint8Array): string[] {
  const text = Buffer.from(foreignSample(bytes, { before: 1, most: sampleBytes })).toString('latin1');
  const runs = text.match(/(?:[A-Za-z]*[\x80-\xff]+[\x40-\x7e]*)+/g) ?? [];
  if (runs.join('').length < 2 * charactersMin) return [];
  const fitting = charsets.find(
    ([label, frequent]) =>
      runs.every((run) => frequent.test(run)) &&
      (label === 'euc-jp' ? kana : /./).test(decodeAs(label, bytes) ?? ''),
  );
  return fitting ? [fitting[0]] : [];
}
