import { averageLengthOfStep, averageLengthStep, termWeighing } from '../../text/bm25.js';
import { BestHits } from './best-hits.js';
import type { ResidentHit } from './best-hits.js';
import { isAmong } from './binary-search.js';
import { CodeCopy } from './code-copy.js';
import { grown } from './grown-array.js';
import { ItemSizes } from './item-sizes.js';
import { SegmentScores } from './segment-scores.js';
import type { KnownRows, WeighedTerm } from './segment-scores.js';
import { TermFilter } from './term-filter.js';
import {
  countOf,
  makeSegment,
  mergeSegments,
  placeOf,
  postingBytes,
  renumberSegment,
  segmentRowsMax,
  spanMax,
} from './term-segments.js';
import type { RowTerms, TermSegment } from './term-segments.js';

/**
 * Rows as Postgres returns them. `terms` and `counts` hold, one after another, the integer arrays of the rows
 * in the form of array_send.
 */
export interface WordRows {
  readonly ids: readonly number[];
  readonly sourceUids: readonly number[];
  readonly collectionIds: readonly number[];
  /** In words. */
  readonly lengths: readonly number[];
  readonly terms: Uint8Array;
  readonly counts: Uint8Array;
  /** How many bytes of word codes each row has; 0 for a row that was stored without them. */
  readonly codeLengths: readonly number[];
  readonly wordCodes: Uint8Array;
}

/** A chunk with its BM25 score; `sourceUid` is the version of an item that it belongs to. */
export interface WordHit extends ResidentHit {
  readonly sourceUid: number;
  /** How many chunks of that item are in this copy. */
  readonly itemChunks: number;
  /** Which of the weighed terms it holds. */
  readonly terms: readonly number[];
  /** How often it holds each of them. */
  readonly counts: readonly number[];
  /** In terms. */
  readonly length: number;
  /** See codeString; empty where the codes are not known. */
  readonly wordCodes: string;
}

/** A search of the words of a store; `weights` says how much each term counts. */
export interface WordSearch {
  readonly collectionIds: readonly number[];
  readonly weights: ReadonlyMap<number, number>;
  /** A chunk has to hold one of these terms to be found; the other terms only add to its score. */
  readonly nominators: readonly number[];
  readonly limit: number;
}

const rowsMin = 1024;
const rowsGrowth = 1.5;
// The bytes that a row takes beside its terms.
const rowBytes = 36 + ItemSizes.itemBytes;
// The share of different terms in a text of 70 terms; a longer text has a lower share.
const distinctShare = 0.75;
// There are 1.6 words to a term, since stop words are no terms, and the code of a word takes 1.5 bytes.
const codeBytesPerTerm = 1.6 * 1.5;
const noCollection = -1;
// array_send writes the number of dimensions, a flag and the element type; then, if there is a dimension, its
// size and lower bound; then the elements, each after its length.
const emptyBytes = 12;
const sizeAt = 12;
const elementsAt = 20;
const elementBytes = 8;
// Merging larger segments would keep searches waiting.
const mergedPostingsMax = 1_000_000;

/**
 * The terms that a segment is searched for: first those that nominate, then the others, each by descending
 * weight.
 */
interface SegmentSearch {
  readonly terms: readonly WeighedTerm[];
  /** How many of them nominate. */
  readonly nominators: number;
}

// One instance is enough, because searches run one after another.
const segmentScores = new SegmentScores();

/**
 * The terms of a store's chunks in memory: an inverted index in segments, of which those of similar size are
 * merged.
 */
export class WordCopy {
  private ids = new Float64Array(rowsMin);
  private sourceUids = new Float64Array(rowsMin);
  private collectionIds = new Int32Array(rowsMin);
  private lengths = new Uint32Array(rowsMin);
  private norms = new Float64Array(rowsMin);
  private readonly codes = new CodeCopy();
  private rows = 0;
  private gone = 0;
  private totalLength = 0;
  private segments: TermSegment[] = [];
  private readonly filter = new TermFilter();
  private itemSizes = new ItemSizes();
  /**
   * The step of the average length for which `norms` were computed; undefined when some norms are missing.
   */
  private step: number | undefined;
  /** The last chunk that was added. */
  upTo = 0;

