import { describe, expect, test } from '@jest/globals';
import { scoredByFit } from '../../src/retrieval/ranking/relevancy.js';

const hits = [1, 0.8, 0.4].map((score, index) => ({ id: `${index}`, score: score * 0.9, ranks: {} }));
const dense = [{ id: '0', score: 0.5 }];
const scores = (weighing: Partial<Parameters<typeof scoredByFit>[1]['weighing']>, near = dense) =>
  scoredByFit(hits, {
    weighing: { alpha: 'auto', query: 'which company makes the engine', denseWeight: 0.1, ...weighing },
    dense: near,
  }).map(({ score }) => Number(score.toFixed(3)));

describe('scores of hits', () => {
  test('are 1 for the first where an item has all words, and keep their distances', () => {
    expect(scores({ held: 1 })).toEqual([1, 0.8, 0.4]);
    expect(scores({})).toEqual([1, 0.8, 0.4]);
  });

  test('fall with the words that no item has, as far as no meaning stands for them', () => {
    expect(scores({ held: 0.4 })).toEqual([0.49, 0.392, 0.196]);
    expect(scores({ held: 0.4, denseWeight: 0.2 })[0]).toBe(0.535);
    // How rare the words are is nobody's business.
    for (const coverage of [0.3, 0.9]) expect(scores({ held: 0.5, coverage })[0]).toBe(0.53);
    expect(scores({ held: 0, coverage: 0 })[0]).toBe(0.15);
    expect(scores({ held: 0, coverage: 0 }, [])).toEqual([0.01, 0.008, 0.004]);
  });

  test('do not fall where values of metadata have the words', () => {
    expect(scores({ held: 0.1, isValued: true })[0]).toBe(1);
  });

  test('are what is nearest in meaning where nothing else is asked for', () => {
    expect(scores({ alpha: 1 })[0]).toBe(0.5);
    expect(scores({ alpha: 0, held: 0.5 })[0]).toBe(0.5);
  });

  test('there are none of nothing', () => {
    const weighing = { alpha: 'auto', query: 'engine', denseWeight: 0.1 } as const;
    expect(scoredByFit([], { weighing, dense: [] })).toEqual([]);
  });
});
