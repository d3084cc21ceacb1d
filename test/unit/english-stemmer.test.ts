import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newStemmer } from 'snowball-stemmers';
import { snowballStem } from '../../src/text/english-stemmer.js';

const snowball = newStemmer('english');

test.each([
  ...['skis', 'dying', 'news', 'only', 'innings', 'succeed', 'earrings', 'generate', 'communism', 'arsenal'],
  ...['caresses', 'ties', 'cries', 'died', 'gas', 'this', 'kiwis', 'bus', 'agreed', 'feed', 'hoped', 'used'],
  ...[
    'hopping',
    'bled',
    'repeatedly',
    'luxuriated',
    'sized',
    'cry',
    'by',
    'say',
    'youth',
    'enjoyable',
    'yyy',
  ],
  ...['relational', 'operator', 'vilely', 'geology', 'apologise', 'formative', 'sensibilities', 'darkness'],
  ...['adoption', 'million', 'replacement', 'management', 'rate', 'cease', 'controll', 'fall', 'a', 'is', ''],
])('%s has the stem that the package gives it', (word) =>
  expect(snowballStem(word)).toBe(snowball.stem(word)),
);

test('so has whatever is put together of letters and endings', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abeilnosty'), maxLength: 6 });
  const ending = fc.constantFrom(
    ...[
      '',
      's',
      'ed',
      'eed',
      'ing',
      'ly',
      'y',
      'e',
      'l',
      'ational',
      'ization',
      'fulness',
      'ogi',
      'li',
      'iviti',
    ],
    ...['icate', 'ative', 'ical', 'ement', 'ion', 'ous', 'er', 'ies', 'sses', 'us'],
  );
  const words = fc.tuple(letters, ending, ending).map((parts) => parts.join(''));
  fc.assert(
    fc.property(words, (word) => snowballStem(word) === snowball.stem(word)),
    { numRuns: 5000 },
  );
});
