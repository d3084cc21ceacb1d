import { analyze, isEmoji, termId } from '../../text/analyzer.js';
import type { CompareWords } from '../embedder.js';
import type { VectorTable, WordVectors } from './word-vectors.js';

// Both tables count alike: what words mean, and what they are used with.
const tableShare = 1 / 2;
// No other word is as near as the word itself.
const otherWordMax = 0.999;

// Where fewer of a query's words are known, what it is about is not: codes, names, another language.
const knownShareMin = 1 / 2;

/**
 * Compares the words of a query with those of texts: the nearest word of each text to each word of the query, the late
 * interaction of ColBERT (MaxSim; Khattab and Zaharia, 2020) with the vectors of single words. Unlike the vector of a
 * whole text, it does not fade in a long one. Undefined for a query most of whose words have no vector.
 */
export function wordComparer(query: string, words: WordVectors): CompareWords | undefined {
  const asked = [...termsIn(query)];
  const isKnown = (term: number) => words.find(term) >= 0;
  if (asked.length === 0 || asked.filter(isKnown).length < asked.length * knownShareMin) return undefined;
  const compare = comparison(asked, words);
  return (texts) => {
    // By word of the texts, which have many in common.
    const known = new Map<number, Float32Array>();
    const nearnessOf = (term: number) => {
      let found = known.get(term);
      if (!found) known.set(term, (found = compare(words.find(term))));
      return found;
    };
    const nearest = texts.map((text) => nearestIn(termsIn(text), asked, nearnessOf));
    return asked.map((term, word) => ({ term, byText: nearest.map((most) => most[word] ?? 0) }));
  };
}

/** How near the nearest of the terms of a text comes to each of those asked for. */
function nearestIn(
  terms: ReadonlySet<number>,
  asked: readonly number[],
  nearnessOf: (term: number) => Float32Array,
): Float32Array {
  const most = new Float32Array(asked.length);
  for (const term of terms) {
    const near = nearnessOf(term);
    for (let word = 0; word < most.length; word += 1) if (near[word]! > most[word]!) most[word] = near[word]!;
  }
  for (const [word, term] of asked.entries()) if (terms.has(term)) most[word] = 1;
  return most;
}

function termsIn(text: string): Set<number> {
  const terms = analyze(text, 'vector').filter((term) => !isEmoji(term));
  return new Set(terms.map(termId));
}

interface OwnVector {
  readonly scale: number;
  readonly vector: Int8Array;
}

/**
 * How near the word of a row (-1 for an unknown one) comes to each of some terms: the mean cosine over both tables, where
 * a word that a table does not have has 0.
 */
function comparison(terms: readonly number[], words: WordVectors): (row: number) => Float32Array {
  const { dimensions } = words;
  const rows = terms.map((term) => words.find(term));
  const tables = [words.wordnet, words.glove].map((table) => ({
    ...table,
    own: rows.map((row) => ownVector(row, table, dimensions)),
  }));
  return (row) => {
    const near = new Float32Array(rows.length);
    if (row < 0) return near;
    for (const { scales, values, own } of tables) {
      const share = tableShare * scales[row]!;
      if (share === 0) continue;
      const from = row * dimensions;
      for (const [word, { scale, vector }] of own.entries()) {
        let sum = 0;
        for (let index = 0; index < vector.length; index += 1)
          sum += Math.imul(vector[index]!, values[from + index]!);
        near[word]! += share * scale * sum;
      }
    }
    return near.map((nearness) => Math.min(otherWordMax, nearness));
  };
}

/** A copy of a row of a table; an empty vector for -1. */
function ownVector(row: number, { scales, values }: VectorTable, dimensions: number): OwnVector {
  const from = Math.max(0, row) * dimensions;
  const vector = values.slice(from, row < 0 ? from : from + dimensions);
  return { scale: scales[row] ?? 0, vector };
}
