import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;

const texts = [
  'The night train from Hamburg to Stockholm leaves at 21:55 from platform 7.',
  'Beatrix repairs harpsichords in a workshop behind the fish market.',
  'The annual fee of the rowing club is 240 euros, due on 1 March.',
  'Goats may graze on the dike between April and October.',
  'The recipe for rhubarb cake asks for 300 grams of flour and two eggs.',
];
const scores = async (query: string, body: Record<string, unknown> = {}): Promise<number[]> => {
  const json = { database, query, type: 'memory', ...body };
  const { data } = (await server.rest('POST', '/query', { json })).body;
  return data.chunks.map(({ relevancy_score }: { relevancy_score: number }) => relevancy_score);
};
const best = async (query: string, body?: Record<string, unknown>) => (await scores(query, body))[0] ?? 0;

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.remember(
    database,
    texts.map((text, n) => ({ id: `m${n}`, text })),
  );
});
afterAll(async () => server.stop());

describe('relevancy_score', () => {
  const fitting = [
    'When does the night train to Stockholm leave?',
    'annual fee of the rowing club',
    'rhubarb cake',
    'What does Beatrix repair?',
  ];
  const others = [
    'What is the capital of Mongolia?',
    'purple elephants dancing',
    'asdfgh qwerty',
    'Who composed the Goldberg Variations?',
    'What is the fee for parking at the airport?',
  ];

  test.each(['fast', 'auto', 'thinking'])(
    'tells what is there from what is not, in mode %s',
    async (mode) => {
      for (const query of fitting) expect(await best(query, { mode })).toBeGreaterThan(0.6);
      for (const query of others) expect(await best(query, { mode })).toBeLessThan(0.45);
    },
  );

  test('is the same in all modes, and by words alone where they are all there', async () => {
    for (const query of [...fitting, ...others]) {
      const fast = await best(query, { mode: 'fast' });
      expect(await best(query, { mode: 'auto' })).toBeCloseTo(fast, 5);
      expect(await best(query, { mode: 'thinking' })).toBeCloseTo(fast, 5);
    }
    expect(await best('rhubarb cake', { query_by: 'text' })).toBe(1);
  });

  test('falls from hit to hit, and is never 0', async () => {
    for (const query of [...fitting, ...others]) {
      const found = await scores(query);
      expect(found).toEqual(found.toSorted((a, b) => b - a));
      for (const score of found) expect(score).toBeGreaterThan(0);
    }
  });
});
