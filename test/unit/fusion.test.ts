import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fuse } from '../../src/retrieval/ranking/fusion.js';
import { laneWeights } from '../../src/retrieval/ranking/lane-weights.js';
import { fuseLanes, scoredByWorth } from '../../src/retrieval/ranking/rank-fusion.js';

const laneOf = (ids: readonly string[]) => ids.map((id, index) => ({ id, score: ids.length - index }));
const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 });
const query = 'which company makes the engine';
// A figure decides there, so lanes are fused by ranks.
const dated = 'which company made the engine in 2021';
const order = (hits: readonly { id: string }[]) => hits.map((hit) => hit.id);

describe('fuse', () => {
  test('an alpha of 1 is the dense order alone, of 0 the keyword order alone', () => {
    fc.assert(
      fc.property(ids, ids, (first, second) => {
        const lanes = { dense: laneOf(first), sparse: laneOf(second), query };
        expect(order(fuse({ denseWeight: 0.1, ...lanes, alpha: 1 }))).toEqual(first);
        expect(order(fuse({ denseWeight: 0.1, ...lanes, alpha: 0 }))).toEqual(second);
      }),
    );
  });

  test('has every hit once, best first, with scores of 0 to 1 and its ranks', () => {
    const alphas = fc.oneof(fc.constant('auto' as const), fc.double({ min: 0.01, max: 0.99, noNaN: true }));
    fc.assert(
      fc.property(ids, ids, alphas, (first, second, alpha) => {
        const fused = fuse({ denseWeight: 0.1, dense: laneOf(first), sparse: laneOf(second), alpha, query });
        expect(order(fused).toSorted()).toEqual([...new Set([...first, ...second])].toSorted());
        fused.forEach((hit, index) => {
          expect(hit.score).toBeGreaterThan(0);
          expect(hit.score).toBeLessThanOrEqual(fused[index - 1]?.score ?? 1);
          expect(hit.ranks.dense ?? 0).toBe(first.indexOf(hit.id) + 1);
          expect(hit.ranks.sparse ?? 0).toBe(second.indexOf(hit.id) + 1);
        });
      }),
    );
  });

  test('the graph counts more where one text hardly answers', () => {
    const weightFor = (asked: string) => laneWeights({ denseWeight: 0.1, alpha: 'auto', query: asked }).graph;
    expect(weightFor('What did Lost Harbor earn in 2021?')).toBe(0.1);
    expect(weightFor('What did the owner of the town of Lost Harbor earn in 2021?')).toBe(0.15);
    const none = { graph: 0, app: 0, around: 0, forced: 0 };
    for (const alpha of [0, 1]) expect(laneWeights({ denseWeight: 0.1, alpha, query })).toMatchObject(none);
  });

  test('what the graph or metadata say of many adds less to each', () => {
    const text = { denseWeight: 0.1, query, alpha: 0.5, dense: [], sparse: laneOf(['a', 'b', 'c', 'd']) };
    const lastOf = (lane: 'graph' | 'metadata', ids: string) => {
      const hits = [...ids].map((id) => ({ id, score: 1 }));
      return fuse({ ...text, [lane]: hits }).find(({ id }) => id === 'd')?.score ?? 0;
    };
    for (const lane of ['graph', 'metadata'] as const)
      expect(lastOf(lane, 'bcd')).toBeLessThan(lastOf(lane, 'd'));
  });

  test('what is first in both lanes scores 1; equal scores go by id', () => {
    const fused = fuse({
      denseWeight: 0.1,
      dense: laneOf(['b', 'z']),
      sparse: laneOf(['b', 'a']),
      alpha: 0.5,
      query,
    });
    expect(fused.map(({ id, score }) => [id, Math.round(score * 1000)])).toEqual([
      ['b', 1000],
      ['a', 429],
      ['z', 429],
    ]);
  });

  test('a lane that found nothing leaves the order and the scores to the other', () => {
    const fused = fuse({ denseWeight: 0.1, dense: laneOf(['c', 'a']), sparse: [], alpha: 'auto', query });
    expect(order(fused)).toEqual(['c', 'a']);
    expect(fused[0]?.score).toBe(1);
    expect(fuse({ denseWeight: 0.1, dense: [], sparse: [], alpha: 'auto', query })).toEqual([]);
  });

  test('automatic fusion never moves a first hit of the keyword lane that is clearly the best', () => {
    fc.assert(
      fc.property(ids, fc.uniqueArray(fc.constantFrom(...'klmnop'), { minLength: 1 }), (first, second) => {
        const fused = fuse({
          denseWeight: 0.1,
          dense: laneOf(first),
          sparse: laneOf(second),
          alpha: 'auto',
          query,
        });
        expect(fused[0]?.id).toBe(second[0]);
      }),
    );
  });

  test('metadata lifts, and changes nothing where there is none', () => {
    const text = { dense: laneOf(['a', 'b', 'c']), sparse: laneOf(['b', 'a', 'c']), query };
    const plain = fuse({ denseWeight: 0.1, ...text, alpha: 'auto' });
    expect(fuse({ denseWeight: 0.1, ...text, alpha: 'auto', metadata: [] })).toEqual(plain);
    expect(order(plain)).toEqual(['b', 'a', 'c']);
    const lifted = fuse({ denseWeight: 0.1, ...text, alpha: 'auto', metadata: laneOf(['c', 'd']) });
    expect(order(lifted)).toEqual(['b', 'c', 'a', 'd']);
    expect(lifted[1]?.ranks).toEqual({ dense: 3, sparse: 3, metadata: 1 });
    const valued = laneWeights({ denseWeight: 0.1, alpha: 'auto', query, isValued: true });
    expect(valued.metadata).toBe(valued.sparse);
  });

  test('items of a kind come first where nothing else is asked for', () => {
    const text = {
      denseWeight: 0.1,
      alpha: 0.5,
      query,
      dense: laneOf(['a', 'b']),
      sparse: laneOf(['a', 'b']),
    };
    const firstOf = (isList: boolean) => fuse({ ...text, app: [{ id: 'c', score: 1 }], isList })[0]?.id;
    expect([firstOf(true), firstOf(false)]).toEqual(['c', 'a']);
  });

  test('a rare code leads by its score, unless alpha is given or scores are compared with something else', () => {
    const sparse = [30, 10].map((score, at) => ({ id: 'ab'.charAt(at), score }));
    const nextTo = (more: { alpha: number | 'auto'; evenly?: boolean }) =>
      fuse({ denseWeight: 0.1, query: 'OPS-205', holdsCode: true, dense: [], sparse, ...more })[1]?.score;
    expect(nextTo({ alpha: 'auto' })).toBeCloseTo(1 / 3);
    expect(nextTo({ alpha: 0.5 })).toBeCloseTo(6 / 7);
    expect(nextTo({ alpha: 'auto', evenly: true })).toBeCloseTo(6 / 7);
  });

  test('what the keyword lane holds nearly alike the dense lane decides, where one text answers', () => {
    const scored = (scores: readonly number[]) =>
      scores.map((score, index) => ({ id: 'abc'.charAt(index), score }));
    const orderOf = (asked: string, scores: readonly number[], evenly = false) => {
      const lanes = { dense: laneOf(['b']), sparse: scored(scores), evenly };
      return order(fuse({ denseWeight: 0.1, alpha: 'auto', query: asked, ...lanes }));
    };
    const near = [10, 9.4, 5];
    expect(orderOf(dated, near)).toEqual(['b', 'a', 'c']);
    expect(orderOf(dated, near, true)).toEqual(['a', 'b', 'c']);
    expect(orderOf(dated, [10, 9.2, 5])).toEqual(['a', 'b', 'c']);
    for (const exact of ['OPS-205', '"the engine" of which company'])
      expect(orderOf(exact, near)).toEqual(['a', 'b', 'c']);
    expect(orderOf('which company makes the engine of the car that Ann drives', near)).toEqual([
      'a',
      'b',
      'c',
    ]);
    const [first] = fuse({
      denseWeight: 0.1,
      alpha: 'auto',
      query: dated,
      dense: laneOf(['b']),
      sparse: scored(near),
    });
    expect(first?.ranks).toEqual({ dense: 1, sparse: 2 });
  });

  test('but not which chunk of an item: that its words say', () => {
    const orderOf = (items: string) => {
      const sparse = [10, 9.5, 9.4].map((score, at) => ({
        id: 'abc'.charAt(at),
        score,
        sourceUid: items.charAt(at),
      }));
      return order(fuse({ denseWeight: 0.1, alpha: 'auto', query: dated, dense: laneOf(['b']), sparse }));
    };
    expect(orderOf('xyz')).toEqual(['b', 'a', 'c']);
    expect(orderOf('xxy')).toEqual(['a', 'b', 'c']);
  });

  test('nor between what has all figures of the query and what has fewer', () => {
    const orderOf = (figures: readonly number[], scores: readonly number[] = [10, 9.5]) => {
      const sparse = scores.map((score, at) => ({ id: 'ab'.charAt(at), score, figures: figures[at] ?? 0 }));
      return order(fuse({ denseWeight: 0.1, alpha: 'auto', query: dated, dense: laneOf(['b']), sparse }));
    };
    expect(orderOf([1, 1])).toEqual(['b', 'a']);
    expect(orderOf([1, 2])).toEqual(['b', 'a']);
    expect(orderOf([1, 0])).toEqual(['a', 'b']);
    expect(orderOf([1, 0], [10, 10])).toEqual(['b', 'a']);
  });

  test('with a model whose scores tell, the lanes are fused by them', () => {
    const near = { id: 'near', score: 0.9 };
    const others = ['worded', 'c', 'd', 'e'].map((id, at) => ({ id, score: 0.3 - at / 100 }));
    const words = ['worded', 'c', 'd', 'e', 'near'].map((id, at) => ({ id, score: 10 - at / 2 }));
    const dense = [near, ...others];
    const asked = { denseWeight: 0.6, alpha: 0.6, query, dense, sparse: words } as const;
    expect(order(fuse(asked))[0]).toBe('worded');
    const fused = fuse({ ...asked, fusesByScore: true });
    expect(order(fused).slice(0, 2)).toEqual(['near', 'worded']);
    // Beside other lanes they count by their places.
    expect(fused.slice(0, 2).map(({ score }) => score)).toEqual([1, expect.closeTo(6 / 7, 9)]);
    expect(fused[0]?.ranks).toEqual({ dense: 1, sparse: 5 });
    // But not where the wording decides, or a code.
    for (const exact of [{ isWorded: true }, { holdsCode: true }, { query: 'OPS-205' }])
      expect(fuse({ ...asked, ...exact, fusesByScore: true })[0]?.id).toBe('worded');
  });

  test('without one they are where texts hold the words of a question that no figure and one hop decides', () => {
    const dense = [0.9, ...Array.from('acdefghij', (_, at) => 0.2 - at / 80)].map((score, at) => ({
      id: 'bacdefghij'.charAt(at),
      score,
    }));
    const first = (more: object, words: number) => {
      const sparse = [10, words, 1].map((score, at) => ({ id: 'abc'.charAt(at), score }));
      return fuse({ denseWeight: 0.1, alpha: 'auto', query, dense, sparse, ...more })[0]?.id;
    };
    // Meaning has .16.
    expect([first({}, 9.2), first({}, 7)]).toEqual(['b', 'a']);
    const twoHops = 'which company makes the engine of the car that Ann drives';
    for (const byRanks of [{ alpha: 0.16 }, { query: dated }, { query: twoHops }, { query: 'OPS-205' }])
      expect(first(byRanks, 9.2)).toBe('a');
  });

  test('the last of few hits is worth its rank, however far behind, and of words its share of the best', () => {
    const hits = [
      { id: 'a', score: 0.8 },
      { id: 'b', score: 0.79 },
    ];
    expect(scoredByWorth(hits).map(({ score }) => score)).toEqual([1, expect.closeTo(6 / 7, 9)]);
    const words = scoredByWorth([hits[0]!, { id: 'b', score: 0.76 }], { fromZero: true });
    expect(words.map(({ score }) => score)).toEqual([1, expect.closeTo(0.95, 9)]);
  });

  test('a trained model knows something of codes too, but a rare one decides', () => {
    const dense = (more: object) =>
      laneWeights({ denseWeight: 0.6, fusesByScore: true, alpha: 'auto', query: 'OPS-205', ...more }).dense;
    expect(dense({})).toBeCloseTo(0.21, 9);
    expect(dense({ holdsCode: true })).toBeCloseTo(0.12, 9);
    expect(dense({ fusesByScore: false })).toBeCloseTo(0.12, 9);
  });

  test('of a question of two hops words say more, which the second pass finds by them', () => {
    const dense = (asked: string, fusesByScore: boolean) =>
      laneWeights({ denseWeight: 0.6, fusesByScore, alpha: 'auto', query: asked }).dense;
    const twoHops = 'which company makes the engine of the car that Ann drives';
    expect([dense(query, true), dense(twoHops, true), dense(twoHops, false)]).toEqual([
      0.6,
      expect.closeTo(0.4, 9),
      0.6,
    ]);
  });

  test('where meaning counts more it does not pass what the keyword lane holds far ahead', () => {
    const orderOf = (asked: string, score: number, more: object = {}) => {
      const dense = laneOf(['b', 'c', 'd', 'a']);
      const weighing = { alpha: 'auto', coverage: 0.4, denseWeight: 0.1, query: asked } as const;
      const sparse = [
        { id: 'a', score: 10 },
        { id: 'b', score },
      ];
      return order(fuse({ ...weighing, dense, sparse, ...more })).slice(0, 2);
    };
    const twoHops = 'which company makes the engine of the car that Ann drives';
    for (const asked of [query, twoHops]) {
      expect(orderOf(asked, 8.9)).toEqual(['b', 'a']);
      expect(orderOf(asked, 5)).toEqual(['a', 'b']);
    }
    expect(orderOf(query, 5, { alpha: 0.4 })).toEqual(['b', 'a']);
  });

  test('what a main lane holds alike another decides', () => {
    const twins = ['a', 'b', 'c'].map((id) => ({ id, score: 2 }));
    const fused = (more: object) =>
      order(fuse({ alpha: 0.5, denseWeight: 0.1, query, dense: twins, sparse: twins, ...more }));
    expect(fused({})).toEqual(['a', 'b', 'c']);
    expect(fused({ metadata: [{ id: 'c', score: 1 }] })).toEqual(['c', 'a', 'b']);
    expect(fused({ dense: laneOf(['b', 'c', 'a']) })).toEqual(['b', 'c', 'a']);
    expect(fused({ sparse: laneOf(['b', 'c', 'a']) })).toEqual(['b', 'c', 'a']);
  });

  test('a value of metadata that many have lifts each of them little', () => {
    const many = Array.from({ length: 40 }, (_, nth) => `m${nth}`);
    const fused = fuse({
      alpha: 0.5,
      denseWeight: 0.1,
      query,
      dense: laneOf([...many, 'z']),
      sparse: laneOf([...many, 'z']),
      metadata: [{ id: 'z', score: 0.9 }, ...many.map((id) => ({ id, score: 0.1 }))],
    });
    // The last of both lanes.
    expect(order(fused).indexOf('z')).toBeLessThan(20);
  });

  test('equal scores share a rank where a lane says so', () => {
    const hits = [3, 3, 2, 2, 1].map((score, index) => ({ id: 'vwxyz'.charAt(index), score }));
    const ranks = (tied: boolean) =>
      fuseLanes([{ name: 'metadata', weight: 1, hits, tied }]).map(({ ranks: of }) => of.metadata);
    expect(ranks(true)).toEqual([1, 1, 3, 3, 5]);
    expect(ranks(false)).toEqual([1, 2, 3, 4, 5]);
    const [first, second] = fuseLanes([{ name: 'metadata', weight: 1, hits, tied: true }]);
    expect([first?.score, second?.score]).toEqual([1, 1]);
  });

  test('hits of equal score share what their rank is worth where a lane says so', () => {
    const hits = [3, 2, 2, 2, 2].map((score, index) => ({ id: 'vwxyz'.charAt(index), score }));
    const scores = (sharing?: 'diluted' | 'mean') =>
      fuseLanes([{ name: 'graph', weight: 1, hits, tied: true, ...(sharing && { sharing }) }]).map(
        ({ score }) => score,
      );
    const [alone, shared] = scores('diluted');
    expect(alone).toBe(1);
    expect(shared).toBeCloseTo(6 / 7 / 2, 9);
    expect(scores()[1]).toBeCloseTo(6 / 7, 9);
    const mean = (6 / 7 + 6 / 8 + 6 / 9 + 6 / 10) / 4;
    scores('mean').forEach((score, place) => expect(score).toBeCloseTo(place === 0 ? 1 : mean, 9));
  });

  test('what stands around a hit, or is forced, comes in and passes nothing better', () => {
    const sparse = laneOf(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const lanes = { denseWeight: 0.1, alpha: 'auto' as const, query, dense: [], sparse };
    const around = [
      { id: 'b', score: 0.7 },
      { id: 'x', score: 0.5 },
    ];
    const beside = fuse({ ...lanes, around });
    expect(order(beside).slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect(beside.find(({ id }) => id === 'b')?.score).toBe(fuse(lanes)[1]?.score);
    expect(order(beside).indexOf('x')).toBeGreaterThan(3);
    // However many there are alike before it.
    const alike = [...'abcdefghijkl'].map((id) => ({ id, score: 1 }));
    const forced = [{ id: 'x', score: 1 }];
    expect(order(fuse({ ...lanes, sparse: alike, forced })).indexOf('x')).toBe(12);
    expect(fuse({ ...lanes, sparse: alike, forced }).at(-1)?.score).toBeGreaterThan(
      0.999 * (fuse({ ...lanes, sparse: alike })[3]?.score ?? 1),
    );
    expect(order(fuse({ ...lanes, forced }))[4]).toBe('x');
  });

  test('what stands around a hit stays behind it, and before others only as far as all lanes together say', () => {
    const dense = laneOf(['a', 'b', 'c', 'd', 'e', 'f']);
    const given = { denseWeight: 0.1, alpha: 'auto' as const, query, sparse: [], dense };
    const behind = (id: string) => ({ behind: { id, share: 0.7 } });
    const beside = fuse({ ...given, around: [{ id: 'x', score: 0.7, ...behind('a') }] });
    const scoreOf = (id: string) => beside.find((hit) => hit.id === id)?.score ?? 0;
    expect(order(beside).slice(0, 2)).toEqual(['a', 'b']);
    expect(scoreOf('a')).toBe(1);
    expect(scoreOf('x')).toBeLessThan(0.5);
    const further = fuse({ ...given, around: [{ id: 'x', score: 0.1, ...behind('f') }] });
    expect(order(further)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'x']);
    expect(further[6]?.score).toBeCloseTo(0.7 * (further[5]?.score ?? 0), 9);
  });

  test('takes further lanes with their weights', () => {
    const fused = fuseLanes([
      { name: 'dense', weight: 1, hits: laneOf(['a']) },
      { name: 'graph', weight: 3, hits: laneOf(['b']) },
      { name: 'metadata', weight: 0, hits: laneOf(['b', 'c']) },
    ]);
    expect(fused).toEqual([
      { id: 'b', score: 0.75, ranks: { graph: 1, metadata: 1 } },
      { id: 'a', score: 0.25, ranks: { dense: 1 } },
    ]);
  });
});
