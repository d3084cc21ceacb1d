import { saturation } from '../../text/bm25.js';
import type { BestHits } from './best-hits.js';
import { firstNotBelow } from './binary-search.js';
import { spanMax } from './term-segments.js';
import type { TermSegment } from './term-segments.js';

/** A term of a segment, with its index there. */
export interface WeighedTerm {
  readonly segment: TermSegment;
  readonly place: number;
  /** The most that it adds to a score. */
  readonly weight: number;
}

/** What is known of all rows, by row number in the store. */
export interface KnownRows {
  /** Whether a row may be found at all. */
  readonly isAsked: (row: number) => boolean;
  readonly norms: Float64Array;
}

// A binary search of one row costs about as much as reading this many postings for nothing.
const stepsPerSearch = 16;

/**
 * The scores of those rows of a segment that may be among the best. One instance serves one segment after
 * another.
 */
export class SegmentScores {
  private readonly scores = new Float64Array(spanMax);
  private readonly rows = new Uint16Array(spanMax);
  private count = 0;

  /** Adds the score of a term to every row that holds it; these rows may be found from now on. */
  nominate({ segment, place, weight }: WeighedTerm, { isAsked, norms }: KnownRows): void {
    const { scores } = this;
    const { firstRow, rows, counts, starts } = segment;
    const end = starts[place + 1] ?? 0;
    for (let posting = starts[place] ?? 0; posting < end; posting += 1) {
      const row = rows[posting]!;
      const before = scores[row]!;
      if (before === 0) {
        if (!isAsked(firstRow + row)) continue;
        this.rows[this.count++] = row;
      }
      scores[row] = before + weight * saturation(counts[posting]!, norms[firstRow + row]!);
    }
  }

  /** Adds the score of a term only to the rows that have a score already. */
  complete(term: WeighedTerm, { norms }: KnownRows): void {
    const { segment, place, weight } = term;
    const { firstRow, rows, counts, starts } = segment;
    const [from, end] = [starts[place] ?? 0, starts[place + 1] ?? 0];
    const add = (posting: number) => {
      const row = rows[posting]!;
      this.scores[row]! += weight * saturation(counts[posting]!, norms[firstRow + row]!);
    };
    if (this.count * stepsPerSearch > end - from) {
      for (let posting = from; posting < end; posting += 1)
        if (this.scores[rows[posting]!] !== 0) add(posting);
      return;
    }
    for (let nth = 0; nth < this.count; nth += 1) {
      const row = this.rows[nth]!;
      const posting = firstNotBelow(rows, row, { from, end });
      if (posting < end && rows[posting] === row) add(posting);
    }
  }

  /** Drops the rows whose score is below `least`. */
  prune(least: number): void {
    const { count, rows, scores } = this;
    this.count = 0;
    for (let nth = 0; nth < count; nth += 1) {
      const row = rows[nth]!;
      if (scores[row]! >= least) rows[this.count++] = row;
      else scores[row] = 0;
    }
  }

  /** Hands all rows over to `best`, and is empty again. */
  giveTo(best: BestHits, firstRow: number): void {
    for (let nth = 0; nth < this.count; nth += 1) {
      const row = this.rows[nth]!;
      const score = this.scores[row]!;
      // Equal scores count as well: `best` prefers earlier rows, which are older chunks.
      if (score >= best.threshold) best.add(firstRow + row, score);
      this.scores[row] = 0;
    }
    this.count = 0;
    best.tighten();
  }
}
