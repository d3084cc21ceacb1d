import { expect, test } from '@jest/globals';
import { creditWholes } from '../../src/retrieval/lanes/whole-items.js';

const [pump, valve] = [1, 2];
const weighing = {
  weights: new Map([
    [pump, 2],
    [valve, 3],
  ]),
  averageLength: 100,
};
const hit = (id: number, sourceUid: string, given: Partial<Parameters<typeof creditWholes>[0][number]>) => ({
  id: String(id),
  sourceUid,
  score: 1,
  itemChunks: 1,
  terms: [pump],
  counts: [1],
  length: 100,
  ...given,
});

test('chunks that are all of their items are left as they are', () => {
  const hits = [hit(1, 'a', { score: 5, counts: [4] }), hit(2, 'b', { score: 3, length: 10 })];
  expect(creditWholes(hits, weighing)).toEqual(hits);
  expect(creditWholes([], weighing)).toEqual([]);
});

test('a chunk gets the BM25 score of its item as one text, among items of the average size', () => {
  const hits = [
    hit(1, 'a', { score: 8, itemChunks: 4, terms: [pump, valve], counts: [2, 1] }),
    hit(2, 'b', { score: 6, itemChunks: 2, terms: [valve], counts: [1], length: 50 }),
    hit(3, 'a', { score: 4, itemChunks: 4, terms: [pump], counts: [3] }),
  ];
  // k1 is 2 and b .9 where chunks have 100 terms; 7 are added to every length. The items have 3 chunks on average.
  const norm = (length: number) => 2 * (0.1 + (0.9 * (length + 7)) / 107);
  const part = (weight: number, count: number, length: number) =>
    (3 * weight * count) / (count + norm(length));
  const share = 0.8 * (1 - 1 / 3);
  const long = share * (part(2, 2 + 3, 400 / 3) + part(3, 1, 400 / 3));
  const short = share * part(3, norm(100) / norm(50), 200 / 3);
  const scores = creditWholes(hits, weighing).map(({ score }) => score);
  [8 + long, 6 + short, 4 + long / 2].forEach((score, nth) => expect(scores[nth]).toBeCloseTo(score, 9));
});

test('of two equal chunks the one comes first whose item goes on about what is asked', () => {
  const hits = [
    hit(1, 'a', { score: 5, itemChunks: 3 }),
    hit(2, 'b', { score: 5, itemChunks: 3 }),
    hit(3, 'b', { score: 3, itemChunks: 3 }),
    hit(4, 'b', { score: 3, itemChunks: 3 }),
  ];
  const [once, often] = creditWholes(hits, weighing).map(({ score }) => score);
  expect(often).toBeGreaterThan((once ?? 0) * 1.05);
});

test('a term that no store weighs adds nothing', () => {
  const hits = [hit(1, 'a', { itemChunks: 5, terms: [9], counts: [7] })];
  expect(creditWholes(hits, weighing)).toEqual(hits);
});
