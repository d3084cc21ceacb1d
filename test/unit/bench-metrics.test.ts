import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BruteBm25, analyzeLikeLucene } from '../../bench/brute-bm25.js';
import { makeEvalSet } from '../../bench/made-eval-set.js';
import { measureRanking, meanMetrics } from '../../bench/ranking-metrics.js';

const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { minLength: 1, maxLength: 16 });

describe('the measures of a ranking', () => {
  test('are those of a worked example', () => {
    // Right: a (grade 2), b, c; found: b at 2, a at 3.
    const right = new Map([
      ['a', 2],
      ['b', 1],
      ['c', 1],
    ]);
    const measured = measureRanking(['x', 'b', 'a', 'y'], right);
    const best = 2 + 1 / Math.log2(3) + 1 / 2;
    expect(measured.ndcg10).toBeCloseTo((1 / Math.log2(3) + 2 / 2) / best, 9);
    expect(measured.recall10).toBeCloseTo(2 / 3, 9);
    expect(measured.reciprocalRank).toBe(1 / 2);
  });

  test('are 1 for the right documents in front, 0 for none of them', () => {
    fc.assert(
      fc.property(ids, (found) => {
        const right = new Map(found.slice(0, 10).map((id) => [id, 1]));
        expect(measureRanking(found, right)).toEqual({
          ndcg10: 1,
          recall10: 1,
          recall100: 1,
          reciprocalRank: 1,
        });
        expect(measureRanking(found, new Map([['-', 1]]))).toEqual({
          ndcg10: 0,
          recall10: 0,
          recall100: 0,
          reciprocalRank: 0,
        });
      }),
    );
  });

  test('a ranking counts to its tenth, recall to its hundredth, and a mean is one over queries', () => {
    const late = [...'abcdefghij', 'right'];
    const measured = measureRanking(late, new Map([['right', 1]]));
    expect(measured).toEqual({ ndcg10: 0, recall10: 0, recall100: 1, reciprocalRank: 1 / 11 });
    const first = measureRanking(['right'], new Map([['right', 1]]));
    expect(meanMetrics([measured, first])).toMatchObject({ ndcg10: 0.5, recall100: 1 });
  });
});

describe('the BM25 that searches are held against', () => {
  test('analyses as Lucene does for English', () => {
    expect(analyzeLikeLucene("The dog's owners were running in U.S.A. and don't stop")).toEqual([
      'dog',
      'owner',
      'were',
      'run',
      'u.s.a',
      "don't",
      'stop',
    ]);
  });

  test('scores as its formula says: rarer, more frequent and in a shorter text is better', () => {
    const texts = ['red fox', 'red red fish swims far away', 'blue whale', 'red blue'];
    const bm25 = new BruteBm25(['0', '1', '2', '3'], texts, (text) => text.split(' '));
    const rank = (query: string, b = 0.75) => bm25.rank(query, { k1: 1.2, b }, 10);
    expect(rank('fox')).toEqual(['0']);
    expect(rank('red whale')[0]).toBe('2');
    expect(rank('red', 0)[0]).toBe('1');
    expect(rank('red', 1).slice(0, 2)).toEqual(['0', '3']);
    expect(rank('unknown')).toEqual([]);
  });

  test('finds the right document of every query of the made-up set', () => {
    const { documents, queries, judgements } = makeEvalSet();
    const bm25 = new BruteBm25(
      documents.map(({ id }) => id),
      documents.map(({ text }) => text),
      analyzeLikeLucene,
    );
    const measured = queries.map(({ id, text }) =>
      measureRanking(
        bm25.rank(text, { k1: 1.2, b: 0.75 }, 100),
        judgements.get(id) ?? new Map<string, number>(),
      ),
    );
    expect(queries).toHaveLength(50);
    expect(meanMetrics(measured).ndcg10).toBeGreaterThan(0.9);
  });
});
