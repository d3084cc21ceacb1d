import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stopWordsOf, weighStopWords } from '../../src/retrieval/stop-word-weights.js';
import { inverseDocumentFrequency } from '../../src/text/bm25.js';
import { heldStopWords, stopWordBits, stopWordBytes, stopWords } from '../../src/text/stop-words.js';

const numberOf = (word: string) => stopWords.get(word) ?? 0;
const numbers = fc.uniqueArray(fc.integer({ min: 1, max: stopWords.size }), { maxLength: 30 });

test('of the stop words of a text those that are asked for are told, wherever its bits stand', () => {
  fc.assert(
    fc.property(numbers, numbers, fc.nat(3), (held, asked, before) => {
      const bits = new Uint8Array(stopWordBytes * (before + 1)).fill(255, 0, stopWordBytes * before);
      bits.set(stopWordBits(held), stopWordBytes * before);
      const expected = asked.reduce((sum, number, nth) => sum + (held.includes(number) ? 2 ** nth : 0), 0);
      expect(heldStopWords(bits, asked, stopWordBytes * before)).toBe(expected);
    }),
  );
});

test('nothing is known of a text without bits, nor of what was stored before there were any', () => {
  expect(heldStopWords(null, [1])).toBeNull();
  expect(heldStopWords(new Uint8Array(stopWordBytes), [1])).toBeNull();
  expect(heldStopWords(stopWordBits([]), [1])).toBe(0);
});

test('a query is asked by each of its stop words once, not by those that make it a question', () => {
  expect(stopWordsOf('Who was on the hill, and what was there?')).toEqual(
    ['was', 'on', 'the', 'and', 'there'].map(numberOf),
  );
  expect(stopWordsOf('lamp')).toEqual([]);
  expect(stopWordsOf([...stopWords.keys()].join(' '))).toHaveLength(30);
});

const asked = 4;
const lists = fc
  .array(
    fc.record({
      score: fc.double({ min: 0, max: 30, noNaN: true }),
      stopWords: fc.option(fc.nat(2 ** asked - 1), { nil: null }),
    }),
    { maxLength: 70 },
  )
  .map((hits) =>
    hits
      .sort((a, b) => b.score - a.score)
      .map((hit, nth) => ({ ...hit, id: `${nth}`, sourceUid: `${nth}`, itemChunks: 1 })),
  );

test('weighs the first fifty as the definition says, and leaves the others', () => {
  fc.assert(
    fc.property(lists, (hits) => {
      const head = hits.slice(0, 50);
      const known = head.flatMap(({ stopWords: held }) => (held === null ? [] : [held]));
      const worth = (held: number) =>
        Array.from({ length: asked }, (_, nth) => 2 ** nth)
          .filter((bit) => held & bit)
          .map((bit) => inverseDocumentFrequency(known.filter((other) => other & bit).length, known.length))
          .reduce((sum, rarity) => sum + rarity / 2, 0);
      const average =
        known.length === 0 ? 0 : known.reduce((sum, held) => sum + worth(held), 0) / known.length;
      const weighed = weighStopWords(hits, asked);
      expect(weighed.slice(50)).toEqual(hits.slice(50));
      expect(weighed.map(({ id }) => id).sort()).toEqual(hits.map(({ id }) => id).sort());
      for (const [place, { id, score }] of weighed.slice(0, 50).entries()) {
        const hit = hits[Number(id)];
        const lift = hit?.stopWords === null ? average : worth(hit?.stopWords ?? 0);
        expect(score).toBeCloseTo((hit?.score ?? 0) + lift, 9);
        expect(score).toBeLessThanOrEqual(weighed[place - 1]?.score ?? Infinity);
      }
    }),
  );
});

test('without any that are asked for nothing changes', () => {
  fc.assert(fc.property(lists, (hits) => expect(weighStopWords(hits, 0)).toEqual(hits)));
});
