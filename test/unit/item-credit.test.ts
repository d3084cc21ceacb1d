import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { creditFigures, creditItems, mostFound, weighNames } from '../../src/retrieval/lanes/item-credit.js';
import { analyzeText, stem, termId } from '../../src/text/analyzer.js';
import { inverseDocumentFrequency } from '../../src/text/bm25.js';
import { codeString, packCodes } from '../../src/text/word-codes.js';

const lists = fc
  .array(
    fc.record({
      sourceUid: fc.constantFrom('1', '2', '3', '4'),
      score: fc.double({ min: 0.01, max: 30, noNaN: true }),
      itemChunks: fc.nat(50),
      terms: fc.uniqueArray(fc.integer({ min: 1, max: 3 })),
    }),
  )
  .map((hits) => hits.sort((a, b) => b.score - a.score).map((hit, index) => ({ ...hit, id: `${index}` })));

test('the best chunk of an item is credited with what all of them say, for their number', () => {
  const hits = [
    { id: 'a', sourceUid: '1', score: 10, itemChunks: 1, terms: [] },
    { id: 'b', sourceUid: '2', score: 9, itemChunks: 16, terms: [] },
    { id: 'c', sourceUid: '2', score: 8, itemChunks: 16, terms: [] },
    { id: 'd', sourceUid: '2', score: 4, itemChunks: 16, terms: [] },
  ];
  const scores = [10, (9 + (0.3 * 21) / 8) / 1.3, 8 / 1.3, 4 / 1.3];
  creditItems(hits).forEach(({ score }, index) => expect(score).toBeCloseTo(scores[index] ?? 0, 9));
});

test('a chunk is credited with rare terms of the query that only others of its item hold', () => {
  const hits = [
    { id: 'a', sourceUid: '1', score: 10, itemChunks: 9, terms: [1, 2] },
    { id: 'b', sourceUid: '2', score: 9, itemChunks: 9, terms: [2] },
    { id: 'c', sourceUid: '1', score: 8, itemChunks: 9, terms: [2] },
  ];
  // One of two items holds the first term, both hold the second.
  const [, other, own] = creditItems(hits);
  expect(own?.score).toBeCloseTo(8 / 1.3 + Math.log(2), 9);
  expect(other?.score).toBeCloseTo((9 + (0.3 * 9) / 9 ** 0.75) / 1.3, 9);
});

test('an item covers the words that its chunks hold together, whatever their scores', () => {
  const weights = new Map([
    [1, 4],
    [2, 3],
    [3, 2],
  ]);
  const hits = [
    { id: 'a', sourceUid: '1', score: 5, itemChunks: 1, terms: [1] },
    { id: 'b', sourceUid: '2', score: 4, itemChunks: 9, terms: [1] },
    { id: 'c', sourceUid: '2', score: 3, itemChunks: 9, terms: [2, 3] },
  ];
  const counts = new Map([...weights.keys()].map((term) => [term, 1]));
  expect(mostFound(hits, { weights, counts })).toEqual({ covered: 9, held: 3 });
  expect(mostFound(hits.slice(0, 1), { weights, counts })).toEqual({ covered: 4, held: 1 });
  expect(mostFound([], { weights, counts })).toEqual({ covered: 0, held: 0 });
});

test('an item has the figures of a query that its chunks hold together', () => {
  const idsOf = (terms: readonly string[]) => terms.map(termId);
  const hits = [
    { id: 'a', sourceUid: '1', score: 5, itemChunks: 2, terms: idsOf(['q1', stem('pumps')]), wordCodes: '' },
    {
      id: 'b',
      sourceUid: '2',
      score: 4,
      itemChunks: 1,
      terms: idsOf(['2023', stem('pumps')]),
      wordCodes: '',
    },
    { id: 'c', sourceUid: '1', score: 3, itemChunks: 2, terms: idsOf(['2023']), wordCodes: '' },
  ];
  const counted = (query: string) => creditFigures(hits, query, []).map(({ figures }) => figures);
  expect(counted('pumps sold in Q1 2023')).toEqual([2, 1, 2]);
  expect(counted('2023 and 2023')).toEqual([1, 1, 1]);
  expect(counted('pumps sold')).toEqual([0, 0, 0]);
});

test('the figures that an item begins with count once more', () => {
  const wordCodes = (text: string) => codeString(packCodes(analyzeText(text).wordCodes));
  const terms = ['2018', '2019'].map(termId);
  const hitOf = (id: string, sourceUid: string, text: string) => ({
    id,
    sourceUid,
    score: 1,
    itemChunks: 2,
    terms,
    wordCodes: wordCodes(text),
  });
  const hits = [
    hitOf('1', '1', `Report of 2019. ${'heron '.repeat(60)} 8 in 2018.`),
    hitOf('2', '2', `Report of 2018. ${'heron '.repeat(60)} 7 in 2017.`),
    hitOf('3', '2', 'Of 2019.'),
    hitOf('4', '3', `${'heron '.repeat(60)} of 2018`),
  ];
  const counted = (query: string) => creditFigures(hits, query, []).map(({ figures }) => figures);
  expect(counted('sales in 2018')).toEqual([1, 2, 2, 1]);
  expect(counted('sales in 2019')).toEqual([2, 1, 1, 1]);
  expect(counted('sales')).toEqual([0, 0, 0, 0]);
  // By what they weigh in the store that knows them best.
  const stores = [new Map([[termId('2018'), 2]]), new Map([[termId('2018'), 3]])];
  const scores = creditFigures(hits, 'sales in 2018', stores).map(({ score }) => score);
  expect(scores).toEqual([1, 4, 4, 1]);
});

