// The server with an embedder whose vectors cost nothing, so that what is measured is the rest of it.
import { readConfig } from '../src/config.js';
import type { Embedder } from '../src/inference/embedder.js';
import { startServer } from '../src/server.js';
import { randomNumbers } from './synthetic-text.js';

const dimensions = 192;
const random = randomNumbers(3);

function vector(): Float32Array {
  const values = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / length);
}

const embedder: Embedder = {
  model: 'free',
  dimensions,
  dimensionsShown: { default: dimensions, min: dimensions, max: dimensions },
  denseWeight: 0.1,
  cached: false,
  embedDocuments: (texts) => Promise.resolve(texts.map(vector)),
  embedQuery: () => Promise.resolve(vector()),
  close: () => Promise.resolve(),
};

const running = await startServer(readConfig(process.env), { embedder });
running.app.logger.info({ url: running.url }, 'serving');
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
