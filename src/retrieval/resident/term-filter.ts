const bits = 2 ** 21;

/**
 * Which terms some chunks may hold: a Bloom filter of one bit per term. It sometimes says yes for a term that
 * no chunk holds, and never no for one that a chunk holds.
 */
export class TermFilter {
  static readonly bytes = bits / 8;
  private readonly held = new Uint8Array(TermFilter.bytes);

  add(terms: ArrayLike<number>): void {
    for (let nth = 0; nth < terms.length; nth += 1) {
      const bit = (terms[nth] ?? 0) % bits;
      this.held[bit >> 3] = (this.held[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  mayHold(term: number): boolean {
    const bit = term % bits;
    return ((this.held[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }
}
