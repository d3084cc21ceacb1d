import { expect, test } from '@jest/globals';
import { analyzeQuery, analyzeText } from '../../src/text/analyzer.js';
import { RecentTexts } from '../../src/text/recent-texts.js';

test('what was made of a text is made anew only when too much was asked for since', () => {
  const made: string[] = [];
  const recent = new RecentTexts<string>(10);
  const ask = (text: string) => {
    const answer = recent.get(text, (each) => {
      made.push(each);
      return each.toUpperCase();
    });
    expect(answer).toBe(text.toUpperCase());
  };
  ask('aaaa');
  ask('bbbb');
  ask('aaaa');
  expect(made.splice(0)).toEqual(['aaaa', 'bbbb']);
  // Room for it is that of the one that was asked for longest ago.
  ask('cccc');
  ask('aaaa');
  expect(made.splice(0)).toEqual(['cccc']);
  ask('bbbb');
  expect(made.splice(0)).toEqual(['bbbb']);
  // One that is longer than all that is remembered takes nobody's place.
  ask('d'.repeat(11));
  ask('d'.repeat(11));
  ask('bbbb');
  ask('aaaa');
  expect(made).toEqual(['d'.repeat(11), 'd'.repeat(11)]);
});

test('a long query is analysed once for all steps of its search, as a query and as a vector', () => {
  const query = 'unbekanntes 東京都に住んでいます '.repeat(1000);
  expect(analyzeQuery(query)).toBe(analyzeQuery(query));
  for (const purpose of ['query', 'vector'] as const) {
    expect(analyzeText(query, purpose)).toBe(analyzeText(query, purpose));
  }
  expect(analyzeText('bought', 'vector').terms).not.toEqual(analyzeText('bought', 'query').terms);
});
