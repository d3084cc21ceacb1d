/** A chunk with its score. */
export interface ResidentHit {
  readonly id: number;
  readonly score: number;
}

// Sorting all for one more would cost more than a threshold that is too low.
const sortedAgainShare = 1.25;

/** Keeps the best of many; sorts only when twice as many have come together. */
export class BestHits {
  private hits: ResidentHit[] = [];
  /** What is not as good as this is not among the best. */
  threshold = -Infinity;

  constructor(private readonly limit: number) {}

  add(id: number, score: number): void {
    this.hits.push({ id, score });
    if (this.hits.length >= 2 * this.limit) this.tighten();
  }

  /** Makes the threshold higher if enough has been added. */
  tighten(): void {
    const enough = this.threshold === -Infinity ? this.limit : this.limit * sortedAgainShare;
    if (this.hits.length < enough) return;
    this.hits = this.sorted();
    this.threshold = this.hits.at(-1)?.score ?? -Infinity;
  }

  /** The best first; of equals the older. */
  sorted(): ResidentHit[] {
    return this.hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, this.limit);
  }
}
