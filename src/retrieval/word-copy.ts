import {
  averageLengthOfStep,
  averageLengthStep,
  lengthNorm,
  termWeight,
  termWeightMax,
} from '../text/bm25.js';
import { BestHits } from './best-hits.js';
import type { ResidentHit } from './best-hits.js';
import { grown } from './grown.js';
import { makeSegment, mergeSegments, placeOf, renumberSegment, segmentRowsMax } from './term-segments.js';
import type { RowTerms, TermSegment } from './term-segments.js';

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
  /** Those of which a chunk has to hold one; the others only count where one is. */
  readonly nominators: readonly number[];
  readonly limit: number;
}

const rowsMin = 1024;
const noCollection = -1;
// Of array_send: dimensions, a flag and the type of elements, then size and lower bound of the dimension if there is one.
const emptyBytes = 12;
const sizeAt = 12;
const elementsAt = 20;
const elementBytes = 8;
// To merge larger ones would keep searches waiting.
const mergedPostingsMax = 1_000_000;

/** A term of a segment, by its place there. */
interface WeighedTerm {
  readonly segment: TermSegment;
  readonly place: number;
  readonly weight: number;
}

/** The rows that have a score: each once, as long as a score other than 0 is added to what is added here. */
class ScoredRows {
  private readonly rows: number[] = [];

  constructor(
    private readonly scores: Float64Array,
    private readonly isAsked: (row: number) => boolean,
  ) {}

  get count(): number {
    return this.rows.length;
  }

  /** False for a row that is not asked for. */
  add(row: number): boolean {
    if (!this.isAsked(row)) return false;
    this.rows.push(row);
    return true;
  }

  /** The score that so many rows reach; -Infinity when there are not so many. */
  atPlace(place: number): number {
    return this.count < place ? -Infinity : (this.best(place).at(-1)?.score ?? -Infinity);
  }

  /** The best, by row; all scores are 0 again. */
  takeBest(limit: number): ResidentHit[] {
    const best = this.best(limit);
    for (const row of this.rows) this.scores[row] = 0;
    return best;
  }

  private best(limit: number): ResidentHit[] {
    const best = new BestHits(limit);
    for (const row of this.rows) {
      const score = this.scores[row] ?? 0;
      // Later rows are later chunks.
      if (score >= best.threshold) best.add(row, score);
    }
    return best.sorted();
  }
}

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
    const rows: RowTerms[] = [];
    const firstRow = this.rows;
    this.makeRoom(this.rows + ids.length);
    ids.forEach((id, nth) => {
      const row = this.rows;
      this.ids[row] = this.upTo = id;
      this.sourceUids[row] = sourceUids[nth] ?? 0;
      this.collectionIds[row] = collectionIds[nth] ?? noCollection;
      this.totalLength += this.lengths[row] = lengths[nth] ?? 0;
      this.rows += 1;
      rows.push({ terms: ofTerms.next(), counts: ofCounts.next() });
    });
    this.step = undefined;
    for (let from = 0; from < rows.length; from += segmentRowsMax)
      this.addSegment(makeSegment(firstRow + from, rows.slice(from, from + segmentRowsMax)));
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
  best({ collectionIds, weights, nominators, limit }: WordSearch): WordHit[] {
    this.weigh();
    const asked = new Set(collectionIds);
    const scored = new ScoredRows(this.scores, (row) => asked.has(this.collectionIds[row] ?? noCollection));
    const nominating = new Set(nominators);
    // Those that nominate first, of each kind the heaviest.
    const inOrder = [...weights].sort(
      ([a, ofA], [b, ofB]) => Number(nominating.has(b)) - Number(nominating.has(a)) || ofB - ofA,
    );
    let bound = inOrder.reduce((sum, [, weight]) => sum + weight * termWeightMax, 0);
    let nominates = true;
    for (const [term, weight] of inOrder) {
      const places = this.segments.map((segment) => placeOf(segment, term));
      nominates &&= nominating.has(term);
      // What holds none of the terms before cannot be among the best when all others together weigh too little.
      if (nominates && this.countPostings(places) > scored.count) nominates = bound >= scored.atPlace(limit);
      bound -= weight * termWeightMax;
      for (const [nth, segment] of this.segments.entries()) {
        const place = places[nth];
        if (place !== undefined) this.score({ segment, place, weight }, scored, nominates);
      }
    }
    return scored.takeBest(limit).map(({ id: row, score }) => ({
      id: this.ids[row] ?? 0,
      score,
      sourceUid: this.sourceUids[row] ?? 0,
    }));
  }

  private addSegment(segment: TermSegment): void {
    this.segments.push(segment);
    for (;;) {
      const [before, last] = this.segments.slice(-2);
      if (!before || !last || before.rows.length > 2 * last.rows.length) return;
      if (before.rows.length + last.rows.length > mergedPostingsMax) return;
      this.segments.splice(-2, 2, mergeSegments(before, last));
    }
  }

  /** Adds what a term weighs to the rows that hold it: to those that are scored already, and to others when it nominates. */
  private score({ segment, place, weight }: WeighedTerm, scored: ScoredRows, nominates: boolean): void {
    const { scores, norms } = this;
    const { rows, counts, starts } = segment;
    const end = starts[place + 1] ?? 0;
    for (let posting = starts[place] ?? 0; posting < end; posting += 1) {
      const row = rows[posting]!;
      const before = scores[row]!;
      if (before === 0 && !(nominates && scored.add(row))) continue;
      scores[row] = before + weight * termWeight(counts[posting]!, norms[row]!);
    }
  }

  private countPostings(places: readonly (number | undefined)[]): number {
    return this.segments.reduce((sum, { starts }, nth) => {
      const place = places[nth];
      return place === undefined ? sum : sum + (starts[place + 1] ?? 0) - (starts[place] ?? 0);
    }, 0);
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

/** Reads arrays of integers that array_send has written one after another. */
class ArrayReader {
  private readonly view: DataView;
  private at = 0;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    this.view = new DataView(buffer, byteOffset, byteLength);
  }

  next(): Int32Array {
    const { view, at } = this;
    if (view.getInt32(at) === 0) {
      this.at += emptyBytes;
      return new Int32Array();
    }
    const size = view.getInt32(at + sizeAt);
    this.at += elementsAt + size * elementBytes;
    const first = at + elementsAt + elementBytes / 2;
    const values = new Int32Array(size);
    for (let n = 0; n < size; n += 1) values[n] = view.getInt32(first + n * elementBytes);
    return values;
  }
}
