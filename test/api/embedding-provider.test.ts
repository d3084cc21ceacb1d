import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EmbeddingProvider } from '../support/embedding-provider.js';
import { TestServer } from '../support/server.js';

/** Texts about cats in one direction, all others in another. */
const makeProvider = (dimensions = 8) =>
  new EmbeddingProvider(dimensions, (text) => {
    const vector = Array<number>(dimensions).fill(0);
    vector[/cat|feline/.test(text) ? 0 : 1] = 2;
    return vector;
  });

const provider = makeProvider();
let server: TestServer;
beforeAll(async () => {
  await provider.listen();
  server = await TestServer.start({
    environment: { EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: 'toy', EMBEDDINGS_API_KEY: 'sesame' },
  });
});
afterAll(async () => {
  await server.stop();
  await provider.close();
});

describe('an OpenAI-compatible embedding provider', () => {
  test('is asked with model, key and texts; its own dimension is what databases show', async () => {
    const database = await server.database();
    await server.remember(database, [
      { id: 'cat', text: 'my cat sleeps' },
      { id: 'dog', text: 'my dog barks' },
    ]);
    expect(provider.askings.at(-1)).toMatchObject({ model: 'toy', authorization: 'Bearer sesame' });
    const found = await server.rest('POST', '/query', {
      json: { database, query: 'feline', type: 'memory', max_results: 1 },
    });
    expect(found.body.data.chunks[0]).toMatchObject({ id: 'cat', lanes: { dense: 1, sparse: null } });
    const shown = await server.graphql(`{ database(database: "${database}") { embeddingsDimension } }`);
    expect(shown.body.data.database.embeddingsDimension).toBe(8);
    const other = await server.rest('POST', '/databases', {
      json: { database: 'other', embeddings_dimension: 9 },
    });
    expect([other.status, other.body.error.message]).toEqual([400, expect.stringMatching(/makes 8/)]);
  });

  test.each(['error 500', 'other dimension'] as const)(
    'when it answers with %s, items wait and a query for meaning alone answers 503; nothing is lost',
    async (mode) => {
      const database = await server.database();
      provider.mode = mode;
      await server.remember(database, [{ id: 'late', text: 'a late cat' }]);
      const waiting = await server.rest('GET', `/context/status?database=${database}&ids=late`);
      expect(waiting.body.data.statuses[0]).toMatchObject({
        indexing_status: 'processing',
        error_code: 'E4001',
      });
      const query = await server.rest('POST', '/query', {
        json: { database, query: `cat ${mode}`, type: 'memory', alpha: 1 },
      });
      expect(query.status).toBe(503);
      expect(query.body.error.code).toBe('SERVICE_UNAVAILABLE');
      expect(Number(query.headers.get('retry-after'))).toBeGreaterThan(0);
      provider.mode = 'works';
      server.clock.advance(300);
      await server.idle();
      const done = await server.rest('GET', `/context/status?database=${database}&ids=late`);
      expect(done.body.data.statuses[0]).toMatchObject({ indexing_status: 'completed', error_code: '' });
      const stats = await server.rest('GET', `/databases/stats?database=${database}`);
      expect(stats.body.data.memory_collection.row_count).toBe(1);
    },
  );

  const statusesOf = async (database: string) => {
    const query = `/context/status?database=${database}&ids=bad,good`;
    const { body } = await server.rest('GET', query);
    return body.data.statuses.map(({ indexing_status, error_code }: any) => [indexing_status, error_code]);
  };
  const pass = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      server.clock.advance(300);
      await server.idle();
    }
  };

  const messageOf = async (database: string, id: string) => {
    const { body } = await server.rest('GET', `/context/status?database=${database}&ids=${id}`);
    return body.data.statuses[0].error_message as string;
  };

  test('items that wait for one that refuses the key say so, with the status and not its words', async () => {
    const database = await server.database();
    provider.refuses = () => [401, 'Incorrect API key: sesame'];
    await server.remember(database, [{ id: 'bad', text: 'a refused cat' }]);
    expect((await statusesOf(database))[0]).toEqual(['processing', 'E4001']);
    expect(await messageOf(database, 'bad')).toMatch(
      /: the embedding provider refuses the requests .*\(status 401\)$/,
    );
    const json = { database, query: 'cat refused', type: 'memory', alpha: 1 };
    const query = await server.rest('POST', '/query', { json });
    expect([query.status, query.body.error.message]).toEqual([503, expect.stringMatching(/refuses .*401/)]);
    provider.refuses = () => undefined;
    await pass(1);
    expect((await statusesOf(database))[0]).toEqual(['completed', '']);
  });

  test('items that wait for one whose vectors have another length say both lengths', async () => {
    const database = await server.database();
    provider.mode = 'other dimension';
    await server.remember(database, [{ id: 'bad', text: 'a longer cat' }]);
    provider.mode = 'works';
    expect((await statusesOf(database))[0]).toEqual(['processing', 'E4001']);
    expect(await messageOf(database, 'bad')).toMatch(/vectors of 3 dimensions, where its model had 8 /);
    await pass(1);
    expect((await statusesOf(database))[0]).toEqual(['completed', '']);
  });

  test('a text that it refuses ends errored after eight tries and holds up no other', async () => {
    const database = await server.database();
    provider.mode = 'poison 400';
    await server.remember(database, [
      { id: 'bad', text: 'poison' },
      { id: 'good', text: 'a cat' },
    ]);
    expect(await statusesOf(database)).toEqual([
      ['processing', 'E4001'],
      ['completed', ''],
    ]);
    expect(await messageOf(database, 'bad')).toMatch(
      /: the embedding provider refuses a text \(status 400\)$/,
    );
    await pass(8);
    provider.mode = 'works';
    expect((await statusesOf(database))[0]).toEqual(['errored', 'E4001']);
  });

  test('an outage uses up no tries; what it holds up for a day ends errored', async () => {
    const database = await server.database();
    provider.mode = 'error 500';
    await server.remember(database, [{ id: 'bad', text: 'a cat' }]);
    await pass(20);
    expect((await statusesOf(database))[0]).toEqual(['processing', 'E4001']);
    provider.mode = 'works';
    await pass(1);
    expect((await statusesOf(database))[0]).toEqual(['completed', '']);
    provider.mode = 'error 500';
    await server.remember(database, [{ id: 'bad', text: 'another cat' }]);
    // It counts from when it was held up first, though it is up for a moment and the item is tried again.
    server.clock.advance(86_000);
    let spared = 1;
    provider.mode = 'works';
    provider.refuses = () => (spared-- > 0 ? undefined : [500, 'no']);
    await server.idle();
    expect((await statusesOf(database))[0]).toEqual(['processing', 'E4001']);
    server.clock.advance(401);
    await server.idle();
    provider.refuses = () => undefined;
    expect((await statusesOf(database))[0]).toEqual(['errored', 'E4001']);
  });

  test('text that comes again unchanged is not embedded again; another database shares nothing', async () => {
    const embedded = () => provider.requests.flat().filter((text) => text !== 'probe');
    await pass(1);
    const [first, second] = [await server.database(), await server.database()];
    const memories = [
      { id: 'good', text: 'one cat' },
      { id: 'twin', text: 'one cat', title: 'one cat' },
    ];
    const before = embedded().length;
    await server.remember(first, memories);
    expect(embedded().length - before).toBe(1);
    await server.remember(first, [...memories, { id: 'new', text: 'two cats' }]);
    expect(embedded().slice(before + 1)).toEqual([expect.stringContaining('two cats')]);
    await server.remember(second, memories);
    expect(embedded().length - before).toBe(3);
    const found = await server.rest('POST', '/query', {
      json: { database: first, query: 'feline', type: 'memory' },
    });
    expect(found.body.data.chunks).toHaveLength(3);
    await server.rest('DELETE', '/databases', { json: { database: first } });
    await server.idle();
    const left = await server.sql<{ rows: number }>('select count(*)::int as rows from embedding_cache');
    await server.rest('DELETE', '/databases', { json: { database: second } });
    await server.idle();
    const leftAfter = await server.sql<{ rows: number }>('select count(*)::int as rows from embedding_cache');
    expect((left[0]?.rows ?? 0) - (leftAfter[0]?.rows ?? 0)).toBe(1);
  });

  test('what nothing has asked for in a month is forgotten', async () => {
    const database = await server.database();
    await server.remember(database, [{ id: 'good', text: 'an old cat' }]);
    expect((await statusesOf(database))[1]).toEqual(['completed', '']);
    server.clock.advance(31 * 86_400);
    await server.idle();
    const left = `select 1 from embedding_cache e join databases d on d.id = e.database_id and d.name = $1`;
    expect(await server.sql(left, [database])).toEqual([]);
  });
});

