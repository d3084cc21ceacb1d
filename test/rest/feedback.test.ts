import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
let requestId: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.remember(database, [
    { id: 'one', text: 'herons fish at dawn' },
    { id: 'two', text: 'herons nest in trees' },
  ]);
  requestId = await ask('herons fish');
});
afterAll(async () => server.stop());

async function ask(query: string, name = database): Promise<string> {
  const answer = await server.rest('POST', '/query', { json: { database: name, query, type: 'memory' } });
  return answer.body.meta.request_id as string;
}
const send = (json: Record<string, unknown>) =>
  server.rest('POST', '/feedback', { json: { request_id: requestId, ...json } });
const stored = () => server.sql<any>('select * from feedback order by created_at, id');

describe('POST /feedback', () => {
  test('stores it with the query and the items of its answer', async () => {
    const answer = await send({
      feedback: 'the second is beside the point',
      ground_truth: { answer: 'at dawn', source_ids: ['one'] },
      rating: 'negative',
      source: 'agent',
      database,
      collection: 'birds',
      metadata: { model: 'x-1' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body.meta).toMatchObject({
      ...{ database, tenant_id: database, collection: 'birds', sub_tenant_id: 'birds' },
    });
    expect(answer.body.data).toEqual({
      feedback_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      request_id: requestId,
      recorded: true,
      created_at: expect.any(String),
      message: expect.any(String),
    });
    expect(await stored()).toEqual([
      expect.objectContaining({
        id: answer.body.data.feedback_id,
        request_id: requestId,
        query: 'herons fish',
        source_ids: ['one', 'two'],
        feedback: 'the second is beside the point',
        ground_truth: { answer: 'at dawn', sourceIds: ['one'] },
        rating: 'negative',
        source: 'agent',
        collection: 'birds',
        metadata: { model: 'x-1' },
      }),
    ]);
  });

  test('needs feedback or ground_truth only; GraphQL does the same', async () => {
    expect((await send({ ground_truth: { source_ids: ['one'] } })).status).toBe(201);
    const mutation = `mutation ($id: String!) { sendFeedback(input: { requestId: $id, feedback: "good", rating: positive }) { recorded } }`;
    const { body } = await server.graphql(mutation, { id: await ask('nests') });
    expect(body.data.sendFeedback).toEqual({ recorded: true });
    expect((await stored()).at(-1)).toMatchObject({ query: 'nests', rating: 'positive', source: null });
  });

  test.each([
    ['nothing said', {}, /feedback or ground_truth is required/],
    ['an empty ground truth', { ground_truth: {} }, /feedback or ground_truth is required/],
    ['no UUID', { request_id: 'x', feedback: 'x' }, /request_id must be the UUID/],
    ['8,001 characters', { feedback: 'x'.repeat(8001) }, /feedback has 8001 characters; at most 8000/],
    ['a long answer', { ground_truth: { answer: 'x'.repeat(8001) } }, /ground_truth.answer has 8001/],
    [
      '101 items',
      { ground_truth: { source_ids: Array(101).fill('x') } },
      /source_ids has 101 ids; at most 100/,
    ],
    ['an unknown rating', { feedback: 'x', rating: 'fine' }, /rating must be one of/],
    ['an unknown source', { feedback: 'x', source: 'cat' }, /source must be one of user, agent/],
    [
      '21 entries',
      { feedback: 'x', metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, ''])) },
      /metadata has 21 entries; at most 20/,
    ],
    ['a number', { feedback: 'x', metadata: { n: 1 } }, /metadata.n must be a string/],
    ['a long value', { feedback: 'x', metadata: { n: 'x'.repeat(1025) } }, /metadata.n has 1025 characters/],
  ])('with %s is 400 and stores nothing', async (_case, json, reason) => {
    const before = await stored();
    const answer = await send(json);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(reason);
    expect(await stored()).toEqual(before);
  });

  test('of a query that was never asked, or of another database, is 404', async () => {
    const other = await server.database();
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8058';
    for (const json of [{ request_id: unknown }, { database: other }]) {
      const answer = await send({ feedback: 'x', ...json });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    const missing = await send({ feedback: 'x', database: 'nowhere' });
    expect(missing.body.error.code).toBe('DATABASE_NOT_FOUND');
  });

  test('more than 100 in a minute are 429 with Retry-After', async () => {
    server.clock.advance(61);
    const statuses = [];
    for (let n = 0; n < 101; n += 1) statuses.push(await send({ feedback: `${n}` }));
    expect(statuses.filter(({ status }) => status === 201)).toHaveLength(100);
    const last = statuses.at(-1);
    expect([last?.status, last?.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    const wait = Number(last?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(
      ['limit', 'remaining', 'reset'].map((name) => Number(last?.headers.get(`ratelimit-${name}`))),
    ).toEqual([100, 0, wait]);
    server.clock.advance(61);
    expect((await send({ feedback: 'again' })).status).toBe(201);
  });
});

describe('queries', () => {
  test('are forgotten after a month, what was said of them is not', async () => {
    const old = await ask('old question');
    await send({ request_id: old, feedback: 'noted' });
    server.clock.advance(31 * 86_400);
    await server.idle();
    expect((await send({ request_id: old, feedback: 'late' })).status).toBe(404);
    expect(await stored()).toContainEqual(expect.objectContaining({ feedback: 'noted' }));
  });

  test('and feedback go with their database', async () => {
    const name = await server.database();
    const id = await ask('short-lived', name);
    await send({ request_id: id, feedback: 'short-lived' });
    await server.rest('DELETE', '/databases', { json: { database: name } });
    expect((await send({ request_id: id, feedback: 'x' })).status).toBe(404);
    await server.idle();
    for (const table of ['queries', 'feedback'])
      expect(await server.sql(`select 1 from ${table} where query = 'short-lived'`)).toEqual([]);
  });
});
