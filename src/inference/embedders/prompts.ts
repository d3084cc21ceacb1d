import type { EmbeddingPrompts } from '../../config.js';
import type { Embedder } from '../embedder.js';

/**
 * An embedder that writes prompts before texts. That of documents is part of the model's name, since vectors with another
 * one are not to be compared with them; that of queries is not stored with anything.
 */
export function withPrompts(embedder: Embedder, prompts: EmbeddingPrompts): Embedder {
  const { query = '', document = '' } = prompts;
  if (query === '' && document === '') return embedder;
  // An empty text has a zero vector.
  const asDocument = (text: string) => (text.trim() === '' ? text : document + text);
  return {
    ...embedder,
    model: promptedModel(embedder.model, prompts),
    embedDocuments: (texts, signal) => embedder.embedDocuments(texts.map(asDocument), signal),
    embedQuery: (text, signal) => embedder.embedQuery(query + text, signal),
  };
}

/** The name of a model whose documents have such a prompt. */
export function promptedModel(model: string, { document = '' }: EmbeddingPrompts): string {
  return document === '' ? model : `${model} with ${JSON.stringify(document)}`;
}
