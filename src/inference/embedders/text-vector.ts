import { analyze, isEmoji, termId } from '../../text/analyzer.js';
import type { VectorTable, WordVectors } from './word-vectors.js';

// A vector has three parts: what a text means (WordNet), what its words are used with (GloVe), and how it is
// written (words and trigrams, hashed).
const lexicalDimensions = 64;
const shares = { wordnet: 0.3, glove: 0.5, lexical: 0.2 };
const trigramWeight = 1.5;
const trigramCharactersMax = 24;
// Unknown words are names and codes.
const unknownWeight = 1;

/** The length of vectors made with these word vectors. */
export function textDimensions(words: WordVectors): number {
  return 2 * words.dimensions + lexicalDimensions;
}

/** The unit vector of a text; zeros for a text without terms. */
export function textVector(text: string, words: WordVectors): Float32Array {
  const vector = new Float32Array(textDimensions(words));
  const wordnet = vector.subarray(0, words.dimensions);
  const glove = vector.subarray(words.dimensions, 2 * words.dimensions);
  const lexical = vector.subarray(2 * words.dimensions);
  for (const [term, count] of countTerms(analyze(text, 'vector'))) {
    const id = termId(term);
    const row = words.find(id);
    const weight = (row < 0 ? unknownWeight : (words.weights[row] ?? 0)) * count;
    if (row >= 0) {
      addRow(wordnet, words.wordnet, { row, weight });
      addRow(glove, words.glove, { row, weight });
    }
    addSpelling(lexical, term, { id, weight });
  }
  normalize(wordnet, Math.sqrt(shares.wordnet));
  normalize(glove, Math.sqrt(shares.glove));
  normalize(lexical, Math.sqrt(shares.lexical));
  normalize(vector, 1);
  return vector;
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) if (!isEmoji(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function addRow(
  sum: Float32Array,
  { scales, values }: VectorTable,
  { row, weight }: { row: number; weight: number },
): void {
  const factor = weight * (scales[row] ?? 0);
  if (factor === 0) return;
  const from = row * sum.length;
  for (let index = 0; index < sum.length; index += 1) {
    sum[index] = (sum[index] ?? 0) + factor * (values[from + index] ?? 0);
  }
}

function addSpelling(
  lexical: Float32Array,
  term: string,
  { id, weight }: { id: number; weight: number },
): void {
  addHashed(lexical, id, weight);
  const padded = `^${term.slice(0, trigramCharactersMax)}$`;
  const trigrams = padded.length - 2;
  const trigramShare = (weight * trigramWeight) / Math.sqrt(trigrams);
  for (let at = 0; at < trigrams; at += 1) {
    addHashed(lexical, hashTrigram(padded, at), trigramShare);
  }
}

function hashTrigram(text: string, at: number): number {
  let hash = 0x2f0b4c47;
  for (let index = at; index < at + 3; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** Adds a feature at the position, and with the sign, that its hash decides. */
function addHashed(lexical: Float32Array, feature: number, weight: number): void {
  let hash = Math.imul(feature ^ (feature >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  hash ^= hash >>> 16;
  const index = (hash >>> 1) % lexical.length;
  lexical[index] = (lexical[index] ?? 0) + ((hash & 1) === 0 ? weight : -weight);
}

/** Scales a vector to a length; zeros stay zeros. */
function normalize(vector: Float32Array, length: number): void {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return;
  const factor = length / Math.sqrt(sum);
  for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] ?? 0) * factor;
}
