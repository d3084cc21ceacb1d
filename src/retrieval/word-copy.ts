import { averageLengthOfStep, averageLengthStep, lengthNorm, termWeight } from '../text/bm25.js';
import { BestHits } from './best-hits.js';
import type { ResidentHit } from './best-hits.js';
import { makeSegment, mergeSegments, placeOf, renumberSegment } from './term-segments.js';
import type { Posting, TermSegment } from './term-segments.js';

/** Rows as Postgres hands them out: `terms` and `counts` hold one after another what array_send makes of integers. */
export interface WordRows {
  readonly ids: readonly number[];
  readonly sourceUids: readonly number[];
  readonly collectionIds: readonly number[];
  /** In terms. */
  readonly lengths: readonly number[];
  readonly terms: Uint8Array;
  readonly counts: Uint8Array;
}

/** A chunk with its BM25 score, and the version of an item that it belongs to. */
export interface WordHit extends ResidentHit {
  readonly sourceUid: number;
}

/** What is asked of the words of a store: the weight of each term. */
export interface WordSearch {
  readonly collectionIds: readonly number[];
  readonly weights: ReadonlyMap<number, number>;
  readonly limit: number;
}

const rowsMin = 1024;
const noCollection = -1;
// Of array_send: dimensions, a flag and the type of elements, then size and lower bound of the dimension if there is one.
const emptyBytes = 12;
const sizeAt = 12;
const elementsAt = 20;
const elementBytes = 8;
const countMax = 0xffff;

/** The terms of a store's chunks in memory: an inverted index in segments, of which those of a size are merged. */
export class WordCopy {
  private ids = new Float64Array(rowsMin);
  private sourceUids = new Float64Array(rowsMin);
  private collectionIds = new Int32Array(rowsMin);
  private lengths = new Uint32Array(rowsMin);
  private norms = new Float64Array(rowsMin);
  private scores = new Float64Array(rowsMin);
  private rows = 0;
  private gone = 0;
  private totalLength = 0;
  private segments: TermSegment[] = [];
  /** Of which average length the norms are; undefined when some are missing. */
  private step: number | undefined;
  /** The last chunk that has been appended. */
  upTo = 0;

  /** `ids` ascend, and are later than those before. */
  append({ ids, sourceUids, collectionIds, lengths, terms, counts }: WordRows): void {
    const [ofTerms, ofCounts] = [new ArrayReader(terms), new ArrayReader(counts)];
    const postings: Posting[] = [];
    this.makeRoom(this.rows + ids.length);
    ids.forEach((id, nth) => {
      const row = this.rows;
      this.ids[row] = this.upTo = id;
      this.sourceUids[row] = sourceUids[nth] ?? 0;
      this.collectionIds[row] = collectionIds[nth] ?? noCollection;
      this.totalLength += this.lengths[row] = lengths[nth] ?? 0;
      this.rows += 1;
      const howOften = ofCounts.next();
      for (const [at, term] of ofTerms.next().entries())
        postings.push({ term, row, count: Math.min(howOften[at] ?? 0, countMax) });
    });
    this.step = undefined;
    this.segments.push(makeSegment(postings));
    for (;;) {
      const [before, last] = this.segments.slice(-2);
      if (!before || !last || before.rows.length > 2 * last.rows.length) return;
      this.segments.splice(-2, 2, mergeSegments(before, last));
    }
  }

  /** Forgets every chunk but these. */
  keepOnly(ids: Float64Array): void {
    const wanted = new Set(ids);
    for (let row = 0; row < this.rows; row += 1) {
      if (this.collectionIds[row] === noCollection || wanted.has(this.ids[row] ?? 0)) continue;
      this.collectionIds[row] = noCollection;
      this.totalLength -= this.lengths[row] ?? 0;
      this.gone += 1;
    }
    if (this.gone > this.rows / 2) this.dropGone();
  }

