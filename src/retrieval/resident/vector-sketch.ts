import { rotatedLength, RandomRotation } from './random-rotation.js';

/** How many sketches lie in a block; see sumSketches in vector-kernel.wat. */
export const blockRows = 32;

/**
 * A 4-bit quantization of a rotated vector (see RandomRotation). A nibble holds 2 bits of each of two
 * values.
 */
export interface Sketch {
  /** The upper 2 bits of each value. */
  readonly coarse: Uint8Array;
  /** The lower 2 bits of each value. */
  readonly fine: Uint8Array;
  /** The factor that turns a product with the coarse half into an estimate of the product with the vector. */
  readonly coarseScale: number;
  /** The same for a product with the whole sketch. */
  readonly scale: number;
}

/** Tables of a query vector, from which its products with sketches are summed. */
export interface SketchTables {
  /** 16 summands for every pair of values, indexed by the coarse nibble. */
  readonly summands: Uint8Array;
  /** A sum of these, times `step`, plus `offset`, is the product with the coarse half of a sketch. */
  readonly step: number;
  readonly offset: number;
  /** 256 products for every pair of values, indexed by the coarse nibble and then the fine one. */
  readonly products: Float32Array;
}

const bitsPerValue = 2;
const codeMask = 3;
const nibbleValues = 16;
const byteValues = 256;
const coarseLevels = Float64Array.of(-3, -1, 1, 3);
const coarseLevelMax = 3;
// In standard deviations of normally distributed values, which rotated values are: where levels part (`From`,
// `Parts`), and the values that they stand for (`Levels`). First the coarse levels, then the fine ones within
// each. `outerFrom` is the threshold of the Lloyd-Max quantizer of 2 bits; the fine parts and levels are within a
// tenth of those of a Lloyd-Max quantizer of 2 bits for each coarse level.
const outerFrom = 0.98;
const innerParts = [0.245, 0.49, 0.735];
const outerParts = [1.25, 1.6, 2.1];
const innerLevels = [0.122, 0.366, 0.61, 0.855];
const outerLevels = [1.11, 1.41, 1.82, 2.45];
// Indexed by the coarse code and then the fine one.
const levels = Float64Array.from([
  ...outerLevels.map((level) => -level),
  ...innerLevels.map((level) => -level),
  ...innerLevels,
  ...outerLevels,
]);
const summandMax = 255;
const sumMax = 2 ** 16 - 1;

/** How many nibbles each half of a sketch has. */
export function sketchPairs(dimensions: number): number {
  return rotatedLength(dimensions) / 2;
}

/** Sketches vectors of one length. */
export class VectorSketcher {
  private readonly rotation: RandomRotation;

  constructor(dimensions: number) {
    this.rotation = new RandomRotation(dimensions);
  }

  /** Makes the sketch of a vector. Every product with the sketch of a zero vector is 0. */
  sketch(vector: Float32Array): Sketch {
    const rotated = this.rotation.rotate(vector);
    const { length } = rotated;
    let squares = 0;
    for (let n = 0; n < length; n += 1) squares += rotated[n]! * rotated[n]!;
    const deviation = Math.sqrt(squares / length);
    const coarse = new Uint8Array(length / 2);
    const fine = new Uint8Array(length / 2);
    let [ofCoarse, ofAll] = [0, 0];
    for (let n = 0; n < length; n += 1) {
      const value = rotated[n]!;
      const size = Math.abs(value) / deviation;
      const inner = size < outerFrom ? 1 : 0;
      const code = value < 0 ? inner : codeMask - inner;
      const parts = inner === 1 ? innerParts : outerParts;
      const part = size < parts[1]! ? (size < parts[0]! ? 0 : 1) : size < parts[2]! ? 2 : 3;
      const shift = bitsPerValue * (n & 1);
      coarse[n >> 1]! |= code << shift;
      fine[n >> 1]! |= part << shift;
      ofCoarse += value * coarseLevels[code]!;
      ofAll += value * levels[(code << bitsPerValue) | part]!;
    }
    const scaleOf = (product: number) => (product > 0 ? squares / product : 0);
    return { coarse, fine, coarseScale: scaleOf(ofCoarse), scale: scaleOf(ofAll) };
  }

  /** Makes the tables of a query vector, as fine as allows sums to fit into 16 bits. */
  tables(vector: Float32Array): SketchTables {
    const rotated = this.rotation.rotate(vector);
    const pairs = rotated.length / 2;
    const lowest = new Float32Array(pairs);
    let [range, offset] = [0, 0];
    for (let pair = 0; pair < pairs; pair += 1) {
      const most = coarseLevelMax * (Math.abs(rotated[2 * pair]!) + Math.abs(rotated[2 * pair + 1]!));
      lowest[pair] = -most;
      offset -= most;
      range = Math.max(range, 2 * most);
    }
    const step = range / Math.min(summandMax, Math.floor(sumMax / pairs)) || 1;
    const summands = new Uint8Array(pairs * nibbleValues);
    const products = new Float32Array(pairs * byteValues);
    for (let pair = 0; pair < pairs; pair += 1) {
      const [first, second] = [rotated[2 * pair]!, rotated[2 * pair + 1]!];
      for (let coarse = 0; coarse < nibbleValues; coarse += 1) {
        const [a, b] = [coarse & codeMask, coarse >> bitsPerValue];
        const product = first * coarseLevels[a]! + second * coarseLevels[b]!;
        summands[pair * nibbleValues + coarse] = Math.round((product - lowest[pair]!) / step);
        const from = pair * byteValues + coarse * nibbleValues;
        for (let fine = 0; fine < nibbleValues; fine += 1) {
          const ofFirst = levels[(a << bitsPerValue) | (fine & codeMask)]!;
          const ofSecond = levels[(b << bitsPerValue) | (fine >> bitsPerValue)]!;
          products[from + fine] = first * ofFirst + second * ofSecond;
        }
      }
    }
    return { summands, step, offset, products };
  }
}