  /** Roughly the bytes that so many rows with so many words (`values`) take. */
  static bytesOf({ rows, values }: { rows: number; values: number }): number {
    return rows * rowBytes + values * (distinctShare * postingBytes + codeBytesPerTerm) + TermFilter.bytes;
  }

  /** Adds rows; their ids ascend and are greater than those added before. */
  append({ ids, sourceUids, collectionIds, lengths, terms, counts, codeLengths, wordCodes }: WordRows): void {
    const [ofTerms, ofCounts] = [new ArrayReader(terms), new ArrayReader(counts)];
    const rows: RowTerms[] = [];
    const firstRow = this.rows;
    this.makeRoom(this.rows + ids.length);
    this.codes.append(codeLengths, wordCodes);
    ids.forEach((id, nth) => {
      const row = this.rows;
      this.ids[row] = this.upTo = id;
      this.itemSizes.add((this.sourceUids[row] = sourceUids[nth] ?? 0));
      this.collectionIds[row] = collectionIds[nth] ?? noCollection;
      this.totalLength += this.lengths[row] = lengths[nth] ?? 0;
      this.rows += 1;
      const held = ofTerms.next();
      this.filter.add(held);
      rows.push({ terms: held, counts: ofCounts.next() });
    });
    this.step = undefined;
    for (let from = 0; from < rows.length; from += segmentRowsMax)
      this.addSegment(makeSegment(firstRow + from, rows.slice(from, from + segmentRowsMax)));
  }

  /** The terms that some chunk may hold: all that one does, and a few more. */
  mayHold(terms: Int32Array): Int32Array {
    return terms.filter((term) => this.filter.mayHold(term));
  }

  /** Removes every chunk but these, whose ids ascend. Their postings stay until half of all rows are gone. */
  keepOnly(ids: Float64Array): void {
    for (let row = 0; row < this.rows; row += 1) {
      if (this.collectionIds[row] === noCollection || isAmong(ids, this.ids[row] ?? 0)) continue;
      this.collectionIds[row] = noCollection;
      this.totalLength -= this.lengths[row] ?? 0;
      this.itemSizes.add(this.sourceUids[row] ?? 0, -1);
      this.gone += 1;
    }
    if (this.gone > this.rows / 2) this.dropGone();
  }

  /**
   * The chunks of some collections with the best BM25 scores, best first; of equal scores the older first.
   */
  best({ collectionIds, weights, nominators, limit }: WordSearch): WordHit[] {
    const weightMax = this.updateNorms();
    const { norms } = this;
    const [only, ...others] = collectionIds;
    const asked = new Set(collectionIds);
    const isAsked =
      others.length === 0
        ? (row: number) => this.collectionIds[row] === only
        : (row: number) => asked.has(this.collectionIds[row] ?? noCollection);
    const nominating = new Set(nominators);
    const inOrder = [...weights].sort(
      ([a, ofA], [b, ofB]) => Number(nominating.has(b)) - Number(nominating.has(a)) || ofB - ofA,
    );
    const best = new BestHits(limit);
    for (const segment of this.segments) {
      const terms = inOrder.flatMap(([term, weight]) => {
        const place = placeOf(segment, term);
        return place === undefined
          ? []
          : { segment, place, weight: weight * weightMax, nominates: nominating.has(term) };
      });
      const search = { terms, nominators: terms.filter(({ nominates }) => nominates).length };
      searchSegment(search, { isAsked, norms }, best);
    }
    const found = best.sorted();
    const sizes = found.map(({ id: row }) => this.itemSizes.of(this.sourceUids[row] ?? 0));
    return found.map(({ id: row, score }, nth) => ({
      id: this.ids[row] ?? 0,
      score,
      sourceUid: this.sourceUids[row] ?? 0,
      itemChunks: sizes[nth] ?? 0,
      ...this.heldBy(row, weights),
      length: this.lengths[row] ?? 0,
      wordCodes: this.codes.of(row),
    }));
  }

