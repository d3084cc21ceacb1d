import { describe, expect, test } from '@jest/globals';
import { fuse } from '../../src/retrieval/fusion.js';

const dense = [
  { id: '10', score: 0.9 },
  { id: '9', score: 0.6 },
  { id: '8', score: 0.5 },
];
const sparse = [
  { id: '7', score: 12 },
  { id: '9', score: 11 },
  { id: '6', score: 2 },
];
const query = 'how do vaccines work';
const ids = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);

describe('fuse', () => {
  test('gives the order of one lane at the ends of alpha', () => {
    expect(ids(fuse({ dense, sparse, alpha: 1, query }))).toEqual(ids(dense));
    expect(ids(fuse({ dense, sparse, alpha: 0, query }))).toEqual(ids(sparse));
  });

  test('tells ranks in both lanes, from 1', () => {
    const hits = fuse({ dense, sparse, alpha: 0.5, query });
    expect(hits.find(({ id }) => id === '9')?.ranks).toEqual({ dense: 2, sparse: 2 });
    expect(hits.find(({ id }) => id === '7')?.ranks).toEqual({ sparse: 1 });
    expect(hits.find(({ id }) => id === '8')?.ranks).toEqual({ dense: 3 });
    expect(fuse({ dense, sparse, alpha: 1, query })[1]?.ranks).toEqual({ dense: 2, sparse: 2 });
  });

  test('puts what both lanes found before what one found', () => {
    expect(ids(fuse({ dense, sparse, alpha: 0.5, query }))[0]).toBe('9');
  });

  test('lets the other lane decide when one is empty', () => {
    for (const alpha of [0, 0.3, 1, 'auto'] as const) {
      expect(ids(fuse({ dense, sparse: [], alpha, query }))).toEqual(ids(dense));
      expect(ids(fuse({ dense: [], sparse, alpha, query }))).toEqual(ids(sparse));
      expect(fuse({ dense: [], sparse: [], alpha, query })).toEqual([]);
      expect(fuse({ dense, sparse: [], alpha, query })[0]?.score).toBe(1);
    }
  });

  test('gives scores from 0 to 1, best first, also for negative and equal ones', () => {
    const low = [
      { id: '1', score: -0.1 },
      { id: '2', score: -0.4 },
    ];
    const equal = [
      { id: '3', score: 5 },
      { id: '4', score: 5 },
    ];
    for (const alpha of [0, 0.1, 0.5, 0.9, 1, 'auto'] as const) {
      const scores = fuse({ dense: low, sparse: equal, alpha, query }).map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    }
  });

  test('orders equal scores by id as a number', () => {
    const lane = ['10', '9', '90071992547409931', '90071992547409930'].map((id) => ({ id, score: 1 }));
    expect(ids(fuse({ dense: lane, sparse: lane, alpha: 0.5, query }))).toEqual([
      '9',
      '10',
      '90071992547409930',
      '90071992547409931',
    ]);
  });

  test('trusts keywords more when a query asks for exact words', () => {
    const weightOfDense = (text: string) =>
      fuse({ dense, sparse, alpha: 'auto', query: text }).find(({ id }) => id === '10')?.score ?? 0;
    const natural = weightOfDense(query);
    expect(natural).toBeGreaterThan(0);
    expect(natural).toBeLessThan(0.5);
    for (const exact of [
      'ERR-4042',
      'what is v1.2.3',
      'foo_bar',
      '"exact phrase" here',
      'me@example.com',
      'born 1986',
    ])
      expect(weightOfDense(exact)).toBeLessThan(natural);
    for (const plain of ["what's a well-known drink", "the cat's toy and the dog's bed"])
      expect(weightOfDense(plain)).toBe(natural);
  });
});
