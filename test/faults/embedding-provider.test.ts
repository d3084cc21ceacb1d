import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectUnavailable } from '../support/api-client.js';
import { EmbeddingProvider } from '../support/embedding-provider.js';
import type { ProviderMode } from '../support/embedding-provider.js';
import { TestServer } from '../support/server.js';
import type { Answer } from '../support/server.js';

const provider = new EmbeddingProvider();
let server: TestServer;
let database: string;
beforeAll(async () => {
  await provider.listen();
  server = await TestServer.start({
    environment: { EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: 'toy', QUERY_TIMEOUT_MS: '3900' },
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
const idsOf = ({ body }: Answer): string[] => body.data.chunks.map((chunk: any) => chunk.id);
const statusOf = (id: string) => server.statusOf(database, id);
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
    '"%s": words alone answer queries and say so, items wait longer than eight tries and complete after',
    async (mode) => {
      await server.remember(database, [{ id: 'early', text: 'an early cat' }]);
      await provider.change(mode);
      await server.remember(database, [{ id: 'late', text: 'a late cat' }]);
      const query = `cat ${mode}`;
      expectUnavailable(await ask({ query, alpha: 1 }));
      const byWords = await ask({ query });
      expect(idsOf(byWords)).toEqual(['early']);
      expect(byWords.body.data.chunks[0].lanes).toMatchObject({ dense: null, sparse: 1 });
      expect(byWords.body.data.notices).toEqual([expect.stringMatching(/words alone.*embedding provider d/)]);
      const byGraphql = await server.graphql(
        `{ search(database: "${database}", query: "${query}", type: memory) { notices } }`,
      );
      expect(byGraphql.body.data.search.notices).toEqual(byWords.body.data.notices);
      expect(await statusOf('late')).toMatchObject({ indexing_status: 'processing', error_code: 'E4001' });
      // An outage may be longer than any number of tries.
      await pass(10);
      expect(await statusOf('late')).toMatchObject({ indexing_status: 'processing', error_code: 'E4001' });
      await provider.change('works');
      await pass(1);
      expect(await statusOf('late')).toMatchObject({ indexing_status: 'completed', error_code: '' });
      const found = await ask({ query });
      expect(idsOf(found).sort()).toEqual(['early', 'late']);
      expect(found.body.data.chunks[0].lanes.dense).not.toBeNull();
      expect(found.body.data).not.toHaveProperty('notices');
      const stats = await server.rest('GET', `/databases/stats?database=${database}`);
      expect(stats.body.data.memory_collection.row_count).toBe(2);
    },
  );

  test('that hangs: one query waits half a deadline at most, and further ones not at all', async () => {
    await server.remember(database, [{ id: 'word', text: 'a cat' }]);
    await provider.change('hangs');
    const first = await ask({ query: 'cat that hangs' });
    expect(idsOf(first)).toEqual(['word']);
    expect(first.body.data.notices).toEqual([expect.stringMatching(/did not answer in 1950 ms/)]);
    const before = provider.requests.length;
    const others = await Promise.all(Array.from({ length: 20 }, (_, n) => ask({ query: `cat ${n}` })));
    for (const other of others) {
      expect(idsOf(other)).toEqual(['word']);
      expect(other.body.data.notices).toEqual([expect.stringMatching(/did not answer lately/)]);
    }
    expect(provider.requests.length).toBe(before);
    // After a while one of them tries for all.
    server.clock.advance(60);
    await Promise.all(Array.from({ length: 5 }, (_, n) => ask({ query: `cat again ${n}` })));
    expect(provider.requests.length).toBe(before + 1);
    expectUnavailable(await ask({ alpha: 1, query: 'cat alone' }));
    await provider.change('works');
    server.clock.advance(60);
    expect((await ask({ query: 'cat that works' })).body.data).not.toHaveProperty('notices');
  });

  test('that refuses a query alone does not keep the others from it', async () => {
    await server.remember(database, [{ id: 'word', text: 'a cat' }]);
    await provider.change('poison 400');
    const refused = await ask({ query: 'cat poison' });
    expect(idsOf(refused)).toEqual(['word']);
    expect(refused.body.data.notices).toEqual([expect.stringMatching(/refused by the embedding provider/)]);
    expect((await ask({ query: 'cat poison', alpha: 1 })).status).toBe(400);
    expect((await ask({ query: 'cat remedy' })).body.data).not.toHaveProperty('notices');
  });

  test('is not asked again for a query that it has answered', async () => {
    await server.remember(database, [{ id: 'word', text: 'a cat' }]);
    await ask({ query: 'the same cat' });
    const before = provider.requests.length;
    await provider.change('down');
    const again = await ask({ query: 'the same cat', max_results: 2 });
    expect(again.body.data.chunks[0].lanes.dense).toBe(1);
    expect(provider.requests.length).toBe(before);
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
