/** So many values are mixed with one another at a time. */
const mixed = 64;
const scale = 1 / Math.sqrt(mixed);

/** The length of a vector that has been turned. */
export function turnedLength(dimensions: number): number {
  return Math.ceil(dimensions / mixed) * mixed;
}

/**
 * Gives vectors, filled up with zeros, coordinates that have nothing to do with their own: products of turned vectors are
 * what they were, and values are spread as if by chance, however few of them said everything. Twice signs are changed and
 * 64 values at a time mixed (fast Walsh-Hadamard transform); in between values change places.
 */
export class VectorTurn {
  private readonly length: number;
  private readonly signs: readonly [Float32Array, Float32Array];
  /** From where the second round takes its values: the nth of every block side by side. */
  private readonly places: Uint32Array;
  private readonly first: Float32Array;

  constructor(dimensions: number) {
    this.length = turnedLength(dimensions);
    const blocks = this.length / mixed;
    this.signs = [makeSigns(this.length, 1), makeSigns(this.length, 2)];
    this.places = Uint32Array.from(
      { length: this.length },
      (_, n) => (n % blocks) * mixed + Math.floor(n / blocks),
    );
    this.first = new Float32Array(this.length);
  }

  /** The vector, turned. */
  turn(vector: Float32Array): Float32Array {
    const { first, length, places } = this;
    const [ofFirst, ofSecond] = this.signs;
    for (let n = 0; n < vector.length; n += 1) first[n] = vector[n]! * ofFirst[n]!;
    first.fill(0, vector.length);
    mixAll(first);
    const turned = new Float32Array(length);
    for (let n = 0; n < length; n += 1) turned[n] = first[places[n]!]! * ofSecond[n]!;
    mixAll(turned);
    return turned;
  }
}

/** As if by chance, and always the same (the finalizer of murmur3); with what mixing has to be divided by. */
function makeSigns(length: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => {
    let hash = Math.imul(n + 1, 0x9e37_79b1) ^ seed;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
    return ((hash ^ (hash >>> 16)) & 1) === 1 ? -scale : scale;
  });
}

function mixAll(values: Float32Array): void {
  for (let half = 1; half < mixed; half *= 2) {
    for (let from = 0; from < values.length; from += 2 * half) {
      for (let n = from; n < from + half; n += 1) {
        const a = values[n]!;
        const b = values[n + half]!;
        values[n] = a + b;
        values[n + half] = a - b;
      }
    }
  }
}
