// Room for several times the limit makes sorting rare.
const roomShare = 4;

/** Finds the largest of many values that come one after another; made for limits in the thousands. */
export class Largest {
  private readonly places: Uint32Array;
  private readonly values: Float32Array;
  private count = 0;
  /** A value that is not above this is not among the largest. */
  threshold = -Infinity;

  constructor(private readonly limit: number) {
    this.places = new Uint32Array(limit * roomShare);
    this.values = new Float32Array(limit * roomShare);
  }

  add(place: number, value: number): void {
    this.places[this.count] = place;
    this.values[this.count] = value;
    this.count += 1;
    if (this.count === this.values.length) this.drop();
  }

  /** The places of the largest values, in no particular order; of equal values the first count. */
  found(): Uint32Array {
    if (this.count > this.limit) this.drop();
    return this.places.slice(0, this.count);
  }

  /** Drops all but the largest. */
  private drop(): void {
    const { count, limit, places, values } = this;
    const sorted = values.slice(0, count).sort();
    const least = sorted[count - limit]!;
    let equals = limit - sorted.subarray(count - limit).filter((value) => value > least).length;
    this.count = 0;
    for (let n = 0; n < count; n += 1) {
      const value = values[n]!;
      if (value < least || (value === least && equals-- <= 0)) continue;
      places[this.count] = places[n]!;
      values[this.count] = value;
      this.count += 1;
    }
    this.threshold = least;
  }
}
