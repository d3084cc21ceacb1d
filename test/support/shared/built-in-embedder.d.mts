import type { Embedder } from '../../../src/inference/embedder.js';

export declare const builtInEmbedder: () => Promise<Embedder>;
