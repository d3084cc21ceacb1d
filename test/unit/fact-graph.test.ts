import { expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import { extractByRules } from '../../src/inference/extractors/rules.js';
import { withFacts } from '../../src/ingestion/preparation/fact-graph.js';

function graphOf(text: string, userName = 'Anna') {
  const facts = extractByRules([text], userName);
  return withFacts(extractGraph({ title: '', chunks: [{ text }] }), facts, [{ text: 'Nothing.' }, { text }]);
}

test.each<[string, ...string[]]>([
  ['I love sushi but I hate olives.', 'Anna likes sushi', 'Anna dislikes olives'],
  ['I live in Oslo and work at Acme.', 'Anna lives_in Oslo', 'Anna works_for Acme'],
  ['I prefer window seats.', 'Anna prefers window seats'],
  ['I own a Tesla.', 'Anna owns Tesla'],
  ['My wife Karin is allergic to nuts.', 'Anna has_wife Karin', 'Karin allergic_to nuts'],
  ['I moved to Ghent last weekend from Lisbon.', 'Anna lives_in Ghent'],
  [
    'My sister Nadia is a nurse. My sister Karin is a pilot. My sister likes tea.',
    'Anna has_sister Nadia',
    'Nadia occupation nurse',
    'Anna has_sister Karin',
    'Karin occupation pilot',
    // Which of the two is not said.
    "Anna's sister likes tea",
  ],
  ['My manager is Saskia Vermeulen.', 'Anna manager Saskia Vermeulen'],
  ['I have a dog named Rex.', 'Anna has_dog Rex'],
  ['I like my coffee black. I hate it when people are late. Keep answers short.'],
  // What does not hold, numbers, wishes and decisions.
  ['I used to live in Oslo. I am 34. My phone is 5551234. Call me Annie.'],
  ['Please always answer in French. We decided to use Postgres.'],
])('facts are relations: %s', (text, ...said) => {
  const { entities, relations } = graphOf(text);
  const nameOf = (index: number) => entities[index]?.name ?? '';
  expect(
    relations.map(({ source, predicate, target }) => `${nameOf(source)} ${predicate} ${nameOf(target)}`),
  ).toEqual(said);
  expect(relations.map(({ chunk }) => chunk)).toEqual(said.map(() => 1));
});

test('a fact has its time and its kinds of things, and who has no name is of this text only', () => {
  const { entities, relations } = graphOf('I moved to Fredrikstad in February 2024.', 'User');
  expect(relations).toMatchObject([{ predicate: 'lives_in', temporalDetails: 'February 2024' }]);
  expect(entities).toMatchObject([
    { name: 'Fredrikstad', type: 'LOCATION' },
    { name: 'User', type: 'PERSON', isLocal: true },
  ]);
});

test.each([
  ['My sister Ines is getting married on 14 June 2026.', null],
  ['I live in Oslo, which I first saw in May 2010.', null],
  ['I have lived in Oslo since 2019.', 'since 2019'],
])('a time belongs to what its part of the sentence says: %s', (text, time) => {
  expect(graphOf(text).relations.map(({ temporalDetails }) => temporalDetails)).toEqual([time]);
});

test('a sentence that two chunks quote says one thing once', () => {
  const text = 'My sister Nadia lives in Cardiff.';
  const facts = extractByRules([text], 'Anna');
  const chunks = facts.map(({ statement }) => ({ text: `${statement} ("${text}")` }));
  const { relations } = withFacts(extractGraph({ title: '', chunks, people: ['Anna'] }), facts, chunks);
  expect(relations.map(({ predicate, chunk }) => [predicate, chunk])).toEqual([
    ['lives_in', 0],
    ['has_sister', 0],
  ]);
});

test('managers are people', () => {
  expect(graphOf('My manager is Saskia Vermeulen.').entities).toContainEqual(
    expect.objectContaining({ name: 'Saskia Vermeulen', type: 'PERSON' }),
  );
});

test('the same thing is not said from both ends', () => {
  const predicates = (text: string) => graphOf(text).relations.map(({ predicate }) => predicate);
  expect(predicates('Anna moved to Oslo.')).toEqual(['lives_in']);
  expect(predicates("Priya Raman manages Anna. Anna's manager is Priya Raman.")).toEqual(['manages']);
});

test('a relation that the text itself gives is not repeated', () => {
  const text = 'Anna lives in Oslo.';
  expect(graphOf(text).relations).toHaveLength(1);
});
