import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inOrder } from '../../src/retrieval/ranking/rerank-order.js';
import type { FoundChunk } from '../../src/retrieval/search-result.js';

const foundOf = (scores: readonly number[]) =>
  scores
    .toSorted((a, b) => b - a)
    .map((score, index) => ({ hit: { id: String(index), score, ranks: {} } }) as FoundChunk);
const shown = (found: readonly FoundChunk[]) => found.map(({ hit }) => [hit.id, hit.score]);

test('scores decide, those without one follow', () => {
  const found = foundOf([0.9, 0.8, 0.7, 0.6]);
  const scores = new Map([
    [2, 0.95],
    [0, 0.3],
  ]);
  expect(shown(inOrder(found, scores))).toEqual([
    ['2', 0.95],
    ['0', 0.3],
    ['1', 0.3],
    ['3', 0.3],
  ]);
});

test('whatever the scale, every chunk stays, best first, with a share', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const score = fc.double({ min: -1e3, max: 1e3, noNaN: true });
  fc.assert(
    fc.property(fc.array(share, { minLength: 1 }), fc.array(fc.option(score)), (fused, given) => {
      const found = foundOf(fused);
      const scores = new Map(
        given.slice(0, found.length).flatMap((each, at) => (each === null ? [] : [[at, each]])),
      );
      const ordered = inOrder(found, scores);
      expect(ordered.map(({ hit }) => hit.id).toSorted()).toEqual(found.map(({ hit }) => hit.id).toSorted());
      ordered.forEach(({ hit }, at) => {
        expect(hit.score).toBeGreaterThanOrEqual(0);
        expect(hit.score).toBeLessThanOrEqual(ordered[at - 1]?.hit.score ?? 1);
        const before = ordered[at - 1];
        const own = scores.get(Number(hit.id));
        if (before && own !== undefined)
          expect(own).toBeLessThanOrEqual(scores.get(Number(before.hit.id)) ?? -Infinity);
      });
    }),
  );
});
