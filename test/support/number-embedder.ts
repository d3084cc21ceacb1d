import type { Embedder } from '../../src/inference/embedder.js';

/** Vectors around ten centres, each of a number of its own. */
function makeVector(number: number, dimensions: number): Float32Array {
  const noise = (seed: number) => {
    let state = seed * 2_654_435_761 + 1;
    return Float32Array.from({ length: dimensions }, () => {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
      return (state >>> 0) / 4_294_967_296 - 0.5;
    });
  };
  const centre = noise(1_000_000 + (number % 10));
  const mixed = noise(number).map((value, index) => value + (centre[index] ?? 0));
  const length = Math.hypot(...mixed);
  return mixed.map((value) => value / length);
}

/** "number 17" has the vector of 17. */
export class Numbers implements Embedder {
  readonly model = 'numbers';
  readonly dimensionsShown;
  readonly denseWeight = 1;
  readonly cached = false;
  private readonly vectors = new Map<number, Float32Array>();

  constructor(readonly dimensions: number) {
    this.dimensionsShown = { default: dimensions, min: dimensions, max: dimensions };
  }

  vectorOf(number: number): Float32Array {
    const vector = this.vectors.get(number) ?? makeVector(number, this.dimensions);
    this.vectors.set(number, vector);
    return vector;
  }

  embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
    return Promise.resolve(texts.map((text) => this.read(text)));
  }

  embedQuery(text: string): Promise<Float32Array> {
    return Promise.resolve(this.read(text));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private read(text: string): Float32Array {
    return this.vectorOf(Number(/number (\d+)/.exec(text)?.[1]));
  }
}
