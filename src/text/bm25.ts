// BM25's parameters by the average length of a store's texts: how soon repetitions of a term stop adding weight (k1),
// and how much the length of a text counts (b). Between both bounds they grow with the average. A message says a word
// once and is as good if it is longer; the section that a heading or a question is about says it again and again, while
// a longer one says much beside.
const ofShort = { averageLength: 50, k1: 1.1, b: 0.75 };
const ofLong = { averageLength: 100, k1: 2, b: 0.9 };
// Added to every length. Among messages and memories of a dozen terms, a text of twice the length is hardly
// worse; longer texts are not affected. On 8,194 lines of dialogue nDCG@10 is .941 instead of .911 (with a
// k1 of 1.2), on seven other sets between -.006 and +.004. With 10 or more, abstracts and encyclopedia
// articles lose.
const lengthOffset = 7;
const stepRatio = 1.25;
// The number of the step of length 1. It is changed with the formula, so that
// stored weights are recomputed.
const stepBase = 200;

/**
 * Lucene's inverse document frequency: ln(1 + (N - n + 0.5) / (n + 0.5)), for N
 * documents, n of which have the term.
 */
export function inverseDocumentFrequency(documentFrequency: number, documents: number): number {
  return Math.log(
    1 + (Math.max(documents, documentFrequency) - documentFrequency + 0.5) / (documentFrequency + 0.5),
  );
}

/** The inverse document frequencies of several terms, by term. Terms that no document has are left out. */
export function inverseDocumentFrequencies(
  terms: Iterable<number>,
  frequencies: ReadonlyMap<number, number>,
  documents: number,
): Map<number, number> {
  const weights = new Map<number, number>();
  for (const term of terms) {
    const frequency = frequencies.get(term) ?? 0;
    if (frequency > 0) weights.set(term, inverseDocumentFrequency(frequency, documents));
  }
  return weights;
}

/** How the terms of texts are weighed, that have some length on average. Lengths are in terms. */
export interface TermWeighing {
  /** The upper limit of a term's weight in a text, which no number of repetitions reaches. */
  readonly weightMax: number;
  /** The part of the BM25 denominator that depends on the length of a text. */
  readonly lengthNorm: (length: number) => number;
}

/** How terms are weighed in a store whose texts have this many terms on average. */
export function termWeighing(averageLength: number): TermWeighing {
  const place = (averageLength - ofShort.averageLength) / (ofLong.averageLength - ofShort.averageLength);
  const share = Math.min(1, Math.max(0, place));
  const between = (of: 'k1' | 'b') => ofShort[of] + share * (ofLong[of] - ofShort[of]);
  const [k1, b] = [between('k1'), between('b')];
  return {
    weightMax: k1 + 1,
    lengthNorm: (length) => k1 * (1 - b + (b * (length + lengthOffset)) / (averageLength + lengthOffset)),
  };
}

/**
 * How near a term's weight comes to its limit: less than 1, from its count and the document's lengthNorm. Multiplied
 * by weightMax and the term's inverse document frequency it is that term's part of the BM25 score.
 */
export function saturation(count: number, norm: number): number {
  return count / (count + norm);
}

/**
 * The weights of a document's terms, one per count. The inner product of these weights with the inverse
 * document frequencies of a query's terms is the BM25 score.
 */
export function documentWeights(
  counts: ArrayLike<number>,
  length: number,
  averageLength: number,
): Float64Array {
  const { weightMax, lengthNorm } = termWeighing(averageLength);
  const norm = lengthNorm(length);
  return Float64Array.from(counts, (count) => weightMax * saturation(count, norm));
}

/**
 * The step of an average length: the power of 1.25 nearest to it. Stored weights are recomputed only when
 * the step changes.
 */
export function averageLengthStep(averageLength: number): number {
  return stepBase + Math.round(Math.log(Math.max(averageLength, 1)) / Math.log(stepRatio));
}

/** The average length, in terms, that a step stands for. */
export function averageLengthOfStep(step: number): number {
  return stepRatio ** (step - stepBase);
}
