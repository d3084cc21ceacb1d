import { describe, expect, test } from '@jest/globals';
import { WordCopy } from '../../src/retrieval/resident/word-copy.js';
import type { WordRows } from '../../src/retrieval/resident/word-copy.js';
import {
  averageLengthOfStep,
  averageLengthStep,
  documentWeights,
  inverseDocumentFrequency,
} from '../../src/text/bm25.js';
import { Random } from '../support/random.js';

interface Row {
  readonly id: number;
  readonly collectionId: number;
  /** How often it holds each term. */
  readonly counts: ReadonlyMap<number, number>;
}

/** Of a row, by its number; of some none. */
const codesOf = ({ id }: Pick<Row, 'id'>) => Array.from({ length: id % 5 }, (_, nth) => (id + nth) % 256);

const lengthOf = ({ counts }: Row) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** As array_send writes integers; an empty array has no dimension. */
function sendArray(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length === 0 ? 12 : 20 + 8 * values.length);
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(23, 8);
  if (values.length === 0) return bytes;
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  values.forEach((value, n) => {
    bytes.writeInt32BE(4, 20 + 8 * n);
    bytes.writeInt32BE(value, 24 + 8 * n);
  });
  return bytes;
}

/** Chunks of an item need not stand together. */
function itemOf({ id }: Pick<Row, 'id'>): number {
  return 5_000_000_000 + (id % 700);
}

function send(rows: readonly Row[]): WordRows {
  return {
    ids: rows.map(({ id }) => id),
    sourceUids: rows.map(itemOf),
    collectionIds: rows.map(({ collectionId }) => collectionId),
    lengths: rows.map(lengthOf),
    terms: Buffer.concat(rows.map(({ counts }) => sendArray([...counts.keys()]))),
    counts: Buffer.concat(rows.map(({ counts }) => sendArray([...counts.values()]))),
    codeLengths: rows.map((row) => codesOf(row).length),
    wordCodes: Buffer.from(rows.flatMap(codesOf)),
  };
}

/** Every score, from the weights that would be stored. */
function scoresOf(
  rows: readonly Row[],
  weights: ReadonlyMap<number, number>,
): { id: number; score: number }[] {
  const mean = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
  const averageLength = averageLengthOfStep(averageLengthStep(mean));
  return rows
    .map((row) => {
      const ofDocument = documentWeights([...row.counts.values()], lengthOf(row), averageLength);
      const score = [...row.counts.keys()].reduce(
        (sum, term, at) => sum + (weights.get(term) ?? 0) * (ofDocument[at] ?? 0),
        0,
      );
      return { id: row.id, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.id - b.id);
}

describe('words of a store', () => {
  const random = new Random(7);
  // Low numbers are in many rows, as common words are.
  const makeTerm = () => 1 + Math.floor(400 * random.below(1000) ** 2 * 1e-6);
  const makeRow = (id: number): Row => {
    const counts = new Map<number, number>();
    for (let n = random.below(40); n > 0; n -= 1) {
      const term = makeTerm();
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    return { id, collectionId: random.below(3), counts };
  };
  let rows = Array.from({ length: 3000 }, (_, n) => makeRow(n + 1));
  const copy = new WordCopy();
  for (let from = 0; from < rows.length; from += 130) copy.append(send(rows.slice(from, from + 130)));

  function makeWeights(): Map<number, number> {
    const terms = Array.from({ length: 1 + random.below(8) }, makeTerm);
    return new Map(
      [...terms, 999].map((term) => {
        const holding = rows.filter(({ counts }) => counts.has(term)).length;
        return [term, inverseDocumentFrequency(holding, rows.length)];
      }),
    );
  }

  test('tell of many terms the few that may be there, and all that are', () => {
    const held = [...new Set(rows.flatMap(({ counts }) => [...counts.keys()]))];
    expect([...copy.mayHold(Int32Array.from(held))]).toEqual(held);
    // As term numbers are, anywhere among 30 bits.
    const others = Array.from({ length: 2000 }, () => 1000 + random.below(2 ** 30 - 1000));
    expect(copy.mayHold(Int32Array.from(others)).length).toBeLessThan(40);
  });

  function compare(): void {
    for (const limit of [1, 20, 5000]) {
      for (const collectionIds of [[0], [1, 2], [0, 1, 2], [9]]) {
        const weights = makeWeights();
        const asked = rows.filter(({ collectionId }) => collectionIds.includes(collectionId));
        const nominators = [...weights.keys()].filter((_, n) => n === 0 || random.chance(0.7));
        const found = copy.best({ collectionIds, weights, nominators, limit });
        // All rows count for the average length, those of the collections for the answer.
        const wanted = scoresOf(rows, weights).filter(({ id }) =>
          asked.some((row) => row.id === id && nominators.some((term) => row.counts.has(term))),
        );
        expect(found.length).toBe(Math.min(limit, wanted.length));
        found.forEach(({ id, score, sourceUid, itemChunks, terms, counts, length, wordCodes }, place) => {
          expect([...Buffer.from(wordCodes, 'latin1')]).toEqual(codesOf({ id }));
          expect(sourceUid).toBe(itemOf({ id }));
          const row = asked.find((each) => each.id === id);
          expect(terms).toEqual([...weights.keys()].filter((term) => row?.counts.has(term)));
          expect(counts).toEqual(terms.map((term) => row?.counts.get(term)));
          expect(length).toBe(row && lengthOf(row));
          expect(itemChunks).toBe(rows.filter((row) => itemOf(row) === sourceUid).length);
          expect(score).toBeCloseTo(wanted.find((other) => other.id === id)?.score ?? 0, 9);
          expect(score).toBeCloseTo(wanted[place]?.score ?? 0, 9);
        });
      }
    }
  }

  test('are scored by BM25, whichever segments they are in', () => {
    expect(copy.upTo).toBe(3000);
    compare();
  });

  test('that are not kept are not found, and what is left is weighed by its own average length', () => {
    // Few at first, then most: the index is written anew.
    for (const share of [0.9, 0.3]) {
      rows = rows.filter((row) => random.chance(share) || lengthOf(row) > 35);
      copy.keepOnly(Float64Array.from(rows, ({ id }) => id));
      compare();
    }
  });

  test('that come later are found beside those before', () => {
    const later = Array.from({ length: 700 }, (_, n) => makeRow(4000 + n));
    copy.append(send(later));
    rows = [...rows, ...later];
    compare();
    expect(copy.upTo).toBe(4699);
  });
});

test('more rows of few words than fit into a segment are all found', () => {
  const count = 140_000;
  const copy = new WordCopy();
  const rows = Array.from({ length: count }, (_, n): Row => ({
    id: n + 1,
    collectionId: 0,
    counts: new Map([[n % 7000 === 0 ? 2 : 1, 1]]),
  }));
  for (let from = 0; from < count; from += 500) copy.append(send(rows.slice(from, from + 500)));
  const find = (term: number, limit: number) =>
    copy
      .best({ collectionIds: [0], weights: new Map([[term, 1]]), nominators: [term], limit })
      .map(({ id }) => id);
  const rare = Array.from({ length: 20 }, (_, n) => n * 7000 + 1);
  expect(find(2, 50)).toEqual(rare);
  expect(find(1, count)).toHaveLength(count - rare.length);
  copy.keepOnly(Float64Array.from(rows.slice(40_000), ({ id }) => id));
  expect(find(2, 50)).toEqual(rare.filter((id) => id > 40_000));
  expect(find(1, count)).toHaveLength(100_000 - 14);
});
