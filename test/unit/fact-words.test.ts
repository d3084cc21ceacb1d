import { expect, test } from '@jest/globals';
import { extractByRules } from '../../src/inference/extractors/rules.js';
import { termsOfFacts } from '../../src/ingestion/preparation/fact-words.js';
import { analyze } from '../../src/text/analyzer.js';

const askedBy = (text: string, question: string) => {
  const terms = termsOfFacts(extractByRules([text], 'Bea'));
  return analyze(question).filter((term) => terms.includes(term));
};

test.each([
  ['I moved to Rotterdam.', 'where do I live?', ['live']],
  ['We moved! New address: Schiedamse Vest 88.', 'where do I live?', ['live']],
  ['I started a new job at Lumen Health.', 'where do I work?', ['work']],
  ['I left Bolwerk for Lumen Health.', 'who is my employer?', ['employ']],
  ['I joined Lumen Health as research lead.', 'what is my job title?', ['job', 'titl']],
  // What does not hold, what is somebody else's, and what has no such words.
  ['I left Bolwerk.', 'where do I work?', []],
  ['My sister moved to Rome.', 'where do I live?', []],
  ['I like tea.', 'where do I live?', []],
])('%j can be asked for: %j', (text, question, found) => {
  expect(askedBy(text, question)).toEqual(found);
});
