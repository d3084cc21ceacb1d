import { decodeAs } from '../../../lib/named-charsets.js';
import { foreignSample } from './foreign-sample.js';

/** By the bytes of what is frequent: kana, Hangul, punctuation and the ideographs of the first level. The first that fits is it. */
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
 * The charset in which all that is not ASCII is frequent in China, Japan or Korea, and no ASCII letter stands beside it, as one
 * does in Western words. Of few characters chardet holds nothing likely.
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
