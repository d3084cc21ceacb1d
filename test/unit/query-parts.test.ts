import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { looksMultiHop, partsOf } from '../../src/retrieval/question/query-parts.js';

describe('a query is taken apart', () => {
  test.each([
    [
      'at a clause',
      'the city where the director of Lost Harbor was born',
      ['the city', 'the director of Lost Harbor was born'],
    ],
    ['before the preposition of a clause', 'the year in which Ann Lee left', ['the year', 'Ann Lee left']],
    ['at alternatives', 'Who is older, Ann Lee or Bob Stone?', ['is older', 'Ann Lee', 'Bob Stone']],
    ['at conjuncts', 'refund policy and the delivery times', ['refund policy', 'the delivery times']],
    ['into four at most', 'red, green, blue, white, black', ['red', 'green', 'blue', 'white']],
    ['once where it repeats itself', 'cats and cats and dogs', ['cats', 'dogs']],
  ])('%s', (_case, query, parts) => {
    expect(partsOf(query)).toEqual(parts);
  });

  test.each(['how do I reset my password', 'ERR-4042', 'and or', 'android orchestra', ''])(
    'not where it is of one piece: %s',
    (query) => {
      expect(partsOf(query)).toEqual([]);
    },
  );

  test('into pieces of itself, whatever it is', () => {
    const words = fc.constantFrom(
      'who',
      'Which',
      'and',
      ',',
      'of',
      'in which',
      'Ann',
      'left',
      '?',
      '日本',
      '\u0000',
      'or',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((list) => list.join(' ')),
        ),
        (query) => {
          const parts = partsOf(query);
          expect(parts.length).not.toBe(1);
          expect(parts.length).toBeLessThanOrEqual(4);
          for (const part of parts) expect(query).toContain(part);
          expect(typeof looksMultiHop(query)).toBe('boolean');
        },
      ),
    );
  });

  test('not where it is a document', () => {
    const query = 'Who left, and why, and where to? '.repeat(500);
    expect([partsOf(query), looksMultiHop(query)]).toEqual([[], false]);
  });
});

describe('a query looks as if no text alone answered it', () => {
  test.each([
    'In what city was the director of Lost Harbor born?',
    'Where was the director of Lost Harbor born?',
    'Where did the first composer of the film Lost Harbor study?',
    "When did Lost Harbor's co-founder die?",
    'When was the parent company of Lost Harbor founded?',
    'What is the capital of the country where Ann Lee lives?',
    "Who founded Ann Lee's brother's company?",
    'Lost Harbor is a film by a director from which town?',
    'Who is older, Ann Lee or Bob Stone, of both?',
    'who is the mayor of the town of Lost Harbor',
    'Who is married to the director of Lost Harbor?',
    'What belongs to Ann and comes from Japan?',
    'Who was the mayor of the birthplace of Ann Lee in 2019?',
    'Which town is the director of "Who Is There?" from, and which her brother?',
    'Lost Harbor won a prize. In what city was its director born, and where does she live?',
  ])('%s', (query) => {
    expect(looksMultiHop(query)).toBe(true);
  });

  test.each([
    'how to roll back a release',
    'When was the town of Lost Harbor founded?',
    'What did the director of Lost Harbor say?',
    "When did Lost Harbor's town hall burn?",
    'What does the owner of Lost Harbor pay?',
    'What did we decide about prices?',
    'window seats',
    'ERR-4042 connection reset by peer while reading',
    'amber birch cedar delta ember flint grove haven',
    'measurement of the dielectric constant of liquids by microwaves',
    'Which plan includes phone support today?',
    'What was the net income of Lost Harbor in fiscal year 2021?',
    'What was the gross margin of Lost Harbor in the third quarter of 2022?',
    'Who was the manager of Lost Harbor in May 2019?',
    'How much cash did Lost Harbor have in hand at the end of 2021?',
    'What debt of Lost Harbor was there at year end 2018?',
    'How long did it take Ann to write a letter of thanks?',
    'What is the best time of the year to visit Japan?',
    'Does Lost Harbor sell data of patients to advertisers?',
    // Statements, which a text answers that says the same in other words.
    'He that hears these words and keeps them is like a man who built his house on a rock',
    'When the crowd had left he went up to the house of his brother in the city by the lake',
    'The crowd asked him, “Who is the man that lives in the house of your brother?”',
    'He said to them, "In what city was the director of the play born?',
    'Can the one who made it mend it, or must another? They had no answer to the question of the king.',
    'who gave his house to the brother of the man that had built it, for the good of all.',
    '',
  ])('not: %s', (query) => {
    expect(looksMultiHop(query)).toBe(false);
  });
});
