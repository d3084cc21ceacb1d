/** A chunk with its score. */
export interface ResidentHit {
  readonly id: number;
  readonly score: number;
}

// A slightly low threshold costs less than sorting everything for every hit that is added.
const sortedAgainShare = 1.25;

/** Keeps the best `limit` of many hits; it sorts only when twice as many have come together. */
export class BestHits {
  private hits: ResidentHit[] = [];
  /** A hit whose score is below this is not among the best. */
  threshold = -Infinity;

  constructor(private readonly limit: number) {}

  add(id: number, score: number): void {
    this.hits.push({ id, score });
    if (this.hits.length >= 2 * this.limit) this.tighten();
  }

  /** Raises the threshold if enough hits have been added. */
  tighten(): void {
    const enough = this.threshold === -Infinity ? this.limit : this.limit * sortedAgainShare;
    if (this.hits.length < enough) return;
    this.hits = this.sorted();
    this.threshold = this.hits.at(-1)?.score ?? -Infinity;
  }

  /** The best hits, best first; of equal scores the older (lower id) first. */
  sorted(): ResidentHit[] {
    return this.hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, this.limit);
  }
}
