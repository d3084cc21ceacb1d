import { describe, expect, test } from '@jest/globals';
import { namesNothing } from '../../src/graph/extraction/plain-talk.js';
import { readGraph } from '../support/read-graph.js';

describe('messages that are seen to name nothing before they are read', () => {
  test.each([
    'ok',
    'can you check the build when you get a chance?',
    "I think they're flaky again, so it's not you.",
    'Thanks, that helped. We should try 3 of them.',
    'What about the coffee machine?\nHi all, please bring 2.',
  ])('%s', (text) => {
    expect(namesNothing(text)).toBe(true);
    expect(readGraph(text, { people: ['Rafi'], author: 'Rafi' })).toEqual({ entities: [], relations: [] });
  });
});

test.each([
  'we met Ann Hill.',
  'Nimbus acquired it.',
  'Will came later.',
  'ask rafi@acme.com',
  'ask @rafi',
  'see https://acme.com',
  'landlord: not known',
  'on 5 may 2024',
  'on may 5',
  'the billing service is down',
  'billing-api is down',
  '`ledger` is down',
  'my iPhone is lost',
  "a Nor'easter came",
  'Thanks province was late',
  'Who OK it',
  'das Café ist zu',
  'они ушли',
  'Tom & they left',
])('what may name something is read: %s', (text) => {
  expect(namesNothing(text)).toBe(false);
});

test('a heading may name what its text does not', () => {
  const { entities } = readGraph('please call them.', { headings: ['Contact: Ann Hill, Acme Ltd'] });
  expect(entities).toEqual(
    readGraph('Please call, they wait.', { headings: ['Contact: Ann Hill, Acme Ltd'] }).entities,
  );
});
