import { turnedLength, VectorTurn } from './vector-turn.js';

/** So many sketches lie in a block; see sumSketches in vector-kernel.wat. */
export const blockRows = 32;

/** The values of a vector, turned, in 2 bits each: two in a half byte. */
export interface Sketch {
  readonly halfBytes: Uint8Array;
  /** What the product of a vector with the sketch is to be multiplied with for the product with what was sketched. */
  readonly scale: number;
}

/** What products of a vector with sketches are summed up from. */
export interface SketchTables {
  /** For every pair of values 16 summands, by half byte. */
  readonly summands: Uint8Array;
  /** A sum times `step`, plus `offset`, is the product with a sketch. */
  readonly step: number;
  readonly offset: number;
}

const bitsPerValue = 2;
const codeMask = 3;
const halfByteValues = 16;
const levels = Float64Array.of(-3, -1, 1, 3);
const levelMax = 3;
// Where the levels part, in standard deviations: the best for values of a normal distribution, as turned ones are.
const outerFrom = 0.98;
const summandMax = 255;
const sumMax = 2 ** 16 - 1;

/** Bytes of a block of sketches of vectors with so many values. */
export function blockBytes(dimensions: number): number {
  return (turnedLength(dimensions) / 2) * (blockRows / 2);
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
    const outer = outerFrom * Math.sqrt(squares / length);
    const halfBytes = new Uint8Array(length / 2);
    let product = 0;
    for (let n = 0; n < length; n += 1) {
      const value = turned[n]!;
      const inner = Math.abs(value) < outer ? 1 : 0;
      const code = value < 0 ? inner : codeMask - inner;
      product += value * levels[code]!;
      halfBytes[n >> 1]! |= code << (bitsPerValue * (n & 1));
    }
    return { halfBytes, scale: product === 0 ? 0 : squares / product };
  }

  /** The tables of a vector that is asked with: as fine as sums fit into 16 bits. */
  tables(vector: Float32Array): SketchTables {
    const turned = this.turning.turn(vector);
    const pairs = turned.length / 2;
    const lowest = new Float32Array(pairs);
    let range = 0;
    let offset = 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      const most = levelMax * (Math.abs(turned[2 * pair]!) + Math.abs(turned[2 * pair + 1]!));
      lowest[pair] = -most;
      offset -= most;
      range = Math.max(range, 2 * most);
    }
    const step = range / Math.min(summandMax, Math.floor(sumMax / pairs)) || 1;
    const summands = new Uint8Array(pairs * halfByteValues);
    for (let at = 0; at < summands.length; at += 1) {
      const pair = Math.floor(at / halfByteValues);
      const halfByte = at % halfByteValues;
      const product =
        turned[2 * pair]! * levels[halfByte & codeMask]! +
        turned[2 * pair + 1]! * levels[halfByte >> bitsPerValue]!;
      summands[at] = Math.round((product - lowest[pair]!) / step);
    }
    return { summands, step, offset };
  }
}
