import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';
import { ToyEmbedder } from '../support/toy-embedder.js';

let server: TestServer;

const ask = async (database: string, body: Record<string, unknown>) =>
  server.rest('POST', '/query', { json: { database, ...body } });
const idsOf = (answer: { body: any }): string[] => answer.body.data.chunks.map((chunk: any) => chunk.id);
const scoresOf = (answer: { body: any }): number[] =>
  answer.body.data.chunks.map((chunk: any) => chunk.relevancy_score);

beforeAll(async () => {
  server = await TestServer.start({ embedder: new ToyEmbedder() });
});
afterAll(async () => server.stop());

const message = (id: string, body: string, timestamp?: string) => ({
  id,
  kind: 'message',
  provider: 'chat',
  fields: { body },
  ...(timestamp === undefined ? {} : { timestamp }),
});

async function send(database: string, items: unknown[]): Promise<void> {
  const json = { database, app_knowledge: items };
  expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
  await server.idle();
}

describe('recency_bias', () => {
  test('puts the newer of equally good hits first, by the time that the item has or its upload', async () => {
    const database = await server.database();
    await send(database, [
      message('new', 'the budget of the team', '2020-01-01T00:00:00Z'),
      message('old', 'the budget of the team', '2001-01-01T00:00:00Z'),
      message('uploaded', 'the budget of the team'),
      message('middle', 'the budget of the team', '2016-01-01T00:00:00Z'),
    ]);
    const neutral = await ask(database, { query: 'budget' });
    expect(await ask(database, { query: 'budget', recency_bias: 0 })).toMatchObject({
      body: { data: { chunks: neutral.body.data.chunks } },
    });
    const biased = await ask(database, { query: 'budget', recency_bias: 1 });
    expect(idsOf(biased)).toEqual(['uploaded', 'new', 'middle', 'old']);
    const scores = scoresOf(biased);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
  });

  test('reaches new hits that stand deeper than what is looked at otherwise', async () => {
    const database = await server.database();
    // The longer, the lower: none is like another.
    const budget = (others: number) => `budget${' other'.repeat(others)}`;
    const several = (count: number, others: number, timestamp: string) =>
      Array.from({ length: count }, (_, n) => message(`${timestamp}-${n}`, budget(others + n), timestamp));
    await send(database, [
      ...several(40, 0, '1901-01-01T00:00:00Z'),
      ...several(60, 40, '2016-01-01T00:00:00Z'),
      message('new', budget(100)),
    ]);
    const best = async (recency_bias: number) =>
      idsOf(await ask(database, { query: 'budget', recency_bias, max_results: 25, query_by: 'text' }));
    expect(await best(0)).not.toContain('new');
    expect(await best(1)).toContain('new');
  });

  test('knows when a memory was observed', async () => {
    const database = await server.database();
    await server.remember(database, [
      { id: 'a-then', text: 'He works in the bakery.', observation_date: '2010-05-01' },
      { id: 'b-now', text: 'He works in the bakery.', observation_date: '2026-01-01' },
    ]);
    const asked = { query: 'works', type: 'memory' };
    expect(idsOf(await ask(database, asked))).toEqual(['a-then', 'b-now']);
    expect(idsOf(await ask(database, { ...asked, recency_bias: 0.8 }))).toEqual(['b-now', 'a-then']);
  });
});

describe('weights of collections', () => {
  test('multiply scores, and look for candidates in each collection', async () => {
    const database = await server.database();
    const many = Array.from({ length: 200 }, (_, n) => ({ id: `many${n}`, text: 'budget' }));
    await server.remember(database, many, { collection: 'many' });
    const few = Array.from({ length: 3 }, (_, n) => ({
      id: `few${n}`,
      text: `the budget, and ${'other words '.repeat(20)}`,
    }));
    await server.remember(database, few, { collection: 'few' });
    const asked = { query: 'budget', type: 'memory', query_by: 'text' };
    const alike = await ask(database, { ...asked, collections: { many: 3, few: 3 } });
    expect(idsOf(alike)).toEqual(idsOf(await ask(database, { ...asked, collections: ['many', 'few'] })));
    expect(idsOf(alike).some((id) => id.startsWith('few'))).toBe(false);
    const weighted = await ask(database, { ...asked, collections: { many: 0.01, few: 1, unknown: 500 } });
    expect(idsOf(weighted).slice(0, 3).toSorted()).toEqual(['few0', 'few1', 'few2']);
    expect(idsOf(weighted)).toHaveLength(10);
    const scores = scoresOf(weighted);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    const askHybrid = (collections: unknown) =>
      ask(database, { ...asked, query: 'the budget, and other', query_by: 'hybrid', collections });
    const hybrid = await askHybrid({ many: 1, few: 100 });
    expect(idsOf(hybrid).slice(0, 3).toSorted()).toEqual(['few0', 'few1', 'few2']);
    expect((await askHybrid({ many: 3, few: 3 })).body.data.chunks).toEqual(
      (await askHybrid(['many', 'few'])).body.data.chunks,
    );
  });

  test('all results are found that there are', async () => {
    const database = await server.database();
    for (const [index, collection] of ['a', 'b', 'c'].entries()) {
      const memories = Array.from({ length: 30 }, (_, n) => ({ id: `${collection}${n}`, text: 'budget' }));
      await server.remember(database, memories.slice(index), { collection });
    }
    const collections = { a: 1, b: 2, c: 3 };
    const answer = await ask(database, { query: 'budget', type: 'memory', collections, max_results: 250 });
    expect(new Set(idsOf(answer)).size).toBe(87);
  });

  test.each([
    ['0', { a: 0 }],
    ['below 0', { a: -1 }],
    ['no number', { a: '1' }],
  ])('a weight of %s is refused', async (_case, collections) => {
    const answer = await ask('none', { query: 'x', collections });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'collections.a must be a weight above 0',
    ]);
  });
});

