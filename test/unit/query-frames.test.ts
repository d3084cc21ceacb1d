import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withoutFrames } from '../../src/text/query-frames.js';

const question = 'when is the rent due?';

describe('what is said around a question is left out', () => {
  test.each([
    'Hi, ? ',
    'Hello there! Could you please tell me ?',
    'Hi, could you please tell me: ?',
    'Please, ?',
    'I want to know ?',
    "I'd like to know ?",
    'I was wondering ?',
    'I can’t remember ?',
    'Do you know ? Thanks a lot for your help!',
    'Does anybody know ? Any help would be appreciated.',
    'Can you remind me ?',
    "I'm looking for information about this: ?",
    'Quick question: ?',
    '? Thanks!',
    'Question: ? Answer:',
    'Using only the given context, answer the question: ?',
    'Answer briefly: ?',
    "You are a helpful assistant. Answer the user's question. User: ?",
    'You are a helpful assistant that answers from notes. ?',
    'According to the documents, ?',
    'Based on our previous conversations, ?',
    '? Please answer in one sentence.',
    'Find the document that says ?',
    'Search my notes: ?',
  ])('%s', (frame) => {
    expect(withoutFrames(frame.replace('?', question)).toLowerCase()).toBe(question);
  });

  test.each([
    ['what is the rent please?', 'what is the rent?'],
    ['Show me the release notes', 'the release notes'],
    ['Could you give me the list of suppliers', 'the list of suppliers'],
    [
      "I'm looking back at our previous conversation about Lake Superior. I was wondering if you could remind me of the fish?",
      'Lake Superior. the fish?',
    ],
    ['Können Sie mir bitte sagen, wann die Miete fällig ist? Vielen Dank!', 'wann die Miete fällig ist?'],
    ["Bonjour, pouvez-vous me dire quand le loyer est dû, s'il vous plaît ?", 'quand le loyer est dû?'],
    ['Hola, ¿puedes decirme cuándo vence el alquiler? Gracias', 'cuándo vence el alquiler?'],
  ])('%s', (query, bare) => {
    expect(withoutFrames(query)).toBe(bare);
  });
});

describe('a query that is about such words keeps them', () => {
  test.each([
    'thank you letter',
    'Please come home',
    'Hello world',
    'Thank you for your order',
    'how do I say thank you?',
    'how do I say please?',
    'Can you remind me to buy milk',
    'I forgot my password',
    'help me',
    'thanks',
    'answer key of the exam',
    'What did the customer say when I said "please"?',
    '',
  ])('%s', (query) => {
    expect(withoutFrames(query)).toBe(query);
  });

  test('also what would have no telling word without them, unless a context has some', () => {
    expect(withoutFrames('Can you tell me who it is?')).toBe('Can you tell me who it is?');
    expect(withoutFrames('Can you tell me who it is?', true)).toBe('who it is?');
  });
});

test('whatever it is, it is at most left shorter, and in time', () => {
  const words = fc.constantFrom(
    'hi',
    ',',
    'please',
    'can you',
    'tell me',
    'the',
    'documents',
    'thanks',
    '?',
    'rent',
    ':',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 80 }), (list) => {
      const query = list.join(' ');
      const startedAt = performance.now();
      expect(withoutFrames(query).length).toBeLessThanOrEqual(query.length);
      expect(performance.now() - startedAt).toBeLessThan(100);
    }),
  );
});
