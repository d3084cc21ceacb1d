import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EmbeddingProvider } from '../support/embedding-provider.js';
import { TestServer } from '../support/server.js';

/** "nearness 30" has a cosine of .3 with every text that says nothing of the kind. */
function vectorOf(text: string): number[] {
  const cosine = Number(/nearness (\d+)/.exec(text)?.[1] ?? 100) / 100;
  return [cosine, Math.sqrt(1 - cosine ** 2)];
}

const provider = new EmbeddingProvider(2, vectorOf);
let server: TestServer;
let database: string;
const noise = (others: number, nearness: number) =>
  `The blue engine makes noise. ${'Something else was said. '.repeat(others)}(nearness ${nearness})`;
// By words the first is the best, the last somewhat worse than those before it; by meaning the last is far ahead.
const nearnesses = [30, 24, 23, 22, 21, 90];

beforeAll(async () => {
  await provider.listen();
  server = await TestServer.start({ environment: { EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: 'm' } });
  database = await server.database();
  await server.remember(
    database,
    nearnesses.map((nearness, others) => ({ id: `m${others}`, text: noise(others, nearness) })),
  );
});
afterAll(async () => {
  await server.stop();
  await provider.close();
});

const ask = async (more: Record<string, unknown> = {}) => {
  const json = { database, query: 'the noise of the blue engine', type: 'memory', ...more };
  const { body } = await server.rest('POST', '/query', { json });
  return body.data.chunks as { id: string; relevancy_score: number; lanes: Record<string, number | null> }[];
};

describe('with a trained model', () => {
  test('what is far ahead in meaning comes first, though its rank by words is low', async () => {
    const [first, second] = await ask();
    expect(first).toMatchObject({ id: 'm5', lanes: { dense: 1, sparse: 6 } });
    expect(second).toMatchObject({ id: 'm0', lanes: { dense: 2, sparse: 1 } });
  });

  test('alpha 0 is the order of words, 1 that of meaning', async () => {
    expect((await ask({ alpha: 0 })).map(({ id }) => id)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
    expect((await ask({ alpha: 1 })).map(({ id }) => id)).toEqual(['m5', 'm0', 'm1', 'm2', 'm3', 'm4']);
  });
});
