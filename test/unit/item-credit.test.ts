import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { creditItems } from '../../src/retrieval/item-credit.js';

const lists = fc
  .array(
    fc.record({
      sourceUid: fc.constantFrom('1', '2', '3', '4'),
      score: fc.double({ min: 0.01, max: 30, noNaN: true }),
    }),
  )
  .map((hits) => hits.sort((a, b) => b.score - a.score).map((hit, index) => ({ ...hit, id: `${index}` })));

test('the best chunk of an item is credited with the others, each a quarter as much as the one before', () => {
  const hits = [
    { id: 'a', sourceUid: '1', score: 10 },
    { id: 'b', sourceUid: '2', score: 9 },
    { id: 'c', sourceUid: '2', score: 8 },
    { id: 'd', sourceUid: '2', score: 4 },
  ];
  expect(creditItems(hits).map(({ score }) => score)).toEqual([10, 9 + 8 / 4 + 4 / 16, 8, 4]);
});

test('credits as its definition says, in place, and nothing else', () => {
  fc.assert(
    fc.property(lists, (hits) => {
      const credited = creditItems(hits);
      expect(credited.map(({ id }) => id)).toEqual(hits.map(({ id }) => id));
      credited.forEach(({ sourceUid, score }, index) => {
        const own = hits.filter((hit) => hit.sourceUid === sourceUid);
        const isBest = own[0]?.id === `${index}`;
        const expected = own.reduce((sum, hit, place) => sum + hit.score * 0.25 ** place, 0);
        expect(score).toBeCloseTo(isBest ? expected : (hits[index]?.score ?? 0), 9);
      });
    }),
  );
});