test('one that fails when it is asked for 1536 dimensions has its own length, unless it may make longer ones', async () => {
  const [short, long] = [makeProvider(), makeProvider(2000)];
  const start = async (url: string) =>
    TestServer.start({ environment: { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: 'toy' } });
  await Promise.all([short.listen(), long.listen()]);
  try {
    short.refuses = long.refuses = (_, { dimensions }) =>
      dimensions === undefined ? undefined : [500, 'no'];
    await (await start(short.url)).stop();
    await expect(start(long.url)).rejects.toThrow(/embedding provider .* does not answer: .*500/);
    long.refuses = () => undefined;
    await (await start(long.url)).stop();
  } finally {
    await short.close();
    await long.close();
  }
});

test('a server starts while its provider is down, if it has vectors of that model: it searches by words until then', async () => {
  const own = makeProvider();
  await own.listen();
  const environment = { EMBEDDINGS_URL: own.url, EMBEDDINGS_MODEL: 'toy' };
  const first = await TestServer.start({ environment });
  const database = await first.database();
  await first.remember(database, [{ id: 'cat', text: 'my cat sleeps' }]);
  await first.stop();
  own.mode = 'error 500';
  const other = { ...environment, EMBEDDINGS_MODEL: 'another' };
  await expect(TestServer.start({ environment: other, after: first })).rejects.toThrow(
    /does not answer: 500/,
  );
  const log: string[] = [];
  const second = await TestServer.start({ environment, after: first, log: (line) => log.push(line) });
  try {
    const ask = async (query: string) => {
      const { body } = await second.rest('POST', '/query', { json: { database, query, type: 'memory' } });
      return [body.data.chunks.map(({ id }: any) => id), body.data.notices];
    };
    expect(log.filter((line) => line.includes('until the embedding provider answers'))).toHaveLength(1);
    expect(await ask('cat')).toEqual([['cat'], [expect.stringMatching(/words alone/)]]);
    await second.remember(database, [{ id: 'late', text: 'a late cat' }]);
    expect((await second.statusOf(database, 'late')).error_code).toBe('E4001');
    own.mode = 'works';
    second.clock.advance(300);
    await second.idle();
    expect((await second.statusOf(database, 'late')).indexing_status).toBe('completed');
    expect(await ask('feline')).toEqual([expect.arrayContaining(['cat', 'late']), undefined]);
  } finally {
    await second.stop();
    await own.close();
  }
});