  /** Which of the weighed terms a row holds, and how often. */
  private heldBy(row: number, weights: ReadonlyMap<number, number>): Pick<WordHit, 'terms' | 'counts'> {
    const segment = this.segments.findLast(({ firstRow }) => firstRow <= row);
    const held: { terms: number[]; counts: number[] } = { terms: [], counts: [] };
    if (!segment) return held;
    for (const term of weights.keys()) {
      const count = countOf(segment, term, row - segment.firstRow);
      if (count === 0) continue;
      held.terms.push(term);
      held.counts.push(count);
    }
    return held;
  }

  private addSegment(segment: TermSegment): void {
    this.segments.push(segment);
    for (;;) {
      const [before, last] = this.segments.slice(-2);
      if (!before || !last || before.rows.length > 2 * last.rows.length) return;
      if (before.rows.length + last.rows.length > mergedPostingsMax) return;
      if (last.firstRow + last.span - before.firstRow > spanMax) return;
      this.segments.splice(-2, 2, mergeSegments(before, last));
    }
  }

  /**
   * Computes the length norms anew when the average length has moved to another step. The steps are those of
   * KeywordStatistics, so that scores are comparable with those of Postgres. Returns the most that a term weighs.
   */
  private updateNorms(): number {
    const kept = this.rows - this.gone;
    const step = averageLengthStep(this.totalLength / Math.max(1, kept));
    const { weightMax, lengthNorm } = termWeighing(averageLengthOfStep(step));
    if (step !== this.step)
      for (let row = 0; row < this.rows; row += 1) this.norms[row] = lengthNorm(this.lengths[row] ?? 0);
    this.step = step;
    return weightMax;
  }

  private dropGone(): void {
    const numbers = new Int32Array(this.rows).fill(-1);
    let kept = 0;
    this.itemSizes = new ItemSizes();
    for (let row = 0; row < this.rows; row += 1) {
      if (this.collectionIds[row] === noCollection) continue;
      numbers[row] = kept;
      this.ids[kept] = this.ids[row] ?? 0;
      this.itemSizes.add((this.sourceUids[kept] = this.sourceUids[row] ?? 0));
      this.collectionIds[kept] = this.collectionIds[row] ?? noCollection;
      this.lengths[kept] = this.lengths[row] ?? 0;
      kept += 1;
    }
    this.codes.renumber(numbers);
    this.segments = this.segments.map((segment) => renumberSegment(segment, numbers));
    this.rows = kept;
    this.gone = 0;
    this.step = undefined;
  }

  private makeRoom(rows: number): void {
    if (rows <= this.ids.length) return;
    const size = Math.max(rows, Math.ceil(this.ids.length * rowsGrowth));
    this.ids = grown(this.ids, new Float64Array(size));
    this.sourceUids = grown(this.sourceUids, new Float64Array(size));
    this.collectionIds = grown(this.collectionIds, new Int32Array(size));
    this.lengths = grown(this.lengths, new Uint32Array(size));
    this.norms = grown(this.norms, new Float64Array(size));
  }
}

/**
 * Adds the best rows of a segment to the hits so far. `bound` is the most that the current and all later
 * terms can add to a score. Once it is below the threshold, no new row can get among the best, so later terms
 * only complete the rows found; rows that cannot reach the threshold any more are dropped.
 */
function searchSegment({ terms, nominators }: SegmentSearch, known: KnownRows, best: BestHits): void {
  let bound = terms.reduce((sum, { weight }) => sum + weight, 0);
  for (const [nth, term] of terms.entries()) {
    if (nth < nominators && bound >= best.threshold) segmentScores.nominate(term, known);
    else {
      segmentScores.prune(best.threshold - bound);
      segmentScores.complete(term, known);
    }
    bound -= term.weight;
  }
  segmentScores.giveTo(best, terms[0]?.segment.firstRow ?? 0);
}

/** Reads integer arrays that array_send wrote one after another. */
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
