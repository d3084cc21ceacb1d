import { expect, test } from '@jest/globals';
import { buildKeywordQuery } from '../../src/retrieval/keyword-query.js';
import { analyze, termId } from '../../src/text/analyzer.js';

/** The weights of a query in a store of 1,000 chunks in which each word stands in so many. */
async function weightsOf(
  query: string,
  words: Readonly<Record<string, number>>,
): Promise<Map<string, number>> {
  const frequencies = new Map(
    Object.entries(words).map(([word, count]) => [termId(analyze(word)[0] ?? ''), count]),
  );
  const built = await buildKeywordQuery(query, {
    lookUp: (terms) =>
      Promise.resolve({
        chunks: 1000,
        frequencies: new Map([...frequencies].filter(([term]) => terms.includes(term))),
      }),
    mayHold: (terms) => Promise.resolve(terms),
  });
  const found = Object.keys(words).map((word): [string, number] => [
    word,
    built?.weights.get(termId(analyze(word)[0] ?? '')) ?? 0,
  ]);
  return new Map(found.filter(([, weight]) => weight > 0));
}

test('a word that no chunk has stands for those one slip away, and counts less', async () => {
  const meant = (await weightsOf('brittish', { british: 20, coral: 5 })).get('british') ?? 0;
  const written = (await weightsOf('british', { british: 20 })).get('british') ?? 0;
  expect(meant).toBeGreaterThan(0);
  expect(meant).toBeLessThan(written);
});

test.each([
  ['begins otherwise', 'Benton', { fenton: 3 }],
  ['is short', 'shoe', { show: 3 }],
])('a word that %s is another word', async (_, query, words) => {
  expect(await weightsOf(query, words)).toEqual(new Map());
});

test('a word that some chunk has stands for itself alone', async () => {
  expect([...(await weightsOf('sponsor', { sponsor: 1, sponser: 9 })).keys()]).toEqual(['sponsor']);
});

test.each([
  ['кошкка', { кошка: 3 }],
  ['ελλδάα', { ελλάδα: 3 }],
])('so does one beyond ASCII: %s', async (query, words) => {
  expect([...(await weightsOf(query, words)).keys()]).toEqual(Object.keys(words));
});

test('a word of another language that some chunk has in another form is written well', async () => {
  // The stem of кошками is known, and кошкам is one slip away.
  const asked: number[] = [];
  await buildKeywordQuery('кошками', {
    lookUp: (terms) => {
      asked.push(...terms);
      return Promise.resolve({ chunks: 1000, frequencies: new Map([[termId('кошк'), 3]]) });
    },
    mayHold: (terms) => Promise.resolve(terms),
  });
  expect(asked).toEqual(['кошками', 'кошк'].map(termId));
});

test('what a query repeats weighs more, by the square root', async () => {
  const once = (await weightsOf('coral', { coral: 5 })).get('coral') ?? 0;
  const often = await weightsOf('the coral of a coral reef: corals', { coral: 5, reef: 5 });
  expect(often.get('reef')).toBeCloseTo(once, 9);
  expect(often.get('coral')).toBeCloseTo(once * Math.sqrt(3), 9);
});

test.each([
  ['a twentieth of the chunks', 100_000, [900, 1500, 2500, 4000], 3],
  ['ten thousand chunks of a large store', 10_000_000, [2000, 7000, 1000, 1001], 3],
  ['two thousand chunks of a small one', 3000, [900, 1100, 1], 2],
])('terms nominate %s at most, the rarest first', async (_, chunks, counts, nominating) => {
  const terms = counts.map((count, nth) => [termId(analyze(`term${nth}`)[0] ?? ''), count] as const);
  const { nominators, weights } = (await buildKeywordQuery(
    counts.map((_count, nth) => `term${nth}`).join(' '),
    {
      lookUp: () => Promise.resolve({ chunks, frequencies: new Map(terms) }),
      mayHold: (asked) => Promise.resolve(asked),
    },
  )) ?? { nominators: [], weights: new Map() };
  const rarest = [...terms].sort(([, a], [, b]) => a - b).map(([term]) => term);
  expect(nominators).toEqual(rarest.slice(0, nominating));
  expect(weights.size).toBe(counts.length);
});
