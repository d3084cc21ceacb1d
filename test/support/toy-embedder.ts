import { AppError } from '../../src/errors.js';
import type { Embedder } from '../../src/inference/embedder.js';

const topics = [
  /\b(cats?|felines?|kittens?)\b/i,
  /\b(stars?|astronomy|planets?)\b/i,
  /\b(bread|baking|ovens?)\b/i,
];

/** An embedder that knows three topics: texts about the same one are equal, all others have nothing in common. */
export class ToyEmbedder implements Embedder {
  readonly model = 'toy';
  readonly dimensions = topics.length + 1;
  readonly dimensionsShown = { default: this.dimensions, min: this.dimensions, max: this.dimensions };
  readonly denseWeight = 0.5;
  readonly cached = false;
  /** Every text that was embedded as a document. */
  readonly embedded: string[] = [];
  /** Whether documents are refused. */
  fails = false;

  async embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.fails) throw new AppError('SERVICE_UNAVAILABLE', 'the toy is broken');
    this.embedded.push(...texts);
    return texts.map((text) => this.vector(text));
  }

  async embedQuery(text: string): Promise<Float32Array> {
    return this.vector(text);
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }

  private vector(text: string): Float32Array {
    const vector = Float32Array.from(topics, (topic) => (topic.test(text) ? 1 : 0));
    return Float32Array.of(...vector, vector.some(Boolean) ? 0 : 1);
  }
}
