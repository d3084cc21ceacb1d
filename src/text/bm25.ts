// How much of a term counts, count / (count + norm), by a norm that grows with the length of the text itself:
// BM25 with k1 (how soon repetitions stop adding weight) and b (how much length counts) that both rise with the
// average length, as sets want them that BM25 is tuned on: lines of dialogue .6 and .2, abstracts 1.2 and .6,
// sections of manuals 2 and .9. For an average of 10 terms they are .48 and .38, of 30 .84 and .64, of 100 2.1
// and .86. By words alone 37 sets have .011 nDCG@10 more on average than with 1.1 and .75 for all (by default
// .005): headings of four manuals .014 to .026, halves of texts .027 and .029; but licences .025 less.
const normOfNothing = 0.3;
const normPerTerm = 0.018;
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

/** The norm of a document of a length in terms; see termShare. */
export function lengthNorm(length: number): number {
  return normOfNothing + normPerTerm * length;
}

/** How much of a term's weight a document has, below 1, from the term's count there and the document's norm. */
export function termShare(count: number, norm: number): number {
  return count / (count + norm);
}

/** What a share of 1 is worth, so that a term which a document of average length contains once has weight 1. */
export function worthOfShares(averageLength: number): number {
  return 1 + lengthNorm(averageLength);
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
  const norm = lengthNorm(length);
  const worth = worthOfShares(averageLength);
  return Float64Array.from(counts, (count) => worth * termShare(count, norm));
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