  /** The chunks of some collections with the best BM25 scores, best first; of equals the older. */
  best({ collectionIds, weights, limit }: WordSearch): WordHit[] {
    this.weigh();
    const scored = this.score(weights);
    const asked = new Set(collectionIds);
    const best = new BestHits(limit);
    const rowOf = new Map<number, number>();
    for (const row of scored) {
      const score = this.scores[row] ?? 0;
      this.scores[row] = 0;
      if (score < best.threshold || !asked.has(this.collectionIds[row] ?? noCollection)) continue;
      const id = this.ids[row] ?? 0;
      best.add(id, score);
      rowOf.set(id, row);
    }
    return best.sorted().map((hit) => ({ ...hit, sourceUid: this.sourceUids[rowOf.get(hit.id) ?? 0] ?? 0 }));
  }

  /** Adds up the scores of all rows that hold a term; returns which. */
  private score(weights: ReadonlyMap<number, number>): number[] {
    const { scores, norms } = this;
    const scored: number[] = [];
    for (const [term, weight] of weights) {
      for (const segment of this.segments) {
        const place = placeOf(segment, term);
        if (place === undefined) continue;
        const { rows, counts, starts } = segment;
        const end = starts[place + 1] ?? 0;
        for (let posting = starts[place] ?? 0; posting < end; posting += 1) {
          const row = rows[posting] ?? 0;
          const before = scores[row] ?? 0;
          if (before === 0) scored.push(row);
          scores[row] = before + weight * termWeight(counts[posting] ?? 0, norms[row] ?? 0);
        }
      }
    }
    return scored;
  }

  /** With the average length in the same steps as what is stored (KeywordStatistics), so that scores are alike. */
  private weigh(): void {
    const kept = this.rows - this.gone;
    const step = averageLengthStep(this.totalLength / Math.max(1, kept));
    if (step === this.step) return;
    const averageLength = averageLengthOfStep(step);
    for (let row = 0; row < this.rows; row += 1)
      this.norms[row] = lengthNorm(this.lengths[row] ?? 0, averageLength);
    this.step = step;
  }

  private dropGone(): void {
    const numbers = new Int32Array(this.rows).fill(-1);
    let kept = 0;
    for (let row = 0; row < this.rows; row += 1) {
      if (this.collectionIds[row] === noCollection) continue;
      numbers[row] = kept;
      this.ids[kept] = this.ids[row] ?? 0;
      this.sourceUids[kept] = this.sourceUids[row] ?? 0;
      this.collectionIds[kept] = this.collectionIds[row] ?? noCollection;
      this.lengths[kept] = this.lengths[row] ?? 0;
      kept += 1;
    }
    this.segments = this.segments.map((segment) => renumberSegment(segment, numbers));
    this.rows = kept;
    this.gone = 0;
    this.step = undefined;
  }

  private makeRoom(rows: number): void {
    if (rows <= this.ids.length) return;
    const size = Math.max(rows, this.ids.length * 2);
    this.ids = grown(this.ids, new Float64Array(size));
    this.sourceUids = grown(this.sourceUids, new Float64Array(size));
    this.collectionIds = grown(this.collectionIds, new Int32Array(size));
    this.lengths = grown(this.lengths, new Uint32Array(size));
    this.norms = grown(this.norms, new Float64Array(size));
    this.scores = grown(this.scores, new Float64Array(size));
  }
}

function grown<Values extends Float64Array | Int32Array | Uint32Array>(from: Values, to: Values): Values {
  to.set(from);
  return to;
}

/** Reads arrays of integers that array_send has written one after another. */
class ArrayReader {
  private readonly view: DataView;
  private at = 0;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    this.view = new DataView(buffer, byteOffset, byteLength);
  }

  next(): number[] {
    const { view, at } = this;
    if (view.getInt32(at) === 0) {
      this.at += emptyBytes;
      return [];
    }
    const size = view.getInt32(at + sizeAt);
    this.at += elementsAt + size * elementBytes;
    const first = at + elementsAt + elementBytes / 2;
    return Array.from({ length: size }, (_, n) => view.getInt32(first + n * elementBytes));
  }
}
