import { turnedLength, VectorTurn } from './vector-turn.js';

/** So many sketches lie in a block; see sumSketches in vector-kernel.wat. */
export const blockRows = 32;

/** The values of a vector, turned, in 4 bits each; half bytes hold 2 bits of two values. */
export interface Sketch {
  readonly coarse: Uint8Array;
  /** Of each value the 2 bits that follow those in `coarse`. */
  readonly fine: Uint8Array;
  /** What products with the coarse half are to be multiplied with for those with what was sketched. */
  readonly coarseScale: number;
  /** The same for products with all of it. */
  readonly scale: number;
}

/** What products of a vector with sketches are summed up from. */
export interface SketchTables {
  /** For every pair of values 16 summands, by coarse half byte. */
  readonly summands: Uint8Array;
  /** A sum of these times `step`, plus `offset`, is the product with the coarse half of a sketch. */
  readonly step: number;
  readonly offset: number;
  /** For every pair of values 256 products, by coarse half byte and fine one. */
  readonly products: Float32Array;
}

const bitsPerValue = 2;
const codeMask = 3;
const halfByteValues = 16;
const byteValues = 256;
const coarseLevels = Float64Array.of(-3, -1, 1, 3);
const coarseLevelMax = 3;
// In standard deviations, of values that are normally distributed as turned ones are: where levels part, and what they
// stand for; first of the coarse ones, then within each.
const outerFrom = 0.98;
const innerParts = [0.245, 0.49, 0.735];
const outerParts = [1.25, 1.6, 2.1];
const innerLevels = [0.122, 0.366, 0.61, 0.855];
const outerLevels = [1.11, 1.41, 1.82, 2.45];
// By coarse code and fine one.
const levels = Float64Array.from([
  ...outerLevels.map((level) => -level),
  ...innerLevels.map((level) => -level),
  ...innerLevels,
  ...outerLevels,
]);
const summandMax = 255;
const sumMax = 2 ** 16 - 1;

/** How many half bytes a half of a sketch of a vector with so many values has. */
export function sketchPairs(dimensions: number): number {
  return turnedLength(dimensions) / 2;
}

/** Sketches vectors of one length. */
export class VectorSketcher {
  private readonly turning: VectorTurn;

  constructor(dimensions: number) {
    this.turning = new VectorTurn(dimensions);
  }

  /** The sketch of a vector. Of a vector of zeros every product is 0. */
  sketch(vector: Float32Array): Sketch {
    const turned = this.turning.turn(vector);
    const { length } = turned;
    let squares = 0;
    for (let n = 0; n < length; n += 1) squares += turned[n]! * turned[n]!;
    const deviation = Math.sqrt(squares / length);
    const coarse = new Uint8Array(length / 2);
    const fine = new Uint8Array(length / 2);
    let [ofCoarse, ofAll] = [0, 0];
    for (let n = 0; n < length; n += 1) {
      const value = turned[n]!;
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

  /** The tables of a vector that is asked with: as fine as sums fit into 16 bits. */
  tables(vector: Float32Array): SketchTables {
    const turned = this.turning.turn(vector);
    const pairs = turned.length / 2;
    const lowest = new Float32Array(pairs);
    let [range, offset] = [0, 0];
    for (let pair = 0; pair < pairs; pair += 1) {
      const most = coarseLevelMax * (Math.abs(turned[2 * pair]!) + Math.abs(turned[2 * pair + 1]!));
      lowest[pair] = -most;
      offset -= most;
      range = Math.max(range, 2 * most);
    }
    const step = range / Math.min(summandMax, Math.floor(sumMax / pairs)) || 1;
    const summands = new Uint8Array(pairs * halfByteValues);
    const products = new Float32Array(pairs * byteValues);
    for (let pair = 0; pair < pairs; pair += 1) {
      const [first, second] = [turned[2 * pair]!, turned[2 * pair + 1]!];
      for (let coarse = 0; coarse < halfByteValues; coarse += 1) {
        const [a, b] = [coarse & codeMask, coarse >> bitsPerValue];
        const product = first * coarseLevels[a]! + second * coarseLevels[b]!;
        summands[pair * halfByteValues + coarse] = Math.round((product - lowest[pair]!) / step);
        const from = pair * byteValues + coarse * halfByteValues;
        for (let fine = 0; fine < halfByteValues; fine += 1) {
          const ofFirst = levels[(a << bitsPerValue) | (fine & codeMask)]!;
          const ofSecond = levels[(b << bitsPerValue) | (fine >> bitsPerValue)]!;
          products[from + fine] = first * ofFirst + second * ofSecond;
        }
      }
    }
    return { summands, step, offset, products };
  }
}
