import { workerData } from 'node:worker_threads';
import { lexicalVector } from './lexical-vector.js';
import { openWordnet } from './wordnet.js';

// Tinypool hands its worker [its own data, what the pool was given].
const [, memory] = workerData as [unknown, SharedArrayBuffer];
const wordnet = openWordnet(memory);

/** The vectors of one batch of documents. */
export function embedBatch(texts: readonly string[]): Float32Array[] {
  return texts.map((text) => lexicalVector(text, wordnet));
}
