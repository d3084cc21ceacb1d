import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { creditItems } from '../../src/retrieval/item-credit.js';

const lists = fc
  .array(
    fc.record({
      sourceUid: fc.constantFrom('1', '2', '3', '4'),
      score: fc.double({ min: 0.01, max: 30, noNaN: true }),
      itemChunks: fc.nat(50),
    }),
  )
  .map((hits) => hits.sort((a, b) => b.score - a.score).map((hit, index) => ({ ...hit, id: `${index}` })));

test('the best chunk of an item is credited with what all of them say, for their number', () => {
  const hits = [
    { id: 'a', sourceUid: '1', score: 10, itemChunks: 1 },
    { id: 'b', sourceUid: '2', score: 9, itemChunks: 16 },
    { id: 'c', sourceUid: '2', score: 8, itemChunks: 16 },
    { id: 'd', sourceUid: '2', score: 4, itemChunks: 16 },
  ];
  const scores = [10, (9 + (0.3 * 21) / 8) / 1.3, 8 / 1.3, 4 / 1.3];
  creditItems(hits).forEach(({ score }, index) => expect(score).toBeCloseTo(scores[index] ?? 0, 9));
});

test('credits as its definition says, in place, and nothing else', () => {
  fc.assert(
    fc.property(lists, (hits) => {
      const credited = creditItems(hits);
      expect(credited.map(({ id }) => id)).toEqual(hits.map(({ id }) => id));
      credited.forEach(({ sourceUid, score }, index) => {
        const own = hits.filter((hit) => hit.sourceUid === sourceUid);
        const isBest = own[0]?.id === `${index}`;
        const sum = own.reduce((total, hit) => total + hit.score, 0);
        const chunks = Math.max(1, ...own.map(({ itemChunks }) => itemChunks));
        const credit = isBest ? (0.3 * sum) / chunks ** 0.75 : 0;
        expect(score).toBeCloseTo(((hits[index]?.score ?? 0) + credit) / 1.3, 9);
      });
    }),
  );
});

test('no other chunk of an item comes before its best one', () => {
  fc.assert(
    fc.property(lists, (hits) => {
      const credited = creditItems(hits);
      for (const uid of ['1', '2', '3', '4']) {
        const scores = credited.filter(({ sourceUid }) => sourceUid === uid).map(({ score }) => score);
        expect(Math.max(...scores, 0)).toBe(scores[0] ?? 0);
      }
    }),
  );
});
