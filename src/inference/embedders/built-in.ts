import { Tinypool } from 'tinypool';
import { batchesOf } from '../../lib/batches-of.js';
import { LIMITS } from '../../limits.js';
import type { Embedder } from '../embedder.js';
import type { BuiltInTask } from './built-in-worker.js';
import { textDimensions, textVector } from './text-vector.js';
import { wordComparer } from './word-nearness.js';
import { readWordVectors } from './word-vectors.js';

/** The name of its model. */
export const builtInModel = 'contexture-lexical-3';
const earlierModels = ['contexture-lexical-1', 'contexture-lexical-2'];
// Measured on vaswani, musique and hotpotqa: from .05 to .12 fusion loses nothing against keywords alone.
const denseWeight = 0.1;
const textsPerTaskMax = 64;

/**
 * The embedder that needs no network: words by WordNet and GloVe, and their spelling. `wordVectorsFile` is
 * written by scripts/compile-word-vectors.mjs. Queries are embedded on the spot, documents in a worker thread
 * that starts with the first of them.
 * @throws when the file is missing or of another version
 */
export function createBuiltInEmbedder({ wordVectorsFile }: { wordVectorsFile: string }): Embedder {
  const words = readWordVectors(wordVectorsFile);
  const dimensions = textDimensions(words);
  let pool: Tinypool | undefined;

  const embedBatch = async (texts: readonly string[]): Promise<Float32Array[]> => {
    pool ??= new Tinypool({
      filename: new URL('./built-in-worker.js', import.meta.url).href,
      name: 'embedTexts',
      runtime: 'worker_threads',
      minThreads: 1,
      maxThreads: 1,
    });
    const task: BuiltInTask = { buffer: words.buffer, texts };
    const joined = (await pool.run(task)) as Float32Array;
    return texts.map((_, index) => joined.slice(index * dimensions, (index + 1) * dimensions));
  };

  return {
    model: builtInModel,
    replaces: earlierModels,
    dimensions,
    denseWeight,
    cached: false,
    dimensionsShown: {
      default: LIMITS.embeddingsDimensionDefault,
      min: dimensions,
      max: LIMITS.embeddingsDimensionMax,
    },
    async embedDocuments(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const some of batchesOf(texts, textsPerTaskMax)) {
        // Checked between tasks only: to abort a running one the pool would have to end the thread.
        signal?.throwIfAborted();
        vectors.push(...(await embedBatch(some)));
      }
      return vectors;
    },
    embedQuery: async (text) => textVector(text, words),
    wordComparer: (query) => wordComparer(query, words),
    async close() {
      const closing = pool;
      pool = undefined;
      await closing?.destroy();
    },
  };
}
