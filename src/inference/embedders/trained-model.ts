import { StartupError } from '../../lib/startup-error.js';
import { LIMITS } from '../../limits.js';
import type { Embedder } from '../embedder.js';

// A trained model knows about as much as the words do.
const denseWeight = 0.5;

/** What embedders of trained models say of themselves. @throws StartupError when vectors of these dimensions are not served */
export function trainedModel(
  model: string,
  dimensions: number,
): Pick<Embedder, 'model' | 'dimensions' | 'denseWeight' | 'cached' | 'dimensionsShown'> {
  if (dimensions < 1 || dimensions > LIMITS.embeddingsDimensionMax) {
    throw new StartupError(
      `the embedding model makes ${dimensions} dimensions; 1 to ${LIMITS.embeddingsDimensionMax} are served`,
    );
  }
  return {
    model,
    dimensions,
    denseWeight,
    cached: true,
    dimensionsShown: { default: dimensions, min: dimensions, max: dimensions },
  };
}
