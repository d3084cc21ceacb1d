import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { termId, termVector } from '../../src/text/analyzer.js';
import {
  averageLengthOfStep,
  averageLengthStep,
  documentWeights,
  inverseDocumentFrequency,
} from '../../src/text/bm25.js';

const k1 = 1.2;
const b = 0.75;
const term = fc.constantFrom('red', 'green', 'blue', 'black', 'white', 'grey');
const document = fc.array(term, { minLength: 1, maxLength: 30 });

/** BM25 as in the literature, word by word. */
function bruteForce(query: readonly string[], index: number, corpus: readonly string[][]): number {
  const document = corpus[index] ?? [];
  const average = corpus.reduce((sum, terms) => sum + terms.length, 0) / corpus.length;
  let score = 0;
  for (const word of new Set(query)) {
    const frequency = corpus.filter((terms) => terms.includes(word)).length;
    const count = document.filter((other) => other === word).length;
    const idf = Math.log(1 + (corpus.length - frequency + 0.5) / (frequency + 0.5));
    score += (idf * count * (k1 + 1)) / (count + k1 * (1 - b + (b * document.length) / average));
  }
  return score;
}

describe('bm25', () => {
  test('the inner product of frequencies and weights is the score', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 12 }), fc.array(term), (corpus, query) => {
        const vectors = corpus.map(termVector);
        const average = vectors.reduce((sum, { length }) => sum + length, 0) / corpus.length;
        vectors.forEach(({ ids, counts, length }, index) => {
          const weights = documentWeights(counts, length, average);
          let product = 0;
          for (const word of new Set(query)) {
            const frequency = vectors.filter((vector) => vector.ids.includes(termId(word))).length;
            const at = ids.indexOf(termId(word));
            product += inverseDocumentFrequency(frequency, corpus.length) * (at < 0 ? 0 : (weights[at] ?? 0));
          }
          expect(product).toBeCloseTo(bruteForce(query, index, corpus), 9);
        });
      }),
    );
  });

  test('a rare term weighs more than a frequent one, and none less than nothing', () => {
    expect(inverseDocumentFrequency(1, 100)).toBeGreaterThan(inverseDocumentFrequency(50, 100));
    expect(inverseDocumentFrequency(100, 100)).toBeGreaterThan(0);
    expect(inverseDocumentFrequency(5, 3)).toBeGreaterThan(0);
  });

  test('repetition adds ever less, and length takes away', () => {
    const [one = 0, two = 0, ten = 0, thousand = 0] = documentWeights([1, 2, 10, 1000], 10, 10);
    expect(two - one).toBeGreaterThan((ten - two) / 8);
    expect(thousand).toBeLessThan(k1 + 1);
    expect(documentWeights([1], 20, 10)[0]).toBeLessThan(one);
  });

  test('an empty store has finite weights', () => {
    expect(documentWeights([1], 1, 0).every(Number.isFinite)).toBe(true);
    expect(averageLengthStep(0)).toBe(0);
  });

  test('a step stands for the lengths near it', () => {
    for (let step = 0; step < 60; step += 1) expect(averageLengthStep(averageLengthOfStep(step))).toBe(step);
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e6, noNaN: true }), (length) => {
        const ratio = averageLengthOfStep(averageLengthStep(length)) / length;
        return ratio > 1 / 1.12 && ratio < 1.12;
      }),
    );
  });
});
