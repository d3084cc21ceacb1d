import { analyze, termId } from '../../text/analyzer.js';
import type { Embedder } from '../embedder.js';
export function createBuiltInEmbedder(_: { wordnetFile: string }): Embedder {
  const embed = (t: string) => {
    const v = new Float32Array(384);
    for (const w of analyze(t)) {
      const h = termId(w);
      v[h % 384]! += h & 512 ? 1 : -1;
    }
    const n = Math.hypot(...v) || 1;
    return v.map((x) => x / n);
  };
  return {
    model: 'temporary',
    dimensions: 384,
    dimensionsShown: { default: 1536, min: 384, max: 4000 },
    embedDocuments: async (ts) => ts.map(embed),
    embedQuery: async (t) => embed(t),
    close: async () => undefined,
  };
}
