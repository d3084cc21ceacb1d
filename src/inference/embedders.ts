import { join } from 'node:path';
import type { Config } from '../config.js';
import { packageRoot } from '../lib/package-root.js';
import type { Embedder } from './embedder.js';
import { createBuiltInEmbedder } from './embedders/built-in.js';
import { createOpenAiEmbedder } from './embedders/openai.js';

/** The configured embedder: an OpenAI-compatible endpoint, or the built-in one that needs no network. */
export async function createEmbedder({ embeddings }: Pick<Config, 'embeddings'>): Promise<Embedder> {
  if (embeddings) return createOpenAiEmbedder(embeddings);
  return createBuiltInEmbedder({ wordnetFile: join(packageRoot, 'dist', 'wordnet.bin') });
}
