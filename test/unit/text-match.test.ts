import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Phrase, readTextMatch } from '../../src/retrieval/question/text-match.js';
import { analyze, termId, wordsInOrder } from '../../src/text/analyzer.js';

const stands = (phrase: string, ...texts: string[]) =>
  readTextMatch(phrase, 'phrase')?.phrase?.standsIn(texts);

describe('a phrase', () => {
  test.each([
    ['roll back', 'Rolling back a release', true],
    ['roll back', 'back, roll it', false],
    ['roll a release back', 'roll the release back', false],
    ['state of the art', 'a state-of-the-art printer', true],
    ['state of art', 'state of the art', false],
    ['the who', 'we saw The Who live', true],
    ['the who', 'who is the one', false],
    ['was here', 'it wa here', false],
    ['err 4042', 'see ERR-4042.', true],
    ['ERR-4042', 'err 4042', true],
    ['c++ compiler', 'the C++ compiler', true],
    ['c++ compiler', 'the C compiler', false],
    ['c compiler', 'the C++ compiler', true],
    ["d'Angelo sang", 'DAngelo sang', true],
    ['Angelo sang', "D'Angelo sang", true],
    ["don't panic", 'Don’t panic!', true],
    ["the dog's tail", 'the dog tail', true],
    ['cafe noir', 'Café\n\nNoir', true],
    ['новый город', 'Это новые города России', true],
    ['новый город', 'города новые', false],
    ['das Krankenhaus', 'In der Stadt und auf dem Land: das Krankenhäuser-Gesetz', true],
    ['東京都', 'ここは東京都です', true],
    ['대한민국의 수도', '서울은 대한민국에서 수도이다', true],
    ['대한민국의 수도', '수도는 대한민국', false],
    ['email was sent', 'An e-mail was sent', true],
    ['e-mail was sent', 'An email was sent', true],
    ['e mail was sent', 'An e-mail was sent', true],
    ['e-mail was sent', 'An e mail was sent', true],
    ['covid19 vaccine', 'a COVID-19 vaccine', true],
    ['e-mail was sent', 'An e was sent', false],
    ['paid holiday', 'paid paid holiday', true],
    ['…', 'anything…', false],
  ])('%j in %j: %j', (phrase, text, expected) => {
    expect(stands(phrase, text)).toBe(expected);
  });

  test('stands in one text, not across two', () => {
    expect(stands('red door', 'the red', 'door opens')).toBe(false);
    expect(stands('red door', 'the red', 'a red door')).toBe(true);
  });

  test('agrees with a search in the text, whatever stands between the words', () => {
    const word = fc.constantFrom('amber', 'birch', 'cedar', 'the', 'of', 'not');
    const between = fc.constantFrom(' ', ', ', '\n', '-', ' – ', '. ');
    const words = (max: number) => fc.array(word, { minLength: 1, maxLength: max });
    fc.assert(
      fc.property(
        words(12),
        words(3),
        fc.array(between, { minLength: 12, maxLength: 12 }),
        (text, phrase, gaps) => {
          const written = text.map((each, index) => `${each.toUpperCase()}${gaps[index] ?? ' '}`).join('');
          expect(stands(phrase.join(' '), written)).toBe(
            ` ${text.join(' ')} `.includes(` ${phrase.join(' ')} `),
          );
        },
      ),
    );
  });

  test('of no words stands nowhere', () => {
    expect(new Phrase(' - ').standsIn(['', 'text'])).toBe(false);
  });
});

test('what is required of a chunk is indexed in every chunk that holds the words', () => {
  const text = fc.string({ unit: fc.constantFrom(..."aBc théofé-_.'+#@4 東京") });
  fc.assert(
    fc.property(text, text, text, (before, query, after) => {
      const indexed = new Set(analyze(`${before} ${query} ${after} x`, 'index').map(termId));
      for (const operator of ['and', 'phrase'] as const) {
        const { required } = readTextMatch(query, operator) ?? { required: [] };
        // A text of stop words alone keeps them, in a chunk and in a query; here the chunk has more.
        const hasTerms = wordsInOrder(query).some(({ exact: [key = '='] }) => !key.startsWith('='));
        const isHeld = (terms: readonly number[]) => terms.some((term) => indexed.has(term));
        if (hasTerms) expect(required.filter((terms) => !isHeld(terms))).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});

test('or requires nothing; and of stop words alone requires those', () => {
  expect(readTextMatch('red door', 'or')).toBeNull();
  expect(readTextMatch('to be', 'and')).toEqual({ required: [[termId('to')], [termId('be')]], phrase: null });
  expect(readTextMatch('to be', 'phrase')?.required).toEqual([]);
});

test('a day that is required may be written with a zero', () => {
  const indexed = new Set(analyze('due March 03, 2024', 'index').map(termId));
  const { required } = readTextMatch('due March 3', 'and') ?? { required: [] };
  expect(required).toHaveLength(3);
  expect(required.filter((terms) => !terms.some((term) => indexed.has(term)))).toEqual([]);
});
