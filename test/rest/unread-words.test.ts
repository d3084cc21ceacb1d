import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

// Whether a word is taken for misspelt depends on where it occurs. What may not be read must not count: else whoever stores
// a word one letter away from a guess finds out whether the guess occurs there.

let server: TestServer;
let restricted: string;
let hiding: string;
let open: string;
beforeAll(async () => {
  server = await TestServer.start();
  const readable = [
    { id: 'bird', text: 'The quixlay is a small bird. Marta Quixlay works for Orbital Dynamics.' },
    { id: 'note', text: 'Weekly note about the heron colony.' },
  ];
  [restricted, hiding, open] = [await server.database(), await server.database(), await server.database()];
  for (const database of [restricted, hiding, open]) await server.remember(database, readable);
  const anns = { id: 'anns', text: 'Zebulon Quixley approved the nightingale.', acl: ['ann'] };
  await server.remember(restricted, [anns]);
  const nobodys = { id: 'nobodys', text: 'Code glasswort, said Orbital Dynamicz.', acl: [] };
  await server.remember(hiding, [nobodys]);
});
afterAll(async () => server.stop());

const ask = async (database: string, asked: Record<string, unknown>) => {
  const { status, body } = await server.rest('POST', '/query', {
    json: { database, type: 'memory', ...asked },
  });
  expect(status).toBe(200);
  return body.data.chunks.map(({ id, lanes }: any) => ({ id, lanes }));
};

test.each([
  ['a word one letter away from a readable one', 'quixley'],
  ['a name, in the graph too', 'Who is Marta Quixley?'],
])('%s', async (_, query) => {
  for (const mode of ['fast', 'thinking']) {
    const asked = { query, mode, acl: ['bob'] };
    const found = await ask(restricted, asked);
    expect(found).toEqual(await ask(open, asked));
    expect(found[0]).toMatchObject({ id: 'bird', lanes: { sparse: 1 } });
  }
});

test('a word is taken for misspelt by those who may not read it', async () => {
  const idsOf = async (database: string, asked: Record<string, unknown>) =>
    (await ask(database, { alpha: 0, ...asked })).map(({ id }: any) => id).sort();
  expect(await idsOf(restricted, { query: 'quixley heron', acl: ['ann'] })).toEqual(['anns', 'note']);
  expect(await idsOf(restricted, { query: 'quixley heron', acl: ['bob'] })).toEqual(['bird', 'note']);
  // It occurs where it may be read, whatever else the search is limited to.
  const limited = { query: 'quixley heron', acl: ['ann'], ids: ['bird', 'note'] };
  expect(await idsOf(restricted, limited)).toEqual(['note']);
  // Of what nobody may read, by everybody.
  expect(await idsOf(hiding, { query: 'dynamicz heron' })).toEqual(['bird', 'note']);
});
