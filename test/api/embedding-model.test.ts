import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EmbeddingProvider } from '../support/embedding-provider.js';
import { TestServer } from '../support/server.js';

const provider = new EmbeddingProvider();
let server: TestServer;
let database: string;
beforeAll(async () => {
  await provider.listen();
  server = await TestServer.start({ environment: { EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: 'new' } });
  database = await server.database();
  await server.remember(database, [{ id: 'word', text: 'a cat' }]);
});
afterAll(async () => {
  await server.stop();
  await provider.close();
});

const ask = (parameters: Record<string, unknown> = {}) =>
  server.rest('POST', '/query', { json: { database, query: 'cat', type: 'memory', ...parameters } });
const pretend = (model: string, dimensions: number) =>
  server.sql('update databases set embedding_model = $2, vector_dimensions = $3 where name = $1', [
    database,
    model,
    dimensions,
  ]);

describe('a database that was embedded with another model', () => {
  test.each([
    ['another name', 'old', 8],
    ['another length', 'new', 16],
  ])('%s: words alone answer and say why; meaning alone is refused', async (_, model, dimensions) => {
    await pretend(model, dimensions);
    const named = new RegExp(
      `"${database}" was embedded with the model ${model} \\(${dimensions} dimensions\\), this server runs new \\(8 dimensions\\); reembedDatabase`,
    );
    const found = await ask({ alpha: 0.9 });
    expect(found.body.data.chunks).toMatchObject([{ id: 'word', lanes: { dense: null, sparse: 1 } }]);
    expect(found.body.data.notices).toEqual([expect.stringMatching(named)]);
    const refused = await ask({ alpha: 1 });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(refused.body.error.message).toMatch(named);
    expect((await ask({ query_by: 'text' })).body.data).not.toHaveProperty('notices');
    await pretend('new', 8);
    const whole = await ask();
    expect(whole.body.data.chunks[0].lanes.dense).toBe(1);
    expect(whole.body.data).not.toHaveProperty('notices');
  });
});