test('names that an item begins with weigh more than how few of the items hold them', () => {
  const hits = [
    { id: '1', sourceUid: '1', score: 30, itemChunks: 9, terms: [1, 2] },
    { id: '4', sourceUid: '2', score: 9, itemChunks: 9, terms: [2] },
    { id: '3', sourceUid: '1', score: 8, itemChunks: 9, terms: [2, 3, 4] },
    { id: '2', sourceUid: '1', score: 7, itemChunks: 9, terms: [2, 3] },
  ];
  const names = new Map([
    [1, 5],
    [4, 5],
  ]);
  const ofFour = inverseDocumentFrequency(1, 2);
  const [, , , clause] = creditItems(hits, names);
  expect(clause?.score).toBeCloseTo(7 / 1.3 + 1.6 * 5 + ofFour, 9);
});

test('what has the names as well as all that a chunk of its item holds stays before it', () => {
  const hits = [
    { id: '1', sourceUid: '1', score: 9, itemChunks: 3, terms: [1, 2] },
    { id: '2', sourceUid: '1', score: 8.9, itemChunks: 3, terms: [2] },
    { id: '3', sourceUid: '1', score: 8.8, itemChunks: 3, terms: [2, 3] },
  ];
  const [named, lacking, other] = creditItems(hits, new Map([[1, 5]]));
  expect(lacking?.score).toBeLessThan(named?.score ?? 0);
  expect(lacking?.score).toBeCloseTo(named?.score ?? 0, 6);
  expect(other?.score).toBeGreaterThan(named?.score ?? 0);
});

test('words of a query count as names by their capitals, its first word does not', () => {
  const weights = new Map(
    ['consider', 'acme', 'liability', 'globex'].map((word, at) => [termId(stem(word)), at + 1]),
  );
  const named = weighNames('Consider the contract of Acme and GlobeX: is there liability?', [weights]);
  expect(named).toEqual(
    new Map([
      [termId(stem('acme')), 2],
      [termId(stem('globex')), 4],
    ]),
  );
});

test('a measure is no name by its other spelling', () => {
  const weights = new Map(['120mw', '120', 'mw'].map((word, at) => [termId(word), at + 1]));
  expect(weighNames('which parks have 120mw', [weights])).toEqual(new Map([[termId('120mw'), 1]]));
});

test('credits as its definition says, in place, and nothing else', () => {
  fc.assert(
    fc.property(lists, (hits) => {
      const credited = creditItems(hits);
      expect(credited.map(({ id }) => id)).toEqual(hits.map(({ id }) => id));
      const uids = [...new Set(hits.map(({ sourceUid }) => sourceUid))];
      const ownOf = (uid: string) => hits.filter(({ sourceUid }) => sourceUid === uid);
      const says = (uid: string, term: number) => ownOf(uid).some(({ terms }) => terms.includes(term));
      credited.forEach(({ sourceUid, score, terms }, index) => {
        const own = ownOf(sourceUid);
        const place = own.findIndex(({ id }) => id === `${index}`);
        const sum = own.reduce((total, hit) => total + hit.score, 0);
        const chunks = Math.max(1, ...own.map(({ itemChunks }) => itemChunks));
        const credit = place === 0 ? (0.3 * sum) / chunks ** 0.75 : 0;
        const missing = [1, 2, 3].filter((term) => says(sourceUid, term) && !terms.includes(term));
        const context = missing.map((term) =>
          inverseDocumentFrequency(uids.filter((uid) => says(uid, term)).length, uids.length),
        );
        const ofOthers = place < 8 ? context.reduce((total, weight) => total + weight, 0) : 0;
        expect(score).toBeCloseTo(((hits[index]?.score ?? 0) + credit) / 1.3 + ofOthers, 9);
      });
    }),
  );
});

test('no other chunk of an item comes before its best one that holds as much of the query', () => {
  fc.assert(
    fc.property(lists, (hits) => {
      const credited = creditItems(hits.map((hit) => ({ ...hit, terms: [1] })));
      for (const uid of ['1', '2', '3', '4']) {
        const scores = credited.filter(({ sourceUid }) => sourceUid === uid).map(({ score }) => score);
        expect(Math.max(...scores, 0)).toBe(scores[0] ?? 0);
      }
    }),
  );
});
