import { expect, test } from '@jest/globals';
import { contextOf } from '../../src/retrieval/graph-paths.js';

test.each([
  ['Anna lives in Oslo', 'Anna lives in Oslo.'],
  ['Anna lives in Oslo with Tom.', 'Anna lives in Oslo. Anna lives in Oslo with Tom.'],
  ['', 'Anna lives in Oslo.'],
])('a path says nothing twice: %s', (context, text) => {
  const relation = { canonicalPredicate: 'lives_in', context, temporalDetails: null };
  expect(contextOf([{ source: { name: 'Anna' }, relation, target: { name: 'Oslo' } }])).toBe(text);
});

test.each([
  ['manager', '', 'Anna manager Bob.'],
  ['manager', "Anna's manager is Bob", "Anna's manager is Bob."],
  ['has_wife', "Anna's wife is called Bob", "Anna's wife is called Bob."],
  ['has_wife', 'My wife Bob came.', "Anna's wife is Bob. My wife Bob came."],
  ['favourite_book', '', "Anna's favourite book is Bob."],
  ['manages', '', 'Anna manages Bob.'],
])('what one is to the other is read the right way round: %s, %j', (canonicalPredicate, context, text) => {
  const relation = { canonicalPredicate, context, temporalDetails: null };
  expect(contextOf([{ source: { name: 'Anna' }, relation, target: { name: 'Bob' } }])).toBe(text);
});

test('sentences of two facts do not run into each other', () => {
  const relation = (canonicalPredicate: string, context: string) => ({
    canonicalPredicate,
    context,
    temporalDetails: null,
  });
  const anna = { name: 'Anna' };
  expect(
    contextOf([
      { source: anna, relation: relation('manager', "Anna's manager is Bob"), target: { name: 'Bob' } },
      { source: anna, relation: relation('dislikes', 'Anna hates jazz'), target: { name: 'jazz' } },
    ]),
  ).toBe("Anna dislikes jazz. Anna's manager is Bob. Anna hates jazz.");
});
