import { describe, expect, test } from '@jest/globals';
import { areTurns, weighTalk } from '../../src/retrieval/lanes/talk.js';
import { analyzeText } from '../../src/text/analyzer.js';
import { codeString, packCodes } from '../../src/text/word-codes.js';

const [name, other] = [1, 2];
// A question of two words, of which the second is the rarer one.
const asked = [
  {
    weights: new Map([
      [name, 1],
      [other, 3],
    ]),
    whole: 4,
  },
];
const hit = (id: number, score: number, text: string, terms = [name]) => ({
  id: String(id),
  score,
  sourceUid: String(id),
  itemChunks: 1,
  terms,
  counts: terms.map(() => 1),
  length: 10,
  wordCodes: text === '' ? '' : codeString(packCodes(analyzeText(text, 'index').wordCodes)),
});
const order = (hits: readonly ReturnType<typeof hit>[]) => weighTalk(hits, asked).map(({ id }) => Number(id));

const bye = 'Nadia: Okay, I must run. Bye!';
const told =
  'Nadia: I went to the sea with two girls from the choir, and on the beach I found a piece of green glass that I want to make a necklace of, if you lend me your pliers';

test('among turns that share as little with a question, one of few words comes behind', () => {
  expect(order([hit(1, 1.2, bye), hit(2, 1, told)])).toEqual([2, 1]);
  // Not if it has far more of the question.
  expect(order([hit(1, 4, bye, [name, other]), hit(2, 1, told)])).toEqual([1, 2]);
});

test('a short turn that contains all of a question keeps its score', () => {
  const [first] = weighTalk([hit(1, 1.2, bye, [name, other]), hit(2, 1, told)], asked);
  expect(first).toMatchObject({ id: '1', score: 1.2 });
});

test('where nobody talks nothing changes', () => {
  const hits = [hit(1, 1.2, 'The terms of the lease'), hit(2, 1, 'Nadia: sea, choir, green glass, pliers')];
  expect(weighTalk(hits, asked)).toEqual(hits);
});

test('a turn whose words are unknown counts as the others do on average', () => {
  expect(order([hit(1, 1, ''), hit(2, 1, bye), hit(3, 1, told)])).toEqual([3, 1, 2]);
  const unknown = [hit(1, 2, ''), hit(2, 1, '')];
  expect(weighTalk(unknown, asked)).toEqual(unknown);
});

test('what is beyond the best fifty stays there', () => {
  const best = Array.from({ length: 50 }, (_, nth) => hit(nth, 1 - nth / 1000, bye));
  expect(order([...best, hit(50, 0.94, told)]).at(-1)).toBe(50);
  const last = weighTalk([...best, hit(50, 0.94, told)], asked).slice(-2);
  expect(last[0]?.score).toBeGreaterThan(last[1]?.score ?? 1);
});

describe('turns of a dialogue', () => {
  const said = [
    'I live in Turku',
    'We sold the boat',
    'Did you call her?',
    'My knee hurts',
    'Rain again',
    'You know me',
  ];
  const among = (beginnings: readonly string[], texts = said) =>
    areTurns(texts.map((text, nth) => hit(nth, 1, `${beginnings[nth % beginnings.length] ?? ''}${text}`)));

  test('are told by few words at the same place, if behind a title', () => {
    expect(among(['Nadia: ', 'Tom: '])).toBe(true);
    expect(among(['Chat with Tom\n\nNadia: ', 'Chat with Tom\n\nTom: '])).toBe(true);
  });

  test('are not texts that begin with any words, or all with the same', () => {
    expect(among([''])).toBe(false);
    expect(among(['Note: '])).toBe(false);
    expect(among(['Nadia: ', 'Tom: ', 'Liv: '])).toBe(false);
    expect(areTurns([])).toBe(false);
  });

  test('are not texts in which hardly anybody talks', () => {
    const records = [
      'sea and choir',
      'green glass',
      'a pair of pliers',
      'rain in Turku',
      'a boat sold',
      'bread',
    ];
    expect(among(['Nadia: ', 'Tom: '], records)).toBe(false);
  });

  test('are not told where the words are unknown', () => {
    expect(areTurns(said.map((_, nth) => hit(nth, 1, '')))).toBe(false);
  });
});
