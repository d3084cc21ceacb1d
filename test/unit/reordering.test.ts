import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scopesByWeight } from '../../src/retrieval/collection-scopes.js';
import { liftOf, reorder, withFirst } from '../../src/retrieval/ranking/reordering.js';
import type { SearchScope } from '../../src/retrieval/search-scope.js';

const now = new Date('2026-06-01T00:00:00Z');
const hourMs = 3_600_000;
const hitsOf = (scores: readonly number[]) =>
  scores.toSorted((a, b) => b - a).map((score, index) => ({ id: String(index), score, ranks: {} }));
const originsOf = (ages: readonly number[], unitMs = hourMs) =>
  new Map(
    ages.map((age, index) => [
      String(index),
      { collectionId: index % 2, time: new Date(now.getTime() - age * unitMs), isDated: true },
    ]),
  );
const order = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);
const scores = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 });
const ages = fc.array(fc.nat(1000), { minLength: 30, maxLength: 30 });

describe('recency', () => {
  test('no bias changes nothing, and neither does one age', () => {
    fc.assert(
      fc.property(scores, ages, fc.nat(1000), (given, old, age) => {
        const hits = hitsOf(given);
        expect(reorder(hits, originsOf(old), { recencyBias: 0, weights: null, now })).toEqual(hits);
        const alike = originsOf(given.map(() => age));
        expect(order(reorder(hits, alike, { recencyBias: 1, weights: null, now }))).toEqual(order(hits));
      }),
    );
  });

  test('of hits that score alike the newer is first; the unit of their ages does not matter', () => {
    fc.assert(
      fc.property(scores, ages, (given, old) => {
        const alike = hitsOf(given.map(() => 0.5));
        const request = { recencyBias: 0.6, weights: null, now };
        const sorted = reorder(alike, originsOf(old), request).map(({ id }) => old[Number(id)] ?? 0);
        expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
        const hits = hitsOf(given);
        const inDays = reorder(hits, originsOf(old, 24 * hourMs), request);
        const inHours = reorder(hits, originsOf(old), request);
        expect(order(inDays)).toEqual(order(inHours));
      }),
    );
  });

  test('takes no more than it may: what scores four times as much stays in front', () => {
    fc.assert(
      fc.property(ages, fc.double({ min: 0, max: 1, noNaN: true }), (old, recencyBias) => {
        const hits = hitsOf([1, 0.24]);
        const sorted = reorder(hits, originsOf(old), { recencyBias, weights: null, now });
        expect(order(sorted)).toEqual(['0', '1']);
        for (const { score } of sorted) expect(score).toBeLessThanOrEqual(1);
      }),
    );
    expect(liftOf({ recencyBias: 1 })).toBe(4);
    expect(liftOf({ recencyBias: 0 })).toBe(1);
  });

  test('has the formula that is documented; what lies in the future is as new as can be', () => {
    const hits = hitsOf([1, 0.9, 0.8]);
    const sorted = reorder(hits, originsOf([30, 10, -5]), { recencyBias: 0.5, weights: null, now });
    expect(sorted.map(({ id, score }) => [id, Number(score.toFixed(4))])).toEqual([
      ['2', 0.8],
      ['0', 0.6538],
      ['1', 0.63],
    ]);
  });
});

test('of an archive age counts from its newest, however long ago that is', () => {
  const hits = hitsOf([1, 0.99, 0.98]);
  const request = { recencyBias: 0.5, weights: null, now };
  const ages = [30, 10, 0];
  const archive = originsOf(ages.map((age) => age + 100_000));
  expect(reorder(hits, archive, request)).toEqual(reorder(hits, originsOf(ages), request));
});

test('what was uploaded at once takes nothing from the difference between what says when it was written', () => {
  const hits = hitsOf([1, 0.99, 0.5, 0.5, 0.5]);
  const dated = originsOf([1000, 10]);
  const uploaded = ['2', '3', '4'].map((id) => [id, { collectionId: 0, time: now, isDated: false }] as const);
  const request = { recencyBias: 0.5, weights: null, now };
  const sorted = reorder(hits, new Map([...dated, ...uploaded]), request).filter(({ id }) => dated.has(id));
  const one = new Map([...dated, ...uploaded.slice(0, 1)]);
  expect(sorted).toEqual(reorder(hits.slice(0, 3), one, request).slice(0, 2));
  expect(order(sorted)).toEqual(['1', '0']);
});

describe('weights of collections', () => {
  test('multiply scores, as a share of the greatest; hits of unknown origin keep theirs', () => {
    const hits = hitsOf([1, 0.8, 0.6]);
    const origins = originsOf([1, 1]);
    const weights = new Map([
      [0, 1],
      [1, 4],
    ]);
    const sorted = reorder(hits, origins, { recencyBias: 0, weights, now });
    expect(sorted.map(({ id, score }) => [id, score])).toEqual([
      ['1', 0.8],
      ['2', 0.6],
      ['0', 0.25],
    ]);
  });

  test('part scopes by weight, every collection in one of at most eight', () => {
    const weightsOf = fc.dictionary(fc.nat(200).map(String), fc.integer({ min: 1, max: 30 }), { minKeys: 1 });
    fc.assert(
      fc.property(weightsOf, (given) => {
        const weights = new Map(Object.entries(given).map(([id, weight]) => [Number(id), weight]));
        const scopes = scopesByWeight(
          [{ collectionIds: [...weights.keys()] } as unknown as SearchScope],
          weights,
        );
        expect(scopes.length).toBeLessThanOrEqual(8);
        const ids = scopes.map(({ collectionIds }) => collectionIds);
        expect(ids.flat().toSorted()).toEqual([...weights.keys()].toSorted());
        const distinct = new Set(weights.values()).size;
        if (distinct <= 8) expect(scopes).toHaveLength(distinct);
        // Heavier ones are never behind lighter ones.
        const ordered = ids.flat().map((id) => weights.get(id) ?? 0);
        expect(ordered).toEqual(ordered.toSorted((a, b) => b - a));
      }),
    );
  });
});

test('what is put first has the best score', () => {
  const hits = hitsOf([3, 2, 1]);
  expect(withFirst(hits, '2').map(({ id, score }) => [id, score])).toEqual([
    ['2', 3],
    ['0', 3],
    ['1', 2],
  ]);
  for (const id of ['0', 'x', undefined]) expect(withFirst(hits, id)).toBe(hits);
});
