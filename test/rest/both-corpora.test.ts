import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { statementsOf } from '../support/asked-statements.js';
import { TestServer } from '../support/server.js';

// Knowledge and memories in one answer: what is rare is rare in all that is searched.

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.remember(database, [
    { id: 'facts', text: 'Marta has her birthday on May 4. The alarm code of the office in Lisbon is 4471.' },
    { id: 'tea', text: 'I prefer tea.' },
    { id: 'sister', text: 'My sister lives in Porto.' },
  ]);
  const items = [
    'When the alarm rings leave the building.',
    'The dress code is casual.',
    'Maria bought a new car.',
    'The choir sings the song Tomorrow, of course.',
    'The choir sings the song Yesterday, of course.',
    ...Array.from({ length: 120 }, (_, n) => `Standup note ${n} about the canteen and the garden.`),
  ].map((body, n) => ({ id: `k${n}`, kind: 'message', provider: 'chat', fields: { body } }));
  expect(
    (await server.rest('POST', '/context/ingest', { json: { database, app_knowledge: items } })).status,
  ).toBe(202);
  await server.idle();
});
afterAll(async () => server.stop());

const ask = async (query: string, more: Record<string, unknown> = {}): Promise<string[]> => {
  const json = { database, query, type: 'all', graph_context: false, ...more };
  const { body } = await server.rest('POST', '/query', { json });
  return body.data.chunks.map(({ id }: { id: string }) => id);
};

test.each([{}, { query_by: 'text' }, { mode: 'fast' }])(
  'a memory with all words stands before knowledge with one of them: %j',
  async (more) => {
    expect((await ask('alarm code office Lisbon', more))[0]).toBe('facts');
  },
);

test('a word that one of them knows is no typing error in the other', async () => {
  expect((await ask('Marta birthday'))[0]).toBe('facts');
  expect(await ask('Marta birthday', { query_by: 'text' })).toEqual(['facts']);
  // One that none knows is.
  expect(await ask('Martta birthdax', { query_by: 'text' })).toContain('facts');
});

test('words of time stay in a question that knowledge may hold the words of', async () => {
  expect(await ask('Who sings the song Yesterday?', { query_by: 'text', max_results: 1 })).toEqual(['k4']);
});

test('each of them is asked once how often the words occur', async () => {
  const asked = await statementsOf(server, () => ask('garden tea', { query_by: 'text' }));
  expect(asked.filter((sql) => /from term_frequencies_\d/.test(sql))).toHaveLength(2);
});
