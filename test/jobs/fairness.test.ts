import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Embedder } from '../../src/inference/embedder.js';
import { TestServer } from '../support/server.js';

/** An embedder that notes in which order texts come to it. */
class NotingEmbedder implements Embedder {
  readonly model = 'noting';
  readonly dimensions = 2;
  readonly dimensionsShown = { default: 2, min: 2, max: 2 };
  readonly denseWeight = 0.1;
  readonly cached = false;
  readonly texts: string[] = [];

  async embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
    this.texts.push(...texts.filter((text) => text !== 'probe'));
    return texts.map(() => Float32Array.of(1, 0));
  }

  async embedQuery(): Promise<Float32Array> {
    return Float32Array.of(1, 0);
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }
}

const queuedMax = 300;
const embedder = new NotingEmbedder();
let server: TestServer;
let database: string;
beforeEach(async () => {
  database = await server.database();
  embedder.texts.length = 0;
});
const startWith = (environment: NodeJS.ProcessEnv) => async () => {
  server = await TestServer.start({ embedder, environment });
};
const stop = async () => server.stop();

const ingest = (name: string, word: string, count: number) =>
  server.rest('POST', '/context/ingest', {
    json: {
      database: name,
      type: 'memory',
      memories: Array.from({ length: count }, (_, n) => ({ text: `${word} ${n}` })),
    },
  });
const firstOf = (word: string) => embedder.texts.findIndex((text) => text.includes(word));
const lastOf = (word: string) => embedder.texts.findLastIndex((text) => text.includes(word));
const countsOf = async (name: string) => {
  const fields = 'queued processing graphCreation completed errored';
  const { body } = await server.graphql(`{ databaseStats(database: "${name}") { indexing { ${fields} } } }`);
  return body.data.databaseStats.indexing;
};

describe('the queue', () => {
  beforeAll(startWith({}));
  afterAll(stop);

  test('lets databases take turns: a few items do not wait for the many of another database', async () => {
    const others = await Promise.all([server.database(), server.database()]);
    await ingest(database, 'many', 250);
    for (const other of others) await ingest(other, 'few', 3);
    await server.idle();
    expect(embedder.texts).toHaveLength(256);
    expect(lastOf('few')).toBeLessThan(64);
    // Nor do they push the many aside: all of them share the first claim.
    expect(firstOf('many')).toBeLessThan(64);
  });

  test('gives the next turn to databases that the last claim had no place for', async () => {
    // Sixteen share a claim. One is made after the other, so that the last one has the highest id.
    const names: string[] = [];
    while (names.length < 17) names.push(await server.database());
    for (const name of names.slice(0, -1)) await ingest(name, 'many', 30);
    await ingest(names.at(-1) ?? '', 'last', 1);
    await server.idle();
    expect(embedder.texts).toHaveLength(16 * 30 + 1);
    // The second claim begins with it: the first takes 13 items of each, the third what is left of them.
    expect(firstOf('last')).toBeLessThan(2 * 16 * 13);
  });

  test('serves every one of more databases than share a claim', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, async () => server.database()));
    for (const name of names) await ingest(name, `word-${name}`, 5);
    await server.idle();
    for (const name of names) expect(await countsOf(name)).toMatchObject({ queued: 0, completed: 5 });
  });

  test('takes small requests of a database first', async () => {
    await ingest(database, 'bulk', 200);
    await ingest(database, 'small', 1);
    await server.idle();
    expect(firstOf('small')).toBe(0);
  });

  test('but lets no large request wait for ever', async () => {
    await ingest(database, 'bulk', 200);
    server.clock.advance(300);
    await ingest(database, 'small', 1);
    await server.idle();
    expect(firstOf('small')).toBe(200);
  });

  test('nor any longer than ten minutes', async () => {
    const items = 700;
    await ingest(database, 'bulk', items);
    server.clock.advance(601);
    await ingest(database, 'small', 1);
    await server.idle();
    expect(firstOf('small')).toBe(items);
  });
});

describe('MAX_QUEUED', () => {
  beforeAll(startWith({ MAX_QUEUED: String(queuedMax) }));
  afterAll(stop);

  test('answers 429 with Retry-After while that many wait, and stores nothing; others are not concerned', async () => {
    const other = await server.database();
    expect((await ingest(database, 'first', queuedMax)).status).toBe(202);
    expect(await countsOf(database)).toEqual({
      queued: queuedMax,
      processing: 0,
      graphCreation: 0,
      completed: 0,
      errored: 0,
    });
    const refused = await ingest(database, 'second', 1);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.error.message).toMatch(
      new RegExp(`^${queuedMax} items .* wait to be indexed, where MAX_QUEUED allows ${queuedMax};`),
    );
    const wait = refused.headers.get('retry-after');
    expect(Number(wait)).toBeGreaterThan(0);
    // Of the queue, not of the key, which has requests left.
    expect(['limit', 'remaining', 'reset'].map((name) => refused.headers.get(`ratelimit-${name}`))).toEqual([
      String(queuedMax),
      '0',
      wait,
    ]);
    const mutation = `mutation { ingest(input: { database: "${database}", type: memory, memories: [{ text: "x" }] }) { success } }`;
    const { errors } = (await server.graphql(mutation)).body;
    expect(errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', httpStatus: 429 });
    expect((await ingest(other, 'other', 1)).status).toBe(202);
    // A request is taken whole while there is room for one item.
    expect((await ingest(other, 'more', queuedMax + 1)).status).toBe(202);
    expect((await ingest(other, 'third', 1)).body.error.message).toMatch(
      new RegExp(`^${queuedMax + 2} items .* allows ${queuedMax};`),
    );
    expect(await countsOf(database)).toMatchObject({ queued: queuedMax });
    await server.idle();
    expect(await countsOf(database)).toMatchObject({ queued: 0, completed: queuedMax });
    expect((await ingest(database, 'second', 1)).status).toBe(202);
    await server.idle();
    expect(await countsOf(database)).toMatchObject({ completed: queuedMax + 1 });
  });
});
