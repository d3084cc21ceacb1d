import { firstNotBelow } from './binary-search.js';

/**
 * Which rows hold which terms, a part of an inverted index. The rows of the nth term are those from starts[n]
 * to starts[n + 1] (exclusive), ascending, each with the term's count. A row is stored as its distance from
 * `firstRow`.
 */
export interface TermSegment {
  readonly firstRow: number;
  /** How many rows the segment covers, including rows without terms. */
  readonly span: number;
  /** Ascending, each once. */
  readonly terms: Int32Array;
  readonly starts: Uint32Array;
  readonly rows: Uint16Array;
  /** Capped at 255, above which the weight of a term hardly grows. */
  readonly counts: Uint8Array;
}

/** The terms that a row holds, each once, and how often. */
export interface RowTerms {
  readonly terms: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** How many rows may become a segment at once. */
export const segmentRowsMax = 512;
/** How many rows fit into a segment. */
export const spanMax = 2 ** 16;
/** Roughly the bytes that one term in one row takes. */
export const postingBytes = 3;
// A term (30 bits), a row (9) and a count (8) are sorted as one number, of fewer than the 53 bits that are
// exact.
const countMax = 255;
const countShare = countMax + 1;
const termShare = segmentRowsMax * countShare;

/** Makes a segment of consecutive rows, the first of which has the number `firstRow`. */
export function makeSegment(firstRow: number, rows: readonly RowTerms[]): TermSegment {
  const size = rows.reduce((sum, { terms }) => sum + terms.length, 0);
  // Sorting numbers is several times as fast as sorting objects.
  const postings = new Float64Array(size);
  let at = 0;
  for (const [row, { terms, counts }] of rows.entries()) {
    for (let nth = 0; nth < terms.length; nth += 1) {
      const count = Math.min(counts[nth] ?? 0, countMax);
      postings[at++] = (terms[nth] ?? 0) * termShare + row * countShare + count;
    }
  }
  const segment = new SegmentWriter({ firstRow, span: rows.length }, { terms: size, postings: size });
  for (const posting of postings.sort()) {
    const term = Math.floor(posting / termShare);
    const rest = posting - term * termShare;
    segment.begin(term);
    segment.add(Math.floor(rest / countShare), rest % countShare);
  }
  return segment.finish();
}

/**
 * Merges two segments. The rows of the second follow those of the first, and all must fit into one segment.
 */
export function mergeSegments(first: TermSegment, second: TermSegment): TermSegment {
  const { firstRow } = first;
  const further = second.firstRow - firstRow;
  const merged = new SegmentWriter(
    { firstRow, span: further + second.span },
    { terms: first.terms.length + second.terms.length, postings: first.rows.length + second.rows.length },
  );
  for (let [a, b] = [0, 0]; a < first.terms.length || b < second.terms.length;) {
    const [ofFirst, ofSecond] = [first.terms[a] ?? Infinity, second.terms[b] ?? Infinity];
    merged.begin(Math.min(ofFirst, ofSecond));
    if (ofFirst <= ofSecond) merged.addAll(first, { at: a++, further: 0 });
    if (ofSecond <= ofFirst) merged.addAll(second, { at: b++, further });
  }
  return merged.finish();
}

/**
 * A segment with new row numbers, which must keep the order; `numbers` is indexed by the old row number in
 * the store, and rows whose new number is negative are left out.
 */
export function renumberSegment(segment: TermSegment, numbers: Int32Array): TermSegment {
  const kept = numbers
    .subarray(segment.firstRow, segment.firstRow + segment.span)
    .filter((number) => number >= 0);
  const firstRow = kept[0] ?? 0;
  const renumbered = new SegmentWriter(
    { firstRow, span: kept.length },
    { terms: segment.terms.length, postings: segment.rows.length },
  );
  for (const [at, term] of segment.terms.entries()) {
    const end = segment.starts[at + 1] ?? 0;
    for (let posting = segment.starts[at] ?? 0; posting < end; posting += 1) {
      const row = numbers[segment.firstRow + (segment.rows[posting] ?? 0)] ?? -1;
      if (row < 0) continue;
      renumbered.begin(term);
      renumbered.add(row - firstRow, segment.counts[posting] ?? 0);
    }
  }
  return renumbered.finish();
}

/** The index of a term in a segment; undefined when no row holds it. */
export function placeOf({ terms }: TermSegment, term: number): number | undefined {
  const place = firstNotBelow(terms, term, { from: 0, end: terms.length });
  return terms[place] === term ? place : undefined;
}

/** How often a row of a segment, counted from its first one, holds a term. */
export function countOf(segment: TermSegment, term: number, row: number): number {
  const place = placeOf(segment, term);
  if (place === undefined) return 0;
  const { starts, rows, counts } = segment;
  const [from, end] = [starts[place] ?? 0, starts[place + 1] ?? 0];
  const posting = firstNotBelow(rows, row, { from, end });
  return posting < end && rows[posting] === row ? (counts[posting] ?? 0) : 0;
}

/** Writes a segment term by term. */
class SegmentWriter {
  private readonly terms: Int32Array;
  private readonly starts: Uint32Array;
  private readonly rows: Uint16Array;
  private readonly counts: Uint8Array;
  private termCount = 0;
  private size = 0;

  constructor(
    private readonly place: Pick<TermSegment, 'firstRow' | 'span'>,
    atMost: { readonly terms: number; readonly postings: number },
  ) {
    this.terms = new Int32Array(atMost.terms);
    this.starts = new Uint32Array(atMost.terms + 1);
    this.rows = new Uint16Array(atMost.postings);
    this.counts = new Uint8Array(atMost.postings);
  }

  /** Starts a term, to which the rows added next belong. Terms must come in ascending order. */
  begin(term: number): void {
    if (this.termCount > 0 && this.terms[this.termCount - 1] === term) return;
    this.terms[this.termCount] = term;
    this.starts[this.termCount] = this.size;
    this.termCount += 1;
  }

  add(row: number, count: number): void {
    this.rows[this.size] = row;
    this.counts[this.size] = count;
    this.size += 1;
  }

  /** Adds all rows of a term of another segment, with `further` added to each row number. */
  addAll(segment: TermSegment, { at, further }: { at: number; further: number }): void {
    const [from, to] = [segment.starts[at] ?? 0, segment.starts[at + 1] ?? 0];
    for (let posting = from; posting < to; posting += 1)
      this.rows[this.size + posting - from] = segment.rows[posting]! + further;
    this.counts.set(segment.counts.subarray(from, to), this.size);
    this.size += to - from;
  }

  finish(): TermSegment {
    this.starts[this.termCount] = this.size;
    // Copies, so that the unused ends of the arrays do not stay in memory.
    return {
      ...this.place,
      terms: this.terms.slice(0, this.termCount),
      starts: this.starts.slice(0, this.termCount + 1),
      rows: this.rows.slice(0, this.size),
      counts: this.counts.slice(0, this.size),
    };
  }
}
