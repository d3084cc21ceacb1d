/** How many values one Walsh-Hadamard transform mixes. */
const blockLength = 64;
const scale = 1 / Math.sqrt(blockLength);

/** The length of a rotated vector: that of the original, rounded up to a multiple of 64. */
export function rotatedLength(dimensions: number): number {
  return Math.ceil(dimensions / blockLength) * blockLength;
}

/**
 * Rotates vectors, filled up with zeros, by a fixed pseudo-random rotation. Inner products of rotated vectors
 * equal those of the originals, and their values are about normally distributed, even where few values of the
 * original said everything. There are two rounds: signs change, and 64 values at a time are mixed (fast
 * Walsh-Hadamard transform). Between the rounds values change places.
 */
export class RandomRotation {
  private readonly length: number;
  private readonly signs: readonly [Float32Array, Float32Array];
  /** Where the second round takes each value from: the nth values of all blocks stand side by side. */
  private readonly places: Uint32Array;
  private readonly first: Float32Array;

  constructor(dimensions: number) {
    this.length = rotatedLength(dimensions);
    const blocks = this.length / blockLength;
    this.signs = [makeSigns(this.length, 1), makeSigns(this.length, 2)];
    this.places = Uint32Array.from(
      { length: this.length },
      (_, n) => (n % blocks) * blockLength + Math.floor(n / blocks),
    );
    this.first = new Float32Array(this.length);
  }

  /** Returns the rotated vector as a new array. */
  rotate(vector: Float32Array): Float32Array {
    const { first, length, places } = this;
    const [ofFirst, ofSecond] = this.signs;
    for (let n = 0; n < vector.length; n += 1) first[n] = vector[n]! * ofFirst[n]!;
    first.fill(0, vector.length);
    walshHadamard(first);
    const rotated = new Float32Array(length);
    for (let n = 0; n < length; n += 1) rotated[n] = first[places[n]!]! * ofSecond[n]!;
    walshHadamard(rotated);
    return rotated;
  }
}

/**
 * Pseudo-random signs, always the same for a seed (finalizer of MurmurHash3), times the factor that
 * makes the transform orthonormal.
 */
function makeSigns(length: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => {
    let hash = Math.imul(n + 1, 0x9e37_79b1) ^ seed;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
    return ((hash ^ (hash >>> 16)) & 1) === 1 ? -scale : scale;
  });
}

/** The fast Walsh-Hadamard transform of each block, in place. */
function walshHadamard(values: Float32Array): void {
  for (let half = 1; half < blockLength; half *= 2) {
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
