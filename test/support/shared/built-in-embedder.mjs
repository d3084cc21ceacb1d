// The embedder of servers that have no other, shared by all test files in a Jest worker: its thread takes a fifth of a second of
// processor time to start, and each test that stores something would start one.
import { createEmbedder } from '../../../dist/src/inference/embedders.js';

let made;

export const builtInEmbedder = () => (made ??= make());

async function make() {
  const embedder = await createEmbedder({ embeddings: undefined });
  // It outlives the servers, which close what they have.
  return { ...embedder, close: async () => undefined };
}
