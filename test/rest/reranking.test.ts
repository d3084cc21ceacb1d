import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RerankServer } from '../support/rerank-server.js';
import type { RerankAsked } from '../support/rerank-server.js';
import { TestServer } from '../support/server.js';

const reranker = new RerankServer();
const count = 70;
const herons = Array.from({ length: count }, (_, n) => ({
  id: `item${n}`,
  title: `Paper ${n}`,
  text: `The heron stands still. ${'It waits. '.repeat(n % 7)}`,
}));
let server: TestServer;
let database: string;
const start = (path: string) =>
  TestServer.start({
    environment: {
      RERANK_URL: `${reranker.url}${path}`,
      RERANK_MODEL: 'toy',
      RERANK_API_KEY: 'sesame',
      QUERY_TIMEOUT_MS: '2000',
    },
  });
beforeAll(async () => {
  await reranker.listen();
  server = await start('/v1');
  database = await server.database();
  const long = { id: 'long', title: 'Long', text: `heron heron heron ${'fish '.repeat(380)}` };
  await server.remember(database, [...herons, long]);
});
afterAll(async () => {
  await server.stop();
  await reranker.close();
});
beforeEach(() => {
  reranker.asked = [];
  // What a failure shut is open again.
  server.clock.advance(120);
});

const textsOf = ({ body }: RerankAsked) => body.documents ?? body.texts ?? [];
/** The later a text came, the better it is. */
const backwards = (asked: RerankAsked) =>
  textsOf(asked).map((_, index) => ({ index, relevance_score: index / count }));
const ask = async (more: Record<string, unknown> = {}, at = server) => {
  const json = { database, type: 'memory', query: 'heron', max_results: 10, ...more };
  const { status, body } = await at.rest('POST', '/query', { json });
  expect([status, body.error]).toEqual([200, null]);
  return body.data;
};
const idsOf = (data: any) => data.chunks.map((chunk: any) => chunk.id) as string[];
const fused = async (max_results: number) => idsOf(await ask({ mode: 'fast', max_results }));

test('puts the best 50 in its order, with its scores, and leaves the others behind them', async () => {
  reranker.reply = (asked) => ({ body: { results: backwards(asked).reverse() } });
  const before = await fused(60);
  for (const mode of [undefined, 'auto', 'thinking']) {
    const data = await ask({ max_results: 60, ...(mode ? { mode } : {}) });
    expect(idsOf(data)).toEqual([...before.slice(0, 50).reverse(), ...before.slice(50)]);
    const scores = data.chunks.map((chunk: any) => chunk.relevancy_score);
    expect(scores.slice(0, 2)).toEqual([49 / count, 48 / count]);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(data).not.toHaveProperty('notices');
  }
  // Fewer results are the first of these: it still saw 50.
  expect(idsOf(await ask({ max_results: 3 }))).toEqual(before.slice(0, 50).reverse().slice(0, 3));
});

test('has the last word also where the query is what an item is called', async () => {
  reranker.reply = (asked) => ({ body: { results: backwards(asked) } });
  const before = idsOf(await ask({ query: 'Paper 7', mode: 'fast' }));
  expect(before[0]).toBe('item7');
  expect(
    idsOf(await ask({ query: 'Paper 7', max_results: 60 }))
      .slice(0, 50)
      .at(-1),
  ).toBe('item7');
});

test('puts no memory before the one that took its place', async () => {
  reranker.reply = (asked) => ({
    body: {
      results: textsOf(asked).map((text, index) => ({
        index,
        relevance_score: text.includes('Oslo') ? 0.9 : 0.2,
      })),
    },
  });
  const homes = await server.database();
  await server.remember(homes, [
    { id: 'oslo', text: 'I live in Oslo.', observation_date: '2024-01-10' },
    { id: 'rome', text: 'I moved to Rome.', observation_date: '2026-01-10' },
    { id: 'hike', text: 'The hike before Easter was long.', observation_date: '2026-02-10' },
  ]);
  const query = 'Where do I live?';
  expect(idsOf(await ask({ database: homes, query })).slice(0, 2)).toEqual(['rome', 'oslo']);
  expect(reranker.asked).toHaveLength(1);
});

test('is sent title and text, cut off, with model and key', async () => {
  reranker.reply = (asked) => ({ body: { results: backwards(asked) } });
  await ask({ max_results: 1 });
  const [{ path, authorization, body }] = reranker.asked as [RerankAsked];
  expect([path, authorization]).toEqual(['/v1/rerank', 'Bearer sesame']);
  // Nothing that some provider refuses.
  expect(body).toEqual({ model: 'toy', query: 'heron', documents: expect.any(Array) });
  expect(body.documents).toHaveLength(50);
  expect(body.documents?.every((text) => text.length <= 2000)).toBe(true);
  expect(body.documents?.some((text) => /^Paper \d+\nThe heron/.test(text))).toBe(true);
});

test('is not asked in mode fast, and not about a single chunk', async () => {
  await ask({ mode: 'fast' });
  await ask({ ids: ['item1'] });
  expect(reranker.asked).toEqual([]);
});

test.each(['results', 'data'])('may score with logits, and some only, in %s', async (field) => {
  reranker.reply = () => ({
    body: {
      [field]: [
        { index: 4, relevance_score: 7.5 },
        { index: 2, relevance_score: -3 },
      ],
    },
  });
  const before = await fused(10);
  const { chunks } = await ask();
  expect(chunks.slice(0, 3).map(({ id }: any) => id)).toEqual([before[4], before[2], before[0]]);
  const scores = chunks.map((chunk: any) => chunk.relevancy_score);
  expect(scores.every((score: number) => score >= 0 && score <= 1)).toBe(true);
});

