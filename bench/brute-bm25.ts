import { newStemmer } from 'snowball-stemmers';

/** How strongly repeated terms saturate, and how much length counts. */
export interface Bm25Parameters {
  readonly k1: number;
  readonly b: number;
}

interface Posting {
  readonly document: number;
  readonly count: number;
}

/** Textbook BM25 over every document that shares a term with the query, which searches are compared with. */
export class BruteBm25 {
  private readonly postings = new Map<string, Posting[]>();
  private readonly lengths: number[] = [];

  constructor(
    private readonly ids: readonly string[],
    texts: readonly string[],
    private readonly analyze: (text: string) => readonly string[],
  ) {
    texts.forEach((text, document) => {
      const counts = new Map<string, number>();
      const terms = analyze(text);
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      this.lengths.push(terms.length);
      for (const [term, count] of counts) {
        const known = this.postings.get(term);
        if (known) known.push({ document, count });
        else this.postings.set(term, [{ document, count }]);
      }
    });
  }

  /** The ids of the best documents. A term that a query repeats counts as often, as in Lucene. */
  rank(query: string, { k1, b }: Bm25Parameters, limit: number): string[] {
    const documents = this.lengths.length;
    const averageLength = this.lengths.reduce((sum, length) => sum + length, 0) / documents;
    const scores = new Map<number, number>();
    for (const term of this.analyze(query)) {
      const postings = this.postings.get(term) ?? [];
      const idf = Math.log(1 + (documents - postings.length + 0.5) / (postings.length + 0.5));
      for (const { document, count } of postings) {
        const norm = k1 * (1 - b + (b * (this.lengths[document] ?? 0)) / averageLength);
        scores.set(document, (scores.get(document) ?? 0) + (idf * count) / (count + norm));
      }
    }
    return [...scores]
      .sort(([one, a], [other, c]) => c - a || one - other)
      .slice(0, limit)
      .map(([document]) => this.ids[document] ?? '');
  }
}

const luceneStopWords = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this ' +
    'to was will with'
  ).split(' '),
);
const porter = newStemmer('porter');
const stems = new Map<string, string>();

/**
 * Analyses text as Lucene's EnglishAnalyzer does: lower case, no possessives, its stop words, Porter's
 * stemmer.
 */
export function analyzeLikeLucene(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*/gu) ?? [];
  return words
    .map((word) => word.replace(/['’]s$/, ''))
    .filter((word) => !luceneStopWords.has(word))
    .map((word) => {
      const known = stems.get(word);
      if (known !== undefined) return known;
      const stem = porter.stem(word);
      stems.set(word, stem);
      return stem;
    });
}
