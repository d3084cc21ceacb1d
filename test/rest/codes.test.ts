import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

// A code that few texts hold says which text is meant, however long that is.

let server: TestServer;
let database: string;
const long = (said: string) => {
  const sentence = (n: number) =>
    `Rinse the drum number ${n % 9}, then check the hose and the filter ${n % 7}.`;
  const half = Array.from({ length: 12 }, (_, n) => sentence(n)).join(' ');
  return `${half} ${said} ${half}`;
};
const complaints = ['after lunch', 'again', 'at night', 'on Monday', 'since the update', 'while printing'];
const ticket = (n: number) => {
  const title = n % 2 === 0 ? 'Error' : `Error ${complaints[n % complaints.length]}`;
  const fields = { title, description: `Error ${complaints[n % complaints.length]}.`, reporter: 'Ann Berg' };
  return { id: `ticket${n}`, kind: 'ticket', provider: 'desk', fields };
};

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.upload(database, {
    'manual.txt': long('With the sign E15 the pump is blocked.'),
    'orders.txt': long('Order 4051877 was sent back.'),
    'both.txt': long('Part ZX-81 belongs to order 4051999.'),
    'one.txt': 'Part ZX-81.',
    'garden hoses.txt': 'Rinse them in winter.',
    ...Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`garden${n}.txt`, `Roses of bed ${n} need water.`]),
    ),
  });
  const json = { database, app_knowledge: Array.from({ length: 60 }, (_, n) => ticket(n)) };
  await server.rest('POST', '/context/ingest', { json });
  await server.idle();
});
afterAll(async () => server.stop());

const titlesOf = async (query: string, more: Record<string, unknown> = {}): Promise<string[]> => {
  const answer = await server.rest('POST', '/query', { json: { database, query, max_results: 5, ...more } });
  return answer.body.data.chunks.map((chunk: { source_title: string }) => chunk.source_title);
};

test.each([{}, { mode: 'fast' }, { mode: 'thinking' }, { query_by: 'text' }, { query_apps: false }])(
  'the long text that holds it comes before many short ones with the other words: %j',
  async (more) => {
    for (const query of ['error E15', 'error e15 again', 'what does error E15 after lunch mean', 'E15 Ann'])
      expect((await titlesOf(query, more))[0]).toBe('manual.txt');
    expect((await titlesOf('error 4051877', more))[0]).toBe('orders.txt');
  },
);

test('the text that holds it comes before one that is called like the rest of the question', async () => {
  expect((await titlesOf('winter and garden hoses'))[0]).toBe('garden hoses.txt');
  expect((await titlesOf('E15 in garden hoses'))[0]).toBe('manual.txt');
});

test('the more of several the better', async () => {
  expect((await titlesOf('part ZX-81 of 4051999')).slice(0, 2)).toEqual(['both.txt', 'one.txt']);
});

test('one that no text holds leaves the words to decide', async () => {
  expect((await titlesOf('error E16'))[0]).toMatch(/^Error/);
});

test('a text of more than 35 words is no question: what it quotes counts by its words', async () => {
  const said =
    'Roses of bed 3 need water, as those beside them do, and somebody should see to it before noon.';
  expect((await titlesOf('roses of bed 3, E15'))[0]).toBe('manual.txt');
  expect((await titlesOf(`${said} The display says E15. ${said}`))[0]).toBe('garden3.txt');
});
