import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Graphs } from '../support/graphs.js';

// Irregular forms of English words find one another, as regular ones do.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
  await graphs.store({
    wrist: { text: 'The left wrist of Ottilie is broken since Friday.' },
    bike: { text: 'Rafi bought a red bicycle at the market.' },
    rows: { text: 'Rows of the audit are kept for fifteen years.' },
    cellar: { text: 'Mice live in the cellar of the old mill.' },
    garden: { text: 'A rose climbs the fence of the garden.' },
    price: { text: 'Rents rose by four percent.' },
  });
});
afterAll(async () => graphs.server.stop());

const found = async (query: string, options = {}): Promise<string[]> => {
  const json = { database: graphs.database, query, query_by: 'text', max_results: 10, ...options };
  const { body } = await graphs.server.rest('POST', '/query', { json });
  return body.data.chunks.map(({ id }: { id: string }) => id);
};

test.each([
  ['Who broke a bone?', 'wrist'],
  ['Did anybody break something?', 'wrist'],
  ['What did they buy?', 'bike'],
  ['buying', 'bike'],
  ['How long do we keep it?', 'rows'],
  ['a mouse', 'cellar'],
])('%s', async (query, expected) => {
  expect(await found(query)).toEqual([expected]);
});

test('a form that is another word too is found by what it may be, and finds what it is first', async () => {
  expect(await found('Does anything rise?')).toEqual(expect.arrayContaining(['price']));
  expect((await found('rose')).sort()).toEqual(['garden', 'price']);
  expect(await found('rising')).not.toEqual([]);
});

test.each(['buys a red bicycle', 'bought a red bicycle'])('the phrase %s', async (query) => {
  expect(await found(query, { operator: 'phrase' })).toEqual(['bike']);
});
