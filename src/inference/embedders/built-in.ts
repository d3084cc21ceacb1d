import { Tinypool } from 'tinypool';
import type { Embedder } from '../embedder.js';
import { lexicalDimensions, lexicalVector } from './lexical-vector.js';
import { loadWordnet, type Wordnet } from './wordnet.js';

const textsPerTaskMax = 64;
const dimensionsShownDefault = 1536;
const dimensionsShownMax = 4000;

/**
 * Vectors from words, their spelling and their relations in WordNet: no network, no model weights, the same on every
 * machine. Queries are embedded at once, documents in a worker thread, so that indexing never holds up requests.
 */
export function createBuiltInEmbedder({ wordnetFile }: { wordnetFile: string }): Embedder {
  let loading: Promise<Wordnet> | undefined;
  let pool: Tinypool | undefined;
  const load = (): Promise<Wordnet> => (loading ??= loadWordnet(wordnetFile));

  return {
    model: 'contexture-lexical-1',
    dimensions: lexicalDimensions,
    dimensionsShown: { default: dimensionsShownDefault, min: lexicalDimensions, max: dimensionsShownMax },
    embedDocuments: async (texts, signal) => {
      if (texts.length === 0) return [];
      const { memory } = await load();
      pool ??= createPool(memory);
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += textsPerTaskMax) {
        signal?.throwIfAborted();
        const batch = texts.slice(start, start + textsPerTaskMax);
        vectors.push(...((await pool.run(batch)) as Float32Array[]));
      }
      return vectors;
    },
    embedQuery: async (text) => lexicalVector(text, await load()),
    close: async () => {
      await pool?.destroy();
      pool = undefined;
    },
  };
}

function createPool(memory: SharedArrayBuffer): Tinypool {
  return new Tinypool({
    filename: new URL('./built-in-worker.js', import.meta.url).href,
    name: 'embedBatch',
    runtime: 'worker_threads',
    minThreads: 1,
    maxThreads: 1,
    workerData: memory,
  });
}
