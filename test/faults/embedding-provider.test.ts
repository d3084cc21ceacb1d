import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectUnavailable } from '../support/api-client.js';
import { EmbeddingProvider } from '../support/embedding-provider.js';
import type { ProviderMode } from '../support/embedding-provider.js';
import { TestServer } from '../support/server.js';

const provider = new EmbeddingProvider();
let server: TestServer;
let database: string;
beforeAll(async () => {
  await provider.listen();
  server = await TestServer.start({
    environment: { EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: 'toy', QUERY_TIMEOUT_MS: '3000' },
  });
});
beforeEach(async () => {
  database = await server.database();
});
afterEach(async () => provider.change('works'));
afterAll(async () => {
  await server.stop();
  await provider.close();
});

const longestPauseSeconds = 301;

const ask = (parameters: Record<string, unknown> = {}) =>
  server.rest('POST', '/query', { json: { database, query: 'cat', type: 'memory', ...parameters } });
const statusOf = async (id: string) =>
  (await server.rest('GET', `/context/status?database=${database}&ids=${id}`)).body.data.statuses[0];
/** Lets so many of the longest pauses between two tries pass. */
async function pass(pauses: number): Promise<void> {
  for (let n = 0; n < pauses; n += 1) {
    server.clock.advance(longestPauseSeconds);
    await server.idle();
  }
}

const outages: ProviderMode[] = [
  'down',
  'error 500',
  'error 429',
  'fewer vectors',
  'other dimension',
  'NaN',
  'null',
  'strings',
  'repeated index',
  'no JSON',
  'empty object',
];

describe('an embedding provider', () => {
  test.each(outages)(
    '"%s": queries answer 503, items wait longer than eight tries and complete after',
    async (mode) => {
      await server.remember(database, [{ id: 'early', text: 'an early cat' }]);
      await provider.change(mode);
      await server.remember(database, [{ id: 'late', text: 'a late cat' }]);
      expectUnavailable(await ask());
      expectUnavailable(
        await server.graphql(`{ search(database: "${database}", query: "cat", type: memory) { queryId } }`),
      );
      expect(await statusOf('late')).toMatchObject({ indexing_status: 'processing', error_code: 'E4001' });
      // An outage may be longer than any number of tries.
      await pass(10);
      expect(await statusOf('late')).toMatchObject({ indexing_status: 'processing', error_code: 'E4001' });
      await provider.change('works');
      await pass(1);
      expect(await statusOf('late')).toMatchObject({ indexing_status: 'completed', error_code: '' });
      const found = await ask();
      expect(found.body.data.chunks.map((chunk: any) => chunk.id).sort()).toEqual(['early', 'late']);
      const stats = await server.rest('GET', `/databases/stats?database=${database}`);
      expect(stats.body.data.memory_collection.row_count).toBe(2);
    },
  );

  test('that hangs: a query answers 503 at its deadline', async () => {
    await server.remember(database, [{ id: 'word', text: 'a cat' }]);
    await provider.change('hangs');
    const startedAt = Date.now();
    expectUnavailable(await ask());
    expect(Date.now() - startedAt).toBeLessThan(6000);
  });

  test('that is down is not needed by a query by text', async () => {
    await server.remember(database, [{ id: 'word', text: 'a cat' }]);
    await provider.change('down');
    const found = await ask({ query_by: 'text' });
    expect([found.status, found.body.data?.chunks?.map((chunk: any) => chunk.id)]).toEqual([200, ['word']]);
  });

  test.each(['poison 400', 'poison 500'] as const)(
    '"%s": a text that it alone refuses ends errored after its tries and holds up no other',
    async (mode) => {
      await provider.change(mode);
      await server.remember(database, [
        { id: 'good-1', text: 'a cat' },
        { id: 'bad', text: 'poison' },
        { id: 'good-2', text: 'another cat' },
      ]);
      await pass(1);
      for (const id of ['good-1', 'good-2'])
        expect(await statusOf(id)).toMatchObject({ indexing_status: 'completed', error_code: '' });
      expect(await statusOf('bad')).toMatchObject({ indexing_status: 'processing', error_code: 'E4001' });
      await pass(8);
      expect(await statusOf('bad')).toMatchObject({ indexing_status: 'errored', error_code: 'E4001' });
      // It did not stop what came after it.
      await server.remember(database, [{ id: 'good-3', text: 'a third cat' }]);
      expect(await statusOf('good-3')).toMatchObject({ indexing_status: 'completed', error_code: '' });
    },
  );
});
