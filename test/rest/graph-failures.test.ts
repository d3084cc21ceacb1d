import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openChildren } from '../../src/ingestion/preparation/prepare-pool.js';
import { triplets } from '../support/graphs.js';
import { TestServer } from '../support/server.js';

const children = openChildren({ module: new URL('../support/failing-rules-child.mjs', import.meta.url) });
const logged: string[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start({ prepareChildren: children, log: (line) => logged.push(line) });
});
afterAll(async () => {
  await server.stop();
  children.close();
});

test('an item on a sentence of which the rules fail is found and has the rest of its graph; its status says so', async () => {
  const database = await server.database();
  const text = 'Anna Berg works for Volvo. Tom Larsen works for the stumbling block of Saab.';
  await server.remember(database, [
    { id: 'stumbles', text },
    { id: 'walks', text: 'Pears ripen.' },
  ]);
  expect(await server.statusOf(database, 'walks')).toMatchObject({ error_message: '' });
  expect(await server.statusOf(database, 'stumbles')).toMatchObject({
    indexing_status: 'completed',
    error_code: '',
    error_message: 'searchable, but a part of its graph is left out: the rules failed on its text',
  });
  const path = `/context/relations?database=${database}&type=memory`;
  const { relations } = (await server.rest('GET', path)).body.data;
  expect(triplets(relations)).toEqual(['Anna Berg works_for Volvo']);
  const warning = logged.map((line) => JSON.parse(line)).find(({ problem }) => problem !== undefined);
  expect(warning).toMatchObject({
    id: 'stumbles',
    problem: 'stumbled',
    msg: 'a part of a graph is left out',
  });
});
