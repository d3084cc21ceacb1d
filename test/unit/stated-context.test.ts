import { expect, test } from '@jest/globals';
import { contextOf } from '../../src/retrieval/context/stated-context.js';

const stated = (canonicalPredicate: string, context = '') => ({
  canonicalPredicate,
  context,
  temporalDetails: null,
});
const item = (name: string) => ({ name, namespace: 'sources' });
const ivo = { name: 'Ivo Petrov' };

test.each([
  ['Anna lives in Oslo', 'Anna lives in Oslo.'],
  ['Anna lives in Oslo with Tom.', 'Anna lives in Oslo. Anna lives in Oslo with Tom.'],
  ['She lives in Oslo "now"', 'Anna lives in Oslo. She lives in Oslo "now".'],
  ['', 'Anna lives in Oslo.'],
])('a path says nothing twice, and in sentences: %s', (context, text) => {
  const relation = stated('lives_in', context);
  expect(contextOf([{ source: { name: 'Anna' }, relation, target: { name: 'Oslo' } }])).toBe(text);
});

test('words are cut at the end of one', () => {
  const context = `Anna said ${'more '.repeat(200)}`;
  const text = contextOf([{ source: { name: 'Anna' }, relation: stated('knows', context), target: ivo }]);
  expect(text).toMatch(/ more…$/);
});

test.each([
  [
    item('ok, I will leave it in then'),
    'sent_by',
    ivo,
    '"ok, I will leave it in then" was sent by Ivo Petrov.',
  ],
  [
    item('Standup: yesterday finished the idempotency keys for refunds, today reviewing Sa'),
    'sent_by',
    ivo,
    '"Standup: yesterday finished the idempotency keys for refunds, today reviewing…" was sent by Ivo Petrov.',
  ],
  [
    item('Standup: yesterday finished the idempotency keys for refunds, today I reviewed.'),
    'mentions',
    ivo,
    '"Standup: yesterday finished the idempotency keys for refunds, today I reviewed." mentions Ivo Petrov.',
  ],
  [item('Fixed.'), 'comment_on', item('Latency'), '"Fixed." is a comment on "Latency".'],
  [item('Fixed.'), 'child_of', item('Latency'), '"Fixed." is a child of "Latency".'],
  [item('Fixed.'), 'reply_to', item('Latency'), '"Fixed." is a reply to "Latency".'],
  [item('Fixed.'), 'linked_to', item('Latency'), '"Fixed." is linked to "Latency".'],
  [item('Fixed.'), 'commented_by', ivo, '"Fixed." was commented on by Ivo Petrov.'],
  [
    { name: 'Works again.', namespace: 'comments' },
    'comment_on',
    item('Latency'),
    '"Works again." is a comment on "Latency".',
  ],
  [item('Fixed.'), 'same_thread', item('Latency'), '"Fixed." is in one thread with "Latency".'],
])('items are quoted: %j %s', (source, predicate, target, text) => {
  expect(contextOf([{ source, relation: stated(predicate), target }])).toBe(text);
});

test.each([
  ['manager', '', 'Anna manager Bob.'],
  ['manager', "Anna's manager is Bob", "Anna's manager is Bob."],
  ['has_wife', "Anna's wife is called Bob", "Anna's wife is called Bob."],
  ['has_wife', 'My wife Bob came.', "Anna's wife is Bob. My wife Bob came."],
  ['favourite_book', '', "Anna's favourite book is Bob."],
  ['manages', '', 'Anna manages Bob.'],
])('what one is to the other is read the right way round: %s, %j', (canonicalPredicate, context, text) => {
  const relation = stated(canonicalPredicate, context);
  expect(contextOf([{ source: { name: 'Anna' }, relation, target: { name: 'Bob' } }])).toBe(text);
});

test('sentences of two facts do not run into each other', () => {
  const anna = { name: 'Anna' };
  expect(
    contextOf([
      { source: anna, relation: stated('manager', "Anna's manager is Bob"), target: { name: 'Bob' } },
      { source: anna, relation: stated('dislikes', 'Anna hates jazz'), target: { name: 'jazz' } },
    ]),
  ).toBe("Anna dislikes jazz. Anna's manager is Bob. Anna hates jazz.");
});

test.each([
  ['married_to', null, 'Anna is married to Bob.'],
  ['based_in', null, 'Anna is based in Bob.'],
  ['lives_in', 'former', 'Anna lives in Bob (former).'],
  ['member_of', 'former, until 2019', 'Anna was a member of Bob (former, until 2019).'],
  ['born_in', '1980', 'Anna was born in Bob (1980).'],
  ['capital_of', null, 'Anna is the capital of Bob.'],
])('what is no verb becomes one: %s', (predicate, temporalDetails, text) => {
  const relation = { ...stated(predicate), temporalDetails };
  expect(contextOf([{ source: { name: 'Anna' }, relation, target: { name: 'Bob' } }])).toBe(text);
});