describe('additional_context', () => {
  test('decides between what answers alike', async () => {
    const database = await server.database();
    await server.remember(database, [
      { id: 'a-car', text: 'The jaguar is fast, says the garage.' },
      { id: 'b-animal', text: 'The jaguar is fast, says the forest.' },
      { id: 'c-feline', text: 'The jaguar is fast, says the feline.' },
    ]);
    const asked = { query: 'jaguar', type: 'memory' };
    expect(idsOf(await ask(database, asked))).toEqual(['a-car', 'b-animal', 'c-feline']);
    for (const additional_context of ['', '  ', null])
      expect(idsOf(await ask(database, { ...asked, additional_context }))).toEqual([
        'a-car',
        'b-animal',
        'c-feline',
      ]);
    const words = await ask(database, {
      ...asked,
      query_by: 'text',
      additional_context: 'A walk in the forest.',
    });
    expect(idsOf(words)[0]).toBe('b-animal');
    const between = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const talk = `The garage is open. ${between}.`;
    const long = { ...asked, query_by: 'text', additional_context: `${talk} Now to the forest.` };
    expect(idsOf(await ask(database, long))[0]).toBe('b-animal');
  });

  test('decides by its meaning', async () => {
    const database = await server.database();
    await server.remember(database, [
      { id: 'a', text: 'The planets.' },
      { id: 'b', text: 'The planets and the felines.' },
      { id: 'c', text: 'The felines.' },
    ]);
    // The toy takes cats and felines for the same.
    const asked = { query: 'stars', type: 'memory', alpha: 1 };
    expect(idsOf(await ask(database, asked))[0]).toBe('a');
    const steered = await ask(database, { ...asked, additional_context: 'My cats.' });
    expect(idsOf(steered)).toEqual(['b', 'a', 'c']);
  });

  test('weighs less than the query, however long it is, and adds nothing to what matches', async () => {
    const database = await server.database();
    await server.remember(database, [
      { id: 'asked', text: 'The printer jams.' },
      { id: 'context', text: 'Forest, river, mountain and valley of the walk.' },
    ]);
    const asked = { query: 'printer', type: 'memory', query_by: 'text' };
    const additional_context = 'forest river mountain valley walk '.repeat(500);
    expect(idsOf(await ask(database, { ...asked, additional_context }))).toEqual(['asked']);
    const both = { ...asked, query: 'printer walk', additional_context };
    expect(idsOf(await ask(database, both))).toContain('context');
    for (const operator of ['and', 'phrase'])
      expect(idsOf(await ask(database, { ...asked, operator, additional_context }))).toEqual(['asked']);
    // Of a query without any word that is known the context says what is meant.
    expect(idsOf(await ask(database, { ...asked, query: 'and that one?', additional_context }))).toEqual([
      'context',
    ]);
  });

  test('has at most 32,768 characters', async () => {
    const database = await server.database();
    const answer = await ask(database, { query: 'x', additional_context: 'x'.repeat(32_769) });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'additional_context has 32769 characters; at most 32768',
    ]);
  });
});

test('alpha moves between the order of words and of meaning', async () => {
  const database = await server.database();
  await server.remember(database, [
    { id: 'words', text: 'The budget, in a long note about numbers' },
    { id: 'meaning', text: 'felines' },
  ]);
  const best = async (alpha: unknown) =>
    idsOf(await ask(database, { query: 'budget for kittens', type: 'memory', alpha }))[0];
  expect([await best(0), await best(0.9)]).toEqual(['words', 'meaning']);
});

test('GraphQL takes the same parameters', async () => {
  const database = await server.database();
  const note = { text: 'The jaguar is fast, says the zoo.' };
  await server.remember(database, [
    { id: 'a', ...note, observation_date: '2010-05-01' },
    { id: 'b', ...note, observation_date: '2025-05-01' },
  ]);
  await server.remember(database, [{ id: 'c', text: 'The jaguar is fast, says the forest.' }], {
    collection: 'more',
  });
  const first = async (more: string) => {
    const answer = await server.graphql(
      `query ($database: String!, $collections: JSON) {
        search(database: $database, type: memory, query: "jaguar", collections: $collections, queryBy: text ${more}) {
          chunks { id }
        }
      }`,
      { database, collections: more.includes('weights') ? { default: 1, more: 9 } : ['default', 'more'] },
    );
    return answer.body.data.search.chunks[0].id as string;
  };
  expect(await first('')).toBe('a');
  expect(await first(', recencyBias: 1')).not.toBe('a');
  expect(await first(', additionalContext: "the forest"')).toBe('c');
  expect(await first('# weights\n')).toBe('c');
});
