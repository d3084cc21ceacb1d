import { textDimensions, textVector } from './text-vector.js';
import { viewWordVectors } from './word-vectors.js';

/** Texts to embed, with the word vectors in shared memory. */
export interface BuiltInTask {
  readonly buffer: SharedArrayBuffer;
  readonly texts: readonly string[];
}

/** Runs in a worker thread; returns the vectors of all texts, concatenated. */
export function embedTexts({ buffer, texts }: BuiltInTask): Float32Array {
  const words = viewWordVectors(buffer);
  const dimensions = textDimensions(words);
  const joined = new Float32Array(texts.length * dimensions);
  texts.forEach((text, index) => joined.set(textVector(text, words), index * dimensions));
  return joined;
}
