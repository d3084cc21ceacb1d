import { analyze, isEmoji, termId } from '../../text/analyzer.js';
import type { WordNearness } from '../embedder.js';
import type { VectorTable, WordVectors } from './word-vectors.js';

// Both tables count alike: what words mean, and what they are used with.
const tableShare = 1 / 2;
// No other word is as near as the word itself.
const otherWordMax = 0.999;

/**
 * How near the nearest word of each text comes to each word of a query: the late interaction of ColBERT (MaxSim; Khattab
 * and Zaharia, 2020), with the vectors of single words. Unlike the vector of a whole text, it does not fade in
 * a long one.
 */
export function wordNearness(query: string, texts: readonly string[], words: WordVectors): WordNearness[] {
  const asked = [...termsIn(query)].map((term) => ({ term, row: words.find(term) }));
  const nearnessTo = asked.map(({ row }) => nearnessToRow(row, words));
  // By word of the texts, which have many in common.
  const known = new Map<number, number[]>();
  const nearnessOf = (term: number) => {
    let found = known.get(term);
    if (!found) {
      const row = words.find(term);
      known.set(term, (found = row < 0 ? [] : nearnessTo.map((nearness) => nearness(row))));
    }
    return found;
  };
  const byText = texts.map((text) => {
    const terms = termsIn(text);
    const nearest = asked.map(() => 0);
    for (const term of terms)
      for (const [index, nearness] of nearnessOf(term).entries())
        if (nearness > (nearest[index] ?? 0)) nearest[index] = nearness;
    return asked.map(({ term }, index) => (terms.has(term) ? 1 : (nearest[index] ?? 0)));
  });
  return asked.map(({ term }, index) => ({ term, byText: byText.map((nearest) => nearest[index] ?? 0) }));
}

function termsIn(text: string): Set<number> {
  const terms = analyze(text, 'vector').filter((term) => !isEmoji(term));
  return new Set(terms.map(termId));
}

/** How near another row is to this one: the mean cosine over both tables, where a word that a table does not have has 0. */
function nearnessToRow(row: number, { wordnet, glove, dimensions }: WordVectors): (other: number) => number {
  if (row < 0) return () => 0;
  const cosines = [wordnet, glove].map((table) => cosineTo(row, table, dimensions));
  return (other) =>
    Math.min(
      otherWordMax,
      cosines.reduce((sum, cosine) => sum + tableShare * cosine(other), 0),
    );
}

function cosineTo(
  row: number,
  { scales, values }: VectorTable,
  dimensions: number,
): (other: number) => number {
  const scale = scales[row] ?? 0;
  const own = Float64Array.from(values.subarray(row * dimensions, (row + 1) * dimensions), (v) => v * scale);
  return (other) => {
    const from = other * dimensions;
    let sum = 0;
    for (let index = 0; index < dimensions; index += 1) sum += own[index]! * values[from + index]!;
    return sum * (scales[other] ?? 0);
  };
}
