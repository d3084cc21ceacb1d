import { expect, test } from '@jest/globals';
import { analyze, analyzeText } from '../../src/text/analyzer.js';
import { joinedWordsIn } from '../../src/text/joined-words.js';

test.each([
  ['WA19 KZL', 'wa19kzl'],
  ['TQ9 5AB', 'TQ95AB'],
  ['BA 2490', 'ba2490'],
  ['KB 5034441', 'KB5034441'],
  ['XPS 13', 'xps13'],
  ['GB29 NWBK 6016 1331 9268 19', 'GB29NWBK60161331926819'],
  ['4501 778', '4501778'],
  ['01632 960123', '01632960123'],
  ['+46 18 555 01 42', '+46185550142'],
  ['log in', 'login'],
  ['set up', 'setup'],
  ['Back up', 'backup'],
  ['sign up', 'signup'],
  ['fail over', 'failover'],
  ['post mortem', 'Postmortem'],
  ['wi fi', 'wifi'],
  ['web site', 'website'],
])('written together or apart: %s, %s', (apart, together) => {
  const [one = ''] = analyze(together);
  for (const written of [apart, together]) {
    expect(analyzeText(`It is ${written}, they say.`, 'index').terms).toContain(one);
    expect(analyze(written)).toContain(one);
    expect(analyze(written.toLowerCase())).toContain(one);
  }
});

test('what is joined counts for no length, and is in no vector', () => {
  expect(analyzeText('Flight BA 2490', 'index').length).toBe(3);
  expect(analyze('Flight BA 2490', 'vector')).toEqual(['flight', 'ba', '2490']);
});

test.each([
  'in 2020 at 5',
  'the 12 of 30',
  'It was 10 15 20',
  '1200 3400 5600 7800 9100',
  'a cat in the log',
])('not of what is no code: %s', (text) => {
  expect(joinedWordsIn(text, 'index')).toEqual([]);
});

test('of many codes the first ones', () => {
  const list = Array.from({ length: 100 }, (_, n) => `BA ${1000 + n}.`).join(' ');
  expect(joinedWordsIn(list, 'index')).toHaveLength(24);
});
