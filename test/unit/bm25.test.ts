import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { termId, termVector } from '../../src/text/analyzer.js';
import {
  averageLengthOfStep,
  averageLengthStep,
  documentWeights,
  inverseDocumentFrequency,
} from '../../src/text/bm25.js';

const terms = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const corpora = fc.array(fc.array(terms, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });

/** BM25 as the textbook writes it, from the terms themselves; every text is taken to be seven terms longer. */
function textbookScore(
  query: string[],
  document: string[],
  { corpus, k1, b }: { corpus: string[][]; k1: number; b: number },
): number {
  const average = corpus.reduce((sum, { length }) => sum + length, 0) / corpus.length;
  return query.reduce((sum, term) => {
    const frequency = document.filter((other) => other === term).length;
    const documents = corpus.filter((other) => other.includes(term)).length;
    const idf = Math.log(1 + (corpus.length - documents + 0.5) / (documents + 0.5));
    const norm = k1 * (1 - b + (b * (document.length + 7)) / (average + 7));
    return sum + (idf * frequency * (k1 + 1)) / (frequency + norm);
  }, 0);
}

describe('bm25', () => {
  test.each([
    { times: 1, k1: 1.1, b: 0.75 },
    { times: 120, k1: 2, b: 0.9 },
  ])(
    'the product of query frequencies and weights of texts $times times as long is the textbook score',
    ({ times, ...parameters }) => {
      fc.assert(
        fc.property(corpora, fc.uniqueArray(terms, { minLength: 1 }), (short, query) => {
          const corpus = short.map((document) => Array.from({ length: times }, () => document).flat());
          const average = corpus.reduce((sum, { length }) => sum + length, 0) / corpus.length;
          for (const document of corpus) {
            const { ids, counts, length } = termVector(document);
            const weights = documentWeights(counts, length, average);
            const score = query.reduce((sum, term) => {
              const documents = corpus.filter((other) => other.includes(term)).length;
              const at = ids.indexOf(termId(term));
              return (
                sum + (at < 0 ? 0 : inverseDocumentFrequency(documents, corpus.length) * (weights[at] ?? 0))
              );
            }, 0);
            expect(score).toBeCloseTo(textbookScore(query, document, { corpus, ...parameters }), 9);
          }
        }),
      );
    },
  );

  test('the longer texts are on average, the more repetitions tell, and the more their own length counts', () => {
    const lengths = [10, 50, 60, 75, 90, 100, 500];
    const parts = lengths.map((average) => {
      const [once, often] = [1, 6].map((count) => documentWeights([count], average, average)[0] ?? 0);
      const [twiceAsLong] = documentWeights([1], 2 * average + 7, average);
      return { once, often: often ?? 0, twiceAsLong: twiceAsLong ?? 0 };
    });
    for (const { once } of parts) expect(once).toBeCloseTo(1, 9);
    const [first, second, ...between] = parts;
    const last = between.pop();
    const beforeLast = between.pop();
    expect(second).toEqual(first);
    expect(last).toEqual(beforeLast);
    const growing = [second, ...between, last];
    for (const [nth, part] of growing.slice(1).entries()) {
      expect(part?.often).toBeGreaterThan(growing[nth]?.often ?? Infinity);
      expect(part?.twiceAsLong).toBeLessThan(growing[nth]?.twiceAsLong ?? 0);
    }
  });

  test('a rarer term weighs more, and no term weighs less than nothing', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (some, others) => {
        const all = some + others + 1;
        const weight = inverseDocumentFrequency(some, all);
        return weight > 0 && weight > inverseDocumentFrequency(some + 1, all);
      }),
    );
  });

  test('counts that lag behind give finite weights', () => {
    expect(inverseDocumentFrequency(7, 5)).toBeGreaterThan(0);
    expect(documentWeights([1], 1, 0)[0]).toBeGreaterThan(0);
  });

  test('a length is within half a step of what its step stands for', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e5, noNaN: true }), (length) => {
        const ratio = averageLengthOfStep(averageLengthStep(length)) / length;
        return ratio > 0.89 && ratio < 1.12;
      }),
    );
    expect(averageLengthStep(100 * 1.25) - averageLengthStep(100)).toBe(1);
  });

  test('a store that holds nothing has the step of length 1', () => {
    expect(averageLengthOfStep(averageLengthStep(0))).toBe(1);
  });
});
