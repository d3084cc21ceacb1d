import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, EmbeddingsConfig } from '../config.js';
import { packageRoot } from '../lib/package-root.js';
import type { Embedder } from './embedder.js';
import { builtInModel, createBuiltInEmbedder } from './embedders/built-in.js';
import { createOnnxEmbedder, onnxScheme } from './embedders/onnx.js';
import { promptedModel, withPrompts } from './embedders/prompts.js';

const wordVectorsFile = join(packageRoot, 'dist', 'word-vectors.bin');

/**
 * Asked when an endpoint is down: the length of the vectors that are stored of a model, undefined when there are none; and
 * told why.
 */
type KnownDimensions = (model: string, reason: string) => Promise<number | undefined>;

/**
 * Opens the configured embedder: an OpenAI-compatible endpoint, an ONNX model in a folder, or the built-in
 * one, which needs neither. An endpoint that is down is waited for by what needs it, if its vectors are known.
 */
export async function createEmbedder(
  { embeddings }: Pick<Config, 'embeddings'>,
  knownDimensions: KnownDimensions = () => Promise.resolve(undefined),
): Promise<Embedder> {
  if (!embeddings) return createBuiltInEmbedder({ wordVectorsFile });
  return withPrompts(await openEmbedder(embeddings, knownDimensions), embeddings.prompts);
}

async function openEmbedder(config: EmbeddingsConfig, knownDimensions: KnownDimensions): Promise<Embedder> {
  if (config.url.startsWith(onnxScheme)) return createOnnxEmbedder(config);
  // A library that is loaded only by those who use it.
  const { createOpenAiEmbedder } = await import('./embedders/openai.js');
  const model = promptedModel(config.model, config.prompts);
  return createOpenAiEmbedder(config, (reason) => knownDimensions(model, reason));
}

/**
 * The available embedders by model: the configured one, and always the built-in one, for databases that were
 * made before another was configured.
 */
export class Embedders {
  private builtIn: Embedder | undefined;

  constructor(
    /** The configured embedder, used for new databases. */
    readonly main: Embedder,
  ) {}

  /** Undefined when there is no model of this name with vectors of this length. */
  find(model: string, dimensions: number): Embedder | undefined {
    if (model === this.main.model) return this.main.dimensions === dimensions ? this.main : undefined;
    if (model !== builtInModel || (!this.builtIn && !existsSync(wordVectorsFile))) return undefined;
    this.builtIn ??= createBuiltInEmbedder({ wordVectorsFile });
    return this.builtIn.dimensions === dimensions ? this.builtIn : undefined;
  }

  async close(): Promise<void> {
    await this.main.close();
    await this.builtIn?.close();
  }
}
