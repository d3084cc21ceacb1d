const bits = 2 ** 21;

/** Which terms some chunks may hold: one bit stands for many terms, so that it says too much of some and nothing of none. */
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
