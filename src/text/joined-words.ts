import type { Purpose } from './spelled-out.js';

/** Pairs of words that are also written as one, by the first word. */
const seconds: Readonly<Record<string, string>> = {
  ...{ log: 'in|on|out|off', sign: 'in|on|up|off|out', set: 'up', back: 'up', check: 'in|out|up|list' },
  ...{ fail: 'over', roll: 'out|back', start: 'up', lay: 'out', hand: 'over|out|book', fall: 'back' },
  ...{ post: 'mortem', data: 'base|set', time: 'line|table|stamp|sheet', web: 'site|page|hook', wi: 'fi' },
  ...{ health: 'care', child: 'care', smart: 'phone|watch', work: 'flow|shop|around', key: 'board' },
  ...{ file: 'name', user: 'name', host: 'name', pass: 'word', note: 'book', road: 'map', life: 'time' },
};
const pair = new RegExp(
  String.raw`\b(?:${Object.entries(seconds)
    .map(([first, others]) => `${first}\\s(?:${others})`)
    .join('|')})\b`,
  'gi',
);
// Codes of capitals and figures in groups: WA19 KZL, TQ9 5AB, BA 2490, GB29
// NWBK 6016 1331, +46 18 555 01 42.
const begins = String.raw`\b(?<!\d[.,:/-])`;
const ends = String.raw`\b(?![.,:/-]\d)`;
const codes = [
  String.raw`[A-Z]{2}\d{2}(?:\s[A-Z\d]{4}){2,7}(?:\s[A-Z\d]{1,3})?`,
  String.raw`[A-Z]{1,3}\d{1,4}[A-Z]{0,2}\s\d?[A-Z]{2,3}`,
  String.raw`[A-Z]{1,4}\s\d{2,10}`,
  String.raw`\d{2,5}(?:\s\d{2,6}){1,5}`,
].join('|');
const code = new RegExp(`${begins}(?:${codes})${ends}`, 'g');
// Queries are often written in small letters.
const askedCode = new RegExp(code.source, 'gi');
const mayHaveCodes = /[\dA-Z]\s[\dA-Z]/;
const mayAskCodes = /\d\s\w|\w\s\d/;
const white = /\s/g;
const digitsAlone = /^\d+$/;
// Shorter numbers are two separate ones, longer ones are rows of a table.
const digitsMin = 7;
const digitsMax = 15;
// A list of codes is found by its first ones.
const codesMax = 24;

/**
 * Words that a text writes as two and others write as one, joined and in lower case: login for "log in",
 * wa19kzl for "WA19 KZL", 01632960123 for "01632 960123". So each spelling finds the other.
 */
export function joinedWordsIn(text: string, purpose: Exclude<Purpose, 'vector'>): string[] {
  const isAsked = purpose === 'query';
  const mayHave = isAsked ? mayAskCodes : mayHaveCodes;
  const found = mayHave.test(text) ? text.match(isAsked ? askedCode : code) : null;
  const joined = [...(found ?? []).slice(0, codesMax), ...(text.match(pair) ?? [])].map((words) =>
    words.replace(white, '').toLowerCase(),
  );
  const isCode = (word: string) =>
    !digitsAlone.test(word) || (word.length >= digitsMin && word.length <= digitsMax);
  return joined.filter(isCode);
}
