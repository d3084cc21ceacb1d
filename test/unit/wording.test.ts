import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { weighWording } from '../../src/retrieval/lanes/wording.js';
import { analyzeText } from '../../src/text/analyzer.js';
import { inverseDocumentFrequency } from '../../src/text/bm25.js';
import { stopWords } from '../../src/text/stop-words.js';
import { codeString, isStopWordCode, packCodes, unpackCodes } from '../../src/text/word-codes.js';

const codesOf = (text: string) => codeString(packCodes(analyzeText(text, 'index').wordCodes));
const hit = (id: string, score: number, text: string) => ({
  id,
  score,
  sourceUid: id,
  itemChunks: 1,
  terms: [],
  counts: [],
  length: 10,
  wordCodes: codesOf(text),
});
const first = (query: string, ...texts: string[]) => {
  const [best] = weighWording(
    texts.map((text, nth) => hit(String(nth), 1, text)),
    query,
  );
  return texts[Number(best?.id)];
};

test('a stop word has a code of its own, any other word one by how it is written', () => {
  expect(analyzeText('The of').wordCodes).toEqual([stopWords.get('the'), stopWords.get('of')]);
  // Stored chunks have these.
  expect(['a', 'if', 'would', 'youve'].map((word) => stopWords.get(word))).toEqual([1, 52, 121, 146]);
  expect(analyzeText('heron herons Héron').wordCodes).toEqual([2072, 3448, 2072]);
  const all = analyzeText(Array.from({ length: 50_000 }, (_, n) => `w${n}`).join(' ')).wordCodes;
  expect(Math.max(...all)).toBe(4095);
  expect(all.some(isStopWordCode)).toBe(false);
  expect(new Set(all).size).toBe(4095 - stopWords.size);
});

test('codes are read as they were packed, in one and a half bytes each', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 4095 }), { maxLength: 9 }), (codes) => {
      const packed = packCodes(codes);
      expect(packed.length).toBe(Math.ceil(codes.length * 1.5));
      expect([...unpackCodes(codeString(packed))]).toEqual(codes);
    }),
  );
});

test('of texts with the same words the one goes first that has them side by side as the query does', () => {
  const [apart, together] = ['open the door of a gate', 'a gate of the open door'];
  expect(first('door, open', apart, together)).toBe(apart);
  expect(first('open door', apart, together)).toBe(together);
  // As they are written.
  expect(first('opening doors', apart, together)).toBe(apart);
});

test('words that one other parts count as following each other, those that two part do not', () => {
  const [side, parted, far] = ['red gate', 'red wide gate', 'red very wide gate'];
  expect(first('red new gate', far, side)).toBe(side);
  expect(first('red new gate', far, parted)).toBe(parted);
  expect(first('red gate', far, parted)).toBe(parted);
  expect(first('red gate', parted, side)).toBe(side);
  expect(first('gate red', far, parted)).toBe(far);
});

test('a question that no text answers alone is weighed by its stop words, not by its pairs', () => {
  const query = 'Which open door is in the house that burnt?';
  expect(first(query, 'a door, open', 'open door')).toBe('a door, open');
  expect(first(query, 'a door, open', 'in a door, open')).toBe('in a door, open');
});

test('what makes it a question says nothing of the answer', () => {
  expect(first('Where door', 'door', 'where door')).toBe('where door');
  expect(first('Where, door', 'door', 'door where')).toBe('door');
  expect(first('on door', 'a door', 'a door on')).toBe('a door on');
});

test('a table has no stop words to share: it counts as sentences do on average', () => {
  const table = 'Rent 2019 2020 40 44 Interest 7 9 Total 47 53';
  const [saying, other] = ['In 2020 the rent was as in 2019.', 'Rent is paid at the end of 2020.'];
  const query = 'What was the rent in 2020?';
  expect(first(query, other, table, saying)).toBe(saying);
  const scores = weighWording([hit('0', 1, saying), hit('1', 1, table), hit('2', 1, other)], query);
  expect(scores.map(({ id }) => id)).toEqual(['0', '1', '2']);
  // What stands side by side in it counts in a table as well.
  expect(first('total rent', 'Interest 7 Rent 9 Total 16', 'Interest 7 Total rent 9')).toBe(
    'Interest 7 Total rent 9',
  );
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
  const pairs = words.slice(0, 8).map((word, nth) => [word, words[nth + 1] ?? ''] as const);
  const parted = words.slice(0, 7).map((word, nth) => [word, words[nth + 2] ?? ''] as const);
  const features = [
    ...['the', 'and', 'are', 'a'].map((word) => [word, 0.5] as const),
    ...pairs.map((pair) => [pair.join(' '), 0.2] as const),
    ...[...pairs, ...parted].map((pair) => [pair.join('( \\S+)? '), 0.25] as const),
  ];
  fc.assert(
    fc.property(lists, (hits) => {
      const head = hits.slice(0, 50);
      const known = head.filter(({ text }) => text !== '');
      const has = (text: string, feature: string) => new RegExp(`(?<!\\S)${feature}(?!\\S)`).test(text);
      const isProse = ({ text }: { text: string }) => {
        const held = text.split(' ');
        return text !== '' && held.filter((word) => stopWords.has(word)).length >= 0.12 * held.length;
      };
      const gain = (text: string, some: typeof features, among: { text: string }[]) => {
        const gained = (one: string) =>
          some
            .filter(([feature]) => has(one, feature))
            .map(([feature, weight]) => {
              const holding = among.filter((other) => has(other.text, feature)).length;
              return weight * inverseDocumentFrequency(holding, among.length);
            })
            .reduce((sum, each) => sum + each, 0);
        if (among.some((each) => each.text === text)) return gained(text);
        return among.reduce((sum, each) => sum + gained(each.text), 0) / Math.max(1, among.length);
      };
      const [stops, others] = [features.slice(0, 4), features.slice(4)];
      const worth = (text: string) => gain(text, stops, head.filter(isProse)) + gain(text, others, known);
      const weighed = weighWording(hits, query);
      expect(weighed.slice(50)).toEqual(hits.slice(50));
      expect(weighed.map(({ id }) => id).sort()).toEqual(hits.map(({ id }) => id).sort());
      for (const [place, { id, score }] of weighed.slice(0, 50).entries()) {
        const { text = '', score: before = 0 } = hits[Number(id)] ?? {};
        expect(score).toBeCloseTo(before + worth(text), 9);
        expect(score).toBeLessThanOrEqual(weighed[place - 1]?.score ?? Infinity);
      }
    }),
  );
});

test('a clause that is asked for by its number is not the one that refers to it', () => {
  const clause = '8.2 The total liability shall not exceed the fees.';
  const referring = '10.4 Accrued rights and Section 8.2 survive.';
  for (const query of ['Section 8.2', 'What does § 8.2 say?', 'clause 8.2 (b)', 'Art. 8'])
    expect(first(query, clause, referring)).toBe(clause);
  // What is no reference is wording.
  expect(first('section eight', clause, 'in section eight of it')).toBe('in section eight of it');
});
