import { describe, expect, test } from '@jest/globals';
import { QueryNames, longestOf, respell } from '../../src/retrieval/question/query-names.js';
import type { NameCandidate } from '../../src/retrieval/question/query-names.js';

const keysOf = (query: string) => new QueryNames(query).candidates.map(({ key }) => key);

test('every stretch of words that are not all empty may be a name', () => {
  expect(keysOf('is Ann at the Bank')).toEqual([
    'is ann',
    'is ann at',
    'is ann at the',
    'is ann at the bank',
    'ann',
    'ann at',
    'ann at the',
    'ann at the bank',
    'at the bank',
    'the bank',
    'bank',
  ]);
});

test.each([
  ['marks inside a name stay', "O'Brien of AT&T", ["o'brien", 'at&t']],
  ['a possessive leaves the name', 'Acme’s boss', ['acme', 'boss']],
  ['parts of a compound are names too', 'Berlin-based', ['berlin', 'berlin-based']],
  ['signs belong to a name', 'C++ or F# on .NET', ['c++', 'f#', '.net']],
  ['a script without spaces is parted', '张伟在哪里', ['张伟']],
  ['an e-mail address is one', 'to ann@example.com!', ['ann@example.com']],
])('%s', (_case, query, keys) => {
  expect(keysOf(query)).toEqual(expect.arrayContaining(keys));
});

test('a year is no name, a long number may be one', () => {
  expect(keysOf('2019')).toEqual([]);
  expect(keysOf('20190')).toEqual(['20190']);
});

test('a document as a query is looked at as far as its beginning', () => {
  const { candidates } = new QueryNames('name '.repeat(6000));
  expect(candidates.length).toBeLessThanOrEqual(600);
});

test('e-mail addresses are found in lower case and without the dot of the sentence', () => {
  expect(new QueryNames('Mail <Ann@Example.com>, or bob@example.org.').emails).toEqual([
    'ann@example.com',
    'bob@example.org',
  ]);
});

test('the longest names win, and those of one stretch are all kept', () => {
  const names = [
    { key: 'york', first: 1, last: 1 },
    { key: 'new york', first: 0, last: 1 },
    { key: 'new york', first: 0, last: 1, other: true },
    { key: 'times', first: 3, last: 3 },
  ];
  expect(longestOf(names)).toEqual([names[1], names[2], names[3]]);
});

describe('an unknown word', () => {
  /** The names that a word may have been meant for, where names begin with so many of its letters. */
  const meantBy = (
    query: string,
    word: string,
    { begins = 99, beginsBehind = 99, taken = [] as NameCandidate[] },
  ) => {
    const unknown = new QueryNames(query).plainWords.filter((plain) => plain.word === word);
    return respell(
      unknown.map((plain) => ({ ...plain, begins, beginsBehind: plain.before === null ? -1 : beginsBehind })),
      taken,
    );
  };
  const keysOfMeant = (...parameters: Parameters<typeof meantBy>) =>
    meantBy(...parameters).flatMap(({ candidates }) => candidates.map(({ key }) => key));

  test('may be a name alone and with its neighbours', () => {
    const meant = meantBy('call Maria  Gonzales-Ruiz now', 'gonzales', {});
    expect(meant).toContainEqual({
      beginning: 'gonzalez',
      candidates: [
        { key: 'gonzalez', first: 2, last: 2 },
        { key: 'gonzalez-ruiz', first: 2, last: 3 },
      ],
    });
    expect(meant).toContainEqual({
      beginning: 'maria gonzalez',
      candidates: [{ key: 'maria gonzalez', first: 1, last: 2 }],
    });
  });

  test('is one of letters of any script, and no code', () => {
    expect(keysOfMeant('где Москкву найти', 'москкву', {})).toContain('москву');
    expect(keysOfMeant('πού είναι η Αθήννα', 'αθηννα', {})).toContain('αθηνα');
    expect(new QueryNames('err4042 東京都庁舎 Москкву').plainWords.map(({ word }) => word)).toEqual([
      'москкву',
    ]);
  });

  test('is not looked at where a name stands', () => {
    expect(meantBy('call Maria Gonzales', 'gonzales', { taken: [{ key: 'x', first: 2, last: 2 }] })).toEqual(
      [],
    );
  });

  test('is no part of a name with words that never are', () => {
    const keys = keysOfMeant('who is gonzales and why', 'gonzales', {});
    expect(keys).toContain('gonzalez');
    expect(keys.filter((key) => key.includes(' '))).toEqual([]);
  });

  test('keeps as many letters at most as a name begins with', () => {
    const keys = keysOfMeant('maria gonzales', 'gonzales', { begins: 3, beginsBehind: -1 });
    expect(keys).toEqual(expect.arrayContaining(['gnzales', 'gomzales', 'gonales', 'gonazles']));
    expect(keys).not.toEqual(expect.arrayContaining(['gonzalez']));
    expect(keys.filter((key) => key.startsWith('maria'))).toEqual([]);
  });
});