test('one that takes texts in place of documents is asked so, from then on at once', async () => {
  const own = await start('/rerank');
  try {
    const other = await own.database();
    await own.remember(other, [
      { id: 'a', text: 'heron' },
      { id: 'b', text: 'a heron and more' },
    ]);
    reranker.reply = (asked) =>
      asked.body.texts
        ? { body: backwards(asked).map(({ index, relevance_score }) => ({ index, score: relevance_score })) }
        : { status: 422 };
    for (let times = 0; times < 2; times += 1)
      expect(idsOf(await ask({ database: other }, own))).toEqual(
        idsOf(await ask({ database: other, mode: 'fast' }, own)).reverse(),
      );
    expect(reranker.asked.map(({ path, body }) => [path, 'texts' in body])).toEqual([
      ['/rerank', false],
      ['/rerank', true],
      ['/rerank', true],
    ]);
  } finally {
    await own.stop();
  }
});

describe('one that refuses', () => {
  const scores = (asked: RerankAsked) => ({ body: { results: backwards(asked) } });

  test('so many texts at once is asked in parts, from then on at once', async () => {
    const own = await start('/rerank');
    try {
      reranker.reply = ({ body }) => {
        if (!body.texts) return { status: 422 };
        if (body.texts.length > 32) return { status: 413 };
        return { body: body.texts.map((text, index) => ({ index, score: -Number(/\d+/.exec(text)?.[0]) })) };
      };
      const other = await own.database();
      await own.remember(other, herons);
      const first = idsOf(await ask({ database: other, max_results: 50 }, own));
      expect(first).toEqual([...first].sort((a, b) => Number(a.slice(4)) - Number(b.slice(4))));
      expect(reranker.asked.map(({ body }) => body.texts?.length)).toEqual([
        undefined,
        50,
        undefined,
        25,
        25,
      ]);
      expect(reranker.asked.at(-1)?.body).toHaveProperty('truncate', true);
      reranker.asked = [];
      await ask({ database: other }, own);
      expect(reranker.asked.map(({ body }) => body.texts?.length)).toEqual([25, 25]);
    } finally {
      await own.stop();
    }
  });

  test('one long text gets its beginning, and others are asked for as before', async () => {
    reranker.reply = (asked) =>
      textsOf(asked).some((text) => text.length > 600) ? { status: 400 } : scores(asked);
    expect(await ask()).not.toHaveProperty('notices');
    reranker.asked = [];
    reranker.reply = scores;
    await ask();
    expect(reranker.asked.map(({ body }) => body.documents?.length)).toEqual([50]);
  });
});

describe('one that fails', () => {
  const broken: [string, RerankServer['reply'], number][] = [
    ['with 500, twice', () => ({ status: 500 }), 2],
    ['with 401', () => ({ status: 401 }), 1],
    ['by silence', () => undefined, 1],
    ['with no JSON', () => ({ body: 'oops' }), 1],
    ['without results', () => ({ body: { results: [] } }), 1],
    ['with places that there are not', () => ({ body: { results: [{ index: 99, relevance_score: 1 }] } }), 1],
    [
      'with a place twice',
      () => ({
        body: {
          results: [
            { index: 1, relevance_score: 1 },
            { index: 1, relevance_score: 0 },
          ],
        },
      }),
      1,
    ],
    ['with words for scores', () => ({ body: { results: [{ index: 1, relevance_score: 'good' }] } }), 1],
  ];
  test.each(broken)('%s leaves the fused order and says so', async (_case, reply, requests) => {
    reranker.reply = reply;
    const data = await ask();
    expect(idsOf(data)).toEqual(await fused(10));
    expect(data.notices).toEqual([expect.stringMatching(/^reranking was left out: /)]);
    expect(reranker.asked).toHaveLength(requests);
  });

  test('is not waited for again at once, and asked again later', async () => {
    reranker.reply = () => ({ status: 401 });
    await ask();
    expect((await ask()).notices).toEqual([expect.stringMatching(/did not answer lately/)]);
    expect(reranker.asked).toHaveLength(1);
    server.clock.advance(120);
    reranker.reply = (asked) => ({ body: { results: backwards(asked) } });
    expect(await ask()).not.toHaveProperty('notices');
  });

  test('once is asked once more', async () => {
    reranker.reply = (asked) =>
      reranker.asked.length === 1 ? { status: 503 } : { body: { results: backwards(asked) } };
    expect(await ask()).not.toHaveProperty('notices');
    expect(reranker.asked).toHaveLength(2);
  });
});

test('recency and the weights of collections act on its order', async () => {
  const aged = await server.database();
  await server.remember(aged, [{ id: 'old', text: 'heron and reeds' }], { collection: 'a' });
  server.clock.advance(1_000_000);
  await server.remember(aged, [{ id: 'new', text: 'heron' }], { collection: 'b' });
  reranker.reply = (asked) => ({
    body: {
      results: textsOf(asked).map((text, index) => ({
        index,
        relevance_score: text.includes('reeds') ? 0.6 : 0.5,
      })),
    },
  });
  const order = async (more: object) =>
    idsOf(await ask({ database: aged, collections: ['a', 'b'], ...more }));
  expect(await order({})).toEqual(['old', 'new']);
  expect(await order({ recency_bias: 1 })).toEqual(['new', 'old']);
  expect(await order({ collections: { a: 1, b: 9 } })).toEqual(['new', 'old']);
});
