import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { weighWording } from '../../src/retrieval/wording.js';
import { analyzeText } from '../../src/text/analyzer.js';
import { inverseDocumentFrequency } from '../../src/text/bm25.js';
import { stopWords } from '../../src/text/stop-words.js';
import { codeString, isStopWordCode } from '../../src/text/word-codes.js';

const codesOf = (text: string) => codeString(Uint8Array.from(analyzeText(text, 'index').wordCodes));
const hit = (id: string, score: number, text: string) => ({
  id,
  score,
  sourceUid: id,
  itemChunks: 1,
  wordCodes: codesOf(text),
});
const first = (query: string, ...texts: string[]) => {
  const [best] = weighWording(
    texts.map((text, nth) => hit(String(nth), 1, text)),
    query,
  );
  return texts[Number(best?.id)];
};

test('a stop word has a code of its own, any other word one that its forms share', () => {
  expect(analyzeText('The of').wordCodes).toEqual([stopWords.get('the'), stopWords.get('of')]);
  // Stored chunks have these.
  expect(['a', 'if', 'would', 'youve'].map((word) => stopWords.get(word))).toEqual([1, 52, 121, 146]);
  const [cat, running, cats, run] = analyzeText('cat running cats run').wordCodes;
  expect([cat, running]).toEqual([cats, run]);
  const all = analyzeText(Array.from({ length: 5000 }, (_, n) => `w${n}`).join(' ')).wordCodes;
  expect(Math.max(...all)).toBe(255);
  expect(all.some(isStopWordCode)).toBe(false);
  expect(new Set(all).size).toBe(255 - stopWords.size);
});

test('of texts with the same words the one goes first that has them side by side as the query does', () => {
  const [apart, together] = ['open the door of a gate', 'a gate of the open door'];
  expect(first('door, open', apart, together)).toBe(apart);
  expect(first('opening doors', apart, together)).toBe(together);
});

test('a question that no text answers alone is weighed by its stop words, not by its pairs', () => {
  const query = 'Which open door is in the house that burnt?';
  expect(first(query, 'a door, open', 'open door')).toBe('a door, open');
  expect(first(query, 'a door, open', 'in a door, open')).toBe('in a door, open');
});

test('what makes it a question says nothing of the answer', () => {
  expect(first('Where door', 'door', 'where door')).toBe('where door');
  expect(first('Where, door', 'door', 'door where')).toBe('door');
  expect(first('on door', 'door', 'door on')).toBe('door on');
});

const query = 'the heron and the pump are near a lake';
const words = query.split(' ').concat('duck', 'in', 'of');
const lists = fc
  .array(
    fc.record({
      score: fc.double({ min: 0, max: 30, noNaN: true }),
      text: fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((held) => held.join(' ')),
    }),
    { maxLength: 70 },
  )
  .map((hits) =>
    hits
      .sort((a, b) => b.score - a.score)
      .map(({ score, text }, nth) => ({ ...hit(String(nth), score, text), text })),
  );

test('weighs the first fifty as the definition says, and leaves the others', () => {
  const pairs = words.slice(0, 8).map((word, nth) => `${word} ${words[nth + 1]}`);
  const features = [
    ...['the', 'and', 'are', 'a'].map((word) => [word, 0.5] as const),
    ...pairs.map((pair) => [pair, 0.2] as const),
  ];
  fc.assert(
    fc.property(lists, (hits) => {
      const head = hits.slice(0, 50);
      const known = head.filter(({ text }) => text !== '');
      const has = (text: string, feature: string) => ` ${text} `.includes(` ${feature} `);
      const worth = (text: string) =>
        features
          .filter(([feature]) => has(text, feature))
          .map(([feature, weight]) => {
            const holding = known.filter((other) => has(other.text, feature)).length;
            return weight * inverseDocumentFrequency(holding, known.length);
          })
          .reduce((sum, each) => sum + each, 0);
      const average =
        known.length === 0 ? 0 : known.reduce((sum, { text }) => sum + worth(text), 0) / known.length;
      const weighed = weighWording(hits, query);
      expect(weighed.slice(50)).toEqual(hits.slice(50));
      expect(weighed.map(({ id }) => id).sort()).toEqual(hits.map(({ id }) => id).sort());
      for (const [place, { id, score }] of weighed.slice(0, 50).entries()) {
        const { text = '', score: before = 0 } = hits[Number(id)] ?? {};
        expect(score).toBeCloseTo(before + (text === '' ? average : worth(text)), 9);
        expect(score).toBeLessThanOrEqual(weighed[place - 1]?.score ?? Infinity);
      }
    }),
  );
});
