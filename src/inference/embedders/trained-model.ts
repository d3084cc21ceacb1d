import { StartupError } from '../../lib/startup-error.js';
import { LIMITS } from '../../limits.js';
import type { Embedder } from '../embedder.js';

// A trained model finds about as much as words do.
const denseWeight = 0.5;

/**
 * The properties that embedders of trained models share.
 * @throws StartupError when vectors of this length are not supported
 */
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
